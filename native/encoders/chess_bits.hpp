// A chess position as DeepChess sees it (David, Netanyahu and Wolf 2016): 773 bits, of which at most 37 are set.
//
// 64 for each of White's six kinds of men and Black's, then White to move, then the rights to castle K, Q, k, q.
// Nothing is turned round for Black. En passant, clocks and repetitions are not seen.
#pragma once

#include <array>
#include <bit>

#include "games/chess/position.hpp"

namespace rookery::encoders {

inline constexpr int chess_bits = 773, most_chess_bits = 32 + 5;
inline constexpr int white_moves_bit = 768, castling_bits = 769;

constexpr int chess_bit(chess::Man man, chess::Square square) {
    return (chess::colour_of(man) * 6 + chess::kind_of(man)) * 64 + square;
}

// visit(index) for each bit that is set, ascending; chess::Position::Castling has the rights in the same order.
template <class Visit>
void each_chess_bit(const chess::Position& p, Visit visit) {
    for (const chess::Colour colour : {chess::white, chess::black})
        for (int kind = chess::pawn; kind <= chess::king; ++kind)
            for (const chess::Square s : chess::each(p.men(colour, static_cast<chess::Kind>(kind))))
                visit(chess_bit(chess::man(colour, static_cast<chess::Kind>(kind)), s));
    if (p.turn() == chess::white) visit(white_moves_bit);
    for (unsigned left = static_cast<unsigned>(p.castling()); left; left &= left - 1)
        visit(castling_bits + std::countr_zero(left));
}

// Writes most_chess_bits numbers: the set bits ascending, then chess_bits for none.
inline void encode_bits(const chess::Position& p, std::int16_t* out) {
    std::int16_t* const end = out + most_chess_bits;
    // Where the men of each colour and kind begin, by Man; then one walk over the board puts each in its place.
    std::array<std::int16_t*, 16> next;
    for (const chess::Colour colour : {chess::white, chess::black})
        for (int kind = chess::pawn; kind <= chess::king; ++kind) {
            next[chess::man(colour, static_cast<chess::Kind>(kind))] = out;
            out += chess::count(p.men(colour, static_cast<chess::Kind>(kind)));
        }
    for (const chess::Square s : chess::each(p.occupied())) {
        const chess::Man m = p.at(s);
        *next[m]++ = static_cast<std::int16_t>(chess_bit(m, s));
    }
    if (p.turn() == chess::white) *out++ = white_moves_bit;
    for (const int right : chess::each(static_cast<chess::Bitboard>(p.castling())))
        *out++ = static_cast<std::int16_t>(castling_bits + right);
    while (out != end) *out++ = chess_bits;
}

// The bit of the same thing with the colours exchanged and the board turned over. White to move has no bit of its own
// for that: it becomes Black to move, which is the bit not set.
constexpr int mirrored_chess_bit(int index) {
    if (index >= castling_bits) return castling_bits + (index - castling_bits + 2) % 4;
    return (index < 384 ? index + 384 : index - 384) ^ 56;
}

}  // namespace rookery::encoders
