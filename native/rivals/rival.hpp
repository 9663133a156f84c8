// A rival plays Go by rules of thumb: somebody to measure learners against.
#pragma once

#include <concepts>

#include "core/rng.hpp"
#include "games/go/position.hpp"

namespace rookery::rivals {

// Chooses a move of an unfinished game; the same generator gives the same move. Boards of every size are
// served: each rival has `template <int N> Move choose(const go::Position<N>&, Rng&) const`.
template <class R, int N = 5>
concept Rival = requires(const R& rival, const go::Position<N>& position, Rng& rng) {
    { rival.choose(position, rng) } -> std::same_as<Move>;
};

}  // namespace rookery::rivals
