// What a rule of thumb looks at: the chains of both sides with their liberties, and what a stone would do.
#pragma once

#include <span>

#include "core/rng.hpp"
#include "games/go/position.hpp"

namespace rookery::rivals {

template <int N>
class ChainView {
  public:
    using G = go::Grid<N>;
    using Bits = typename G::Bits;

    struct Chain {
        Bits stones, liberties;
        int size() const { return go::count(stones); }
        int liberty_count() const { return go::count(liberties); }
    };

    // What stands after a stone of the side to move.
    struct Effect {
        Bits captured, chain, liberties;  // the chain is the one that the stone belongs to
        int liberty_count() const { return go::count(liberties); }
    };

    explicit ChainView(const go::Position<N>& position)
        : mine_(position.stones(position.seat())),
          theirs_(position.stones(1 - position.seat())),
          empty_(position.empty()),
          legal_(position.legal()) {
        gather(mine_, own_, owns_);
        gather(theirs_, other_, others_);
    }

    const Bits& mine() const { return mine_; }
    const Bits& theirs() const { return theirs_; }
    const Bits& empty() const { return empty_; }
    const Bits& legal() const { return legal_; }
    std::span<const Chain> own() const { return {own_.data(), owns_}; }
    std::span<const Chain> other() const { return {other_.data(), others_}; }

    Effect effect(int point) const {
        Effect e{Bits{}, G::bit(point), Bits{}};
        for (const Chain& c : own())
            if (G::has(c.liberties, point)) e.chain |= c.stones;
        for (const Chain& c : other())
            if (c.liberties == G::bit(point)) e.captured |= c.stones;
        e.liberties = G::neighbours(e.chain) & ((empty_ & ~G::bit(point)) | e.captured);
        return e;
    }

    // Whether a point is an eye of the side to move: own stones all around, and of its diagonal points at most
    // one is the other side's, none at the edge.
    bool eye(int point) const {
        if (G::neighbours(G::bit(point)) & ~mine_) return false;
        const Bits hostile = diagonal(point) & theirs_;
        return go::count(hostile) <= (go::count(diagonal(point)) == 4 ? 1 : 0);
    }

    // The empty regions that touch stones of the side to move, and no others.
    Bits land() const {
        const Bits near = G::flood(G::neighbours(mine_), empty_);
        return near & ~G::flood(G::neighbours(theirs_), empty_);
    }

    static Bits diagonal(int point) {
        constexpr Bits first = G::column(0), last = G::column(N - 1);
        const Bits b = G::bit(point), left = (b & ~first) >> 1, right = (b & ~last) << 1;
        return ((left | right) << N | (left | right) >> N) & G::all;
    }

  private:
    void gather(Bits stones, std::array<Chain, G::points>& chains, std::size_t& size) const {
        while (stones) {
            const Bits chain = G::flood(G::bit(go::nth(stones, 0)), stones);
            chains[size++] = {chain, G::neighbours(chain) & empty_};
            stones ^= chain;
        }
    }

    Bits mine_, theirs_, empty_, legal_;
    std::size_t owns_ = 0, others_ = 0;
    std::array<Chain, G::points> own_, other_;  // left unset beyond those sizes
};

// A point of a set that is not empty, each as likely as the next.
template <class Bits>
int draw(const Bits& set, Rng& rng) {
    return go::nth(set, static_cast<int>(rng.below(static_cast<std::uint32_t>(go::count(set)))));
}

// A legal point that is no eye of one's own and leaves its chain two liberties, each as likely as the next; the
// pass if there is none. What rivals do when they know no better.
template <int N>
Move any_safe_move(const ChainView<N>& chains, Rng& rng) {
    using G = go::Grid<N>;
    for (auto left = chains.legal(); left;) {
        const int point = draw(left, rng);
        if (!chains.eye(point) && chains.effect(point).liberty_count() >= 2) return point;
        left ^= G::bit(point);
    }
    return go::Position<N>::pass;
}

// The points of the greatest value so far.
template <int N>
class BestPoints {
  public:
    using G = go::Grid<N>;

    void offer(int point, int value) {
        if (value > value_) {
            value_ = value;
            points_ = {};
        }
        if (value == value_) points_ |= G::bit(point);
    }

    explicit operator bool() const { return static_cast<bool>(points_); }
    const typename G::Bits& points() const { return points_; }

  private:
    int value_ = 0;
    typename G::Bits points_{};
};

}  // namespace rookery::rivals
