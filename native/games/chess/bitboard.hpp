// Sets of squares as 64-bit words, and where each man attacks from each square.
//
// Square 0 is a1, 7 is h1, 63 is h8. Tables are filled once, before main.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace rookery::chess {

using Bitboard = std::uint64_t;
using Square = int;

enum Colour : int { white, black };
enum Kind : int { pawn, knight, bishop, rook, queen, king };

constexpr Colour operator~(Colour c) {
    return static_cast<Colour>(c ^ 1);
}
constexpr Bitboard bit(Square s) {
    return 1ull << s;
}
constexpr int file_of(Square s) {
    return s & 7;
}
constexpr int rank_of(Square s) {
    return s >> 3;
}
constexpr int count(Bitboard b) {
    return std::popcount(b);
}
constexpr Square first(Bitboard b) {
    return std::countr_zero(b);
}
constexpr bool several(Bitboard b) {
    return (b & (b - 1)) != 0;
}

// The i-th square of a set in ascending order, 0 <= i < count(b).
inline Square nth(Bitboard b, int i) {
#if defined(__BMI2__)
    return first(_pdep_u64(bit(i), b));
#else
    while (i-- > 0) b &= b - 1;
    return first(b);
#endif
}

// for (Square s : each(set)) visits the squares of a set in ascending order.
struct Each {
    Bitboard rest;
    constexpr bool operator!=(const Each&) const { return rest != 0; }
    constexpr Square operator*() const { return first(rest); }
    constexpr void operator++() { rest &= rest - 1; }
    constexpr Each begin() const { return *this; }
    constexpr Each end() const { return {0}; }
};
constexpr Each each(Bitboard b) {
    return {b};
}

constexpr Bitboard file_a = 0x0101010101010101ull, file_h = file_a << 7;
constexpr Bitboard rank_1 = 0xffull, rank_3 = rank_1 << 16, rank_6 = rank_1 << 40, rank_8 = rank_1 << 56;
constexpr Bitboard dark_squares = 0xaa55aa55aa55aa55ull;

struct Tables {
    std::array<Bitboard, 64> knight, king;
    std::array<std::array<Bitboard, 64>, 2> pawn;            // where a pawn of that colour on s takes
    std::array<std::array<Bitboard, 64>, 64> between, line;  // between: open ends; line: the whole line, or 0
#if defined(__BMI2__)
    struct Slider {
        Bitboard mask;
        const Bitboard* attacks;  // by the occupied squares of mask, packed
    };
    std::array<Slider, 64> bishop, rook;
#else
    std::array<Bitboard, 64> file, diagonal, antidiagonal;  // the lines through s, s excluded
    std::array<std::array<std::uint8_t, 64>, 8> rank;       // by file and the six inner squares
#endif
    Tables();
};
extern const Tables tables;

#if defined(__BMI2__)
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    const auto& t = tables.bishop[static_cast<std::size_t>(s)];
    return t.attacks[_pext_u64(occupied, t.mask)];
}
inline Bitboard rook_attacks(Square s, Bitboard occupied) {
    const auto& t = tables.rook[static_cast<std::size_t>(s)];
    return t.attacks[_pext_u64(occupied, t.mask)];
}
#else
// o ^ (o - 2r): subtracting the slider's bit from the blockers above it flips all bits up to the first
// blocker; turning the board over does the same downwards.
inline Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard up = occupied & line, down = __builtin_bswap64(up);
    return ((up - bit(s)) ^ __builtin_bswap64(down - __builtin_bswap64(bit(s)))) & line;
}
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    const auto i = static_cast<std::size_t>(s);
    return line_attacks(s, occupied, tables.diagonal[i]) | line_attacks(s, occupied, tables.antidiagonal[i]);
}
inline Bitboard rook_attacks(Square s, Bitboard occupied) {
    const int shift = s & 56;
    const Bitboard row = tables.rank[static_cast<std::size_t>(file_of(s))][(occupied >> (shift + 1)) & 63];
    return line_attacks(s, occupied, tables.file[static_cast<std::size_t>(s)]) | (row << shift);
}
#endif
inline Bitboard knight_attacks(Square s) {
    return tables.knight[static_cast<std::size_t>(s)];
}
inline Bitboard king_attacks(Square s) {
    return tables.king[static_cast<std::size_t>(s)];
}
inline Bitboard pawn_attacks(Colour c, Square s) {
    return tables.pawn[c][static_cast<std::size_t>(s)];
}
inline Bitboard piece_attacks(Kind k, Square s, Bitboard occupied) {
    switch (k) {
        case knight:
            return knight_attacks(s);
        case bishop:
            return bishop_attacks(s, occupied);
        case rook:
            return rook_attacks(s, occupied);
        case queen:
            return bishop_attacks(s, occupied) | rook_attacks(s, occupied);
        case king:
            return king_attacks(s);
        case pawn:
            break;  // its attacks are no piece's: see pawn_attacks
    }
    return 0;
}
inline Bitboard between(Square a, Square b) {
    return tables.between[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}
inline Bitboard line_through(Square a, Square b) {
    return tables.line[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

// Whole sets of pawns at once.
template <Colour Us>
constexpr Bitboard forward(Bitboard b) {
    return Us == white ? b << 8 : b >> 8;
}
template <Colour Us>
constexpr Bitboard take_west(Bitboard b) {
    return Us == white ? (b & ~file_a) << 7 : (b & ~file_a) >> 9;
}
template <Colour Us>
constexpr Bitboard take_east(Bitboard b) {
    return Us == white ? (b & ~file_h) << 9 : (b & ~file_h) >> 7;
}

}  // namespace rookery::chess
