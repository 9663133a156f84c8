// What searches report, whatever the game.
#include "bind/search.hpp"

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
});

}  // namespace
}  // namespace rookery
