// Knowledge as searches use it: a number for a position, kept up to date along a line of play.
//
// Values are floats from the view of the side to move. What a unit means is the evaluator's own business
// (centipawns, a probability); a decided game is worth `won` less the plies to it, far above any evaluation.
// Whole numbers below 2^24 are exact in a float, so centipawns lose nothing.
#pragma once

#include <cmath>
#include <concepts>

#include "core/errors.hpp"
#include "games/rules.hpp"

namespace rookery::search {

using Value = float;
constexpr Value won = 1'000'000, infinite = 2 * won;
constexpr int longest = 128;  // plies from the root to the deepest node
constexpr bool decided(Value v) {
    return v > won - 1000 || v < -won + 1000;
}
constexpr Value most_worth = won - 1001;  // of an evaluation, however sure
inline Value just_above(Value v) {
    return std::nextafter(v, infinite);
}

// A Node is what an evaluator keeps for a position so that the next one costs little.
template <class E, class P>
concept Knowledge = Rules<P> && requires(const E& e, const P& p, const typename E::Node& n, Move m) {
    { e.root(p) } -> std::same_as<typename E::Node>;
    { e.after(n, p, m, p) } -> std::same_as<typename E::Node>;  // node and position before, move, position after
    { e.value(p, n) } -> std::same_as<Value>;
};

template <Rules P>
[[gnu::cold, gnu::noinline]] Value cut(Value v, const P& p) {
    if (std::isnan(v))
        throw BadEvaluation("the evaluation of " + quote(p.str()) +
                            " is not a number (NaN); its weights may be damaged, or its learning diverged");
    return std::copysign(most_worth, v);
}

// Every evaluation enters a search through this: what is too large, infinity too, is cut to stay below a decided
// game, and what is no number is an error. So a search compares numbers alone, and always finds a best move.
template <Rules P>
Value sound(Value v, const P& p) {
    if (std::abs(v) <= most_worth) [[likely]]
        return v;
    return cut(v, p);
}

// What a decided outcome is worth to a side, `ply` plies from the root.
inline Value value_of(const Outcome& outcome, int side, int ply) {
    if (outcome.winner < 0) return 0;
    const Value win = won - static_cast<Value>(ply);
    return outcome.winner == side ? win : -win;
}

}  // namespace rookery::search
