// Binds UCT of one game as a method of its states.
#pragma once

#include <nanobind/stl/function.h>

#include "bind/any.hpp"
#include "bind/root.hpp"
#include "search/forest.hpp"

namespace rookery {

// A wish to stop that another thread may utter while a search runs.
class Stop {
  public:
    void set() { flag_ = true; }
    void clear() { flag_ = false; }
    const std::atomic<bool>& flag() const { return flag_; }

  private:
    std::atomic<bool> flag_{false};
};

template <Rules P>
search::Growth uct(const State<P>& state, double c, int threads, std::uint64_t seed, std::int64_t nodes,
                   double seconds, const std::vector<Move>& only, const Stop& stop,
                   const search::GrowthListener& listener, bool analyse) {
    const nb::gil_scoped_release release;
    require_moves(state.position(), only);
    search::Forest<P> forest(state.position(), state.past(), only, {c, threads, seed});
    search::Limits limits;
    limits.nodes = nodes;
    limits.seconds = seconds;
    limits.analyse = analyse;
    return forest.grow(limits, stop.flag(), [&](const search::Growth& growth) {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals()) throw nb::python_error();
        if (listener) listener(growth);
    });
}

}  // namespace rookery
