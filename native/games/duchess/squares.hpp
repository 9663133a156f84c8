// A set of squares: one bit a square.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace rookery::duchess {

using Square = int;

template <int Words>
class Squares {
  public:
    constexpr Squares() = default;
    static constexpr Squares of(Square s) {
        Squares set;
        set.words_[word(s)] = mask(s);
        return set;
    }

    constexpr bool has(Square s) const { return words_[word(s)] & mask(s); }
    constexpr void add(Square s) { words_[word(s)] |= mask(s); }
    constexpr void flip(Square s) { words_[word(s)] ^= mask(s); }
    constexpr explicit operator bool() const {
        std::uint64_t any = 0;
        for (const std::uint64_t w : words_) any |= w;
        return any != 0;
    }
    constexpr int count() const {
        int total = 0;
        for (const std::uint64_t w : words_) total += std::popcount(w);
        return total;
    }
    // The lowest square; there must be one.
    constexpr Square first() const {
        std::size_t i = 0;
        while (i + 1 < words_.size() && words_[i] == 0) ++i;
        return static_cast<Square>(64 * i) + std::countr_zero(words_[i]);
    }

    // visit(square) for each, in ascending order.
    template <class Visit>
    constexpr void each(Visit visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t w = words_[i]; w; w &= w - 1) visit(static_cast<Square>(64 * i) + std::countr_zero(w));
    }
    // Whether test(square) holds for one of them at least.
    template <class Test>
    constexpr bool any(Test test) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t w = words_[i]; w; w &= w - 1)
                if (test(static_cast<Square>(64 * i) + std::countr_zero(w))) return true;
        return false;
    }

    constexpr Squares& operator&=(const Squares& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
        return *this;
    }
    constexpr Squares& operator|=(const Squares& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
        return *this;
    }
    // Takes the other's squares out.
    constexpr Squares& operator-=(const Squares& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
        return *this;
    }
    friend constexpr Squares operator&(Squares a, const Squares& b) { return a &= b; }
    friend constexpr Squares operator|(Squares a, const Squares& b) { return a |= b; }
    friend constexpr Squares operator-(Squares a, const Squares& b) { return a -= b; }
    constexpr bool operator==(const Squares&) const = default;

  private:
    static constexpr std::size_t word(Square s) { return static_cast<std::size_t>(s) / 64; }
    static constexpr std::uint64_t mask(Square s) { return std::uint64_t{1} << (s & 63); }
    std::array<std::uint64_t, Words> words_{};
};

}  // namespace rookery::duchess
