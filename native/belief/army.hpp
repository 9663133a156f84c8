// Our men against a King who stands alone: what they attack, and what tells where he is.
//
// His King never blocks a line that matters: he may not step along it, so squares behind him are attacked too.
// All sets here are therefore functions of our own men alone, and exact wherever he stands.
#pragma once

#include <cstdlib>

#include "games/chess/moveset.hpp"

namespace rookery::belief {

using chess::Bitboard;
using chess::Colour;
using chess::Kind;
using chess::Square;

// Where he would stand in check, by the directions that the referee names: rank, file, long and short diagonal, knight.
struct Checks {
    static constexpr int directions = 5;
    std::array<Bitboard, directions> by{};

    Bitboard any() const { return by[0] | by[1] | by[2] | by[3] | by[4]; }
    // The directions in which a King on s is in check, as bits.
    int at(Square s) const {
        int found = 0;
        for (int d = 0; d < directions; ++d) found |= static_cast<int>(by[static_cast<std::size_t>(d)] >> s & 1) << d;
        return found;
    }
};

struct Army {
    Colour colour = chess::white;
    std::array<Bitboard, 6> men{};  // by kind

    bool operator==(const Army&) const = default;
    Bitboard all() const { return men[0] | men[1] | men[2] | men[3] | men[4] | men[5]; }
    Square king_square() const { return chess::first(men[chess::king]); }
    int kind_at(Square s) const {  // -1: nobody
        for (int k = chess::pawn; k <= chess::king; ++k)
            if (men[static_cast<std::size_t>(k)] & chess::bit(s)) return k;
        return -1;
    }
    std::uint64_t key() const;

    // The squares that we attack, those of our own protected men among them.
    Bitboard attacks() const;
    // The same squares by direction, seen from a King on them.
    Checks checks() const;
    // Where he must stand for a try to be refused that our own men do not forbid.
    Bitboard refusing(Move m) const;
    Army after(Move m) const;
    Army without(Square s) const;
    // Tries that our own men do not forbid. No castling: it never wins faster.
    using Moves = MoveList<512>;
    void moves(Moves& list) const;
    // Whether a mate can be forced with it at all: a Queen, a Rook, a Pawn, Bishops on both colours, Bishop and Knight,
    // three Knights.
    bool can_mate() const;
};

// Where a King on one of the squares may be a step later, on an empty board.
constexpr Bitboard spread(Bitboard squares) {
    const Bitboard sides = (squares & ~chess::file_h) << 1 | (squares & ~chess::file_a) >> 1;
    const Bitboard rows = squares | sides;
    return sides | rows << 8 | rows >> 8;
}

}  // namespace rookery::belief
