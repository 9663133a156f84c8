// What searches report, whatever the game.
#include "bind/search.hpp"
#include "bind/comparison.hpp"

namespace rookery {
namespace {

const Binding search_binding([](nb::module_& m) {
    nb::class_<search::Line>(m, "Line").def_ro("value", &search::Line::value).def_ro("moves", &search::Line::moves);
    nb::class_<search::Report>(m, "Report")
        .def_ro("depth", &search::Report::depth)
        .def_ro("deepest", &search::Report::deepest)
        .def_ro("nodes", &search::Report::nodes)
        .def_ro("seconds", &search::Report::seconds)
        .def_ro("lines", &search::Report::lines);
    m.attr("won") = search::won;
    m.attr("most_worth") = search::most_worth;
    nb::class_<search::Branch>(m, "Branch")
        .def_ro("move", &search::Branch::move)
        .def_ro("visits", &search::Branch::visits)
        .def_ro("value", &search::Branch::value)
        .def_ro("line", &search::Branch::line);
    nb::class_<search::Growth>(m, "Growth")
        .def_ro("nodes", &search::Growth::nodes)
        .def_ro("seconds", &search::Growth::seconds)
        .def_ro("branches", &search::Growth::branches);
    nb::class_<Stop>(m, "Stop").def(nb::init<>()).def("set", &Stop::set).def("clear", &Stop::clear);
    nb::class_<AnyPosition>(m, "AnyPosition");
    bind_alphabeta<AnyPosition, Asked, nb::callable>(m, "AskedAlphaBeta");
    bind_comparison<AnyPosition, AskedComparator, nb::callable, nb::callable>(m, "AskedComparison");
});

}  // namespace
}  // namespace rookery
