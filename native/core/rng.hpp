// A small, fast generator with a fixed definition: the same seed gives the same games on every machine.
#pragma once

#include <cstdint>

namespace rookery {

// splitmix64 (Steele, Lea, Flood 2014): also the mixer that spreads seeds and makes hash keys.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

class Rng {  // xoroshiro128+ (Blackman, Vigna 2018)
  public:
    // All that decides what is drawn next, to be kept and taken up again.
    struct State {
        std::uint64_t a, b;
    };

    explicit constexpr Rng(std::uint64_t seed) : a_(mix(seed)), b_(mix(a_)) {}
    explicit constexpr Rng(State state) : a_(state.a), b_(state.b) {}
    constexpr State state() const { return {a_, b_}; }

    constexpr std::uint64_t next() {
        const std::uint64_t result = a_ + b_, c = a_ ^ b_;
        a_ = rotl(a_, 24) ^ c ^ (c << 16);
        b_ = rotl(c, 37);
        return result;
    }

    // Uniform in [0, n), n < 2^32. Its bias is below n / 2^32, far under what any match can see.
    constexpr std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }

    constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    static constexpr std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    std::uint64_t a_, b_;
};

}  // namespace rookery
