// A position of Go as the solver sees it: two sets of points, the side to move and the ko. It is a small value
// that is copied, never changed; passes are left to the search, which shows that it needs none of them here.
//
// Side 0 is always the prover, whatever its colour. A point that is in both sets is wall: side 0's for good. Wall
// is never captured, and nobody plays there any more.
#pragma once

#include "games/go/grid.hpp"

namespace rookery::solve {

template <int N>
using Bits = typename go::Grid<N>::Bits;

inline constexpr std::int8_t no_ko = 31;
constexpr std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

template <int N>
struct Board {
    std::array<Bits<N>, 2> stones{};
    std::int8_t mover = 0;
    std::int8_t ko = no_ko;  // where the mover may not play

    Bits<N> wall() const { return stones[0] & stones[1]; }
    Bits<N> loose(int side) const { return stones[at(side)] & ~stones[at(1 - side)]; }
    Bits<N> empty() const { return go::Grid<N>::all & ~(stones[0] | stones[1]); }

    friend bool operator==(const Board&, const Board&) = default;
};

// The connected parts of a set.
template <int N>
struct Parts {
    static constexpr int most = (N * N + 1) / 2;
    std::array<Bits<N>, at(most)> part;
    int size = 0;

    explicit Parts(Bits<N> set) {
        while (set) {
            const Bits<N> found = go::Grid<N>::flood(set & (~set + 1), set);
            part[at(size++)] = found;
            set ^= found;
        }
    }
};

// The moves of a position. Its chains and what they breathe are found once for all of them.
template <int N>
class Moves {
  public:
    using G = go::Grid<N>;

    explicit Moves(const Board<N>& board)
        : board_(board), own_(board.loose(board.mover)), chains_(board.loose(1 - board.mover)) {
        if (board.mover == 0) own_ |= board.wall();
        const Bits<N> empty = board.empty();
        legal_ = empty & G::neighbours(empty);
        if (board.mover == 0) legal_ |= empty & G::neighbours(board.wall());
        const Parts<N> own(board.loose(board.mover));
        for (int i = 0; i < own.size; ++i) {
            const Bits<N> l = G::neighbours(own.part[at(i)]) & empty;
            if (l & (l - 1)) legal_ |= l;
        }
        for (int i = 0; i < chains_.size; ++i) {
            const Bits<N> l = liberties_[at(i)] = G::neighbours(chains_.part[at(i)]) & empty;
            if (!(l & (l - 1))) takes_ |= l;
        }
        legal_ |= takes_;
        if (board.ko != no_ko) legal_ &= ~G::bit(board.ko);
    }

    Bits<N> legal() const { return legal_; }  // every point where the mover may put a stone

    Bits<N> takes() const { return legal_ & takes_; }  // those of them that capture

    Board<N> play(int point) const {
        const Bits<N> stone = G::bit(point);
        Bits<N> captured = 0;
        for (int i = 0; i < chains_.size; ++i)
            if (liberties_[at(i)] == stone) captured |= chains_.part[at(i)];
        Board<N> next = pass();
        next.stones[at(board_.mover)] |= stone;
        next.stones[at(1 - board_.mover)] ^= captured;
        if (captured && !(captured & (captured - 1))) {
            const Bits<N> around = G::neighbours(stone);
            if (!(around & own_) && (around & next.empty()) == captured)
                next.ko = static_cast<std::int8_t>(std::countr_zero(captured));
        }
        return next;
    }

    Board<N> pass() const {
        Board<N> next = board_;
        next.mover = static_cast<std::int8_t>(1 - board_.mover);
        next.ko = no_ko;
        return next;
    }

  private:
    Board<N> board_;
    Bits<N> own_, legal_, takes_ = 0;
    Parts<N> chains_;  // of the other side
    std::array<Bits<N>, at(Parts<N>::most)> liberties_;
};

// Side 0's area less side 1's, every stone alive: Tromp and Taylor's count.
template <int N>
int area(const Board<N>& b) {
    using G = go::Grid<N>;
    const Bits<N> empty = b.empty(), other = b.loose(1);
    const Bits<N> first = G::flood(G::neighbours(b.stones[0]), empty), second = G::flood(G::neighbours(other), empty);
    return go::count(Bits<N>(b.stones[0] | (first & ~second))) - go::count(Bits<N>(other | (second & ~first)));
}

}  // namespace rookery::solve
