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
    nb::class_<search::RootMove>(m, "RootMove")
        .def_ro("move", &search::RootMove::move)
        .def_ro("visits", &search::RootMove::visits)
        .def_ro("value", &search::RootMove::value)
        .def_ro("line", &search::RootMove::line);
    nb::class_<search::TreeReport>(m, "TreeReport")
        .def_ro("nodes", &search::TreeReport::nodes)
        .def_ro("seconds", &search::TreeReport::seconds)
        .def_ro("moves", &search::TreeReport::moves);
    nb::class_<Stop>(m, "Stop").def(nb::init<>()).def("set", &Stop::set).def("clear", &Stop::clear);
    nb::class_<AnyPosition>(m, "AnyPosition");
    bind_alphabeta<AnyPosition, Asked, nb::callable>(m, "AskedAlphaBeta");
    bind_comparison<AnyPosition, AskedComparator, nb::callable, nb::callable>(m, "AskedComparison");
});

}  // namespace
}  // namespace rookery
