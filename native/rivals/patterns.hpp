// The shapes that Gojen knows: 3x3 around a move, under all eight symmetries.
#pragma once

#include <array>
#include <cstdint>

#include "games/go/grid.hpp"

namespace rookery::rivals {

// What the eight points around a move are, two bits each, row by row from the top left.
enum Around : std::uint8_t { open_point, own_stone, other_stone, off_board };

// The greatest value of a pattern that fits what is around a move; 0 if none does.
int pattern_value(std::uint16_t around);

// A board with a border, on which the surroundings of every point are at hand.
template <int N>
class Surroundings {
  public:
    using Bits = typename go::Grid<N>::Bits;

    Surroundings(const Bits& own, const Bits& other) {
        board_.fill(off_board);
        for (int row = 0; row < N; ++row)
            for (int column = 0; column < N; ++column) board_[place(N * row + column)] = open_point;
        go::each(own, [&](int p) { board_[place(p)] = own_stone; });
        go::each(other, [&](int p) { board_[place(p)] = other_stone; });
    }

    std::uint16_t around(int point) const {
        constexpr int up = N + 2;
        unsigned code = 0;
        for (const int step : {up - 1, up, up + 1, -1, 1, -up - 1, -up, -up + 1})
            code = code << 2 | board_[place(point) + static_cast<std::size_t>(step)];
        return static_cast<std::uint16_t>(code);
    }

  private:
    static std::size_t place(int point) { return static_cast<std::size_t>((point / N + 1) * (N + 2) + point % N + 1); }
    std::array<std::uint8_t, (N + 2) * (N + 2)> board_;
};

}  // namespace rookery::rivals
