// The tries that a player chooses among.
#pragma once

#include "games/kriegspiel/view.hpp"
#include "search/limits.hpp"

namespace rookery::belief {

// Each once, and those of `only` alone if it names any; promotions to less than a Queen where nothing else is left.
inline std::vector<Move> tries_of(const kriegspiel::View& view, const std::vector<Move>& only) {
    std::vector<Move> all, usual;
    for (const Move m : view.moves) {
        if (!search::allowed(m, only)) continue;
        all.push_back(m);
        if (chess::promotion_of(m) == 0 || chess::promotion_of(m) == chess::queen) usual.push_back(m);
    }
    return usual.empty() ? all : usual;
}

}  // namespace rookery::belief
