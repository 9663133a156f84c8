// Alpha-beta over the lines that are likely to be played (Lai 2015, Giraffe; Pelat's policy network for
// chess): a node is expanded while the product of its moves' probabilities is at least a threshold.
//
// The tree is built level by level, so that the knowledge sees a whole level at a time: the probabilities of
// one level sum to 1 at most, so a threshold of 1/1000 means at most 1000 nodes to expand. A move too
// unlikely to be expanded is evaluated where it leads, before any answer, or pruned, as is asked for; the
// likeliest move of a node and those that end the game are never pruned.
#pragma once

#include <optional>

#include "search/limits.hpp"
#include "search/policy.hpp"
#include "search/repetition.hpp"

namespace rookery::search {

template <Rules P>
class ProbabilityTree {
  public:
    // The root must have a move. `past` as in AlphaBeta; `only`: the root moves to look at, empty for all.
    ProbabilityTree(const P& root, std::vector<std::uint64_t> past, std::vector<Move> only)
        : past_(std::move(past)), only_(std::move(only)) {
        nodes_.push_back({-1, none, 1, root.side()});
        level_.push_back(0);
        positions_.push_back(root);
        nodes_[0].position = 0;
    }

    const P& root() const { return positions_[0]; }
    std::size_t size() const { return nodes_.size(); }

    // The positions whose moves' probabilities are wanted next.
    std::vector<const P*> level() const {
        std::vector<const P*> wanted;
        for (const Index i : level_) wanted.push_back(&positions_[nodes_[i].position]);
        return wanted;
    }

    // Gives all nodes of the level their moves, by a policy; nullptr for moves all alike. The next level has
    // those that lines at least as likely as the threshold lead to. A tree of most_nodes grows no more. prune:
    // whether a policy's less likely moves are left out.
    void expand(const Policy* policy, double threshold, bool prune, Poll& poll) {
        std::vector<Index> next;
        ++depth_;
        for (std::size_t i = 0; i < level_.size(); ++i) {
            poll.look();
            if (nodes_.size() > most_nodes)
                leaves_.push_back(level_[i]);
            else
                expand(level_[i], policy ? policy->of(i) : std::span<const float>{}, threshold, prune, next);
        }
        level_ = std::move(next);
    }
    // Makes leaves of the level: it is deep enough.
    void close() {
        leaves_.insert(leaves_.end(), level_.begin(), level_.end());
        level_.clear();
    }
    int depth() const { return depth_; }

    // How many leaves have no value yet, and some of their positions.
    std::size_t leaves() const { return leaves_.size() - settled_; }
    std::vector<P> leaves(std::size_t most) const {
        std::vector<P> wanted;
        for (std::size_t i = settled_; i < leaves_.size() && i - settled_ < most; ++i) {
            const Node& leaf = nodes_[leaves_[i]];
            const bool kept = leaf.position != none;
            wanted.push_back(positions_[kept ? leaf.position : nodes_[leaf.parent].position]);
            if (!kept) wanted.back().play(leaf.move);
        }
        return wanted;
    }
    // The values of the next `count` of them to each of the two sides; numbers all.
    void settle(const float* values, std::size_t count) {
        for (std::size_t i = 0; i < count && settled_ < leaves_.size(); ++i, ++settled_) {
            Node& leaf = nodes_[leaves_[settled_]];
            leaf.value = std::clamp(values[2 * i + static_cast<std::size_t>(leaf.side)], -most_worth, most_worth);
        }
    }

    // The best line, once every leaf has its value.
    Line solve() const {
        Line line;
        line.value = search(0, -infinite, infinite, line.moves);
        return line;
    }

  private:
    using Index = std::uint32_t;
    static constexpr Index none = ~Index{0};
    static constexpr std::size_t most_nodes = std::size_t{1} << 23;  // some gigabytes

    struct Node {
        Move move;
        Index parent;
        double probability;
        int side;                       // to move here
        Value value = 0;                // to that side, of a leaf or a finished game
        Index first = 0, children = 0;  // which lie side by side
        Index position = none;          // where it is kept, if it ever was to be expanded
    };

    void expand(Index at, std::span<const float> shares, double threshold, bool prune, std::vector<Index>& next) {
        const P here = positions_[nodes_[at].position];
        typename P::Moves list;
        here.moves(list);
        std::vector<std::pair<double, Move>> moves;  // likeliest first, of equals the lower number; all are finite
        double sum = 0;
        std::sort(list.begin(), list.end());
        for (int i = 0; i < list.size(); ++i)
            if (at > 0 || allowed(list[i], only_)) {
                moves.emplace_back(shares.empty() ? -1.0 : -shares[static_cast<std::size_t>(i)], list[i]);
                sum -= moves.back().first;
            }
        std::sort(moves.begin(), moves.end());
        const std::vector<std::uint64_t> past = past_of(at);
        const Index first = static_cast<Index>(nodes_.size());
        nodes_[at].first = first;
        for (const auto& [weight, m] : moves) {
            const double share = sum > 0 ? -weight / sum : 1.0 / static_cast<double>(moves.size());
            const double probability = nodes_[at].probability * share;
            P after = here;
            after.play(m);
            const std::optional<Value> end = ended(after, past);
            const Index made = static_cast<Index>(nodes_.size());
            if (prune && !shares.empty() && probability < threshold && !end && made > first) continue;
            nodes_.push_back({m, at, probability, after.side()});
            if (end) {
                nodes_[made].value = *end;
            } else if (probability >= threshold) {
                nodes_[made].position = static_cast<Index>(positions_.size());
                positions_.push_back(std::move(after));
                next.push_back(made);
            } else {
                leaves_.push_back(made);
            }
        }
        nodes_[at].children = static_cast<Index>(nodes_.size()) - first;
    }

    // What the game is worth to the side to move, where it ends here.
    std::optional<Value> ended(const P& p, const std::vector<std::uint64_t>& past) const {
        const int stood = occurrences(p, past);
        // A side that could repeat once can repeat again: that is a draw, and a draw is worth 0.
        if (stood >= 2 && p.reversible() > 0) return Value{0};
        typename P::Moves list;
        p.moves(list);
        if (const auto over = p.outcome(list, stood)) return value_of(*over, p.side(), depth_);
        return std::nullopt;
    }

    // The keys of a node and of all before it, oldest first.
    std::vector<std::uint64_t> past_of(Index at) const {
        std::vector<std::uint64_t> keys;
        for (; at != none; at = nodes_[at].parent) keys.push_back(positions_[nodes_[at].position].key());
        keys.insert(keys.end(), past_.rbegin(), past_.rend());
        std::reverse(keys.begin(), keys.end());
        return keys;
    }

    Value search(Index at, Value alpha, Value beta, std::vector<Move>& pv) const {
        const Node& node = nodes_[at];
        if (node.children == 0) return node.value;
        Value best = -infinite;
        for (Index i = node.first; i < node.first + node.children; ++i) {
            std::vector<Move> line;
            const Value v =
                nodes_[i].side != node.side ? -search(i, -beta, -alpha, line) : search(i, alpha, beta, line);
            if (v <= best) continue;
            best = v;
            if (v > alpha) {
                alpha = v;
                pv.assign(1, nodes_[i].move);
                pv.insert(pv.end(), line.begin(), line.end());
            }
            if (v >= beta) break;
        }
        return best;
    }

    std::vector<std::uint64_t> past_;
    std::vector<Move> only_;
    std::vector<Node> nodes_;
    std::vector<P> positions_;
    std::vector<Index> level_, leaves_;
    std::size_t settled_ = 0;  // leaves that have their values
    int depth_ = 0;
};

}  // namespace rookery::search
