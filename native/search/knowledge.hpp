// Knowledge as searches use it: a number for a position, kept up to date along a line of play.
//
// Values are floats from the view of the side to move. What a unit means is the evaluator's own business
// (centipawns, a probability); a decided game is worth `won` less the plies to it, far above any evaluation.
// Whole numbers below 2^24 are exact in a float, so centipawns lose nothing.
#pragma once

#include <cmath>
#include <concepts>

#include "games/rules.hpp"

namespace rookery::search {

using Value = float;
constexpr Value won = 1'000'000, infinite = 2 * won;
constexpr int longest = 128;  // plies from the root to the deepest node
constexpr bool decided(Value v) { return v > won - 1000 || v < -won + 1000; }
inline Value just_above(Value v) { return std::nextafter(v, infinite); }

// A Node is what an evaluator keeps for a position so that the next one costs little.
template <class E, class P>
concept Knowledge = Rules<P> && requires(const E& e, const P& p, const typename E::Node& n, Move m) {
    { e.root(p) } -> std::same_as<typename E::Node>;
    { e.after(n, p, m, p) } -> std::same_as<typename E::Node>;  // node and position before, move, position after
    { e.value(p, n) } -> std::same_as<Value>;
};

// What a decided outcome is worth to a side, `ply` plies from the root.
inline Value value_of(const Outcome& outcome, int side, int ply) {
    if (outcome.winner < 0) return 0;
    const Value win = won - static_cast<Value>(ply);
    return outcome.winner == side ? win : -win;
}

}  // namespace rookery::search
