// The metaposition of Kriegspiel: what can stand where, by all that a seat was told.
#include "belief/possible.hpp"

#include "belief/soundness.hpp"
#include "bind/belief_replay.hpp"
#include "bind/bind.hpp"

namespace rookery {
namespace {

using belief::Possible;
using belief::Soundness;

chess::Square square_of(int square) {
    return within("square", square, 0, 63);
}

const Binding possible_binding([](nb::module_& m) {
    nb::class_<Possible>(m, "Possible")
        .def(
            "__init__", [](Possible* self, const kriegspiel::View& view) { new (self) Possible(Possible::of(view)); },
            "view"_a)
        .def_prop_ro("masks",
                     [](const Possible& p) {
                         std::vector<int> masks;
                         for (chess::Square s = 0; s < 64; ++s) masks.push_back(p.mask(s));
                         return masks;
                     })
        .def_prop_ro("ages",
                     [](const Possible& p) {
                         std::vector<int> ages;
                         for (chess::Square s = 0; s < 64; ++s) ages.push_back(p.age(s));
                         return ages;
                     })
        .def_prop_ro("pawns",
                     [](const Possible& p) {
                         std::vector<std::pair<int, int>> bounds;
                         for (int f = 0; f < 8; ++f) bounds.emplace_back(p.least_pawns(f), p.most_pawns(f));
                         return bounds;
                     })
        // By square, the kind of the seat's own man; -1: none.
        .def_prop_ro("own",
                     [](const Possible& p) {
                         std::vector<int> kinds;
                         for (chess::Square s = 0; s < 64; ++s) kinds.push_back(p.kind_at(s));
                         return kinds;
                     })
        .def_prop_ro("castling", &Possible::castling)
        // Directions of check against the seat, a set by bits: rank, file, long and short diagonal, knight.
        .def_prop_ro("checks", [](const Possible& p) { return int{p.checks()}; })
        .def_prop_ro("tries", &Possible::tries)
        .def_prop_ro("pawns_left", &Possible::pawns_left)
        .def_prop_ro("pieces_left", &Possible::pieces_left)
        .def_prop_ro("promotable", &Possible::promotable)
        .def_prop_ro("bare_king", &Possible::bare_king)
        .def(
            "may_be_pinned",
            [](const Possible& p, int from, int to) { return p.may_be_pinned(square_of(from), square_of(to)); },
            "start"_a, "to"_a)
        // Before the first event of a view, and after each.
        .def_static(
            "history",
            [](const kriegspiel::View& view) {
                std::vector<Possible> all{Possible(view.start, view.us)};
                for (const kriegspiel::Event& event : view.log) {
                    all.push_back(all.back());
                    all.back().follow(event);
                }
                return all;
            },
            "view"_a)
        // For its speed; see belief_replay.hpp.
        .def_static(
            "replay",
            [](const kriegspiel::View& view, std::int64_t updates) {
                return replay(view, updates, [&] { return Possible(view.start, view.us); });
            },
            "view"_a, "updates"_a, nb::call_guard<Unlocked>())
        .def("moves", [](const Possible& p) {
            Possible::Moves list;
            p.moves(list);
            return std::vector<Move>(list.begin(), list.end());
        });
    nb::class_<Soundness>(m, "Soundness")
        .def_ro("games", &Soundness::games)
        .def_ro("events", &Soundness::events)
        .def_ro("violations", &Soundness::violations)
        .def_ro("first", &Soundness::first);
    m.def(
        "possible_violations",
        [](std::int64_t games, std::uint64_t seed) {
            Poll poll = signals();
            return belief::possible_violations(not_below("games", games, 0), seed, poll);
        },
        "games"_a, "seed"_a, nb::call_guard<Unlocked>());
});

}  // namespace
}  // namespace rookery
