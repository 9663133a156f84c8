// Sets of points of an N x N board, as bits: the point of row r and column c, counted from the lower left,
// is bit N * r + c.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

// Defines ROOKERY_GO_SIZES(F), which calls F with each size of board in this build; CMakeLists.txt says which.
#include <go_sizes.hpp>

namespace rookery::go {

// A wide unsigned number, with just the operators that sets of points need.
template <int Count>
struct Words {
    std::array<std::uint64_t, Count> word{};

    friend constexpr Words operator&(Words a, const Words& b) {
        for (std::size_t i = 0; i < Count; ++i) a.word[i] &= b.word[i];
        return a;
    }
    friend constexpr Words operator|(Words a, const Words& b) {
        for (std::size_t i = 0; i < Count; ++i) a.word[i] |= b.word[i];
        return a;
    }
    friend constexpr Words operator^(Words a, const Words& b) {
        for (std::size_t i = 0; i < Count; ++i) a.word[i] ^= b.word[i];
        return a;
    }
    friend constexpr Words operator~(Words a) {
        for (std::uint64_t& w : a.word) w = ~w;
        return a;
    }
    friend constexpr Words operator<<(const Words& a, int k) {  // 0 < k < 64
        Words r;
        r.word[0] = a.word[0] << k;
        for (std::size_t i = 1; i < Count; ++i) r.word[i] = a.word[i] << k | a.word[i - 1] >> (64 - k);
        return r;
    }
    friend constexpr Words operator>>(const Words& a, int k) {  // 0 < k < 64
        Words r;
        for (std::size_t i = 0; i + 1 < Count; ++i) r.word[i] = a.word[i] >> k | a.word[i + 1] << (64 - k);
        r.word[Count - 1] = a.word[Count - 1] >> k;
        return r;
    }
    constexpr Words& operator&=(const Words& b) { return *this = *this & b; }
    constexpr Words& operator|=(const Words& b) { return *this = *this | b; }
    constexpr Words& operator^=(const Words& b) { return *this = *this ^ b; }
    friend constexpr bool operator==(const Words&, const Words&) = default;
    explicit constexpr operator bool() const { return *this != Words{}; }
};

// The place of the k-th set bit, counted from 0; there must be one.
inline int nth(std::uint64_t bits, int k) {
#if defined(__BMI2__)
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << k, bits));
#else
    while (k-- > 0) bits &= bits - 1;
    return std::countr_zero(bits);
#endif
}

template <int Count>
int nth(const Words<Count>& bits, int k) {
    for (std::size_t i = 0;; ++i) {
        const int here = std::popcount(bits.word[i]);
        if (k < here) return static_cast<int>(64 * i) + nth(bits.word[i], k);
        k -= here;
    }
}

template <std::unsigned_integral Word>
constexpr int count(Word bits) {
    return std::popcount(bits);
}

template <int Count>
constexpr int count(const Words<Count>& bits) {
    int sum = 0;
    for (const std::uint64_t w : bits.word) sum += std::popcount(w);
    return sum;
}

// Calls f with each point of a set, ascending.
template <std::unsigned_integral Word, class F>
void each(Word bits, F&& f) {
    for (; bits; bits &= bits - 1) f(std::countr_zero(bits));
}

template <int Count, class F>
void each(const Words<Count>& bits, F&& f) {
    for (std::size_t i = 0; i < Count; ++i) each(bits.word[i], [&](int p) { f(static_cast<int>(64 * i) + p); });
}

template <int N>
struct Grid {
    static constexpr int points = N * N;
    using Bits = std::conditional_t<(points <= 32), std::uint32_t,
                                    std::conditional_t<(points <= 64), std::uint64_t, Words<(points + 63) / 64>>>;

    static constexpr Bits bit(int point) {
        if constexpr (points <= 64) {
            return Bits{1} << point;
        } else {
            Bits b;
            b.word[static_cast<std::size_t>(point / 64)] = std::uint64_t{1} << (point % 64);
            return b;
        }
    }

    static constexpr bool has(const Bits& set, int point) {
        if constexpr (points <= 64)
            return set >> point & 1;
        else
            return set.word[static_cast<std::size_t>(point / 64)] >> (point % 64) & 1;
    }

    static constexpr Bits column(int c) {
        Bits b{};
        for (int p = c; p < points; p += N) b |= bit(p);
        return b;
    }

    static constexpr Bits all = [] {
        Bits b{};
        for (int p = 0; p < points; ++p) b |= bit(p);
        return b;
    }();

    // All points next to a point of the set; some of them may lie in the set.
    static constexpr Bits neighbours(const Bits& set) {
        constexpr Bits not_first = all & ~column(0), not_last = all & ~column(N - 1);
        return ((set & not_last) << 1 | (set & not_first) >> 1 | set << N | set >> N) & all;
    }

    // The points of `within` that are joined to the seeds inside it.
    static constexpr Bits flood(Bits seeds, const Bits& within) {
        for (seeds &= within;;) {
            const Bits grown = (seeds | neighbours(seeds)) & within;
            if (grown == seeds) return seeds;
            seeds = grown;
        }
    }
};

}  // namespace rookery::go
