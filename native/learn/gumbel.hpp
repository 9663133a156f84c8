// One search of Gumbel AlphaZero (Danihelka et al. 2022): few simulations, each move of a self-played game a
// policy improvement. At the root the moves with the highest gumbel + logit are tried, and sequential
// halving keeps those with the highest gumbel + logit + sigma(q); below it the move is taken that is furthest
// behind the improved policy
//     pi' = softmax(logits + sigma(completed q)),   sigma(q) = (visit + max n) * scale * (q + 1) / 2.
// The moves of one round lie in different subtrees, so all of a round's leaves can be evaluated at once and
// nothing is lost by it.
#pragma once

#include <cmath>
#include <compare>
#include <numeric>

#include "encoders/go_planes.hpp"

namespace rookery::learn {

struct SearchSettings {
    int simulations = 32;
    int max_considered = 16;  // root moves that are tried at first
    float visit = 50;
    float scale = 0.5f;
    float score_weight = 0.2f;  // share of the score, squashed, in the worth of a finished game
    int pass_from = 0;          // nobody passes before this ply while there is another move
    int cap = 0;                // plies after which the board is counted as it stands
};

template <int N>
class GumbelSearch {
  public:
    using P = go::Position<N>;
    static constexpr int actions = N * N + 1;

    explicit GumbelSearch(const SearchSettings& settings) : set_(settings) {
        nodes_.resize(static_cast<std::size_t>(settings.simulations) + 1);
    }

    static bool over(const P& p, int cap) { return p.over() || p.ply() >= cap; }

    // A finished game's worth to the side that would move.
    static float worth(const P& p, float score_weight) {
        const float score = static_cast<float>(p.seat() == 0 ? p.score() : -p.score()) / 2;
        const float won = score > 0 ? 1.f : score < 0 ? -1.f : 0.f;
        return (1 - score_weight) * won + score_weight * std::tanh(score / N);
    }

    const P& root() const { return nodes_[0].position; }
    Move last() const { return nodes_[0].last; }
    Move before() const { return nodes_[0].before; }
    bool known() const { return nodes_[0].known; }  // whether the root has been evaluated

    void start(const P& p) {
        made_ = 1;
        set(nodes_[0], p, encoders::no_move, encoders::no_move);
        begun_ = false;
        leaves_.clear();
    }

    // Plays a move at the root. What is known of the position after it is kept, though no visits are.
    void play(Move m) {
        Node& root = nodes_[0];
        int kept = -1;
        for (int e = 0; e < root.edges; ++e)
            if (root.edge[at(e)].move == m) kept = root.edge[at(e)].child;
        if (kept > 0 && nodes_[at(kept)].known) {
            nodes_[0] = nodes_[at(kept)];
            nodes_[0].visits = 0;
            for (int e = 0; e < nodes_[0].edges; ++e) {
                Edge& edge = nodes_[0].edge[at(e)];
                edge.visits = 0, edge.total = 0, edge.child = -1;
            }
        } else {
            P next = root.position;
            next.play(m);
            set(nodes_[0], next, m, root.last);
        }
        made_ = 1;
        begun_ = false;
    }

    // Grows the tree until leaves want evaluating; none are left when the search is done.
    bool grow(Rng& rng) {
        leaves_.clear();
        if (!known()) {
            leaves_.push_back({{}, 0});
            return true;
        }
        if (!begun_) begin(rng);
        while (used_ < set_.simulations && leaves_.empty()) round();
        return !leaves_.empty();
    }
    int leaves() const { return static_cast<int>(leaves_.size()); }
    void encode_leaf(int i, std::uint8_t* out) const {
        const Node& node = nodes_[at(leaves_[at(i)].node)];
        encoders::encode(node.position, node.last, node.before, out);
    }

    // What the network thinks of the leaves: a number for every move, and the worth to the side that moves.
    void absorb(const float* logits, const float* values) {
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            Node& node = nodes_[at(leaves_[i].node)];
            open(node, logits + i * actions, values[i]);
            settle(leaves_[i], values[i]);
        }
        leaves_.clear();
    }

    // After the search: the move to play, the improved policy over all moves, the root's mixed value.
    Move chosen() const {
        const Node& root = nodes_[0];
        const int most = most_visits(root);
        const int best = *std::max_element(order_.begin(), order_.begin() + kept_, [&](int a, int b) {
            const int x = root.edge[at(a)].visits, y = root.edge[at(b)].visits;
            return x != y ? x < y : rank(a, most) < rank(b, most);
        });
        return root.edge[at(best)].move;
    }
    void improved(std::array<float, actions>& policy) const {
        std::array<float, actions> shares;
        improve(nodes_[0], shares);
        policy.fill(0);
        for (int e = 0; e < nodes_[0].edges; ++e) policy[at(nodes_[0].edge[at(e)].move)] = shares[at(e)];
    }
    float value() const { return mixed(nodes_[0]); }

    // A move of the root's by the network's own policy, or any of them alike.
    Move drawn(Rng& rng, bool uniform) const {
        const Node& root = nodes_[0];
        double left = rng.uniform();
        for (int e = 0; e < root.edges; ++e) {
            left -= uniform ? 1.0 / root.edges : static_cast<double>(root.edge[at(e)].prior);
            if (left < 0) return root.edge[at(e)].move;
        }
        return root.edge[at(root.edges - 1)].move;
    }

  private:
    struct Edge {
        float logit = 0, prior = 0, total = 0;  // total of values to the side that makes the move
        std::int16_t move = 0, visits = 0, child = -1;
    };
    struct Node {
        P position{go::Diagram{N, std::vector<int>(N * N, go::Diagram::none), 0, {}, -1, 0, 0, {}}};
        Move last = encoders::no_move, before = encoders::no_move;
        bool known = false, over = false;
        float value = 0;  // to the side that moves: the network's, or the game's
        int edges = 0, visits = 0;
        std::array<Edge, actions> edge;
    };
    struct Step {
        int node, edge;
    };
    struct Leaf {
        std::vector<Step> way;
        int node;
    };

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    void set(Node& node, const P& p, Move last, Move before) {
        node.position = p;
        node.last = last, node.before = before;
        node.known = false, node.edges = 0, node.visits = 0;
        node.over = over(p, set_.cap);
        if (node.over) node.value = worth(p, set_.score_weight);
    }

    // The moves with their priors.
    void open(Node& node, const float* logits, float value) {
        const auto points = node.position.legal();
        node.edges = 0, node.visits = 0;
        float most = -1e30f;
        const auto add = [&](int m) {
            Edge& e = node.edge[at(node.edges++)];
            e = Edge{};
            e.move = static_cast<std::int16_t>(m), e.logit = logits[m];
            most = std::max(most, e.logit);
        };
        go::each(points, add);
        if (node.position.ply() >= set_.pass_from || node.edges == 0) add(P::pass);
        float sum = 0;
        for (int e = 0; e < node.edges; ++e) {
            Edge& edge = node.edge[at(e)];
            sum += edge.prior = std::exp(edge.logit - most);
        }
        for (int e = 0; e < node.edges; ++e) node.edge[at(e)].prior /= sum;
        node.value = value;
        node.known = true;
    }

    // The paper's v_mix: the network's value, mixed with what was found below the moves that were tried.
    float mixed(const Node& node) const {
        float prior = 0, weighed = 0;
        for (int e = 0; e < node.edges; ++e) {
            const Edge& edge = node.edge[at(e)];
            if (edge.visits == 0) continue;
            prior += edge.prior;
            weighed += edge.prior * edge.total / static_cast<float>(edge.visits);
        }
        if (prior <= 0) return node.value;
        const float n = static_cast<float>(node.visits);
        return (node.value + n * weighed / prior) / (1 + n);
    }

    float sigma(float q, int most) const { return (set_.visit + static_cast<float>(most)) * set_.scale * (q + 1) / 2; }
    static int most_visits(const Node& node) {
        int most = 0;
        for (int e = 0; e < node.edges; ++e) most = std::max<int>(most, node.edge[at(e)].visits);
        return most;
    }

    void improve(const Node& node, std::array<float, actions>& shares) const {
        const float rest = mixed(node);
        const int most = most_visits(node);
        float top = -1e30f, sum = 0;
        for (int e = 0; e < node.edges; ++e) {
            const Edge& edge = node.edge[at(e)];
            const float q = edge.visits ? edge.total / static_cast<float>(edge.visits) : rest;
            shares[at(e)] = edge.logit + sigma(q, most);
            top = std::max(top, shares[at(e)]);
        }
        for (int e = 0; e < node.edges; ++e) sum += shares[at(e)] = std::exp(shares[at(e)] - top);
        for (int e = 0; e < node.edges; ++e) shares[at(e)] /= sum;
    }

    int select(const Node& node) const {
        std::array<float, actions> shares;
        if (node.visits == 0)
            for (int e = 0; e < node.edges; ++e) shares[at(e)] = node.edge[at(e)].prior;
        else
            improve(node, shares);
        int best = 0;
        float top = -1e30f;
        for (int e = 0; e < node.edges; ++e) {
            const auto had = static_cast<float>(node.edge[at(e)].visits);
            const float ahead = shares[at(e)] - had / static_cast<float>(1 + node.visits);
            if (ahead > top) top = ahead, best = e;
        }
        return best;
    }

    // --- the root: sequential halving

    void begin(Rng& rng) {
        const Node& root = nodes_[0];
        for (int e = 0; e < root.edges; ++e) {
            const double u = std::max(rng.uniform(), 1e-300);
            gumbel_[at(e)] = static_cast<float>(-std::log(-std::log(u)));
        }
        std::iota(order_.begin(), order_.begin() + root.edges, 0);
        kept_ = std::min({set_.max_considered, root.edges, set_.simulations});
        std::partial_sort(order_.begin(), order_.begin() + kept_, order_.begin() + root.edges,
                          [&](int a, int b) { return std::weak_order(rank(a, 0), rank(b, 0)) > 0; });
        phases_ = std::max(1, static_cast<int>(std::ceil(std::log2(static_cast<double>(kept_)))));
        used_ = 0;
        rounds_ = rounds_each();
        begun_ = true;
    }
    int rounds_each() const { return std::max(1, set_.simulations / (phases_ * kept_)); }

    float rank(int e, int most) const {
        const Edge& edge = nodes_[0].edge[at(e)];
        const float tried = edge.visits ? sigma(edge.total / static_cast<float>(edge.visits), most) : 0;
        return gumbel_[at(e)] + edge.logit + tried;
    }

    // One simulation for each move that is still considered, the best first if not all can have one.
    void round() {
        if (rounds_ == 0) {
            const int most = most_visits(nodes_[0]);
            std::sort(order_.begin(), order_.begin() + kept_,
                      [&](int a, int b) { return std::weak_order(rank(a, most), rank(b, most)) > 0; });
            kept_ = std::max(std::min(2, kept_), (kept_ + 1) / 2);
            rounds_ = rounds_each();
        }
        --rounds_;
        const int now = std::min(kept_, set_.simulations - used_);
        for (int i = 0; i < now; ++i) descend(order_[at(i)]);
        used_ += now;
    }

    void descend(int first) {
        Leaf leaf;
        int node = 0, edge = first;
        for (;;) {
            leaf.way.push_back({node, edge});
            int child = nodes_[at(node)].edge[at(edge)].child;
            if (child < 0) {
                child = made_++;
                const Node& from = nodes_[at(node)];
                const Move m = from.edge[at(edge)].move;
                P next = from.position;
                next.play(m);
                set(nodes_[at(child)], next, m, from.last);
                nodes_[at(node)].edge[at(edge)].child = static_cast<std::int16_t>(child);
            }
            node = child;
            if (!nodes_[at(node)].known) break;
            edge = select(nodes_[at(node)]);
        }
        leaf.node = node;
        if (nodes_[at(node)].over)
            settle(leaf, nodes_[at(node)].value);
        else
            leaves_.push_back(std::move(leaf));
    }

    void settle(const Leaf& leaf, float value) {
        for (std::size_t i = leaf.way.size(); i-- > 0;) {
            value = -value;
            Node& node = nodes_[at(leaf.way[i].node)];
            Edge& edge = node.edge[at(leaf.way[i].edge)];
            ++node.visits, ++edge.visits;
            edge.total += value;
        }
    }

    SearchSettings set_;
    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_;
    std::array<float, actions> gumbel_;
    std::array<int, actions> order_;  // root edges, those still considered first
    int made_ = 0, kept_ = 0, phases_ = 1, rounds_ = 0, used_ = 0;
    bool begun_ = false;
};

}  // namespace rookery::learn
