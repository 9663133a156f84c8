// Who owns what at the end of a game of Go: playouts, and Benson's proof. Positions come as text, so that one
// function serves every board.
#include "games/go/ownership.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "bind/gil.hpp"
#include "core/errors.hpp"
#include "games/go/grid.hpp"

namespace rookery {
namespace {

go::Diagram diagram(std::string_view text, int size) {
    if (size < go::smallest || size > go::largest)
        throw BadPosition("a board of Go is 2 to 19 wide (got " + std::to_string(size) + ")");
#define ROOKERY_GO_IS(N) size == N ||
    if (!(ROOKERY_GO_SIZES(ROOKERY_GO_IS) false))
        throw BadPosition("this build has no board " + std::to_string(size) + " wide; `make full` builds all");
    return go::read(text, size, {});
}

const Binding ownership_binding([](nb::module_& m) {
    using go::Ownership;
    nb::class_<Ownership>(m, "GoOwnership")
        .def_ro("playouts", &Ownership::playouts)
        .def_ro("black", &Ownership::black)
        .def_ro("white", &Ownership::white)
        .def_ro("kept", &Ownership::kept)
        .def_ro("black_wins", &Ownership::black_wins)
        .def_ro("margin", &Ownership::margin);
    m.def(
        "go_ownership",
        [](std::string_view text, int size, int playouts, std::uint64_t seed, int first) {
            if (playouts < 1 || playouts > 1'000'000) throw nb::value_error("playouts must be between 1 and 1000000");
            if (first < -1 || first > 1) throw nb::value_error("first must be 0, 1, or -1 for both in turn");
            const go::Diagram d = diagram(text, size);
            const Unlocked unlocked;
            Poll poll = signals();
            return go::ownership(d, playouts, seed, first, poll);
        },
        "text"_a, "size"_a, "playouts"_a, "seed"_a, "first"_a = -1);
    m.def(
        "go_life",
        [](std::string_view text, int size) {
            go::Life found = go::life(diagram(text, size));
            return std::pair(std::pair(found.alive[0], found.alive[1]), std::pair(found.secure[0], found.secure[1]));
        },
        "text"_a, "size"_a);
});

}  // namespace
}  // namespace rookery
