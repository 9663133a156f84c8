// PUCT as in AlphaZero (Silver et al. 2018): a tree that knowledge grows, with a prior for each move and a
// value for each leaf. It goes to the move with the highest Q + U,
//     U = C(N) * prior * sqrt(N) / (1 + n),   C(N) = c + ln((1 + N + 19652) / 19652),
// of N visits to the node and n to the move; Q, in [-1, 1], is the mean value to the side that moves. For a
// move that was never tried it is 0; or, where a reduction r is asked for, the node's own mean less
// r * sqrt(P), P being the priors' sum of the moves that were tried (first play urgency as in KataGo, Wu 2019).
//
// The knowledge lives elsewhere and wants many leaves at a time: collect() walks down again and again, and on
// each way counts a loss (Chaslot, Winands and van den Herik 2008), so that the next way is another; absorb()
// takes back values and priors. A batch of one is the plain algorithm.
//
// The tree outlives a search: follow() makes a position further on its root and keeps what lies below. Its memory has a
// bound; where it is reached the tree grows no more, and says so.
#pragma once

#include <cmath>

#include "search/game_domain.hpp"
#include "search/limits.hpp"
#include "search/policy.hpp"
#include "search/tree_report.hpp"

namespace rookery::search {

class PuctRule {
  public:
    struct Prior {
        float prior = 0;
    };
    using Total = double;

    PuctRule(double c, std::optional<double> reduction) : c_(c), reduction_(reduction) {}

    template <class Node, class Edge>
    std::uint32_t choose(const Node& node, std::span<const Edge> edges) const {
        const double n = node.visits;
        const double explore = (c_ + std::log((1 + n + 19652) / 19652)) * std::sqrt(n);
        const double untried = reduction_ ? urgency(node, edges) : 0;
        double best = -infinite;
        std::uint32_t chosen = 0;
        for (std::uint32_t i = 0; i < edges.size(); ++i) {
            const Edge& e = edges[i];
            const int tries = e.visits + e.pending;
            const double q = tries ? (e.total - e.pending) / tries : untried;
            const double worth = q + explore * e.prior / (1 + tries);
            if (worth > best) best = worth, chosen = i;
        }
        return chosen;
    }

  private:
    template <class Node, class Edge>
    double urgency(const Node& node, std::span<const Edge> edges) const {
        double total = node.value(), priors = 0;
        int tries = 1;
        for (const Edge& e : edges) {
            total += e.total - e.pending, tries += e.visits + e.pending;
            if (e.visits + e.pending) priors += e.prior;
        }
        return total / tries - *reduction_ * std::sqrt(priors);
    }

    double c_;
    std::optional<double> reduction_;
};

template <Rules P>
class PuctTree {
  public:
    // The root must have a move. `past` as in AlphaBeta; `only`: the root moves to look at, empty for all; `room`: the
    // most bytes that it may take.
    PuctTree(const P& root, std::vector<std::uint64_t> past, const std::vector<Move>& only, double c,
             std::optional<double> reduction = {}, std::size_t room = ~std::size_t{0})
        : tree_(GameDomain<P>(std::move(past)), PuctRule(c, reduction), {}, room) {
        tree_.start(root, [&](Move m) { return allowed(m, only); });
    }

    const P& root() const { return tree_.root().position; }
    // Ways from this root, its own evaluation being one; some may be left from the root before.
    std::int64_t simulations() const { return tree_.root().visits; }
    bool full() const { return tree_.full(); }
    std::size_t bytes() const { return tree_.bytes(); }

    // Makes the position after these moves the root. False, and nothing has changed, if the tree has not got there, or
    // if leaves wait.
    bool follow(std::span<const Move> way) { return tree_.waiting() == 0 && tree_.follow(way); }

    // The leaves that want an evaluation: at most `most`, and none twice. Ways that end in a finished game
    // are counted at once, so there may be no leaf at all. Simulations go no further than `until`.
    std::vector<const P*> collect(int most, std::int64_t until, Poll& poll) {
        constexpr std::int64_t all = std::int64_t{1} << 30;  // visits are counted in 32 bits
        until = std::min(until, all);
        while (static_cast<int>(tree_.waiting()) < most && simulations() < until) {
            poll.step();
            const auto walked = tree_.walk();
            if (walked == Grown::Walk::met || walked == Grown::Walk::full) break;
        }
        std::vector<const P*> leaves;
        for (std::size_t i = 0; i < tree_.waiting(); ++i) leaves.push_back(&tree_.leaf(i).position);
        return leaves;
    }

    std::size_t waiting() const { return tree_.waiting(); }  // leaves collected and not yet absorbed

    std::size_t moves_of(std::size_t i) const { return tree_.moves_of(i); }  // legal ones, of the i-th of them

    // What the knowledge thinks of the leaves just collected: values to each of the two sides, and a policy; nullptr
    // for moves all alike. All are numbers.
    void absorb(const float* values, const Policy* policy) {
        const auto worth = [&](std::size_t i) {
            const auto cut = [](float v) { return std::clamp(v, -most_worth, most_worth); };
            return Worth{cut(values[2 * i]), cut(values[2 * i + 1])};
        };
        tree_.absorb(worth, [&](std::size_t i, std::span<Edge> edges) {
            const auto shares = policy ? tree_.of_edges(i, policy->of(i)) : std::span<const float>{};
            double sum = 0;
            for (const float share : shares) sum += share;
            for (std::size_t k = 0; k < edges.size(); ++k)
                edges[k].prior = sum > 0 ? static_cast<float>(shares[k] / sum) : 1.f / static_cast<float>(edges.size());
        });
    }

    // The moves of the root with their priors, once it is evaluated.
    std::vector<std::pair<Move, float>> priors() const {
        std::vector<std::pair<Move, float>> found;
        for (const Edge& e : tree_.edges(tree_.root())) found.emplace_back(e.move, e.prior);
        return found;
    }
    // Mixes something else into them: noise, where a learner wants to see all moves.
    void mix_priors(const std::vector<float>& other, float share) {
        const std::span<Edge> edges = tree_.root_edges();
        for (std::size_t i = 0; i < std::min(other.size(), edges.size()); ++i)
            edges[i].prior = (1 - share) * edges[i].prior + share * other[i];
    }

    TreeReport report() const { return report_of(tree_); }

  private:
    using Grown = Tree<GameDomain<P>, PuctRule>;
    using Edge = typename Grown::Edge;

    Grown tree_;
};

}  // namespace rookery::search
