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

// Of a Tree (tree.hpp).
template <class T>
TreeReport report_of(const T& tree) {
    using Edge = typename T::Edge;
    const auto line = [&](const Edge& start) {
        std::vector<Move> moves;
        for (const Edge* e = &start; e;) {
            moves.push_back(e->move);
            const Edge* next = nullptr;
            if (const auto* node = tree.child(*e))
                for (const Edge& f : tree.edges(*node))
                    if (f.visits > (next ? next->visits : 0)) next = &f;
            e = next;
        }
        return moves;
    };
    TreeReport report;
    report.nodes = tree.root().visits;
    for (const Edge& e : tree.edges(tree.root())) {
        const double value = e.visits ? static_cast<double>(e.total) / e.visits : 0.0;
        report.moves.push_back({e.move, e.visits, value, line(e)});
    }
    report.sort();
    return report;
}

using TreeListener = std::function<void(const TreeReport&)>;

}  // namespace rookery::search
