// Binds a search of one game with one kind of knowledge.
#pragma once

#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "search/crew.hpp"

namespace rookery {

// Asks Python for the value of each leaf: slow, but any evaluator fits any search.
template <Rules P>
class Asked {
  public:
    struct Node {};
    explicit Asked(nb::callable ask) : ask_(std::make_shared<nb::callable>(std::move(ask))) {}
    ~Asked() {
        const nb::gil_scoped_acquire gil;
        ask_.reset();
    }
    Asked(const Asked&) = default;
    Node root(const P&) const { return {}; }
    Node after(const Node&, const P&, Move, const P&) const { return {}; }
    search::Value value(const P& p, const Node&) const {
        const nb::gil_scoped_acquire gil;
        return nb::cast<search::Value>((*ask_)(State<P>(p)));
    }

  private:
    std::shared_ptr<nb::callable> ask_;
};

// Adds AlphaBeta over (P, E) under a name; E is built from the Python arguments named Args.
template <Rules P, search::Knowledge<P> E, class... Args>
void bind_alphabeta(nb::module_& m, const char* name) {
    using Crew = search::Crew<P, E>;
    nb::class_<Crew>(m, name)
        .def("__init__", [](Crew* self, Args... args, bool killers, bool history, bool quiescence, bool null_move,
                            bool reductions, std::size_t megabytes, int threads) {
            new (self) Crew(E(std::move(args)...), {killers, history, quiescence, null_move, reductions}, megabytes, threads);
        })
        .def("search", [](Crew& crew, const State<P>& state, int depth, std::int64_t nodes, double seconds,
                          std::vector<Move> only, int lines, std::function<void(const search::Report&)> listener) {
            const nb::gil_scoped_release release;
            return crew.search(state.position(), state.past(), {depth, nodes, seconds, std::move(only), lines},
                               [&](const search::Report& report) {
                                   const nb::gil_scoped_acquire gil;
                                   if (PyErr_CheckSignals()) throw nb::python_error();
                                   if (listener) listener(report);
                               });
        }, "state"_a, "depth"_a, "nodes"_a, "seconds"_a, "only"_a, "lines"_a, "listener"_a.none())
        .def("stop", &Crew::stop)
        .def("forget", &Crew::forget);
}

}  // namespace rookery
