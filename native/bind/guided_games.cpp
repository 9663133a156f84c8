// Games that knowledge plays against itself: in any game for knowledge that sees states, and in chess for a network
// elsewhere, which gets planes and the actions of legal moves straight from here, made by several threads.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include "bind/policies.hpp"
#include "core/pool.hpp"
#include "encoders/chess_actions.hpp"
#include "encoders/chess_history.hpp"
#include "search/guided_games.hpp"

namespace rookery {
namespace {

constexpr int most_plies = 100'000;

template <class S>
std::vector<std::int8_t> ends(const search::GuidedGames<S>& games) {
    std::vector<std::int8_t> all;
    for (std::size_t i = 0; i < games.size(); ++i) all.push_back(games.end(i));
    return all;
}

template <class S>
std::optional<search::Policy> fitting(const search::GuidedGames<S>& games, const GivenPolicy& given) {
    return policy_of(given, games.waiting(), [&](std::size_t i) { return games.legal(i).size(); });
}

void bind_any(nb::module_& m) {
    using Games = search::GuidedGames<AnyPosition>;
    nb::class_<Games>(m, "GuidedGames")
        .def(
            "__init__",
            [](Games* self, std::vector<AnyPosition> starts, int plies, std::uint64_t seed) {
                new (self) Games(std::move(starts), within("plies", plies, 1, most_plies), seed);
            },
            "starts"_a, "plies"_a, "seed"_a)
        .def("waiting",
             [](const Games& games) {
                 const Turn turn(&games);
                 nb::list states;
                 for (std::size_t i = 0; i < games.waiting(); ++i) states.append(games.state(i).python());
                 return states;
             })
        .def(
            "play",
            [](Games& games, const Offsets& offsets, const Shares& shares) {
                const Turn turn(&games);
                const auto policy = fitting(games, std::pair(offsets, shares));
                const Unlocked unlocked;
                Poll poll = signals();
                games.play(*policy, [&](int count, auto job) {
                    for (int i = 0; i < count; ++i) poll.step(64), job(i);
                });
            },
            "offsets"_a, "shares"_a)
        .def_prop_ro("ends",
                     [](const Games& games) {
                         const Turn turn(&games);
                         return ends(games);
                     })
        .def_prop_ro("plies",
                     [](const Games& games) {
                         const Turn turn(&games);
                         return games.plies();
                     })
        .def(
            "last",
            [](const Games& games, std::size_t game) {
                const Turn turn(&games);
                if (game >= games.size()) throw nb::index_error();
                return games.last(game).python();
            },
            "game"_a);
}

struct ChessGame {
    State<chess::Position> state;
    std::vector<Move> legal() const { return state.moves(); }
    std::optional<Outcome> over() const { return state.outcome(); }
    ChessGame after(Move m) const { return {state.after(m)}; }
};

struct ChessGames {
    ChessGames(std::vector<ChessGame> starts, int plies, std::uint64_t seed, int threads)
        : games(std::move(starts), plies, seed), workers(threads, 64) {}
    search::GuidedGames<ChessGame> games;
    Pool workers;
};

using Planes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<4>, nb::c_contig>;
template <class T>
using Row = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <class T>
nb::capsule owner_of(T* data) {
    return nb::capsule(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
}

// What the network sees of the positions under way, where the moves of each begin, and their actions.
std::tuple<Planes, Row<std::int64_t>, Row<std::int16_t>> encoded(ChessGames& all) {
    const auto& games = all.games;
    const std::size_t count = games.waiting(), size = encoders::chess_history_bytes;
    auto planes = std::make_unique_for_overwrite<std::uint8_t[]>(count * size);
    auto offsets = std::make_unique_for_overwrite<std::int64_t[]>(count + 1);
    offsets[0] = 0;
    for (std::size_t i = 0; i < count; ++i)
        offsets[i + 1] = offsets[i] + static_cast<std::int64_t>(games.legal(i).size());
    const auto total = static_cast<std::size_t>(offsets[count]);
    auto actions = std::make_unique_for_overwrite<std::int16_t[]>(total);
    {
        const Unlocked unlocked;
        all.workers.run(static_cast<int>(count), [&](int game) {
            const auto i = static_cast<std::size_t>(game);
            const State<chess::Position>& state = games.state(i).state;
            const std::vector<const chess::Position*> line = state.positions();
            const auto before = [&](std::size_t plies) {
                return line.size() > plies ? line[line.size() - 1 - plies] : nullptr;
            };
            encoders::encode_history(state.position(), before(2), before(4), planes.get() + i * size);
            std::int64_t at = offsets[i];
            for (const Move m : games.legal(i))
                actions[static_cast<std::size_t>(at++)] = static_cast<std::int16_t>(encoders::chess_action(m));
        });
    }
    std::uint8_t* const shown = planes.release();
    std::int64_t* const begins = offsets.release();
    std::int16_t* const legal = actions.release();
    return {Planes(shown, {count, static_cast<std::size_t>(encoders::chess_history_planes), 8, 8}, owner_of(shown)),
            Row<std::int64_t>(begins, {count + 1}, owner_of(begins)),
            Row<std::int16_t>(legal, {total}, owner_of(legal))};
}

void bind_chess(nb::module_& m) {
    nb::class_<ChessGames>(m, "ChessGuidedGames")
        .def(
            "__init__",
            [](ChessGames* self, const std::vector<State<chess::Position>>& starts, int plies, std::uint64_t seed,
               int threads) {
                std::vector<ChessGame> games;
                for (const auto& start : starts) games.push_back({start});
                new (self)
                    ChessGames(std::move(games), within("plies", plies, 1, most_plies), seed, threads_of(threads));
            },
            "starts"_a, "plies"_a, "seed"_a, "threads"_a)
        .def("encoded",
             [](ChessGames& all) {
                 const Turn turn(&all);
                 return encoded(all);
             })
        .def(
            "play",
            [](ChessGames& all, const Offsets& offsets, const Shares& shares) {
                const Turn turn(&all);
                const auto policy = fitting(all.games, std::pair(offsets, shares));
                const Unlocked unlocked;
                all.games.play(*policy, [&](int count, auto job) { all.workers.run(count, job); });
            },
            "offsets"_a, "shares"_a)
        .def_prop_ro("ends",
                     [](const ChessGames& all) {
                         const Turn turn(&all);
                         return ends(all.games);
                     })
        .def(
            "last",
            [](const ChessGames& all, std::size_t game) {
                const Turn turn(&all);
                if (game >= all.games.size()) throw nb::index_error();
                return all.games.last(game).state;
            },
            "game"_a);
}

const Binding guided_games_binding([](nb::module_& m) {
    bind_any(m);
    bind_chess(m);
});

}  // namespace
}  // namespace rookery
