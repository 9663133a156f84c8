// A player after the plan of Wally (Millen, BYTE, April 1981), against whose later versions Schraudolph et al. and
// Ekker trained their networks. Only the plan is his: the details and the shapes are our own.
#pragma once

#include "rivals/rival.hpp"

namespace rookery::rivals {

class Wally {
  public:
    template <int N>
    Move choose(const go::Position<N>& position, Rng& rng) const;
};

static_assert(Rival<Wally>);

}  // namespace rookery::rivals
