// Binds UCT of one game as a method of its states.
#pragma once

#include <nanobind/stl/optional.h>

#include "bind/checks.hpp"
#include "bind/gil.hpp"
#include "search/root_parallel.hpp"

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

// What every search does with its reports: it hears signals, and tells the listener.
template <class Report>
auto listening(const std::optional<nb::callable>& listener) {
    return [&listener](const Report& report) {
        const Locked lock;
        check_signals();
        if (!listener) return;
        const nb::object told = nb::cast(report);
        call_python(*listener, told);
    };
}

template <Rules P>
search::TreeReport uct(const State<P>& state, double c, int threads, std::uint64_t seed, std::int64_t nodes,
                       double seconds, const std::vector<Move>& only, const Stop& stop,
                       const std::optional<nb::callable>& listener, bool analyse) {
    const Unlocked unlocked;
    require_moves(state.position(), only);
    not_below("c", finite("c", c), 0);
    Poll poll = signals();
    search::Limits limits = limits_of(1, nodes, seconds, {}, 1);
    limits.poll = &poll, limits.analyse = analyse;
    search::RootParallelUct<P> trees(state.position(), state.past(), only, {c, threads_of(threads), seed});
    return trees.grow(limits, stop.flag(), listening<search::TreeReport>(listener));
}

}  // namespace rookery
