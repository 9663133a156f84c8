// What every search asks of the position it starts from.
#pragma once

#include <algorithm>
#include <vector>

#include "core/errors.hpp"
#include "core/quote.hpp"
#include "search/limits.hpp"

namespace rookery {

// Refuses a root without a move, or without one of those asked for: there would be nothing to choose.
template <Rules P>
void require_moves(const P& root, const std::vector<Move>& only) {
    typename P::Moves list;
    root.moves(list);
    if (std::none_of(list.begin(), list.end(), [&](Move m) { return search::allowed(m, only); }))
        throw IllegalMove(list.empty() ? "there is no move in " + quote(root.str())
                                       : "none of the moves to choose from is legal in " + quote(root.str()));
}

}  // namespace rookery
