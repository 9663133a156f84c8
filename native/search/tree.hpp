// One tree of moves for every search that grows by visits: a pool of nodes and edges, the way down, and the way back,
// on which every edge is told what the leaf is worth to the side that moves there. Values belong to sides, so nothing
// here asks whose turn comes after whose.
//
// Two things are left open. A Domain says what the tree needs of a game. A rule says which edge a way takes, what it
// keeps of the knowledge's opinion on a move (Prior), and how values are summed (Total). puct.hpp and gumbel.hpp are
// such rules, and drive the tree.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/rules.hpp"

namespace rookery::search {

using Worth = std::array<float, 2>;  // to each of the two sides

template <class D>
concept Domain = std::copyable<typename D::Position> &&
                 requires(D d, const D c, const typename D::Position& p, Move m, std::vector<Move>& moves) {
                     { c.side(p) } -> std::same_as<int>;  // that moves
                     { c.after(p, m) } -> std::same_as<typename D::Position>;
                     // What a finished game is worth, or nothing. Sets `moves` to those of p, ascending; of a
                     // finished game they count at the root alone, where somebody may still ask for one.
                     { d.look(p, moves) } -> std::same_as<std::optional<Worth>>;
                     // The line that is being walked, for rules of repetition: from the root again; p is left by a
                     // move; the root is now where the line has come to.
                     { d.rewind() };
                     { d.leave(p) };
                     { d.settle() };
                     { c.bytes(p) } -> std::same_as<std::size_t>;  // that p holds besides itself
                 };

// A list that grows by blocks: nothing in it moves, and what is added together lies side by side.
template <class T>
class Blocks {
  public:
    using Index = std::uint32_t;

    explicit Blocks(unsigned shift) : shift_(shift) {}
    Blocks(Blocks&& other) noexcept : shift_(other.shift_) { swap(other); }
    Blocks& operator=(Blocks&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Blocks() {
        clear();
        for (T* const b : blocks_) free(b);
    }

    T& operator[](Index i) { return blocks_[i >> shift_][i & (block() - 1)]; }
    const T& operator[](Index i) const { return blocks_[i >> shift_][i & (block() - 1)]; }
    Index end() const { return end_; }  // above all indices

    // Room for `count` of them, to be set at once; the index of the first. At most a block.
    Index add(Index count)
        requires std::is_trivially_copyable_v<T>
    {
        if ((end_ & (block() - 1)) + count > block()) end_ = (end_ | (block() - 1)) + 1;
        return take(count);
    }
    // Adds what make() gives, made where it will lie.
    template <class Make>
    Index emplace(Make make) {
        const Index made = take(1);
        new (&(*this)[made]) T(make());
        return made;
    }
    void clear() {
        destroy(released_ << shift_, end_);
        end_ = 0;
    }
    // Lets go of whole blocks before an index, for which nobody will ask again.
    void release_before(Index i) {
        for (; released_ < (i >> shift_); ++released_) {
            destroy(released_ << shift_, (released_ + 1) << shift_);
            free(blocks_[released_]);
            blocks_[released_] = nullptr;
        }
    }

    std::size_t block_bytes() const { return block() * sizeof(T); }
    std::size_t bytes() const { return blocks_.size() * block_bytes(); }

  private:
    Index block() const { return Index{1} << shift_; }
    Index take(Index count) {
        const Index first = end_;
        if (count && (first >> shift_) == blocks_.size()) {
            blocks_.push_back(nullptr);
            blocks_.back() = std::allocator<T>().allocate(block());
        }
        end_ += count;
        return first;
    }
    void destroy(Index from, Index to) {
        if constexpr (!std::is_trivially_destructible_v<T>)
            for (; from < to; ++from) std::destroy_at(&(*this)[from]);
    }
    void free(T* b) {
        if (b) std::allocator<T>().deallocate(b, block());
    }
    void swap(Blocks& other) {
        std::swap(shift_, other.shift_), std::swap(end_, other.end_), std::swap(released_, other.released_);
        blocks_.swap(other.blocks_);
    }

    unsigned shift_;
    Index end_ = 0, released_ = 0;  // of blocks, how many are let go
    std::vector<T*> blocks_;
};

template <Domain D, class Rule>
class Tree {
  public:
    using Index = std::uint32_t;
    using Position = typename D::Position;
    static constexpr Index none = ~Index{0};

    struct Edge : Rule::Prior {
        Move move = 0;
        Index node = none;
        std::int32_t visits = 0, pending = 0;  // settled ones, and those under way
        typename Rule::Total total = 0;        // of values to the side that makes the move
    };
    enum class Stage : std::uint8_t { fresh, waiting, open, over };
    struct Node {
        Position position;
        Index first = 0;  // its edges lie side by side, by ascending move
        std::uint32_t edges = 0;
        std::int32_t visits = 0;  // its own evaluation and the ways through it, those under way included
        Worth worth{};            // what the knowledge thinks of it, or the game's own result
        std::int8_t side = 0;     // that moves
        Stage stage = Stage::fresh;
        float value() const { return worth[static_cast<std::size_t>(side)]; }  // to that side
    };

    // How much is allocated at a time: blocks of 2^shift nodes and edges. No node has more edges than a block.
    struct Shape {
        unsigned nodes = 8, edges = 11;
    };
    Tree(D domain, Rule rule, Shape shape, std::size_t room = ~std::size_t{0})
        : domain_(std::move(domain)),
          rule_(std::move(rule)),
          shape_(shape),
          nodes_(shape.nodes),
          edges_(shape.edges),
          room_(room) {}

    D& domain() { return domain_; }
    const D& domain() const { return domain_; }
    Rule& rule() { return rule_; }
    const Rule& rule() const { return rule_; }

    // --- what is in it

    const Node& root() const { return nodes_[0]; }
    std::span<const Edge> edges(const Node& node) const {
        return {node.edges ? &edges_[node.first] : nullptr, node.edges};
    }
    std::span<Edge> root_edges() { return edges_of(nodes_[0]); }
    const Node* child(const Edge& edge) const { return edge.node == none ? nullptr : &nodes_[edge.node]; }
    std::size_t bytes() const { return nodes_.bytes() + edges_.bytes() + held_; }
    bool full() const { return full_; }  // it had no room for a node, and will not grow

    // --- its root

    // A tree of one node, whose edges are those of its moves that pass a test.
    template <class Test>
    void start(const Position& p, Test wanted) {
        clear();
        domain_.rewind();
        domain_.look(p, moves_);  // that it may be a draw by now does not count: somebody asks for a move
        looked_at_.clear();
        for (const Move m : moves_) looked_at_.push_back(wanted(m));
        std::size_t i = 0;
        std::erase_if(moves_, [&](Move) { return !looked_at_[i++]; });
        const Index root = nodes_.emplace([&] { return Node{p}; });
        open(nodes_[root]);
    }

    // Walks from the root along some moves and makes the node there the root, with all that lies below it. False, and
    // nothing is changed, if it was never evaluated. No leaf may be waiting.
    bool follow(std::span<const Move> way) {
        Index at = 0;
        domain_.rewind();
        for (const Move m : way) {
            domain_.leave(nodes_[at].position);
            at = after(at, m);
            if (at == none) return false;
        }
        if (nodes_[at].stage != Stage::open) return false;
        domain_.settle();
        if (at != 0) cut(at);
        return true;
    }

    // Plays one move at the root. Of the tree only what the knowledge thought of the position after it is kept.
    void play(Move m) {
        domain_.rewind();
        domain_.leave(nodes_[0].position);
        domain_.settle();
        const Index kept = after(0, m);
        if (kept != none && nodes_[kept].stage == Stage::open) {
            Node node = nodes_[kept];
            const std::span<Edge> old = edges_of(node);
            std::vector<Edge> edges(old.begin(), old.end());
            clear();
            for (Edge& e : edges) e.node = none, e.visits = e.pending = 0, e.total = 0;
            node.first = edges_.add(node.edges);
            std::copy(edges.begin(), edges.end(), edges_of(node).begin());
            node.visits = 1;
            held_ = domain_.bytes(node.position);
            nodes_.emplace([&] { return std::move(node); });
        } else {
            Position next = domain_.after(nodes_[0].position, m);
            start(next, [](Move) { return true; });
        }
    }

    // --- ways down

    enum class Walk {
        waits,    // a leaf wants an evaluation
        counted,  // it ended in a finished game, which is settled
        met,      // it came to a leaf that waits already: nothing is counted
        full,     // there is no room for another node: nothing is counted
    };
    // One way down, from the root by the edge asked for, if any, and then as the rule says. While its leaf waits the way
    // counts as a loss to the sides that took it (virtual loss: Chaslot, Winands and van den Herik 2008), if the rule
    // looks at edges under way.
    Walk walk(std::optional<std::uint32_t> first = {}) {
        const std::size_t begin = steps_.size();
        domain_.rewind();
        Index at = 0;
        while (nodes_[at].stage == Stage::open) {
            Node& node = nodes_[at];
            const std::uint32_t chosen = first ? *first : rule_.choose(node, edges(node));
            first.reset();
            Edge& edge = edges_[node.first + chosen];
            if (edge.node == none && !has_room()) {
                full_ = true;
                undo(begin);
                return Walk::full;
            }
            steps_.push_back({at, node.first + chosen});
            ++node.visits;
            ++edge.pending;
            domain_.leave(node.position);
            if (edge.node == none) edge.node = grow(node.position, edge.move);
            at = edge.node;
        }
        Node& leaf = nodes_[at];
        if (leaf.stage == Stage::waiting) {
            undo(begin);
            return Walk::met;
        }
        ++leaf.visits;
        if (leaf.stage == Stage::over) {
            settle(begin, steps_.size(), leaf.worth);
            steps_.resize(begin);
            return Walk::counted;
        }
        leaf.stage = Stage::waiting;
        waiting_.push_back({begin, steps_.size(), at});
        return Walk::waits;
    }

    // --- leaves that want an evaluation, in the order of their ways

    std::size_t waiting() const { return waiting_.size(); }
    const Node& leaf(std::size_t i) const { return nodes_[waiting_[i].leaf]; }

    // How many moves the i-th of them has. Of the first root some may not be looked at: they have no edge.
    std::size_t moves_of(std::size_t i) const { return &leaf(i) == &root() ? looked_at_.size() : leaf(i).edges; }
    // Of numbers over all of those, by ascending move, the ones that belong to edges.
    std::span<const float> of_edges(std::size_t i, std::span<const float> numbers) {
        if (numbers.size() <= leaf(i).edges) return numbers;
        some_.clear();
        for (std::size_t k = 0; k < numbers.size(); ++k)
            if (looked_at_[k]) some_.push_back(numbers[k]);
        return some_;
    }

    // Each leaf gets what it is worth and, by fill(i, edges), the priors of its moves; then none waits any more.
    template <class Value, class Fill>
    void absorb(Value worth, Fill fill) {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            Node& leaf = nodes_[waiting_[i].leaf];
            leaf.worth = worth(i);
            fill(i, edges_of(leaf));
            leaf.stage = Stage::open;
            settle(waiting_[i].begin, waiting_[i].end, leaf.worth);
        }
        waiting_.clear();
        steps_.clear();
    }

  private:
    struct Step {
        Index node, edge;
    };
    struct Way {
        std::size_t begin, end;  // among the steps
        Index leaf;
    };

    std::span<Edge> edges_of(const Node& node) { return {node.edges ? &edges_[node.first] : nullptr, node.edges}; }

    void clear() {
        nodes_.clear();
        edges_.clear();
        waiting_.clear();
        steps_.clear();
        held_ = 0;
        full_ = false;
    }
    bool has_room() const { return bytes() + nodes_.block_bytes() + edges_.block_bytes() <= room_; }

    Index grow(const Position& from, Move m) {
        const Index made = nodes_.emplace([&] { return Node{domain_.after(from, m)}; });
        Node& node = nodes_[made];
        const std::optional<Worth> over = domain_.look(node.position, moves_);
        if (over) moves_.clear(), node.stage = Stage::over, node.worth = *over;
        open(node);
        return made;
    }
    // Gives a new node the moves that were found; their priors come later.
    void open(Node& node) {
        node.side = static_cast<std::int8_t>(domain_.side(node.position));
        node.edges = static_cast<std::uint32_t>(moves_.size());
        node.first = edges_.add(node.edges);
        const std::span<Edge> edges = edges_of(node);
        for (std::size_t i = 0; i < edges.size(); ++i) {
            edges[i] = Edge{};
            edges[i].move = moves_[i];
        }
        held_ += domain_.bytes(node.position);
    }

    void undo(std::size_t begin) {
        for (std::size_t i = begin; i < steps_.size(); ++i)
            --nodes_[steps_[i].node].visits, --edges_[steps_[i].edge].pending;
        steps_.resize(begin);
    }
    void settle(std::size_t begin, std::size_t end, const Worth& worth) {
        for (std::size_t i = begin; i < end; ++i) {
            Edge& e = edges_[steps_[i].edge];
            --e.pending;
            ++e.visits;
            e.total += worth[static_cast<std::size_t>(nodes_[steps_[i].node].side)];
        }
    }

    Index after(Index at, Move m) const {
        for (const Edge& e : edges(nodes_[at]))
            if (e.move == m) return e.node;
        return none;
    }

    // Keeps one node with all below it, and gives the memory of the others back on the way: nodes are made after those
    // above them, so those that are kept can be moved in the order of their making.
    void cut(Index root) {
        const Index end = nodes_.end();
        std::vector<Index> place(end, none);  // where each goes; at first only whether it does
        place[root] = 0;
        Index kept = 0;
        for (Index i = root; i < end; ++i) {
            if (place[i] == none) continue;
            place[i] = kept++;
            for (const Edge& e : edges(nodes_[i]))
                if (e.node != none) place[e.node] = 0;
        }
        Blocks<Node> nodes(shape_.nodes);
        Blocks<Edge> edges(shape_.edges);
        held_ = 0;
        for (Index i = root; i < end; ++i) {
            if (place[i] == none) continue;
            Node& node = nodes_[i];
            nodes_.release_before(i);
            if (node.edges) edges_.release_before(node.first);
            const std::span<Edge> old = edges_of(node);
            for (Edge& e : old)
                if (e.node != none) e.node = place[e.node];
            node.first = edges.add(node.edges);
            if (node.edges) std::copy(old.begin(), old.end(), &edges[node.first]);
            held_ += domain_.bytes(node.position);
            nodes.emplace([&] { return std::move(node); });
        }
        nodes_ = std::move(nodes);
        edges_ = std::move(edges);
        full_ = false;
    }

    D domain_;
    Rule rule_;
    Shape shape_;
    Blocks<Node> nodes_;
    Blocks<Edge> edges_;
    std::vector<Step> steps_;
    std::vector<Way> waiting_;
    std::vector<Move> moves_;      // of the node that is being made
    std::vector<bool> looked_at_;  // of the first root, by ascending move
    std::vector<float> some_;
    std::size_t room_, held_ = 0;
    bool full_ = false;
};

}  // namespace rookery::search
