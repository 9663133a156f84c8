// The search of Mayer's players (section IV): alpha-beta over boards that a network judges in the view of whoever
// moved last. What is worth v to one player is worth 1 - v to the other. A rival like any other.
#pragma once

#include <compare>

#include "core/poll.hpp"
#include "nets/go_td/candidates.hpp"

namespace rookery::learn {

template <int N, class Net>
class Lookahead {
  public:
    using Position = go::Position<N>;

    // depth: plies, the move itself included. exact: a game that ends in the tree is worth what it brought, 1,
    // 0 or 1/2; if not, what the network says of its board.
    // The network, its encoding and the poll must outlive it.
    Lookahead(const Net& net, const nets::Encoding<N>& encoding, int depth, bool exact, Poll& poll)
        : net_(&net), encoding_(&encoding), depth_(depth), exact_(exact), poll_(&poll) {}

    struct Choice {
        double value;  // to the seat to move
        Move moves[Position::Moves::capacity];
        int size;  // of the moves that reach it, more than one where they are equal
    };

    Choice look(const Position& position) const {
        Choice choice{-infinite, {}, 0};
        each_move(position, depth_, [&](Move m, auto&& worth) {
            // Just below the best: equals must show themselves as equals.
            const double v = worth(std::nextafter(choice.value, -infinite), infinite);
            if (v > choice.value) choice.value = v, choice.size = 0;
            if (v == choice.value) choice.moves[choice.size++] = m;
            return false;
        });
        choice.value += 0.5;
        return choice;
    }

    template <int>
    Move choose(const Position& position, Rng& rng) const {
        const Choice choice = look(position);
        return choice.moves[choice.size == 1 ? 0 : rng.below(static_cast<std::uint32_t>(choice.size))];
    }
    Move choose(const Position& position, Rng& rng) const { return choose<N>(position, rng); }

  private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    // The best that the seat to move can reach. Values are kept less 1/2, so that the other's is the negative,
    // and as doubles, where that costs no digit of a float.
    double search(const Position& position, int depth, double alpha, double beta) const {
        double best = -infinite;
        each_move(position, depth, [&](Move, auto&& worth) {
            best = std::max(best, worth(std::max(alpha, best), beta));
            return best >= beta;
        });
        return best;
    }

    // Calls f with each move, what the network likes best first, and with what finds its value between two bounds;
    // until f says that it is enough.
    template <class F>
    void each_move(const Position& position, int depth, F&& f) const {
        poll_->step();
        const nets::Candidates<N> candidates(*net_, position, nets::Reading<N>(*encoding_, position).stones());
        if (!candidates.finite()) throw Diverged("the network's values are not finite");
        int order[Position::Moves::capacity];
        for (int i = 0; i < candidates.size(); ++i) order[i] = i;
        if (depth > 1)
            std::stable_sort(order, order + candidates.size(), [&](int a, int b) {
                return std::weak_order(candidates.value(a), candidates.value(b)) > 0;
            });
        for (int i = 0; i < candidates.size(); ++i) {
            const Move m = candidates.move(order[i]);
            const double seen = static_cast<double>(candidates.value(order[i])) - 0.5;
            const auto worth = [&](double alpha, double beta) {
                const bool may_end =
                    (m == Position::pass && position.passes() == 1) || position.ply() + 1 == Position::longest;
                if (depth == 1 && !(exact_ && may_end)) return seen;
                Position after = position;
                after.play(m);
                if (!after.over()) return depth == 1 ? seen : -search(after, depth - 1, -beta, -alpha);
                return exact_ ? outcome(after, position.seat()) : seen;
            };
            if (f(m, worth)) return;
        }
    }

    static double outcome(const Position& over, int seat) {
        const int winner = over.outcome()->winner;
        return winner < 0 ? 0 : winner == seat ? 0.5 : -0.5;
    }

    const Net* net_;
    const nets::Encoding<N>* encoding_;
    int depth_;
    bool exact_;
    Poll* poll_;
};

}  // namespace rookery::learn
