// Unconditional life after Benson (1976): the chains that no sequence of moves can capture, though their
// owner passes for ever, and the regions in which the opponent can then never live.
#pragma once

#include <algorithm>
#include <vector>

#include "games/go/grid.hpp"

namespace rookery::go {

template <int N>
class Benson {
  public:
    using G = Grid<N>;
    using Bits = typename G::Bits;

    explicit Benson(const Bits& own) : chains_(parts(own)), regions_(parts(G::all & ~own)) {}

    // The regions between living chains of the owner where the opponent, given any number of moves, cannot
    // make two eyes. A point next to a living chain is never an eye, since the owner can always fill it; so
    // two eyes need two of the other points, not next to each other.
    Bits secure(const Bits& empty) {
        settle(empty);
        const Bits alive = this->alive();
        Bits found{};
        if (!alive) return found;
        for (const Bits& region : regions_) {
            const Bits inner = region & ~G::neighbours(alive);
            const int size = count(inner);
            if (size < 2 || (size == 2 && (inner & G::neighbours(inner)))) found |= region;
        }
        return found;
    }

    // The living chains; known once `secure` was asked.
    Bits alive() const {
        Bits found{};
        for (const Bits& chain : chains_) found |= chain;
        return found;
    }

  private:
    static std::vector<Bits> parts(Bits set) {
        std::vector<Bits> list;
        while (set) {
            list.push_back(G::flood(G::bit(nth(set, 0)), set));
            set ^= list.back();
        }
        return list;
    }

    // Leaves the chains with two vital regions each, and the regions bounded by those chains alone. A region
    // is vital to a chain if each of its empty points is a liberty of the chain.
    void settle(const Bits& empty) {
        for (bool changed = true; changed;) {
            Bits lost{};
            changed = std::erase_if(chains_, [&](const Bits& chain) {
                          const Bits liberties = G::neighbours(chain) & empty;
                          const auto vital = std::ranges::count_if(
                              regions_, [&](const Bits& region) { return !(region & empty & ~liberties); });
                          if (vital < 2) lost |= chain;
                          return vital < 2;
                      }) > 0;
            std::erase_if(regions_, [&](const Bits& region) { return bool(G::neighbours(region) & lost); });
        }
    }

    std::vector<Bits> chains_, regions_;
};

}  // namespace rookery::go
