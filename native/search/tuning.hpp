// How boldly searches may pass over moves of a game. It is found by matches, not by the rules, so it stands here.
#pragma once

#include "games/rules.hpp"

namespace rookery::duchess {
template <int Players>
class Position;
}

namespace rookery::search {

struct Tuning {
    // Above 0: most moves are idle. Late moves are reduced by so many plies more than elsewhere, if need be to
    // nothing, and near the leaves they are pruned.
    int boldness = 0;
};

template <class P>
inline constexpr Tuning tuning_for{};
template <int Players>
inline constexpr Tuning tuning_for<duchess::Position<Players>>{2};

// The tuning of the game of a root. A position of any game knows only when asked which one it is of.
template <Rules P>
Tuning tuning_of(const P& root) {
    if constexpr (requires {
                      { root.tuning() } -> std::same_as<Tuning>;
                  })
        return root.tuning();
    return tuning_for<P>;
}

}  // namespace rookery::search
