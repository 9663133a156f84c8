// A chess position as the numbers of its active bits among 773: the encoder of DeepChess (David, Netanyahu, Wolf 2016,
// section 3). Bit (colour * 6 + kind) * 64 + square for each man, 768 if White is to move, 769 to 772 for the castling
// rights K, Q, k, q. Nothing is turned round for Black.
#pragma once

#include "games/chess/position.hpp"

namespace rookery::encoders {

inline constexpr int chess_bits = 773;
inline constexpr int most_chess_bits = 37;  // 32 men, the turn and four rights

// Writes most_chess_bits numbers: the active ones ascending, then chess_bits for none.
inline void encode_bits(const chess::Position& p, std::int16_t* out) {
    std::int16_t* const end = out + most_chess_bits;
    for (const chess::Colour colour : {chess::white, chess::black})
        for (int kind = chess::pawn; kind <= chess::king; ++kind) {
            const int base = (colour * 6 + kind) * 64;
            for (const chess::Square s : chess::each(p.men(colour, static_cast<chess::Kind>(kind))))
                *out++ = static_cast<std::int16_t>(base + s);
        }
    if (p.turn() == chess::white) *out++ = 768;
    for (const int right : chess::each(static_cast<chess::Bitboard>(p.castling())))
        *out++ = static_cast<std::int16_t>(769 + right);
    while (out != end) *out++ = chess_bits;
}

}  // namespace rookery::encoders
