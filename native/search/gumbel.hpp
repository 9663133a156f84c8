// The search of Gumbel AlphaZero (Danihelka et al. 2022): few simulations, and yet each search improves on the policy.
// At the root the moves with the highest gumbel + logit are tried, and sequential halving keeps those with the
// highest gumbel + logit + sigma(q); below it the move is taken that is furthest behind the improved policy
//     pi' = softmax(logits + sigma(completed q)),   sigma(q) = (visit + max n) * scale * (q + 1) / 2.
// The moves of one round lie in different subtrees, so all of a round's leaves can be evaluated at once and
// nothing is lost by it.
//
// Self-play draws the gumbels; a player that wants its best move takes them as 0, and tries the likeliest moves.
#pragma once

#include <cmath>
#include <compare>
#include <limits>
#include <numeric>

#include "core/rng.hpp"
#include "search/policy.hpp"
#include "search/tree.hpp"
#include "search/tree_report.hpp"

namespace rookery::search {

struct GumbelSettings {
    int simulations = 32;
    int max_considered = 16;  // root moves that are tried at first
    float visit = 50;
    float scale = 0.5f;
};

class GumbelRule {
  public:
    struct Prior {
        float logit = 0, prior = 0;
    };
    using Total = float;

    GumbelRule(float visit, float scale) : visit_(visit), scale_(scale) {}

    template <class Node, class Edge>
    std::uint32_t choose(const Node& node, std::span<const Edge> edges) {
        const int through = node.visits - 1;
        if (through == 0) {
            shares_.resize(edges.size());
            for (std::size_t i = 0; i < edges.size(); ++i) shares_[i] = edges[i].prior;
        } else {
            improve(node, edges, shares_);
        }
        std::uint32_t best = 0;
        float top = -1e30f;
        for (std::uint32_t i = 0; i < edges.size(); ++i) {
            const float ahead = shares_[i] - static_cast<float>(edges[i].visits) / static_cast<float>(1 + through);
            if (ahead > top) top = ahead, best = i;
        }
        return best;
    }

    // The improved policy, a share for each edge.
    template <class Node, class Edge>
    void improve(const Node& node, std::span<const Edge> edges, std::vector<float>& shares) const {
        const float rest = mixed(node, edges);
        const int most = most_visits(edges);
        float top = -1e30f, sum = 0;
        shares.resize(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Edge& e = edges[i];
            const float q = e.visits ? e.total / static_cast<float>(e.visits) : rest;
            shares[i] = e.logit + sigma(q, most);
            top = std::max(top, shares[i]);
        }
        for (float& share : shares) sum += share = std::exp(share - top);
        for (float& share : shares) share /= sum;
    }

    // The paper's v_mix: the network's value, mixed with what was found below the moves that were tried.
    template <class Node, class Edge>
    float mixed(const Node& node, std::span<const Edge> edges) const {
        float prior = 0, weighed = 0;
        for (const Edge& e : edges) {
            if (e.visits == 0) continue;
            prior += e.prior;
            weighed += e.prior * e.total / static_cast<float>(e.visits);
        }
        if (prior <= 0) return node.value();
        const float n = static_cast<float>(node.visits - 1);
        return (node.value() + n * weighed / prior) / (1 + n);
    }

    float sigma(float q, int most) const { return (visit_ + static_cast<float>(most)) * scale_ * (q + 1) / 2; }

    template <class Edge>
    static int most_visits(std::span<const Edge> edges) {
        int most = 0;
        for (const Edge& e : edges) most = std::max<int>(most, e.visits);
        return most;
    }

  private:
    float visit_, scale_;
    std::vector<float> shares_;
};

template <Domain D>
class GumbelSearch {
  public:
    using Position = typename D::Position;

    // `shape`: see Tree.
    GumbelSearch(D domain, const GumbelSettings& settings, typename Tree<D, GumbelRule>::Shape shape)
        : set_(settings), tree_(std::move(domain), GumbelRule(settings.visit, settings.scale), shape) {}

    D& domain() { return tree_.domain(); }
    const D& domain() const { return tree_.domain(); }
    const Position& root() const { return tree_.root().position; }
    bool begun() const { return begun_; }                                    // moves have been chosen to be tried
    bool known() const { return tree_.root().stage == Grown::Stage::open; }  // whether the root has been evaluated

    template <class Test>
    void start(const Position& p, Test wanted) {
        tree_.start(p, wanted);
        begun_ = false;
    }
    void start(const Position& p) {
        start(p, [](Move) { return true; });
    }
    // Plays a move at the root. What is known of the position after it is kept, though no visits are.
    void play(Move m) {
        tree_.play(m);
        begun_ = false;
    }

    // Grows the tree until leaves want evaluating; none are left when the search is done. Without a generator the
    // gumbels are 0.
    bool grow(Rng* rng) {
        if (!known()) {
            if (tree_.waiting() == 0) tree_.walk();
            return true;
        }
        if (!begun_) begin(rng);
        while (used_ < set_.simulations && tree_.waiting() == 0) round();
        return tree_.waiting() != 0;
    }
    std::size_t leaves() const { return tree_.waiting(); }
    const Position& leaf(std::size_t i) const { return tree_.leaf(i).position; }
    std::size_t moves_of(std::size_t i) const { return tree_.moves_of(i); }  // legal ones, of the i-th of them

    // What the knowledge thinks of the leaves: what the i-th is worth, and by logits(i), a function of an edge's place
    // and move, the logits of its moves.
    template <class Value, class Logits>
    void absorb(Value worth, Logits logits) {
        tree_.absorb(worth, [&](std::size_t i, std::span<Edge> edges) {
            const auto logit = logits(i);
            float most = -1e30f, sum = 0;
            for (std::size_t k = 0; k < edges.size(); ++k)
                most = std::max(most, edges[k].logit = logit(k, edges[k].move));
            for (Edge& e : edges) sum += e.prior = std::exp(e.logit - most);
            for (Edge& e : edges) e.prior /= sum;
        });
    }
    // The same with a policy over legal moves instead of logits; nullptr for moves all alike. What it thinks impossible
    // is as unlikely as the smallest of numbers.
    void absorb(const float* values, const Policy* policy) {
        const auto cut = [](float v) { return std::clamp(v, -1.f, 1.f); };  // as sigma reads it
        absorb([&](std::size_t i) { return Worth{cut(values[2 * i]), cut(values[2 * i + 1])}; },
               [&](std::size_t i) {
                   const auto shares = policy ? tree_.of_edges(i, policy->of(i)) : std::span<const float>{};
                   return [shares](std::size_t k, Move) {
                       return shares.empty() ? 0.f : std::log(std::max(shares[k], std::numeric_limits<float>::min()));
                   };
               });
    }

    // After the search: the move to play, the improved policy as a share for each of moves(), the root's mixed value.
    Move chosen() const {
        const std::span<const Edge> edges = tree_.edges(tree_.root());
        const int most = GumbelRule::most_visits(edges);
        const std::uint32_t best = *std::max_element(order_.begin(), order_.begin() + kept_, [&](auto a, auto b) {
            const int x = edges[a].visits, y = edges[b].visits;
            return x != y ? x < y : rank(a, most) < rank(b, most);
        });
        return edges[best].move;
    }
    std::vector<Move> moves() const {
        std::vector<Move> found;
        for (const Edge& e : tree_.edges(tree_.root())) found.push_back(e.move);
        return found;
    }
    TreeReport report() const { return report_of(tree_); }
    std::vector<float> improved() const {
        std::vector<float> shares;
        tree_.rule().improve(tree_.root(), tree_.edges(tree_.root()), shares);
        return shares;
    }
    float value() const { return tree_.rule().mixed(tree_.root(), tree_.edges(tree_.root())); }

    // A move of the root's by the network's own policy, or any of them alike.
    Move drawn(Rng& rng, bool uniform) const {
        const std::span<const Edge> edges = tree_.edges(tree_.root());
        double left = rng.uniform();
        for (const Edge& e : edges) {
            left -= uniform ? 1.0 / static_cast<double>(edges.size()) : static_cast<double>(e.prior);
            if (left < 0) return e.move;
        }
        return edges.back().move;
    }

  private:
    using Grown = Tree<D, GumbelRule>;
    using Edge = typename Grown::Edge;

    // --- the root: sequential halving

    void begin(Rng* rng) {
        const std::size_t edges = tree_.root().edges;
        gumbel_.assign(edges, 0);
        noisy_ = rng != nullptr;
        if (rng)
            for (float& gumbel : gumbel_) {
                const double u = std::max(rng->uniform(), 1e-300);
                gumbel = static_cast<float>(-std::log(-std::log(u)));
            }
        order_.resize(edges);
        std::iota(order_.begin(), order_.end(), 0u);
        kept_ = std::min({set_.max_considered, static_cast<int>(edges), set_.simulations});
        std::partial_sort(order_.begin(), order_.begin() + kept_, order_.end(),
                          [&](auto a, auto b) { return before(a, b, 0); });
        phases_ = std::max(1, static_cast<int>(std::ceil(std::log2(static_cast<double>(kept_)))));
        used_ = 0;
        rounds_ = rounds_each();
        begun_ = true;
    }
    int rounds_each() const { return std::max(1, set_.simulations / (phases_ * kept_)); }

    float rank(std::uint32_t i, int most) const {
        const Edge& e = tree_.edges(tree_.root())[i];
        const float tried = e.visits ? tree_.rule().sigma(e.total / static_cast<float>(e.visits), most) : 0;
        return gumbel_[i] + e.logit + tried;
    }

    // Of equals the lower number comes first. Where there is noise there are none, or it does not matter.
    bool before(std::uint32_t a, std::uint32_t b, int most) const {
        const auto order = std::weak_order(rank(a, most), rank(b, most));
        return order != 0 || noisy_ ? order > 0 : a < b;
    }

    // One simulation for each move that is still considered, the best first if not all can have one.
    void round() {
        if (rounds_ == 0) {
            const int most = GumbelRule::most_visits(tree_.edges(tree_.root()));
            std::sort(order_.begin(), order_.begin() + kept_, [&](auto a, auto b) { return before(a, b, most); });
            kept_ = std::max(std::min(2, kept_), (kept_ + 1) / 2);
            rounds_ = rounds_each();
        }
        --rounds_;
        const int now = std::min(kept_, set_.simulations - used_);
        for (int i = 0; i < now; ++i) tree_.walk(order_[static_cast<std::size_t>(i)]);
        used_ += now;
    }

    GumbelSettings set_;
    Grown tree_;
    std::vector<float> gumbel_;
    std::vector<std::uint32_t> order_;  // root edges, those still considered first
    int kept_ = 0, phases_ = 1, rounds_ = 0, used_ = 0;
    bool begun_ = false, noisy_ = false;
};

}  // namespace rookery::search
