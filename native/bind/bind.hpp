// What every bind file shares: the list of things to bind, and one binding for all games.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind/any.hpp"
#include "bind/checks.hpp"
#include "bind/gil.hpp"
#include "bind/uct.hpp"
#include "games/playout.hpp"
#include "games/state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rookery {

// A bind file adds itself to the module by a constant of this type, so no list is kept by hand.
struct Binding {
    explicit Binding(void (*bind)(nb::module_&)) { all().push_back(bind); }
    static std::vector<void (*)(nb::module_&)>& all() {
        static std::vector<void (*)(nb::module_&)> list;
        return list;
    }
};

// Binds State<P> under a name with all that rookery.games.state.NativeState asks of it.
template <Rules P>
nb::class_<State<P>> bind_state(nb::module_& m, const char* name) {
    using S = State<P>;
    return nb::class_<S>(m, name)
        .def_prop_ro("seat", [](const S& s) { return s.position().seat(); })
        .def_prop_ro("ply", &S::ply)
        .def_prop_ro("key", [](const S& s) { return s.position().key(); })
        .def("moves", &S::moves)
        .def("board_moves", &S::board_moves)
        .def("play", &S::play, "move"_a)
        .def("previous", &S::previous)
        .def("history", &S::history)
        .def("occurrences", &S::occurrences)
        .def("outcome",
             [](const S& s) -> std::optional<std::pair<int, const char*>> {
                 if (const auto o = s.outcome()) return std::pair(o->winner, o->reason);
                 return std::nullopt;
             })
        .def(
            "text", [](const S& s, Move move) { return s.position().text(move_of<P>(move)); }, "move"_a)
        .def(
            "parse", [](const S& s, const nb::str& text) { return s.position().parse(text_of(text)); }, "text"_a)
        .def(
            "perft",
            [](const S& s, int depth) {
                Poll poll = signals();
                return perft(s.position(), within("depth", depth, 0, most_perft), poll);
            },
            "depth"_a, nb::call_guard<Unlocked>())
        .def(
            "playouts",
            [](const S& s, std::int64_t games, std::uint64_t seed) {
                Poll poll = signals();
                return playouts(s.position(), not_below("games", games, 0), seed, poll);
            },
            "games"_a, "seed"_a, nb::call_guard<Unlocked>())
        .def("uct", &uct<P>, "c"_a, "threads"_a, "seed"_a, "nodes"_a, "seconds"_a, "only"_a, "stop"_a,
             "listener"_a.none(), "analyse"_a = false)
        .def("any", [](const S& s) { return AnyPosition(s); })  // for the searches that serve every game
        .def("__str__", [](const S& s) { return s.position().str(); })
        .def(
            "__eq__", [](const S& a, const S& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const S& s) { return static_cast<Py_hash_t>(s.position().key() >> 2); });
}

}  // namespace rookery
