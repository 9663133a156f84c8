// What a network of beliefs learns from: a seat's turns in a game of which the truth is known.
//
// For training; no player comes near it.
#pragma once

#include "belief/exchange.hpp"
#include "belief/network.hpp"

namespace rookery::belief {

// One turn, before the first try of it. Each comes once as it was believed, and from the second on once more as a tree
// that had begun a turn earlier would have imagined it, which is vaguer.
struct Lesson {
    Network::Inputs inputs;
    bool imagined = false;
    float balance = 0;                // of men, as approach C counts it
    std::array<Bitboard, 3> truth{};  // where his King, pawns and pieces stand, seen as the inputs are
};

std::vector<Lesson> lessons(const State<kriegspiel::Position>& state, chess::Colour us, const Constants& constants);

}  // namespace rookery::belief
