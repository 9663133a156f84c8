// When a search must stop, what it reports on the way, and what it found.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <vector>

#include "core/poll.hpp"
#include "search/knowledge.hpp"

namespace rookery::search {

struct Limits {
    int depth = 64;
    std::int64_t nodes = 0;  // 0: no bound
    double seconds = 0;      // 0: no bound
    std::vector<Move> only;  // root moves to look at; empty: all
    int lines = 1;           // how many best moves to report, each with its line
    bool analyse = false;    // look on to the bounds where a player has nothing left to choose: one move, a sure win
    Poll* poll = nullptr;    // asked by the caller's thread; may break the search off by throwing
};

// Whether a root move is among those to look at.
inline bool allowed(Move m, const std::vector<Move>& only) {
    return only.empty() || std::find(only.begin(), only.end(), m) != only.end();
}

// Whether a player need not think on: it has no choice, and its time is counted.
inline bool forced(std::size_t moves, const Limits& limits) {
    return moves == 1 && limits.seconds > 0 && !limits.analyse;
}

struct Line {
    Value value = 0;  // from the view of the side to move at the root
    std::vector<Move> moves;
};

struct Report {
    int depth = 0, deepest = 0;
    std::int64_t nodes = 0;
    double seconds = 0;
    std::vector<Line> lines;  // best first; never empty when a search has ended
};

// Whether deeper looks can change nothing: a player asks it of its best line, an analysis of every line.
inline bool settled(const Report& report, const Limits& limits) {
    const auto sure = [&](const Line& line) {
        return decided(line.value) && won - std::abs(line.value) <= static_cast<Value>(report.depth);
    };
    return limits.analyse ? std::all_of(report.lines.begin(), report.lines.end(), sure) : sure(report.lines[0]);
}

using Listener = std::function<void(const Report&)>;

// The clock, the node count and the wish of others to stop, looked at every thousand nodes or so.
class Brake {
  public:
    // `others` counts the nodes of the threads that help, and this one adds its own where it is such a thread.
    Brake(const Limits& limits, const std::atomic<bool>& stop, std::atomic<std::int64_t>* others, bool helps)
        : limits_(limits), stop_(stop), others_(others), helps_(helps), began_(std::chrono::steady_clock::now()) {}
    ~Brake() { tell(); }
    Brake(const Brake&) = delete;
    Brake& operator=(const Brake&) = delete;

    // Counts a node; true once the search must stop.
    bool count() {
        if (++nodes_ >= next_look_) look();
        return stopped_;
    }
    bool stopped() const { return stopped_; }
    std::int64_t nodes() const { return nodes_ + (helps_ || !others_ ? 0 : others_->load(std::memory_order_relaxed)); }
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }
    // Until the first depth is complete there is no move to give, and nothing stops the search.
    void arm() { armed_ = true; }

  private:
    void tell() {
        if (helps_) others_->fetch_add(nodes_ - told_, std::memory_order_relaxed);
        told_ = nodes_;
    }
    void look() {
        tell();
        if (limits_.poll) limits_.poll->look();
        next_look_ = nodes_ + 1024;
        if (limits_.nodes > 0) {
            if (armed_ && nodes_ >= limits_.nodes) stopped_ = true;
            if (nodes_ < limits_.nodes && next_look_ > limits_.nodes) next_look_ = limits_.nodes;
        }
        if (armed_ && ((limits_.seconds > 0 && seconds() >= limits_.seconds) || stop_.load(std::memory_order_relaxed)))
            stopped_ = true;
    }

    const Limits& limits_;
    const std::atomic<bool>& stop_;
    std::atomic<std::int64_t>* others_;
    bool helps_;
    std::chrono::steady_clock::time_point began_;
    std::int64_t nodes_ = 0, next_look_ = 1, told_ = 0;
    bool armed_ = false, stopped_ = false;
};

}  // namespace rookery::search
