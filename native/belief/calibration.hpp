// How good a belief is, measured on a game of which the truth is known.
//
// For tests, tuning and the building of models; no player comes near it.
#pragma once

#include "belief/belief.hpp"

namespace rookery::belief {

struct Calibration {
    std::int64_t events = 0;
    double king = 0;       // sum over events of -log of what was believed of the King's true square, in nats
    double kinds = 0;      // the same, averaged over his other men, of the kind on its square
    double occupied = 0;   // sum over events of the log-loss of "is something there", over all squares without ours
    double least = 1;      // the least that was ever believed of the truth
    double wrong_sum = 0;  // the most by which a matrix missed its sum
    double fullest = 0;    // the most that was believed to stand on one square
};

Calibration calibrate(const State<kriegspiel::Position>& state, chess::Colour us, const Constants& constants,
                      const OpponentModel* model);

}  // namespace rookery::belief
