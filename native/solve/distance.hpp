// How many stones a side must still put, if the opponent only passes, until the whole board is its own. A search
// that lets the prover go no longer ways than it has moves for looks at a small part of what it would.
//
// The opponent's stones are left out, and with them on the board a goal may be nearer; so a distance may rule out
// a proof that there is, but never allows one that there is not.
#pragma once

#include <vector>

#include "core/poll.hpp"
#include "solve/life.hpp"

namespace rookery::solve {

template <int N>
class Distances {
  public:
    // Some ten seconds of work on 5x5.
    explicit Distances(Poll& poll) : start_(sets), rest_(sets) {
        std::vector<std::uint8_t> all(sets);
        for (std::size_t s = 0; s < sets; ++s) {
            poll.step();
            const auto own = static_cast<Bits<N>>(s);
            const Bits<N> alive = go::count(own) < N ? Bits<N>{0} : living<N>(own, G::all & ~own);
            start_[s] = alive ? 0 : far;
            all[s] = alive && secure<N>(alive) == G::all ? 0 : far;
            rest_[s] = own && secure<N>(own) == G::all ? 0 : far;
        }
        for (std::vector<std::uint8_t>* table : {&start_, &all, &rest_}) spread(*table, poll);
        for (std::size_t s = 0; s < sets; ++s) start_[s] = static_cast<std::uint8_t>(start_[s] | all[s] << 4);
    }

    int life(Bits<N> own) const { return start_[own] & 15; }  // until some stones live
    // The same, but for the whole board, once they live, there are only so many more.
    int start(Bits<N> own, int reserve) const { return std::max(life(own), (start_[own] >> 4) - reserve); }
    int rest(Bits<N> own) const { return rest_[own]; }  // until the board is held, if these stones live already

  private:
    using G = go::Grid<N>;
    static constexpr std::size_t sets = std::size_t{1} << (N * N);
    static constexpr std::uint8_t far = 15;  // or more

    // Every superset of a set is a greater number, so one way down reaches them all.
    static void spread(std::vector<std::uint8_t>& table, Poll& poll) {
        for (std::size_t s = sets; s-- > 0;) {
            poll.step();
            if (!table[s]) continue;
            std::uint8_t least = far - 1;
            for (std::size_t out = ~s & (sets - 1); out; out &= out - 1)
                least = std::min(least, table[s | (out & (~out + 1))]);
            table[s] = static_cast<std::uint8_t>(least + 1);
        }
    }

    std::vector<std::uint8_t> start_;  // to life, and to the board in the upper half
    std::vector<std::uint8_t> rest_;
};

}  // namespace rookery::solve
