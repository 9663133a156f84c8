// How often a position has stood.
#pragma once

#include <algorithm>
#include <vector>

#include "games/rules.hpp"

namespace rookery::search {

// `past` holds the keys of the positions before it, of the game and of the line from the root, oldest first.
template <Rules P>
int occurrences(const P& p, const std::vector<std::uint64_t>& past) {
    const int back = std::min(p.reversible(), static_cast<int>(past.size()));
    if (back == 0) return 1;
    const std::uint64_t key = p.key();
    return 1 + static_cast<int>(std::count(past.end() - back, past.end(), key));
}

}  // namespace rookery::search
