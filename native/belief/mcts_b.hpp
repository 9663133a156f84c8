// Approach B(k) of Ciancarini and Favini (2010, section 5.2): UCT over the referee's messages. Each iteration adds one
// move at random and simulates from it k moves of ours in the abstract model, where no board exists: only messages are
// drawn, as the belief makes them likely. Values go up as averages.
//
// A refused try is no child: another move is chosen in the same node, and what comes of it counts for both.
#pragma once

#include <deque>

#include "belief/mcts.hpp"

namespace rookery::belief {

// One simulated line of the abstract model: from `m` by `move` and random moves of ours, k of them and on until no
// exchange is open. Its value is the material that is left.
class Simulation {
  public:
    Simulation(const MctsOptions& options, Rng& rng) : options_(options), c_(options.constants), rng_(rng) {}

    float run(Matrices m, Move move) {
        float value = balance(m, options_.worth);
        for (int made = 1;; ++made) {
            const Chances chances(m, c_);
            Chance chance = chances.of(move);
            for (int again = 0; !happens(chance.legal); ++again) {
                if (again == most_refusals || !any_move(m, chances, move)) return value;
                chance = chances.of(move);
            }
            const std::size_t answer = heard(chance);
            const Square to = chess::to_of(move);
            const bool going_on = to == m.exchange;
            const auto kind = static_cast<std::size_t>(m.kind_at(chess::from_of(move)));
            const auto stands = static_cast<std::size_t>(chess::promotion_of(move) ? chess::promotion_of(move) : kind);
            value += options_.worth.own[stands] - options_.worth.own[kind];
            if (taken_of(answer) == takes_pawn) value += options_.worth.pawn;
            if (taken_of(answer) == takes_piece) value += options_.worth.piece;

            const Grid& lambda = chances.control();
            Square lost = -1;
            if (answer == answer_of(takes_nothing, silent)) {
                if (happens(c_.suffer)) lost = victim(m, move, lambda);
            } else if (kind != chess::king && happens(reaction(answer, going_on, lambda[to]))) {
                lost = to;
            }
            const bool over = lost < 0 && made >= options_.k;
            if (lost >= 0) value -= options_.worth.own[lost == to ? stands : static_cast<std::size_t>(m.kind_at(lost))];
            if (over || made >= longest) return value;

            m.stood(move, message_of(m, move, answer, rng_), c_);
            Reply reply;
            reply.taken = static_cast<std::int8_t>(lost);
            reply.tries =
                lost >= 0 ? (chess::pawn_attacks(~m.us, lost) & m.own[chess::pawn]) != 0 : !happens(no_tries(m));
            follow(m, reply, options_);
            // In an open exchange we take back, with whom we please; else any move will do.
            if (lost >= 0 && take_back(m, lost, move)) continue;
            if (made >= options_.k || !any_move(m, Chances(m, c_), move)) return value;
        }
    }

  private:
    static constexpr int most_refusals = 3, longest = 40;

    bool happens(float chance) { return rng_.uniform() < chance; }

    std::size_t heard(const Chance& chance) {
        const double take = rng_.uniform();
        const Taken taken = take < chance.pawn                  ? takes_pawn
                            : take < chance.pawn + chance.piece ? takes_piece
                                                                : takes_nothing;
        return answer_of(taken, happens(chance.check) ? gives_check : happens(chance.pawn_try) ? gives_tries : silent);
    }
    // How likely he takes the man that moved.
    float reaction(std::size_t answer, bool going_on, float control) const {
        if (taken_of(answer) == takes_nothing)
            return sound_of(answer) == gives_check ? c_.take_checker : c_.use_pawn_try;
        return going_on ? c_.retake_again(control) : c_.retake;
    }
    Square victim(const Matrices& m, Move move, const Grid& lambda) {
        const Square from = chess::from_of(move), to = chess::to_of(move);
        Bitboard men = m.men() & ~m.own[chess::king] & ~bit(from);
        if (m.kind_at(from) != chess::king) men |= bit(to);
        if (!men) return -1;
        const auto count = static_cast<std::size_t>(chess::count(men));
        const auto share = [&](std::size_t i) { return lambda[chess::nth(men, static_cast<int>(i))]; };
        float all = 0;
        for (std::size_t i = 0; i < count; ++i) all += share(i);
        return all > 1e-6f ? chess::nth(men, static_cast<int>(draw(share, count, rng_))) : -1;
    }
    bool any_move(const Matrices& m, const Chances& chances, Move& move) {
        MoveList<512> list;
        likely_moves(m, chances.empty(), list);
        return pick(list, move);
    }
    bool take_back(const Matrices& m, Square s, Move& move) {
        MoveList<512> list, there;
        likely_moves(m, emptiness(m), list);
        for (const Move candidate : list)
            if (chess::to_of(candidate) == s) there.push(candidate);
        return pick(there, move);
    }
    bool pick(const MoveList<512>& list, Move& move) {
        if (list.size() == 0) return false;
        move = list[static_cast<int>(rng_.below(static_cast<std::uint32_t>(list.size())))];
        return true;
    }

    const MctsOptions& options_;
    const Constants& c_;
    Rng& rng_;
};

class alignas(128) TreeB {
  public:
    TreeB(const Matrices& root, const std::vector<Move>& moves, const MctsOptions& options, std::uint64_t seed)
        : options_(options), rng_(seed) {
        add_node(root, moves);
    }

    std::int64_t nodes() const { return simulated_; }  // one a simulation

    bool grow() {
        if (nodes_[0].count == 0 || nodes_.size() >= options_.room) return false;
        path_.clear();
        std::uint32_t at = 0;
        float value = 0;
        for (bool going = true; going;) {
            Node& node = nodes_[at];
            if (node.tried < node.count) {
                const std::uint32_t e = node.first + node.tried;
                std::swap(edges_[e], edges_[e + rng_.below(node.count - node.tried)]);
                ++node.tried;
                path_.push_back(e);
                value = Simulation(options_, rng_).run(node.belief, edges_[e].move);
                break;
            }
            const std::size_t first = path_.size();  // of this node's moves on the path: they were refused
            for (;;) {
                const std::int64_t chosen = choose(node, first);
                if (chosen < 0) {
                    value = balance(node.belief, options_.worth);
                    going = false;
                    break;
                }
                const auto e = static_cast<std::uint32_t>(chosen);
                path_.push_back(e);
                if (edges_[e].opened < 0) open(node.belief, edges_[e]);
                if (rng_.uniform() >= opened_[static_cast<std::size_t>(edges_[e].opened)].legal) continue;
                at = follow_messages(node.belief, edges_[e]);
                break;
            }
        }
        ++simulated_;
        for (const std::uint32_t e : path_) {
            ++edges_[e].visits;
            edges_[e].sum += value;
        }
        return true;
    }

    void reject(Move move, const Matrices& root) {
        Node& node = nodes_[0];
        node.belief = root;
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e) {
            if (edges_[e].move != move) continue;
            if (e - node.first < node.tried) {
                --node.tried;
                std::swap(edges_[e], edges_[node.first + node.tried]);
                e = node.first + node.tried;
            }
            std::swap(edges_[e], edges_[node.first + --node.count]);
            break;
        }
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e)
            if (edges_[e].opened >= 0) refresh(node.belief, edges_[e]);
    }

    void add_to(search::TreeReport& report) const {
        report.nodes += simulated_;
        const Node& node = nodes_[0];
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e)
            belief::add_to(report, edges_[e].move, edges_[e].visits, edges_[e].mean(), {edges_[e].move});
    }

  private:
    struct Node {
        Matrices belief;
        std::uint32_t first = 0;
        std::uint16_t count = 0, tried = 0;
    };
    struct Edge {
        Move move = -1;
        std::int32_t visits = 0;
        double sum = 0;
        std::int32_t opened = -1;
        double mean() const { return visits ? sum / visits : 0.0; }
    };
    struct Opened {
        float legal = 0;
        std::array<float, answer_classes> probability{};
        std::array<std::int32_t, answer_classes> replies{};
    };

    std::uint32_t add_node(const Matrices& belief, const std::vector<Move>& only = {}) {
        Node& node = nodes_.emplace_back();
        node.belief = belief;
        node.first = static_cast<std::uint32_t>(edges_.size());
        MoveList<512> list;
        if (only.empty())
            likely_moves(belief, emptiness(belief), list);
        else
            for (const Move m : only) list.push(m);
        for (const Move m : list) edges_.emplace_back().move = m;
        node.count = static_cast<std::uint16_t>(list.size());
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    // The edge with the highest bound, of those that were not refused on this way down; -1: none.
    std::int64_t choose(const Node& node, std::size_t first) const {
        double all = 0;
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e) all += edges_[e].visits;
        const double doubt = options_.c * std::sqrt(std::log(std::max(all, 1.0)));
        double most = 0;
        std::int64_t best = -1;
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e) {
            if (std::find(path_.begin() + static_cast<std::ptrdiff_t>(first), path_.end(), e) != path_.end()) continue;
            const double bound = edges_[e].mean() + doubt / std::sqrt(static_cast<double>(edges_[e].visits));
            if (best < 0 || bound > most) most = bound, best = e;
        }
        return best;
    }

    void open(const Matrices& m, Edge& edge) {
        edge.opened = static_cast<std::int32_t>(opened_.size());
        opened_.emplace_back().replies.fill(-1);
        refresh(m, edge);
    }
    void refresh(const Matrices& m, const Edge& edge) {
        Prospect o;
        o.chance = Chances(m, options_.constants).of(edge.move);
        Opened& opened = opened_[static_cast<std::size_t>(edge.opened)];
        opened.legal = o.chance.legal;
        opened.probability = answers_to(o).probability;
    }

    // Draws the two messages; the node behind them.
    std::uint32_t follow_messages(const Matrices& m, const Edge& edge) {
        Opened& opened = opened_[static_cast<std::size_t>(edge.opened)];
        const std::size_t a = draw([&](std::size_t i) { return opened.probability[i]; }, answer_classes, rng_);
        Matrices belief;
        const auto after = [&] {
            belief = m;
            belief.stood(edge.move, message_of(m, edge.move, a, rng_), options_.constants);
        };
        const bool known = opened.replies[a] >= 0;
        if (!known) {
            after();
            opened.replies[a] = static_cast<std::int32_t>(replies_.size());
            Answers answers;
            const Square to = chess::to_of(edge.move);
            answers.retaken = options_.constants.retake, answers.checker_taken = options_.constants.take_checker;
            if (to == m.exchange) {
                const Grid lambda = control(m, emptiness(m), options_.constants);
                answers.retaken = options_.constants.retake_again(lambda[to]);
            }
            replies_.push_back(replies_to(belief, edge.move, a, answers, options_));
        }
        Replies& replies = replies_[static_cast<std::size_t>(opened.replies[a])];
        Reply& reply = replies.at[replies.pick(rng_)];
        if (reply.child >= 0) return static_cast<std::uint32_t>(reply.child);
        if (known) after();
        follow(belief, reply, options_);
        reply.child = static_cast<std::int32_t>(add_node(belief));
        return static_cast<std::uint32_t>(reply.child);
    }
    MctsOptions options_;
    Rng rng_;
    std::deque<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<Opened> opened_;
    std::vector<Replies> replies_;
    std::vector<std::uint32_t> path_;
    std::int64_t simulated_ = 0;
};

}  // namespace rookery::belief
