#include "bind/treestrap.hpp"
#include "evaluators/chess_linear.hpp"
#include "evaluators/duchess.hpp"

namespace rookery {
namespace {

template <int Players>
std::map<std::string, int> blocks() {
    using F = duchess::Features<Players>;
    return {{"bias", F::bias},     {"material", F::material}, {"wizards", F::wizards},
            {"check", F::check},   {"mate", F::mate},         {"attack", F::attack},
            {"square", F::square}, {"mode", F::mode},         {"near_king", F::near_king}};
}

const Binding linear_binding([](nb::module_& m) {
    nb::enum_<learn::Method>(m, "Method")
        .value("treestrap", learn::Method::treestrap)
        .value("rootstrap", learn::Method::rootstrap)
        .value("tdleaf", learn::Method::tdleaf);
    nb::class_<learn::Schooling>(m, "Schooling")
        .def(
            "__init__",
            [](learn::Schooling* self, learn::Method method, int depth, float rate, float final, float discount,
               float limit, float trace, bool slope, bool quiescence, bool selective, bool quiet, bool exact,
               int random_moves, int longest, std::size_t megabytes, std::int64_t round) {
                new (self)
                    learn::Schooling{method,     depth,     rate,  final, discount,     limit,   trace,     slope,
                                     quiescence, selective, quiet, exact, random_moves, longest, megabytes, round};
            },
            "method"_a, "depth"_a, "rate"_a, "final"_a, "discount"_a, "limit"_a, "trace"_a, "slope"_a, "quiescence"_a,
            "selective"_a, "quiet"_a, "exact"_a, "random_moves"_a, "longest"_a, "megabytes"_a, "round"_a);
    nb::class_<learn::Play>(m, "Play")
        .def(nb::init<std::int64_t, std::vector<Move>, std::vector<std::vector<Move>>, std::vector<float>>(),
             "number"_a, "moves"_a, "lines"_a, "values"_a)
        .def_ro("number", &learn::Play::number)
        .def_ro("moves", &learn::Play::moves)
        .def_ro("lines", &learn::Play::lines)
        .def_ro("values", &learn::Play::values);
    nb::class_<learn::Lessons>(m, "Lessons")
        .def_ro("games", &learn::Lessons::games)
        .def_ro("plies", &learn::Lessons::plies)
        .def_ro("searches", &learn::Lessons::searches)
        .def_ro("nodes", &learn::Lessons::nodes)
        .def_ro("notes", &learn::Lessons::notes)
        .def_ro("first_wins", &learn::Lessons::first_wins)
        .def_ro("second_wins", &learn::Lessons::second_wins)
        .def_ro("error", &learn::Lessons::error);
    bind_linear<duchess::Position<4>, evaluators::DuchessLinear<4>>(m, "Duchess4Linear");
    bind_linear<duchess::Position<6>, evaluators::DuchessLinear<6>>(m, "Duchess6Linear");
    bind_treestrap<duchess::Position<4>, evaluators::DuchessLinear<4>>(m, "Duchess4");
    bind_treestrap<duchess::Position<6>, evaluators::DuchessLinear<6>>(m, "Duchess6");
    bind_linear<chess::Position, evaluators::ChessLinear>(m, "ChessLinear");
    bind_treestrap<chess::Position, evaluators::ChessLinear>(m, "Chess");
    m.def(
        "duchess_features",
        [](int players) {
            if (players != 4 && players != 6)
                throw BadOption("players must be 4 or 6 (got " + std::to_string(players) + ")");
            return players == 4 ? blocks<4>() : blocks<6>();
        },
        "players"_a);
});

}  // namespace
}  // namespace rookery
