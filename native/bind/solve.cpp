// The solver of small Go boards.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "solve/solver.hpp"

namespace rookery {
namespace {

using Told = std::tuple<std::optional<bool>, std::uint64_t, std::vector<int>>;

void check(const solve::Question& q) {
    const auto within = [](int value, int least, int most) { return least <= value && value <= most; };
    if (!within(q.size, 2, 5) || !within(q.seat, 0, 1) || !within(q.prover, 0, 1) || !within(q.threads, 1, 256) ||
        !within(q.moves, 0, solve::Proof<2>::most_moves) || !within(q.ko, -1, q.size * q.size - 1) ||
        !within(q.points, 1 - q.size * q.size, q.size * q.size) || (q.stones[0] & q.stones[1]))
        throw BadOption("no such question");
}

const Binding solver([](nb::module_& m) {
    using solve::Solver;
    nb::class_<Solver>(m, "GoSolver")
        .def(
            "__init__", [](Solver* self, std::size_t megabytes) { new (self) Solver(megabytes_of(megabytes)); },
            "megabytes"_a)
        .def_prop_ro("bytes", &Solver::bytes)
        .def(
            "ask",
            [](Solver& self, int size, std::uint32_t black, std::uint32_t white, int seat, int ko, int prover,
               int points, int moves, std::uint64_t nodes, int threads, bool far, bool line) -> Told {
                const solve::Question q{size,  {black, white}, seat,    ko,  prover, points,
                                        moves, nodes,          threads, far, line};
                check(q);
                solve::Reply reply;
                {
                    const Turn turn(&self);
                    const Unlocked unlocked;
                    Poll poll = signals();
                    reply = self.ask(q, poll);
                }
                const auto answer = reply.answer == solve::Answer::stopped
                                        ? std::nullopt
                                        : std::optional(reply.answer == solve::Answer::yes);
                return {answer, reply.nodes, reply.line};
            },
            "size"_a, "black"_a, "white"_a, "seat"_a, "ko"_a, "prover"_a, "points"_a, "moves"_a, "nodes"_a, "threads"_a,
            "far"_a, "line"_a);
});

solve::Board<5> board_of(std::uint32_t black, std::uint32_t white, int seat, int ko) {
    check({5, {black, white}, seat, ko});
    constexpr auto all = go::Grid<5>::all;
    solve::Board<5> board{{black & all, white & all}, static_cast<std::int8_t>(seat), solve::no_ko};
    if (ko >= 0) board.ko = static_cast<std::int8_t>(ko);
    return board;
}

// For the tests: the solver's own board, a move at a time.
const Binding solver_board([](nb::module_& m) {
    m.def(
        "solver_moves",
        [](std::uint32_t black, std::uint32_t white, int seat, int ko) {
            std::vector<int> points;
            go::each(solve::Moves<5>(board_of(black, white, seat, ko)).legal(), [&](int p) { points.push_back(p); });
            return points;
        },
        "black"_a, "white"_a, "seat"_a, "ko"_a);
    m.def(
        "solver_play",
        [](std::uint32_t black, std::uint32_t white, int seat, int ko, int point) {
            const solve::Moves<5> moves(board_of(black, white, seat, ko));
            const auto legal = moves.legal();
            if (point != 25 && (point < 0 || point > 24 || !go::Grid<5>::has(legal, point)))
                throw IllegalMove("no such move (" + std::to_string(point) + ")");
            const solve::Board<5> next = point == 25 ? moves.pass() : moves.play(point);
            return std::tuple(next.stones[0], next.stones[1], next.ko == solve::no_ko ? -1 : int{next.ko}, area(next));
        },
        "black"_a, "white"_a, "seat"_a, "ko"_a, "point"_a);
});

}  // namespace
}  // namespace rookery
