// Who will own each point in the end, by random games that both sides play with a little care: no stone into an
// own eye, no big chain into atari, chains in atari are saved or taken. One board serves every size.
#pragma once

#include <cstdint>
#include <vector>

#include "core/poll.hpp"
#include "games/go/text.hpp"

namespace rookery::go {

// Counts over all playouts, by point.
struct Ownership {
    int playouts = 0;
    std::vector<int> black, white;  // how often the point was that side's in the end
    std::vector<int> kept;          // how often the stone that stands there now was never taken
    int black_wins = 0;             // by area, komi and what handicap costs included; half of the ties
    double margin = 0;              // Black's area less White's and komi, on average
};

// The first move of every second playout is Black's, or every one is `first`'s if that is 0 or 1. Game i is the
// same whatever was played before it.
Ownership ownership(const Diagram& diagram, int playouts, std::uint64_t seed, int first, Poll& poll);

// Benson's proof for both sides, as points: the stones that no sequence of moves can capture, and the regions
// between them in which the other side can never live.
struct Life {
    std::vector<int> alive[2], secure[2];
};
Life life(const Diagram& diagram);

}  // namespace rookery::go
