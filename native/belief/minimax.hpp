// Weighed maximax over metapositions (Ciancarini and Favini; sections 4.4 to 4.6): own moves alone are searched, each
// with the most likely answer of the referee and then a silent move of the enemy.
#pragma once

#include <vector>

#include "belief/evaluation.hpp"
#include "search/limits.hpp"

namespace rookery::belief {

struct Ranking {
    struct Choice {
        Move move;
        double value;
    };
    std::vector<Choice> choices;  // the best first; every try of the seat is among them
    std::int64_t nodes = 0;       // metapositions
    int depth = 0;                // own moves of the longest line
    double seconds = 0;
};

struct Maximax {
    double alpha = 0.9;  // how much a metaposition's own worth counts beside the best that follows
    int fresh = 8,
        met = 4;  // moves that are looked at further: new ones, and those that gained elsewhere in the search
};

// Ranks the tries of a view that may stand; `earlier` is the ranking of the turn before a try was refused, or empty.
Ranking rank(const kriegspiel::View& view, const Maximax& how, const search::Limits& limits,
             const std::atomic<bool>& stop, const std::vector<Ranking::Choice>& earlier);

}  // namespace rookery::belief
