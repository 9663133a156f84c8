// Where whole sets of men reach at once: steps of Kings, leaps of Knights, and lines that end where they are blocked.
#pragma once

#include "games/chess/bitboard.hpp"

namespace rookery::belief {

using chess::Bitboard;

enum Way : int {
    north = 8,
    south = -8,
    east = 1,
    west = -1,
    north_east = 9,
    north_west = 7,
    south_east = -7,
    south_west = -9
};

template <Way W>
constexpr Bitboard shifted(Bitboard b) {
    if constexpr (W == east || W == north_east || W == south_east) b &= ~chess::file_h;
    if constexpr (W == west || W == north_west || W == south_west) b &= ~chess::file_a;
    return W > 0 ? b << (W > 0 ? W : 0) : b >> (W < 0 ? -W : 0);
}

// What men on `from` reach in one direction, passing only through the squares of `through`; the first square
// that stops them is reached, too.
template <Way W>
constexpr Bitboard sweep(Bitboard from, Bitboard through) {
    Bitboard reached = 0, edge = shifted<W>(from);
    for (int i = 0; i < 7; ++i) {
        reached |= edge;
        edge = shifted<W>(edge & through);
    }
    return reached;
}

constexpr Bitboard sweep_rank(Bitboard from, Bitboard through) {
    return sweep<east>(from, through) | sweep<west>(from, through);
}
constexpr Bitboard sweep_diagonal(Bitboard from, Bitboard through) {
    return sweep<north_east>(from, through) | sweep<north_west>(from, through) | sweep<south_east>(from, through) |
           sweep<south_west>(from, through);
}

constexpr Bitboard steps(Bitboard kings) {
    const Bitboard beside = shifted<east>(kings) | shifted<west>(kings), row = kings | beside;
    return beside | row << 8 | row >> 8;
}

constexpr Bitboard leaps(Bitboard knights) {
    const Bitboard one = shifted<east>(knights) | shifted<west>(knights);
    const Bitboard e2 = shifted<east>(shifted<east>(knights)), w2 = shifted<west>(shifted<west>(knights));
    return one << 16 | one >> 16 | (e2 | w2) << 8 | (e2 | w2) >> 8;
}

}  // namespace rookery::belief
