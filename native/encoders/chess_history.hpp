// A chess position as Pelat's policy network sees it: the encoder `chess-planes-41`.
//
// 41 planes of 8 x 8 bytes, rank 1 and file a first, never turned over. Three boards: now, and when the mover was last
// and last but one to move; each has White's pawns, knights, bishops, rooks, queens and king, Black's, and the empty
// squares. Then a plane that is 1 where White moves, and one of the number of the move, at most 255.
#pragma once

#include <algorithm>
#include <cstring>

#include "games/chess/position.hpp"

namespace rookery::encoders {

inline constexpr int chess_history_planes = 41, chess_history_bytes = chess_history_planes * 64;

inline void fill_plane(std::uint8_t* plane, chess::Bitboard set) {
    for (const chess::Square s : chess::each(set)) plane[s] = 1;
}

// Thirteen planes of one board; `out` must be all zeros.
inline void encode_board(const chess::Position& p, std::uint8_t* out) {
    for (const chess::Colour colour : {chess::white, chess::black})
        for (int kind = chess::pawn; kind <= chess::king; ++kind, out += 64)
            fill_plane(out, p.men(colour, static_cast<chess::Kind>(kind)));
    fill_plane(out, ~p.occupied());
}

// Writes chess_history_bytes. The positions two plies and four before; nullptr where there is none: then the board of
// now stands for it.
inline void encode_history(const chess::Position& now, const chess::Position* two, const chess::Position* four,
                           std::uint8_t* out) {
    std::memset(out, 0, chess_history_bytes);
    encode_board(now, out);
    encode_board(two ? *two : now, out + 13 * 64);
    encode_board(four ? *four : now, out + 26 * 64);
    if (now.turn() == chess::white) std::memset(out + 39 * 64, 1, 64);
    std::memset(out + 40 * 64, std::min(now.number(), 255), 64);
}

}  // namespace rookery::encoders
