// The name of a position, the same for all eight ways to turn and mirror it, and exact: two positions have one
// key only if one is the other turned or mirrored.
#pragma once

#include "core/rng.hpp"
#include "solve/board.hpp"

namespace rookery::solve {

template <int N>
class Symmetry {
  public:
    static constexpr int ways = 8;
    using Hashes = std::array<std::uint64_t, ways>;  // of a position, turned each way

    static constexpr int turn(int way, int point) {
        int r = point / N, c = point % N;
        if (way & 1) r = N - 1 - r;
        if (way & 2) c = N - 1 - c;
        return way & 4 ? c * N + r : r * N + c;
    }

    // A sum over the stones, so that a child's can be had from its parent's.
    static Hashes hashes(const Board<N>& b) {
        Hashes h{};
        for (const std::size_t side : {0u, 1u}) go::each(b.stones[side], [&](int p) { add(h, side, p); });
        return h;
    }
    static Hashes after(const Hashes& parent, const Board<N>& before, const Board<N>& next) {
        Hashes h = parent;
        for (const std::size_t side : {0u, 1u})
            go::each(Bits<N>(before.stones[side] ^ next.stones[side]), [&](int p) { add(h, side, p); });
        return h;
    }

    // The way that gives the least hash decides how the position is written down.
    static std::uint64_t key(const Board<N>& b, Hashes h) {
        if (b.ko != no_ko) add(h, 2, b.ko);
        int best = 0;
        for (int way = 1; way < ways; ++way)
            if (h[at(way)] < h[at(best)]) best = way;
        const std::uint64_t ko = b.ko == no_ko ? no_ko : static_cast<std::uint64_t>(turn(best, b.ko));
        return turned(best, b.stones[0]) | turned(best, b.stones[1]) << 25 | ko << 50 |
               static_cast<std::uint64_t>(b.mover) << 55;
    }
    static constexpr int bits = 56;  // of a key

  private:
    static_assert(N * N <= 25, "a key holds two sets of at most 25 points");

    static void add(Hashes& h, std::size_t kind, int point) {
        const Hashes& more = numbers_[kind][at(point)];
        for (std::size_t way = 0; way < ways; ++way) h[way] ^= more[way];
    }

    static std::uint64_t turned(int way, Bits<N> set) {
        const auto& table = tables_[at(way)];
        return table[0][set & 511] | table[1][set >> 9 & 255] | table[2][set >> 17];
    }

    static constexpr auto numbers_ = [] {
        std::array<std::array<Hashes, 25>, 3> numbers{};
        for (std::size_t kind = 0; kind < 3; ++kind)
            for (int p = 0; p < N * N; ++p)
                for (int way = 0; way < ways; ++way)
                    numbers[kind][at(p)][at(way)] = mix(1000 * kind + static_cast<std::uint64_t>(turn(way, p)));
        return numbers;
    }();

    using Tables = std::array<std::array<std::array<std::uint32_t, 512>, 3>, ways>;
    static inline const Tables tables_ = [] {
        Tables tables{};
        constexpr std::array<int, 3> start{0, 9, 17};
        for (int way = 0; way < ways; ++way)
            for (std::size_t part = 0; part < 3; ++part)
                for (unsigned set = 0; set < (part ? 256u : 512u); ++set)
                    for (int i = 0; i < 9; ++i)
                        if (set >> i & 1 && start[part] + i < N * N)
                            tables[at(way)][part][set] |= 1u << turn(way, start[part] + i);
        return tables;
    }();
};

}  // namespace rookery::solve
