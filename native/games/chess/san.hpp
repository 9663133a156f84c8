// Standard algebraic notation: moves as people write them, Nf3 or exd8=Q+.
#pragma once

#include "games/chess/ascending.hpp"

namespace rookery::chess {

enum class Fault { none, unreadable, illegal, ambiguous };

struct Reading {
    Move move = 0;
    Fault fault = Fault::none;
};

// Reads what programs and people write: Nf3, Ngf3, Ng1-f3, Nxf3+, O-O, 0-0, e8=Q, e8Q, e8(Q), e2e4, e7e8q, with any of
// +#!? behind. Squares of origin may be given where they are not needed. Never throws.
Reading read_san(const Position& p, const Ascending& legal, std::string_view text);

// The move as the standard has it.
std::string san(const Position& p, Move m);

}  // namespace rookery::chess
