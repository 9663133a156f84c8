// The stones of a small board. The chains of a colour lie side by side in lanes, and every question is put
// to all of them at once: plain loops without a branch, which compilers turn into a few vector instructions.
#pragma once

#include "games/go/grid.hpp"

namespace rookery::go {

template <int N>
class Lanes {
  public:
    using G = Grid<N>;
    using Bits = typename G::Bits;

    Bits stones(int side) const { return stones_[index(side)]; }
    Bits empty() const { return G::all & ~(stones_[0] | stones_[1]); }

    // Every point where a side may put a stone, ko aside.
    Bits legal(int side) const {
        const Colour &own = colours_[index(side)], &other = colours_[index(1 - side)];
        Bits points = 0;
        for (std::size_t i = 0; i < lanes; ++i) {
            const Bits a = own.liberties[i], b = other.liberties[i];
            points |= (several(a) ? a : Bits{0}) | (several(b) ? Bits{0} : b);
        }
        const Bits open = empty();
        return points | (open & G::neighbours(open));
    }

    // Where a stone of that side would take something, the ko point aside.
    Bits takes(int side) const {
        const Colour& other = colours_[index(1 - side)];
        Bits points = 0;
        for (const Bits b : other.liberties) points |= several(b) ? Bits{0} : b;
        return points;
    }

    // What a stone of that side on an empty point takes.
    Bits captures(int point, int side) const {
        const Colour& other = colours_[index(1 - side)];
        const Bits stone = G::bit(point);
        Bits captured = 0;
        for (std::size_t i = 0; i < lanes; ++i) captured |= other.liberties[i] == stone ? other.stones[i] : Bits{0};
        return captured;
    }

    // Puts a stone on an empty point and gives what it took; suicide gives false and changes nothing.
    bool play(int point, int side, Bits& captured) {
        Colour& own = colours_[index(side)];
        const Bits stone = G::bit(point);
        captured = captures(point, side);
        Bits joined = 0;
        for (std::size_t i = 0; i < lanes; ++i) joined |= own.liberties[i] & stone ? own.stones[i] : Bits{0};
        const Bits chain = joined | stone;
        const Bits open = (empty() ^ stone) | captured;
        const Bits liberties = G::neighbours(chain) & open;
        if (!liberties) return false;

        stones_[index(side)] |= stone;
        stones_[index(1 - side)] ^= captured;
        for (Bits& l : colours_[index(1 - side)].liberties) l &= ~stone;
        for (std::size_t i = 0; i < lanes; ++i) {
            own.liberties[i] = own.liberties[i] & stone ? Bits{0} : own.liberties[i];
        }
        own.stones[index(point)] = chain;
        own.liberties[index(point)] = liberties;
        if (captured)
            for (std::size_t i = 0; i < lanes; ++i)
                own.liberties[i] = own.liberties[i] ? G::neighbours(own.stones[i]) & open : Bits{0};
        return true;
    }

  private:
    static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
    static constexpr bool several(Bits set) { return (set & (set - 1)) != 0; }

    static constexpr std::size_t vector = 64 / sizeof(Bits);
    static constexpr std::size_t lanes = (G::points + vector - 1) / vector * vector;

    // A chain lies in the lane of its newest stone, so there is always room for it. A lane without
    // liberties is unused, whatever its stones say.
    struct Colour {
        alignas(64) std::array<Bits, lanes> stones{};
        alignas(64) std::array<Bits, lanes> liberties{};
    };
    std::array<Colour, 2> colours_{};
    std::array<Bits, 2> stones_{};
};

}  // namespace rookery::go
