// The lines of the board: from each square, the squares in each of eight directions, nearest first.
#pragma once

#include <array>

#include "games/chess/bitboard.hpp"

namespace rookery::belief {

inline constexpr chess::Bitboard last_ranks = chess::rank_1 | chess::rank_8;

constexpr chess::Bitboard file_set(int file) {
    return chess::file_a << file;
}

struct Ray {
    std::int8_t size = 0;
    std::array<std::int8_t, 7> squares{};

    const std::int8_t* begin() const { return squares.data(); }
    const std::int8_t* end() const { return squares.data() + size; }
};

struct Lines {
    // Straight directions first; the opposite of d is d ^ 1.
    static constexpr int north = 0, south = 1, east = 2, west = 3, rising = 4, falling = 6, all = 8;

    std::array<std::array<Ray, 64>, 8> ray{};
    std::array<std::array<std::int8_t, 64>, 64> direction{};  // from one square to another; -1: no line joins them

    constexpr Lines() {
        constexpr int dx[] = {0, 0, 1, -1, 1, -1, -1, 1}, dy[] = {1, -1, 0, 0, 1, -1, 1, -1};
        for (auto& row : direction) row.fill(-1);
        for (int d = 0; d < all; ++d)
            for (int s = 0; s < 64; ++s)
                for (int x = (s & 7) + dx[d], y = (s >> 3) + dy[d]; x >= 0 && x < 8 && y >= 0 && y < 8;
                     x += dx[d], y += dy[d]) {
                    Ray& r = ray[static_cast<std::size_t>(d)][static_cast<std::size_t>(s)];
                    r.squares[static_cast<std::size_t>(r.size++)] = static_cast<std::int8_t>(8 * y + x);
                    direction[static_cast<std::size_t>(s)][static_cast<std::size_t>(8 * y + x)] =
                        static_cast<std::int8_t>(d);
                }
    }

    const Ray& from(chess::Square s, int d) const {
        return ray[static_cast<std::size_t>(d)][static_cast<std::size_t>(s)];
    }
    int towards(chess::Square a, chess::Square b) const {
        return direction[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
    }
};
inline constexpr Lines lines;

// The directions in which a rider of a kind moves: first one, and the one after the last.
constexpr int first_direction(int kind) {
    return kind == chess::bishop ? Lines::rising : 0;
}
constexpr int end_direction(int kind) {
    return kind == chess::rook ? Lines::rising : kind == chess::bishop || kind == chess::queen ? Lines::all : 0;
}

}  // namespace rookery::belief
