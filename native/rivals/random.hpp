// The floor: any legal move, the pass among them, each as likely as the next.
#pragma once

#include "rivals/rival.hpp"

namespace rookery::rivals {

class Random {
  public:
    template <int N>
    Move choose(const go::Position<N>& position, Rng& rng) const {
        const auto legal = position.legal();
        const int points = go::count(legal);
        const int drawn = static_cast<int>(rng.below(static_cast<std::uint32_t>(points + 1)));
        return drawn < points ? go::nth(legal, drawn) : go::Position<N>::pass;
    }
};

static_assert(Rival<Random>);

}  // namespace rookery::rivals
