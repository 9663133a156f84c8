// The beginner of Mayer's "Board representations for neural Go players", section III, by our own reading of two
// sentences: it captures, saves chains in atari unless they are lost, and strengthens weak ones.
#pragma once

#include "rivals/rival.hpp"

namespace rookery::rivals {

class Naive {
  public:
    template <int N>
    Move choose(const go::Position<N>& position, Rng& rng) const;
};

static_assert(Rival<Naive>);

}  // namespace rookery::rivals
