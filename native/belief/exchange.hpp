// What a chain of captures on one square is worth to us, once the enemy has taken there (the quiescence of
// Ciancarini and Favini 2010, section 5.2, as an expectation).
//
// G_n = value of his n-th taker - p_{n+1} * (value of our n-th attacker - max(0, G_{n+1})), our attackers a_1, a_2, ...
// the cheapest first. We stop when it no longer pays. His retakes after the first are as likely as control says: with
// so many attackers less each time, p = 1 - exp(-(control - those used)).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "belief/matrices.hpp"

namespace rookery::belief {

// What men are worth, in tenths, so that values of positions lie about -1 to 1.
struct Worth {
    std::array<float, 6> own;  // by kind
    float pawn, piece;         // of the enemy

    // Every man the same: the paper counts how many there are.
    static Worth counted() { return {{0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0}, 0.1f, 0.1f}; }
    // The enemy's count four fifths, so that even exchanges pay.
    static Worth weighted() { return {{0.1f, 0.15f, 0.2f, 0.25f, 0.3f, 0}, 0.08f, 0.08f * 15 / 7}; }
};

// Our men that attack a square, by their worth, the cheapest first and the King last.
struct Attack {
    std::array<float, 16> worth{};
    int count = 0;
    bool king = false;  // the last of them is the King, who takes only what is not protected
};

inline Attack attack(const Matrices& m, Square s, Bitboard without, const Worth& worth) {
    const Bitboard own = m.men() & ~without;
    const Bitboard straight = chess::rook_attacks(s, own), oblique = chess::bishop_attacks(s, own);
    const std::array<Bitboard, 6> from = {
        chess::pawn_attacks(~m.us, s), chess::knight_attacks(s), oblique, straight, straight | oblique,
        chess::king_attacks(s)};
    Attack found;
    for (std::size_t k = 0; k < 6; ++k)
        for (int n = chess::count(from[k] & m.own[k] & own); n > 0 && found.count < 16; --n)
            found.worth[static_cast<std::size_t>(found.count++)] = worth.own[k];
    found.king = (from[chess::king] & m.own[chess::king] & own) != 0;
    return found;
}

// G_1, or 0 if we had better not take back. `first`: what his first taker is worth; `later`: the others.
inline float regain(const Attack& ours, float first, float later, float control) {
    float gain = 0;
    for (int n = ours.count; n >= 1; --n) {
        const float taken = n == 1 ? first : later;
        const float left = control - static_cast<float>(n);  // his attackers after n takers
        const float again = left > 0 ? 1 - std::exp(-left) : 0.0f;
        if (ours.king && n == ours.count)
            gain = (1 - again) * taken;
        else
            gain = std::max(0.0f, taken - again * (ours.worth[static_cast<std::size_t>(n - 1)] - gain));
    }
    return gain;
}

}  // namespace rookery::belief
