// The directions of checks, as a seat hears them.
#pragma once

#include "games/chess/bitboard.hpp"
#include "games/kriegspiel/position.hpp"

namespace rookery::belief {

using chess::bit;
using chess::Bitboard;
using chess::each;
using chess::Square;

// The directions of checks, as a set.
enum Check : std::uint8_t { rank_check = 1, file_check = 2, long_check = 4, short_check = 8, knight_check = 16 };

std::uint8_t checks_of(const kriegspiel::CheckDirections& directions);

// Which of R F L S N a check has that comes from `from` against a King on `king`.
inline Check check_direction(Square king, Square from) {
    const int x = chess::file_of(king), y = chess::rank_of(king);
    const int dx = chess::file_of(from) - x, dy = chess::rank_of(from) - y;
    if (dy == 0) return rank_check;
    if (dx == 0) return file_check;
    if (dx != dy && dx != -dy) return knight_check;
    return (dx == dy) == ((x < 4) == (y < 4)) ? long_check : short_check;
}

// The squares of a set from which a check on a King has one of these directions.
inline Bitboard on_line(Bitboard set, Square king, std::uint8_t directions) {
    Bitboard found = 0;
    for (const Square s : each(set))
        if (check_direction(king, s) & directions) found |= bit(s);
    return found;
}

}  // namespace rookery::belief
