// A chess position from the mover's side, for networks that are told the players' ratings: `chess-squares-1`.
//
// 20 planes of 8 x 8 bytes. For Black the board is turned over, rank 8 for rank 1, and the colours are exchanged. Own
// pawns, knights, bishops, rooks, queens and king, the other side's; the squares that the last move left and reached;
// whole planes for the rights to castle: own short, own long, the other's short and long; the square where a pawn may
// be taken en passant, if a legal move does; and all over the last one plies since a capture or pawn move.
#pragma once

#include "encoders/chess_actions.hpp"
#include "encoders/chess_history.hpp"

namespace rookery::encoders {

inline constexpr int chess_squares_planes = 20, chess_squares_bytes = chess_squares_planes * 64;

// A set of squares on the board turned over.
constexpr chess::Bitboard turned_over(chess::Bitboard set) {
    return __builtin_bswap64(set);
}

// Writes chess_squares_bytes. `last` led to the position; -1 where none did.
inline void encode_squares(const chess::Position& p, Move last, std::uint8_t* out) {
    const chess::Colour mover = p.turn();
    const bool over = mover == chess::black;
    std::memset(out, 0, chess_squares_bytes);
    const auto plane = [&](int i) { return out + 64 * i; };
    const auto put = [&](int i, chess::Bitboard set) { fill_plane(plane(i), over ? turned_over(set) : set); };
    for (int kind = chess::pawn; kind <= chess::king; ++kind) {
        put(kind, p.men(mover, static_cast<chess::Kind>(kind)));
        put(6 + kind, p.men(~mover, static_cast<chess::Kind>(kind)));
    }
    if (last >= 0) {
        put(12, chess::bit(chess::from_of(last)));
        put(13, chess::bit(chess::to_of(last)));
    }
    for (int right = 0; right < 4; ++right)  // White's short and long, then Black's, as Position::Castling has them
        if (p.castling() >> (over ? right ^ 2 : right) & 1) std::memset(plane(14 + right), 1, 64);
    if (p.en_passant() >= 0) put(18, chess::bit(p.en_passant()));
    std::memset(plane(19), std::min(p.clock(), 255), 64);
}

}  // namespace rookery::encoders
