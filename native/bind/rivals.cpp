// The rivals of Go by their rules of thumb, and duels between them.
#include <nanobind/stl/variant.h>

#include "bind/bind.hpp"
#include "rivals/duel.hpp"

namespace rookery {
namespace {

using rivals::AnyRival, rivals::Duel, rivals::Gojen, rivals::Naive, rivals::Random, rivals::Wally;

template <class R>
nb::class_<R> bind_rival(nb::module_& m, const char* name) {
    nb::class_<R> bound(m, name);
#define ROOKERY_RIVAL_CHOOSE(N)                                                       \
    bound.def(                                                                        \
        "choose",                                                                     \
        [](const R& rival, const State<go::Position<N>>& state, std::uint64_t seed) { \
            require_moves(state.position(), {});                                      \
            Rng rng(seed);                                                            \
            return rival.choose(state.position(), rng);                               \
        },                                                                            \
        "state"_a, "seed"_a);
    ROOKERY_GO_SIZES(ROOKERY_RIVAL_CHOOSE)
    return bound;
}

template <int N>
Duel meet(const AnyRival& a, const AnyRival& b, const State<go::Position<N>>& start, std::int64_t games,
          std::uint64_t seed) {
    const Unlocked unlocked;
    Poll poll = signals();
    not_below("games", games, 0);
    return std::visit(
        [&](const auto& x, const auto& y) { return rivals::duel(x, y, start.position(), games, seed, poll); }, a, b);
}

const Binding rivals_binding([](nb::module_& m) {
    bind_rival<Random>(m, "Random").def(nb::init<>());
    bind_rival<Naive>(m, "Naive").def(nb::init<>());
    bind_rival<Wally>(m, "Wally").def(nb::init<>());
    bind_rival<Gojen>(m, "Gojen")
        .def(
            "__init__",
            [](Gojen* self, double noise, int attack, bool escape) {
                new (self) Gojen({within("noise", noise, 0, 1000), within("attack", attack, 1, 3), escape});
            },
            "noise"_a = 12.0, "attack"_a = 3, "escape"_a = true);
    nb::class_<Duel>(m, "Duel")
        .def_ro("games", &Duel::games)
        .def_ro("wins", &Duel::wins)
        .def_ro("losses", &Duel::losses)
        .def_ro("plies", &Duel::plies)
        .def_ro("capped", &Duel::capped);
    m.def("duel", &meet<5>, "first"_a, "second"_a, "start"_a, "games"_a, "seed"_a);
    m.def("duel", &meet<7>, "first"_a, "second"_a, "start"_a, "games"_a, "seed"_a);
    m.def("duel", &meet<9>, "first"_a, "second"_a, "start"_a, "games"_a, "seed"_a);
});

}  // namespace
}  // namespace rookery
