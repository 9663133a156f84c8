// Approach C of Ciancarini and Favini (2010, section 5.3): every edge is evaluated once, as the expectation over the
// referee's messages (outcomes.hpp); values go up by the maximum over moves and by sums over messages, weighted with
// their probability and never with visits.
//
// All edges of a node are evaluated when it is made: they share what is computed once for its belief. What the tree finds
// behind a message replaces what was computed for it in part alone (MctsOptions::foresight): a maximum over uncertain
// values is too high, the more so the deeper it lies, and what can be had later looks as good as what can be had now.
//
// A try that is refused leads to no child. It costs nothing but the clock, so it is worth the best other move less a
// hundredth; of that move a refusal in turn is taken to be worth the worst move of the node, so that two tries that
// are seldom legal do not vouch for each other. In the paper's way it is worth the position as it is.
//
// Variant fast: only the silent answer with a silent reply has a child, all else stays as it was evaluated. Each ply costs a hundredth, against dithering; a line a tenth below
// the root's value is not followed. Orders of moves that lead to the same men at the same depth meet in one node.
#pragma once

#include <deque>
#include <unordered_map>

#include "belief/mcts.hpp"

namespace rookery::belief {

class alignas(128) TreeC {
  public:
    TreeC(const Matrices& root, const std::vector<Move>& moves, const MctsOptions& options, std::uint64_t seed)
        : options_(options), rng_(seed) {
        nodes_.emplace_back();
        nodes_[0].belief = root;
        evaluate(0, moves);
        root_value_ = nodes_[0].value;
    }

    std::int64_t nodes() const { return evaluated_; }

    // One way down the tree, to a new node, or to one that has nothing below it: that counts as an evaluation, so that a
    // bound of nodes always ends the search. False: there is nothing left to grow.
    bool grow() {
        if (nodes_[0].count == 0 || nodes_.size() >= options_.room) return false;
        return options_.fast ? grow_silently() : grow_by_messages();
    }

    // A try was refused: it is none of the root's moves any more, and the belief has learnt from it. What is known of
    // the other moves stays.
    void reject(Move move, const Matrices& root) {
        Node& node = nodes_[0];
        node.belief = root;
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e) {
            if (edges_.move[e] != move) continue;
            edges_.swap(e, node.first + --node.count);
            break;
        }
        const Appraiser appraiser = appraise(node);
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e) {
            const Prospect o = appraiser.of(edges_.move[e]);
            ++evaluated_;
            edges_.legal[e] = o.chance.legal;
            edges_.stood[e] = o.stood();
            if (edges_.opened[e] < 0 || options_.fast) continue;
            Opened& opened = opened_[static_cast<std::size_t>(edges_.opened[e])];
            const Answers now = answers_to(o);
            opened.computed = now;
            opened.answers.probability = now.probability;
            for (std::size_t a = 0; a < answer_classes; ++a)
                if (opened.replies[a] < 0) opened.answers.value[a] = now.value[a];
            edges_.stood[e] = opened.value();
        }
        settle(node);
    }

    void add_to(search::TreeReport& report) const {
        report.nodes += evaluated_;
        const Node& node = nodes_[0];
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e)
            belief::add_to(report, edges_.move[e], edges_.visits[e], edges_.value[e], line(e));
    }

    // A node as it stands, for tests and explanation.
    struct EdgeView {
        Move move;
        float legal, stood, value;
        std::uint32_t visits;
        Answers answers;
        std::array<Replies, answer_classes> replies;  // none: the answer was never drawn
    };
    struct NodeView {
        float balance, value;
        std::vector<EdgeView> edges;
    };
    std::size_t size() const { return nodes_.size(); }
    NodeView node(std::size_t i) const {
        const Node& node = nodes_[i];
        NodeView seen{node.balance, node.value, {}};
        for (std::uint32_t e = node.first; e < node.first + node.count; ++e) {
            EdgeView& edge = seen.edges.emplace_back();
            edge = {edges_.move[e], edges_.legal[e], edges_.stood[e], edges_.value[e], edges_.visits[e], {}, {}};
            if (edges_.opened[e] < 0 || options_.fast) continue;
            const Opened& opened = opened_[static_cast<std::size_t>(edges_.opened[e])];
            edge.answers = opened.answers;
            for (std::size_t a = 0; a < answer_classes; ++a)
                if (opened.replies[a] >= 0) edge.replies[a] = replies_[static_cast<std::size_t>(opened.replies[a])];
        }
        return seen;
    }

  private:
    static constexpr float refusal_cost = 0.01f, ply_cost = 0.01f, hopeless = 0.1f;
    static constexpr std::size_t deepest = 64;

    struct Node {
        Matrices belief;
        std::uint32_t first = 0;  // its edges lie side by side
        std::uint32_t visits = 0;
        std::uint16_t count = 0, depth = 0;
        float beyond = 0;  // what the network adds to the balance of men
        float balance = 0, value = 0;
    };
    struct Opened {                 // the messages below an edge that was visited
        Answers answers, computed;  // computed: as it was before the tree knew more
        std::array<std::int32_t, answer_classes> replies;
        float value() const {
            float sum = 0, all = 0;
            for (std::size_t a = 0; a < answer_classes; ++a) {
                sum += answers.probability[a] * answers.value[a];
                all += answers.probability[a];
            }
            return sum / all;
        }
    };
    // Of all edges, each quantity side by side: a node's are read as vectors.
    struct Edges {
        std::vector<Move> move;
        std::vector<std::uint32_t> visits;
        std::vector<float> rarity;  // 1 / sqrt(visits + 1): being evaluated is a visit
        std::vector<float> legal, stood, value;
        std::vector<std::int32_t> opened;  // -1: never visited. Variant fast: the child

        void add(Move m, const Prospect& o) {
            move.push_back(m), visits.push_back(0), rarity.push_back(1);
            legal.push_back(o.chance.legal), stood.push_back(o.stood()), value.push_back(0), opened.push_back(-1);
        }
        void visit(std::uint32_t e) { rarity[e] = 1 / std::sqrt(static_cast<float>(++visits[e] + 1)); }
        void swap(std::uint32_t a, std::uint32_t b) {
            std::swap(move[a], move[b]), std::swap(visits[a], visits[b]), std::swap(rarity[a], rarity[b]);
            std::swap(legal[a], legal[b]), std::swap(stood[a], stood[b]), std::swap(value[a], value[b]);
            std::swap(opened[a], opened[b]);
        }
    };
    struct Step {
        std::uint32_t node, edge;
        std::size_t answer, reply;
    };

    Appraiser appraise(const Node& node) const {
        return {node.belief, options_.constants, options_.worth, options_.reactions, node.beyond};
    }

    // Gives a node its edges, `only` those if there are any.
    void evaluate(std::size_t at, const std::vector<Move>& only = {}) {
        Node& node = nodes_[at];
        if (options_.network) node.beyond = options_.network->value(node.belief);
        const Appraiser appraiser = appraise(node);
        MoveList<512> list;
        if (only.empty())
            likely_moves(node.belief, appraiser.chances().empty(), list);
        else
            for (const Move m : only) list.push(m);
        node.balance = appraiser.balance_now();
        node.first = static_cast<std::uint32_t>(edges_.move.size());
        node.count = static_cast<std::uint16_t>(list.size());
        for (const Move m : list) edges_.add(m, appraiser.of(m));
        evaluated_ += static_cast<std::int64_t>(list.size());
        settle(node);
    }

    // The values of a node's moves, refusals included, and its own: the maximum.
    void settle(Node& node) {
        if (node.count == 0) {
            node.value = node.balance;
            return;
        }
        const float *legal = edges_.legal.data() + node.first, *stood = edges_.stood.data() + node.first;
        float* value = edges_.value.data() + node.first;
        const int count = node.count;
        if (options_.refusal_is_free) {
            float worst = stood[0];
            for (int i = 1; i < count; ++i) worst = std::min(worst, stood[i]);
            float best = worst, second = worst;  // of the moves, refusals being worth the worst
            int leader = -1;
            for (int i = 0; i < count; ++i) {
                const float x = legal[i] * stood[i] + (1 - legal[i]) * worst;
                if (x > best)
                    second = best, best = x, leader = i;
                else
                    second = std::max(second, x);
            }
            for (int i = 0; i < count; ++i)
                value[i] = legal[i] * stood[i] + (1 - legal[i]) * ((i == leader ? second : best) - refusal_cost);
        } else {
            for (int i = 0; i < count; ++i) value[i] = legal[i] * stood[i] + (1 - legal[i]) * node.balance;
        }
        node.value = *std::max_element(value, value + count);
    }

    std::uint32_t choose(Node& node) {
        const float doubt = options_.c * std::sqrt(std::log(static_cast<float>(node.visits + node.count)));
        const float *value = edges_.value.data() + node.first, *rarity = edges_.rarity.data() + node.first;
        int best = 0;
        float most = value[0] + doubt * rarity[0];
        for (int i = 1; i < node.count; ++i) {
            const float bound = value[i] + doubt * rarity[i];
            if (bound > most) most = bound, best = i;
        }
        ++node.visits;
        return node.first + static_cast<std::uint32_t>(best);
    }

    std::uint32_t add_node(const Matrices& belief, int depth) {
        Node& node = nodes_.emplace_back();
        node.belief = belief;
        node.depth = static_cast<std::uint16_t>(depth);
        evaluate(nodes_.size() - 1);
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    // --- the paper's way: messages are drawn, each has a child

    bool grow_by_messages() {
        path_.clear();
        std::uint32_t at = 0;
        for (;;) {
            const std::uint32_t e = choose(nodes_[at]);
            edges_.visit(e);
            if (edges_.opened[e] < 0) open(at, e);
            Opened& opened = opened_[static_cast<std::size_t>(edges_.opened[e])];
            const std::size_t a =
                draw([&](std::size_t i) { return opened.answers.probability[i]; }, answer_classes, rng_);
            const Step step{at, e, a, 0};
            Matrices belief;
            const bool known = opened.replies[a] >= 0;
            if (!known) {
                belief = after(step);
                opened.replies[a] = static_cast<std::int32_t>(replies_.size());
                replies_.push_back(replies_to(belief, edges_.move[e], a, opened.computed, options_, nodes_[at].beyond));
            }
            Replies& replies = replies_[static_cast<std::size_t>(opened.replies[a])];
            const std::size_t r = replies.pick(rng_);
            path_.push_back({at, e, a, r});
            Reply& reply = replies.at[r];
            if (reply.child < 0) {
                if (known) belief = after(step);
                follow(belief, reply, options_);
                reply.child = static_cast<std::int32_t>(add_node(belief, nodes_[at].depth + 1));
                break;
            }
            at = static_cast<std::uint32_t>(reply.child);
            if (nodes_[at].count == 0 || path_.size() >= deepest) {
                ++evaluated_;
                break;
            }
        }
        for (auto step = path_.rbegin(); step != path_.rend(); ++step) back_up(*step);
        return true;
    }

    Matrices after(const Step& step) {
        Matrices belief = nodes_[step.node].belief;
        const Move move = edges_.move[step.edge];
        const Message said = message_of(belief, move, step.answer, rng_);
        belief.stood(move, said, options_.constants);
        return belief;
    }

    void open(std::uint32_t at, std::uint32_t e) {
        const Prospect o = appraise(nodes_[at]).of(edges_.move[e]);
        edges_.opened[e] = static_cast<std::int32_t>(opened_.size());
        Opened& opened = opened_.emplace_back();
        opened.answers = opened.computed = answers_to(o);
        opened.replies.fill(-1);
    }

    void back_up(const Step& step) {
        Opened& opened = opened_[static_cast<std::size_t>(edges_.opened[step.edge])];
        Replies& replies = replies_[static_cast<std::size_t>(opened.replies[step.answer])];
        Reply& reply = replies.at[step.reply];
        const float below = nodes_[static_cast<std::size_t>(reply.child)].value;
        reply.value = reply.computed + options_.foresight * (below - reply.computed);
        opened.answers.value[step.answer] = replies.value();
        edges_.stood[step.edge] = opened.value();
        settle(nodes_[step.node]);
    }

    // --- the fast variant: silence alone is looked into

    bool grow_silently() {
        path_.clear();
        std::uint32_t at = 0;
        for (;;) {
            const std::uint32_t e = choose(nodes_[at]);
            edges_.visit(e);
            path_.push_back({at, e, 0, 0});
            if (edges_.opened[e] < 0) {
                edges_.opened[e] = static_cast<std::int32_t>(silent_child(path_.back()));
                break;
            }
            at = static_cast<std::uint32_t>(edges_.opened[e]);
            const Node& node = nodes_[at];
            if (node.count == 0 || node.value < root_value_ - hopeless || path_.size() >= deepest) {
                ++evaluated_;
                break;
            }
        }
        for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
            const Node& child = nodes_[static_cast<std::size_t>(edges_.opened[step->edge])];
            const Prospect o = appraise(nodes_[step->node]).of(edges_.move[step->edge]);
            const Answers all = answers_to(o);
            constexpr std::size_t a = answer_of(takes_nothing, silent);
            const float below = child.value - ply_cost;
            const float further = o.quiet + options_.foresight * (below - o.quiet);
            edges_.stood[step->edge] = o.stood() + all.probability[a] * (further - o.quiet);
            settle(nodes_[step->node]);
        }
        return true;
    }

    std::uint32_t silent_child(const Step& step) {
        const Move move = edges_.move[step.edge];
        const int depth = nodes_[step.node].depth + 1;
        Matrices belief = nodes_[step.node].belief;
        belief.stood(move, Message{}, options_.constants);
        const std::uint64_t key = key_of(belief, depth);
        const auto [known, fresh] = met_.try_emplace(key, 0);
        if (!fresh) return known->second;
        follow(belief, Reply{}, options_);
        return known->second = add_node(belief, depth);
    }

    static std::uint64_t key_of(const Matrices& m, int depth) {
        std::uint64_t key = mix(static_cast<std::uint64_t>(depth));
        for (const Bitboard men : m.own) key = mix(key ^ men);
        return key;
    }

    // The most visited play below an edge of the root, as long as nothing is heard.
    std::vector<Move> line(std::uint32_t e) const {
        std::vector<Move> moves;
        for (;;) {
            moves.push_back(edges_.move[e]);
            const std::int32_t below = silent_below(e);
            if (below < 0) return moves;
            const Node& node = nodes_[static_cast<std::size_t>(below)];
            if (node.visits == 0 || moves.size() >= deepest) return moves;
            e = node.first;
            for (std::uint32_t i = node.first + 1; i < node.first + node.count; ++i)
                if (edges_.visits[i] > edges_.visits[e]) e = i;
        }
    }
    std::int32_t silent_below(std::uint32_t e) const {
        if (edges_.opened[e] < 0 || options_.fast) return edges_.opened[e];
        const std::int32_t at = opened_[static_cast<std::size_t>(edges_.opened[e])].replies[0];
        if (at < 0) return -1;
        std::int32_t found = -1;
        const Replies& replies = replies_[static_cast<std::size_t>(at)];
        for (std::size_t r = 0; r < replies.count; ++r)
            if (replies.at[r].taken < 0 && replies.at[r].grows && replies.at[r].child >= 0 && found < 0)
                found = replies.at[r].child;
        return found;
    }

    MctsOptions options_;
    Rng rng_;
    std::deque<Node> nodes_;
    Edges edges_;
    std::vector<Opened> opened_;
    std::vector<Replies> replies_;
    std::vector<Step> path_;
    std::unordered_map<std::uint64_t, std::uint32_t> met_;  // variant fast: nodes by men and depth
    std::int64_t evaluated_ = 0;
    float root_value_ = 0;
};

}  // namespace rookery::belief
