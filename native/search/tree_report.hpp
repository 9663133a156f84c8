// What the searches that grow a tree report: the moves of the root, and how each has fared.
#pragma once

#include <algorithm>
#include <compare>
#include <functional>
#include <vector>

#include "search/limits.hpp"

namespace rookery::search {

struct RootMove {
    Move move;
    std::int64_t visits = 0;
    double value = 0;        // the mean result to the side to move at the root: -1 lost, 1 won
    std::vector<Move> line;  // the most visited play, this move first
};

struct TreeReport {
    std::int64_t nodes = 0;  // simulations, each of which adds one node at most
    double seconds = 0;
    std::vector<RootMove> moves;  // the most visited first, of equals the better, of equals the lower number

    void sort() {
        std::sort(moves.begin(), moves.end(), [](const RootMove& a, const RootMove& b) {
            if (a.visits != b.visits) return a.visits > b.visits;
            if (const auto order = std::weak_order(a.value, b.value); order != 0) return order > 0;
            return a.move < b.move;
        });
    }
};

using TreeListener = std::function<void(const TreeReport&)>;

}  // namespace rookery::search
