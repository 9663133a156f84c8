// UCT (Kocsis and Szepesvari 2006): a tree grown by random games, each of which goes first where UCB1 (Auer,
// Cesa-Bianchi and Fischer 2002) sends it: to the move with the highest mean + c * sqrt(ln N / n), of N
// visits to the node and n to the move. A game is worth 1 won, 1/2 drawn and 0 lost to the side that moves.
//
// First play: an untried move has no bound, so all moves of a node are tried once, in random order, before
// any is tried twice. A leaf gets its moves at its second visit; most leaves never have one.
//
// Repetitions count inside the tree, with the game before it; a random game knows only its own.
#pragma once

#include <cmath>

#include "games/playout.hpp"
#include "search/repetition.hpp"
#include "search/tree_report.hpp"

namespace rookery::search {

// Threads grow trees side by side, so what one tree writes at every ply must not share a cache line with
// another's: the object is aligned to a pair of lines, and its small buffers begin with a page each.
template <Rules P>
class alignas(128) UctTree {
  public:
    // `past` as in AlphaBeta; `only`: the root moves to look at, empty for all; `room`: the most nodes.
    UctTree(const P& root, std::vector<std::uint64_t> past, const std::vector<Move>& only, double c, std::uint64_t seed,
            std::size_t room)
        : root_(root),
          past_(std::move(past)),
          known_(past_.size()),
          c_(static_cast<float>(c)),
          rng_(seed),
          room_(room) {
        past_.reserve(known_ + 512);
        path_.reserve(512);
        nodes_.reserve(4096);
        nodes_.emplace_back();
        typename P::Moves list;
        root.moves(list);
        open(0, list, [&](Move m) { return allowed(m, only); });
    }

    // Points are counted by twos in 32 bits: a tree that has had so many simulations must not get another.
    static constexpr std::int64_t most_simulations = std::int64_t{1} << 30;
    std::int64_t simulations() const { return nodes_[0].visits; }

    void simulate() {
        P p = root_;
        past_.resize(known_);
        path_.clear();
        std::uint32_t at = 0;
        int winner;
        for (;;) {
            if (nodes_[at].stage == Stage::leaf && (nodes_[at].visits == 0 || !grow(at, p))) {
                std::int64_t plies = 0;
                winner = playout(p, rng_, scratch_, plies).winner;
                break;
            }
            if (nodes_[at].stage == Stage::over) {
                winner = nodes_[at].winner;
                break;
            }
            at = choose(at);
            path_.push_back({at, p.side()});
            past_.push_back(p.key());
            p.play(nodes_[at].move);
        }
        ++nodes_[0].visits;
        for (const Step& step : path_) {
            Node& node = nodes_[step.node];
            ++node.visits;
            node.points += winner < 0 ? 1 : winner == step.side ? 2 : 0;
        }
    }

    // Adds what this tree found to a report that lists the same moves, or to an empty one.
    void add_to(TreeReport& report) const {
        report.nodes += simulations();
        const Node& root = nodes_[0];
        for (std::uint32_t i = root.first; i < root.first + root.children; ++i) {
            const auto same = [&](const RootMove& b) { return b.move == nodes_[i].move; };
            auto found = std::find_if(report.moves.begin(), report.moves.end(), same);
            if (found == report.moves.end()) {
                report.moves.push_back({nodes_[i].move, 0, 0, line(i)});
                found = report.moves.end() - 1;
            }
            if (nodes_[i].visits == 0) continue;
            const double before = static_cast<double>(found->visits), more = nodes_[i].visits;
            found->value = (found->value * before + nodes_[i].points - more) / (before + more);
            found->visits += nodes_[i].visits;
        }
    }

  private:
    enum class Stage : std::uint8_t { leaf, open, over };
    struct Node {
        Move move = -1;
        std::uint32_t first = 0;  // its children lie side by side
        std::uint32_t visits = 0;
        std::int32_t points = 0;  // two for a win of the side that moved here, one for a draw
        std::uint16_t children = 0, tried = 0;
        Stage stage = Stage::leaf;
        std::int8_t winner = -1;  // once it is over
    };
    struct Step {
        std::uint32_t node;
        int side;  // that moved there
    };

    template <class Test>
    void open(std::uint32_t at, const typename P::Moves& list, Test wanted) {
        nodes_[at].first = static_cast<std::uint32_t>(nodes_.size());
        for (const Move m : list)
            if (wanted(m)) nodes_.emplace_back().move = m;
        nodes_[at].children = static_cast<std::uint16_t>(nodes_.size() - nodes_[at].first);
        nodes_[at].stage = Stage::open;
    }

    // Gives a leaf its moves, or its result; false if there is no room left.
    bool grow(std::uint32_t at, const P& p) {
        if (nodes_.size() + P::Moves::capacity > room_) return false;
        typename P::Moves list;
        p.moves(list);
        if (const auto over = p.outcome(list, occurrences(p, past_))) {
            nodes_[at].stage = Stage::over;
            nodes_[at].winner = static_cast<std::int8_t>(over->winner);
        } else {
            open(at, list, [](Move) { return true; });
        }
        return true;
    }

    std::uint32_t choose(std::uint32_t at) {
        Node& node = nodes_[at];
        if (node.tried < node.children) {
            // A move that was never tried has no subtree yet, so it may change places with another such.
            const std::uint32_t next = node.first + node.tried;
            std::swap(nodes_[next], nodes_[next + rng_.below(node.children - node.tried)]);
            ++node.tried;
            return next;
        }
        const float spread = c_ * std::sqrt(std::log(static_cast<float>(node.visits)));
        float best = -1;
        std::uint32_t chosen = node.first;
        for (std::uint32_t i = node.first; i < node.first + node.children; ++i) {
            const auto n = static_cast<float>(nodes_[i].visits);
            const float bound = 0.5f * static_cast<float>(nodes_[i].points) / n + spread / std::sqrt(n);
            if (bound > best) best = bound, chosen = i;
        }
        return chosen;
    }

    std::vector<Move> line(std::uint32_t at) const {
        std::vector<Move> moves;
        for (;;) {
            moves.push_back(nodes_[at].move);
            const Node& node = nodes_[at];
            if (node.tried == 0) return moves;
            at = node.first;
            for (std::uint32_t i = node.first + 1; i < node.first + node.children; ++i)
                if (nodes_[i].visits > nodes_[at].visits) at = i;
        }
    }

    P root_;
    std::vector<std::uint64_t> past_;
    std::size_t known_;  // how many of those lie before the root
    float c_;
    Rng rng_;
    std::size_t room_;
    std::vector<Node> nodes_;
    std::vector<Step> path_;
    Repetitions scratch_;
};

}  // namespace rookery::search
