// Which of the two boards serves a size: lanes where all points fit one word and vectors are wide enough.
#pragma once

#include "games/go/chains.hpp"
#include "games/go/lanes.hpp"

namespace rookery::go {

#if defined(__AVX2__)
inline constexpr int widest_lanes = 8;
#else
inline constexpr int widest_lanes = 1;
#endif

template <int N>
using Board = std::conditional_t<(N <= widest_lanes), Lanes<N>, Chains<N>>;

}  // namespace rookery::go
