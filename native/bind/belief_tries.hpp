// What is asked of a seat of Kriegspiel before a search chooses among its tries.
#pragma once

#include "bind/bind.hpp"
#include "games/kriegspiel/view.hpp"
#include "search/limits.hpp"

namespace rookery {

// only: the moves to choose from; none: all that may be tried.
inline void require_tries(const kriegspiel::View& view, const std::vector<Move>& only = {}) {
    if (view.turn != view.us || view.moves.empty())
        throw IllegalMove("it is not this seat's turn, or the game is over: there is no try to choose");
    for (const Move move : only) move_of<kriegspiel::Position>(move);
    if (std::none_of(view.moves.begin(), view.moves.end(), [&](Move m) { return search::allowed(m, only); }))
        throw IllegalMove("none of the moves to choose from may be tried here");
}

}  // namespace rookery
