// Binds a search of one game with one kind of knowledge.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "search/lazy_smp.hpp"

namespace rookery {

// What a search starts from in Python's hands: a state of its game, or of any.
template <Rules P>
using Start = std::conditional_t<std::same_as<P, AnyPosition>, AnyPosition, State<P>>;
template <Rules P>
const P& position_of(const State<P>& state) {
    return state.position();
}
inline const AnyPosition& position_of(const AnyPosition& position) {
    return position;
}

// Asks Python for the value of each leaf: slow, but any evaluator fits any search and any game.
class Asked {
  public:
    struct Node {};
    explicit Asked(nb::callable ask) : ask_(std::move(ask)) {}
    Node root(const AnyPosition&) const { return {}; }
    Node after(const Node&, const AnyPosition&, Move, const AnyPosition&) const { return {}; }
    search::Value value(const AnyPosition& p, const Node&) const { return ask_.ask<search::Value>(p); }

  private:
    Callback ask_;
};

// What every alpha-beta search answers to Python: it runs without the GIL, and takes it after each depth for
// the listener, and now and then for signals.
template <class Search, Rules P>
search::Report search_in_python(Search& search, const Start<P>& state, int depth, std::int64_t nodes, double seconds,
                                std::vector<Move> only, int lines, const std::optional<nb::callable>& listener,
                                bool analyse) {
    const Turn turn(&search);
    const Unlocked unlocked;
    require_moves(position_of(state), only);
    Poll poll = signals();
    search::Limits limits = limits_of(depth, nodes, seconds, std::move(only), lines);
    limits.poll = &poll, limits.analyse = analyse;
    return search.search(position_of(state), state.past(), limits, listening<search::Report>(listener));
}

template <class Search>
void forget_in_python(Search& search) {
    const Turn turn(&search);
    search.forget();
}

// Adds AlphaBeta over (P, E) under a name; E is built from the Python arguments named Args.
template <Rules P, search::Knowledge<P> E, class... Args>
void bind_alphabeta(nb::module_& m, const char* name) {
    using LazySmp = search::LazySmp<P, E>;
    nb::class_<LazySmp>(m, name)
        .def("__init__",
             [](LazySmp* self, Args... args, bool killers, bool history, int quiescence, bool null_move, bool selective,
                std::size_t megabytes, int threads) {
                 new (self) LazySmp(E(std::move(args)...),
                                    {killers, history, not_below("quiescence", quiescence, 0), null_move, selective},
                                    megabytes_of(megabytes), threads_of(threads));
             })
        .def("search", &search_in_python<LazySmp, P>, "state"_a, "depth"_a, "nodes"_a, "seconds"_a, "only"_a, "lines"_a,
             "listener"_a.none(), "analyse"_a = false)
        .def("stop", &LazySmp::stop)
        .def("forget", &forget_in_python<LazySmp>);
}

}  // namespace rookery
