// What searches report, whatever the game.
#include "bind/search.hpp"
#include "bind/comparison.hpp"

namespace rookery {
namespace {

void bind_options(nb::module_& m) {
    nb::enum_<search::Windows>(m, "Windows")
        .value("null", search::Windows::null)
        .value("plain", search::Windows::plain)
        .value("open", search::Windows::open);
    const AlphaBetaOptions usual;
    nb::class_<AlphaBetaOptions>(m, "AlphaBetaOptions")
        .def(
            "__init__",
            [](AlphaBetaOptions* self, int killers, bool history, search::Windows windows, int qdepth, bool null_move,
               bool late_moves, std::size_t hash, int threads) {
                const search::Options options = {.killers = within<int>("killers", killers, 0, 2),
                                                 .history = history,
                                                 .windows = windows,
                                                 .quiescence = not_below("qdepth", qdepth, 0),
                                                 .null_move = null_move,
                                                 .selective = late_moves};
                new (self) AlphaBetaOptions{options, megabytes_of(hash), threads_of(threads)};
            },
            nb::kw_only(), "killers"_a = usual.killers, "history"_a = usual.history, "windows"_a = usual.windows,
            "qdepth"_a = usual.quiescence, "null_move"_a = usual.null_move, "late_moves"_a = usual.selective,
            "hash"_a = usual.hash, "threads"_a = usual.threads)
        .def_ro("killers", &AlphaBetaOptions::killers)
        .def_ro("history", &AlphaBetaOptions::history)
        .def_ro("windows", &AlphaBetaOptions::windows)
        .def_ro("qdepth", &AlphaBetaOptions::quiescence)
        .def_ro("null_move", &AlphaBetaOptions::null_move)
        .def_ro("late_moves", &AlphaBetaOptions::selective)
        .def_ro("hash", &AlphaBetaOptions::hash)
        .def_ro("threads", &AlphaBetaOptions::threads);
    nb::class_<ComparisonOptions>(m, "ComparisonOptions")
        .def(
            "__init__",
            [](ComparisonOptions* self, bool quiescence, std::size_t hash) {
                new (self) ComparisonOptions{quiescence, megabytes_of(hash)};
            },
            nb::kw_only(), "quiescence"_a = ComparisonOptions().quiescence, "hash"_a = ComparisonOptions().hash)
        .def_ro("quiescence", &ComparisonOptions::quiescence)
        .def_ro("hash", &ComparisonOptions::hash);
}

void bind_searches(nb::module_& m) {
    nb::class_<BoundSearch>(m, "Search")
        .def(
            "search",
            [](BoundSearch& search, nb::handle state, int depth, std::int64_t nodes, double seconds,
               std::vector<Move> only, int lines, const std::optional<nb::callable>& listener, bool analyse) {
                search::Limits limits = limits_of(depth, nodes, seconds, std::move(only), lines);
                limits.analyse = analyse;
                return search.search(state, std::move(limits), listening<search::Report>(listener));
            },
            "state"_a, "depth"_a, "nodes"_a, "seconds"_a, "only"_a, "lines"_a, "listener"_a.none(), "analyse"_a = false)
        .def("stop", &BoundSearch::stop)
        .def("forget", &BoundSearch::forget);
    // None where the two are not compiled together; then Python can be asked.
    m.def("alphabeta", &Pairs<AlphaBetaOptions>::make, "knowledge"_a, "options"_a, nb::rv_policy::take_ownership,
          nb::sig("def alphabeta(knowledge: object, options: AlphaBetaOptions) -> Search | None"));
    m.def("comparison", &Pairs<ComparisonOptions>::make, "knowledge"_a, "options"_a, nb::rv_policy::take_ownership,
          nb::sig("def comparison(knowledge: object, options: ComparisonOptions) -> Search | None"));
}

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
    m.attr("longest_win") = search::longest_win;
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
    bind_options(m);
    bind_searches(m);
    nb::class_<Asked>(m, "Asked").def(nb::init<nb::callable>(), "value"_a);
    bind_alphabeta<AnyPosition, Asked>();
    nb::class_<AskedComparator>(m, "AskedComparator")
        .def(nb::init<nb::callable, nb::callable>(), "better"_a, "above_draw"_a);
    bind_comparison<AnyPosition, AskedComparator>();
});

}  // namespace
}  // namespace rookery
