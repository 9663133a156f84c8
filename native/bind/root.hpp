// What every search asks of the position it starts from.
#pragma once

#include <algorithm>
#include <vector>

#include "core/errors.hpp"
#include "core/quote.hpp"
#include "games/rules.hpp"

namespace rookery {

// Refuses a root without a move, or without one of those asked for: there would be nothing to choose.
template <Rules P>
void require_moves(const P& root, const std::vector<Move>& only) {
    typename P::Moves list;
    root.moves(list);
    const auto asked = [&](Move m) { return only.empty() || std::find(only.begin(), only.end(), m) != only.end(); };
    if (std::none_of(list.begin(), list.end(), asked))
        throw IllegalMove(list.empty() ? "there is no move in " + quote(root.str())
                                       : "none of the moves to choose from is legal in " + quote(root.str()));
}

}  // namespace rookery
