// What has settled positions so far, so that it is tried first elsewhere: the history heuristic (Schaeffer 1989) by
// patterns. A move is known by its point and the eight points around it, and its rate is a running mean of how
// often it was the one that settled a position where it was tried. It steers the search and proves nothing.
#pragma once

#include <vector>

#include "solve/board.hpp"

namespace rookery::solve {

class History {
  public:
    // The higher, the sooner. A pattern that was never tried is as good as its point.
    template <int N>
    int rate(const Board<N>& b, int point) const {
        const std::size_t place = first(b, point);
        const std::uint16_t seen = rates_[place + pattern(b, point)];
        return seen ? seen : rates_[place + patterns];
    }

    template <int N>
    void learn(const Board<N>& b, int point, bool settled) {
        const std::size_t place = first(b, point);
        std::uint16_t &seen = rates_[place + pattern(b, point)], &any = rates_[place + patterns];
        if (!seen) seen = any;
        step(seen, 5, settled);
        step(any, 7, settled);
    }

    static constexpr int most = 65535;

  private:
    static constexpr std::size_t patterns = 6561;  // of eight points, each own, other or neither
    static constexpr std::size_t places = 26;      // the pass is the last
    static constexpr std::uint16_t fresh = 20000;

    // Where the rates of a point begin; its own follows those of its patterns.
    template <int N>
    static std::size_t first(const Board<N>& b, int point) {
        const std::size_t kind = (b.wall() ? 2u : 0u) + at(b.mover);
        return (kind * places + at(point)) * (patterns + 1);
    }

    template <int N>
    static std::size_t pattern(const Board<N>& b, int point) {
        if (point == N * N) return 0;
        const Bits<N> own = b.mover ? b.loose(1) : b.stones[0], other = b.mover ? b.stones[0] : b.loose(1);
        return threes_[gather<N>(own, point)] + 2u * threes_[gather<N>(other, point)];
    }

    // The points of a set around a point, as the lowest bits.
    template <int N>
    static unsigned gather(Bits<N> set, int point) {
        constexpr auto around = [] {
            std::array<Bits<N>, at(N * N)> masks{};
            for (int p = 0; p < N * N; ++p)
                for (int q = 0; q < N * N; ++q)
                    if (q != p && q / N - p / N <= 1 && p / N - q / N <= 1 && q % N - p % N <= 1 && p % N - q % N <= 1)
                        masks[at(p)] |= go::Grid<N>::bit(q);
            return masks;
        }();
#if defined(__BMI2__)
        return _pext_u32(set, around[at(point)]);
#else
        unsigned found = 0, place = 1;
        for (Bits<N> left = around[at(point)]; left; left &= left - 1, place <<= 1)
            if (set & left & (~left + 1)) found |= place;
        return found;
#endif
    }

    // A binary number, its digits read to the base three.
    static constexpr auto threes_ = [] {
        std::array<std::uint16_t, 256> numbers{};
        for (std::size_t i = 1; i < 256; ++i) numbers[i] = static_cast<std::uint16_t>(3 * numbers[i / 2] + i % 2);
        return numbers;
    }();

    // One step of a running mean; it stays above 0, which means never tried.
    static void step(std::uint16_t& rate, int slow, bool settled) {
        rate = static_cast<std::uint16_t>(settled ? rate + ((most - rate) >> slow) : rate - (rate >> slow));
    }

    std::vector<std::uint16_t> rates_ = [] {
        std::vector<std::uint16_t> rates(4 * places * (patterns + 1));
        for (std::size_t i = patterns; i < rates.size(); i += patterns + 1) rates[i] = fresh;
        return rates;
    }();
};

}  // namespace rookery::solve
