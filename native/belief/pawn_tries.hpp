// What a number of announced pawn tries says: which of our pawns can take, and what stands where they would.
//
// Pure functions of matrices.
#pragma once

#include "belief/matrices.hpp"

namespace rookery::belief {

// How likely each of our men is pinned to our King.
struct Pins {
    std::array<float, 64> chance{};
    Bitboard shields = 0;  // our men that have a line to our King to themselves
};
Pins pins(const Matrices& m, const Grid& e, const Constants& constants);

// The directions of check against us, taken apart, and who gives them.
struct Checkers {
    int size = 0;  // 0, 1 or 2
    std::array<Check, 2> direction{};
    std::array<Attackers, 2> by;

    Checkers(const Matrices& m, const Constants& constants);
    // That a man of ours on `to` ends the one check there is.
    float ended_by(Square to, Square king) const;
};

struct PawnTries {
    Bitboard targets = 0;
    Grid before, after;  // of each target: that something may be taken there, before and after the count is heard
    std::array<std::array<float, 64>, 2> legal{};  // by side, 0 the west, and the pawn's square
};
// By m.tries; where that is unknown, nothing is concluded from it.
PawnTries pawn_tries(const Matrices& m, const Grid& e, const Pins& pins, const Checkers& checkers,
                     const Constants& constants);

}  // namespace rookery::belief
