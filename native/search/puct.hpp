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
#pragma once

#include <cmath>
#include <optional>

#include "search/policy.hpp"
#include "search/repetition.hpp"
#include "search/tree_report.hpp"

namespace rookery::search {

template <Rules P>
class PuctTree {
  public:
    // The root must have a move. `past` as in AlphaBeta; `only`: the root moves to look at, empty for all.
    PuctTree(const P& root, std::vector<std::uint64_t> past, const std::vector<Move>& only, double c,
             std::optional<double> reduction = {})
        : past_(std::move(past)), known_(past_.size()), c_(c), reduction_(reduction) {
        typename P::Moves list;
        root.moves(list);
        std::sort(list.begin(), list.end());
        for (int i = 0; i < list.size(); ++i)
            if (allowed(list[i], only)) looked_at_.push_back(static_cast<std::size_t>(i));
        root_moves_ = static_cast<std::size_t>(list.size());
        add(root, list, [&](Move m) { return allowed(m, only); });
    }

    const P& root() const { return nodes_[0].position; }
    std::int64_t simulations() const { return simulations_; }

    // The leaves that want an evaluation: at most `most`, and none twice. Ways that end in a finished game
    // are counted at once, so there may be no leaf at all. Simulations go no further than `until`.
    std::vector<const P*> collect(int most, std::int64_t until, Poll& poll) {
        constexpr std::int64_t full = std::int64_t{1} << 30;  // visits are counted in 32 bits
        until = std::min(until, full);
        while (static_cast<int>(waiting_.size()) < most && simulations_ < until) {
            poll.step();
            if (!descend()) break;
        }
        std::vector<const P*> leaves;
        for (const Way& way : waiting_) leaves.push_back(&nodes_[way.leaf].position);
        return leaves;
    }

    std::size_t waiting() const { return waiting_.size(); }  // leaves collected and not yet absorbed
    // How many legal moves the i-th of them has.
    std::size_t moves_of(std::size_t i) const {
        const Index leaf = waiting_[i].leaf;
        return leaf == 0 ? root_moves_ : nodes_[leaf].edges;
    }

    // What the knowledge thinks of the leaves just collected: values to each of the two sides, and a policy; nullptr
    // for moves all alike. All are numbers.
    void absorb(const float* values, const Policy* policy) {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const Way& way = waiting_[i];
            Node& leaf = nodes_[way.leaf];
            set_priors(leaf, policy ? policy->of(i) : std::span<const float>{});
            const auto worth = [&](std::size_t side) {
                return std::clamp(values[2 * i + side], -most_worth, most_worth);
            };
            leaf.value = worth(static_cast<std::size_t>(leaf.position.side()));
            settle(way, {worth(0), worth(1)});
        }
        waiting_.clear();
    }

    // The moves of the root with their priors, once it is evaluated.
    std::vector<std::pair<Move, float>> priors() const {
        std::vector<std::pair<Move, float>> found;
        each_edge(nodes_[0], [&](const Edge& e) { found.emplace_back(e.move, e.prior); });
        return found;
    }
    // Mixes something else into them: noise, where a learner wants to see all moves.
    void mix_priors(const std::vector<float>& other, float share) {
        for (std::size_t i = 0; i < std::min<std::size_t>(other.size(), nodes_[0].edges); ++i) {
            Edge& e = edges_[nodes_[0].first + i];
            e.prior = (1 - share) * e.prior + share * other[i];
        }
    }

    TreeReport report() const {
        TreeReport report;
        report.nodes = simulations_;
        each_edge(nodes_[0], [&](const Edge& e) {
            const double value = e.visits ? e.total / e.visits : 0.0;
            report.moves.push_back({e.move, e.visits, value, line(e)});
        });
        report.sort();
        return report;
    }

  private:
    using Index = std::uint32_t;
    static constexpr Index none = ~Index{0};

    struct Edge {
        Move move;
        float prior = 0;
        std::int32_t visits = 0, pending = 0;  // settled ones, and those under way
        double total = 0;                      // of values to the side that makes the move
        Index node = none;
    };
    enum class Stage : std::uint8_t { fresh, waiting, open, over };
    struct Node {
        P position;
        std::size_t first;  // its edges lie side by side
        std::uint32_t edges;
        std::int32_t visits = 0;  // those under way included
        Stage stage;
        int winner = -1;  // once it is over
        float value = 0;  // what the knowledge thinks of it, to the side that moves
    };
    struct Step {
        Index node;
        std::size_t edge;
    };
    struct Way {
        std::vector<Step> steps;
        Index leaf;
    };

    // Adds a node with the moves that pass a test; its priors come later.
    template <class Test>
    Index add(const P& p, const typename P::Moves& list, Test wanted) {
        std::vector<Move> moves(list.begin(), list.end());
        std::erase_if(moves, [&](Move m) { return !wanted(m); });
        std::sort(moves.begin(), moves.end());
        const auto count = static_cast<std::uint32_t>(moves.size());
        nodes_.push_back({p, edges_.size(), count, 0, Stage::fresh, -1, 0});
        for (const Move m : moves) edges_.push_back({m});
        return static_cast<Index>(nodes_.size() - 1);
    }

    Index add(const P& p) {
        typename P::Moves list;
        p.moves(list);
        const auto over = p.outcome(list, occurrences(p, past_));
        if (over) list.clear();
        const Index made = add(p, list, [](Move) { return true; });
        if (over) nodes_[made].stage = Stage::over, nodes_[made].winner = over->winner;
        return made;
    }

    // One way down. False if it met a leaf that waits already: then nothing is counted, and the batch ends.
    bool descend() {
        Way way;
        past_.resize(known_);
        Index at = 0;
        while (nodes_[at].stage == Stage::open) {
            const std::size_t chosen = choose(nodes_[at]);
            way.steps.push_back({at, chosen});
            ++nodes_[at].visits;
            ++edges_[chosen].pending;
            past_.push_back(nodes_[at].position.key());
            if (edges_[chosen].node == none) {
                P next = nodes_[at].position;
                next.play(edges_[chosen].move);
                const Index made = add(next);
                edges_[chosen].node = made;
            }
            at = edges_[chosen].node;
        }
        way.leaf = at;
        if (nodes_[at].stage == Stage::waiting) {
            for (const Step& step : way.steps) --nodes_[step.node].visits, --edges_[step.edge].pending;
            return false;
        }
        ++nodes_[at].visits;
        ++simulations_;
        if (nodes_[at].stage == Stage::over) {
            const int winner = nodes_[at].winner;
            const float first = winner < 0 ? 0.f : winner == 0 ? 1.f : -1.f;
            settle(way, {first, -first});
        } else {
            nodes_[at].stage = Stage::waiting;
            waiting_.push_back(std::move(way));
        }
        return true;
    }

    std::size_t choose(const Node& node) const {
        const double n = node.visits;
        const double explore = (c_ + std::log((1 + n + 19652) / 19652)) * std::sqrt(n);
        const double untried = reduction_ ? urgency(node) : 0;
        double best = -infinite;
        std::size_t chosen = node.first;
        for (std::size_t i = node.first; i < node.first + node.edges; ++i) {
            const Edge& e = edges_[i];
            const int tries = e.visits + e.pending;
            const double q = tries ? (e.total - e.pending) / tries : untried;
            const double worth = q + explore * e.prior / (1 + tries);
            if (worth > best) best = worth, chosen = i;
        }
        return chosen;
    }

    double urgency(const Node& node) const {
        double total = node.value, priors = 0;
        int tries = 1;
        each_edge(node, [&](const Edge& e) {
            total += e.total - e.pending, tries += e.visits + e.pending;
            if (e.visits + e.pending) priors += e.prior;
        });
        return total / tries - *reduction_ * std::sqrt(priors);
    }

    // The value of a way's leaf to each side, told to every edge on it.
    void settle(const Way& way, const std::array<float, 2>& values) {
        for (const Step& step : way.steps) {
            Edge& e = edges_[step.edge];
            --e.pending;
            ++e.visits;
            e.total += values[static_cast<std::size_t>(nodes_[step.node].position.side())];
        }
    }

    // `shares` has a number for each legal move, ascending, as the edges are; at the root some moves may not be looked
    // at. None at all: all are alike.
    void set_priors(Node& node, std::span<const float> shares) {
        const bool root = &node == &nodes_[0];
        const auto share = [&](std::size_t edge) { return shares[root ? looked_at_[edge] : edge]; };
        double sum = 0;
        if (!shares.empty())
            for (std::size_t i = 0; i < node.edges; ++i) sum += share(i);
        for (std::size_t i = 0; i < node.edges; ++i)
            edges_[node.first + i].prior =
                sum > 0 ? static_cast<float>(share(i) / sum) : 1.f / static_cast<float>(node.edges);
        node.stage = Stage::open;
    }

    template <class F>
    void each_edge(const Node& node, F f) const {
        for (std::size_t i = node.first; i < node.first + node.edges; ++i) f(edges_[i]);
    }

    std::vector<Move> line(const Edge& start) const {
        std::vector<Move> moves;
        for (const Edge* e = &start; e;) {
            moves.push_back(e->move);
            const Edge* next = nullptr;
            if (e->node != none)
                each_edge(nodes_[e->node], [&](const Edge& f) {
                    if (f.visits > (next ? next->visits : 0)) next = &f;
                });
            e = next;
        }
        return moves;
    }

    std::vector<std::uint64_t> past_;
    std::size_t known_;                   // how many of those lie before the root
    std::vector<std::size_t> looked_at_;  // which of the root's moves are, counted ascending
    std::size_t root_moves_ = 0;          // how many legal moves it has
    double c_;
    std::optional<double> reduction_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<Way> waiting_;
    std::int64_t simulations_ = 0;
};

}  // namespace rookery::search
