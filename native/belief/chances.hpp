// What a try of ours may lead to, by the matrices: sections 2.3 and 2.4 of the method.
//
// Chances is made once for a node, in about a microsecond, and then asked for each of its moves, in about a tenth
// of one. All of it is a pure function of the matrices and the constants, which must outlive it.
#pragma once

#include "belief/pawn_tries.hpp"

namespace rookery::belief {

// Of one try.
struct Chance {
    float legal = 0;
    // Given that it is legal:
    float pawn = 0, piece = 0;  // it takes a pawn, or another man
    float check = 0;            // it gives check
    float pawn_try = 0;         // a pawn may then take the moved man
};

class Chances {
  public:
    explicit Chances(const Matrices& matrices, const Constants& constants);

    Chance of(Move move) const;
    float legal(Move move) const;
    const Grid& control() const { return control_; }  // lambda of each square
    const Grid& empty() const { return empty_; }
    // That the man on a square is pinned to our King; it may still move along the line.
    float pinned(Square from) const { return pins_.chance[static_cast<std::size_t>(from)]; }
    // A pawn's capture, as the announced number of tries makes it likely; 0 if none was announced.
    float pawn_capture(Square from, Square to) const {
        return tries_.legal[chess::file_of(to) > chess::file_of(from)][static_cast<std::size_t>(from)];
    }

  private:
    float king_legal(Square to) const;
    float check_from(Square s, int kind, Bitboard own) const;
    float discovered(Square from, Square to, Bitboard own) const;

    const Matrices& m_;
    const Constants& c_;
    Bitboard own_;
    Square king_;
    Grid empty_, clear_, control_, lifted_;  // clear: of pawns and pieces; lifted: control without our King
    Pins pins_;
    Checkers checkers_;
    PawnTries tries_;
};

}  // namespace rookery::belief
