// The way of our own moves over the board.
#pragma once

#include "belief/checks.hpp"

namespace rookery::belief {

inline bool castles(int kind, Square from, Square to) {
    return kind == chess::king && (to - from == 2 || from - to == 2);
}

// The squares that a move of ours passes over.
inline Bitboard path(int kind, Square from, Square to) {
    if (kind == chess::knight) return 0;
    if (castles(kind, from, to)) return chess::between(from, to > from ? from + 3 : from - 4);
    return chess::between(from, to);
}

}  // namespace rookery::belief
