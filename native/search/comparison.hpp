// Alpha-beta whose bounds are positions (David, Netanyahu and Wolf 2016, DeepChess): the knowledge only says
// which of two positions is better, and no number is ever needed.
//
// Everything here is told from side 0's view, so no position has to be turned round. The floor of side 0 is
// the best mark that it has made sure of on the way here, the floor of side 1 likewise. Side 0's nodes try to
// beat the first and are cut off at the second; side 1's the other way round. Every mark is held between the two
// floors where it comes up, at a leaf or at the end of a game: what does not beat a floor is that floor. So above the
// leaves nothing is compared again: a node that failed hands back the very floor that it was given.
//
// The table keeps for each position the move that was best, and nothing else. A bound here is a position with all that
// its comparator keeps of it, hundreds of bytes; and where a comparator goes in circles, a bound from elsewhere may
// contradict the search that it cuts. A move only says where to look first: without circles the result is that of plain
// minimax, whatever the table holds.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "search/deepening.hpp"
#include "search/noise.hpp"
#include "search/ordering.hpp"
#include "search/repetition.hpp"
#include "search/table.hpp"

namespace rookery::search {

// As Knowledge, by value or with a workspace, but instead of a value it has a Leaf: what it keeps of a position to be
// compared.
template <class C, class P>
concept Comparator = Rules<P> && requires(const C& c, OnThread<P, C>& t, const P& p, const typename C::Node& n, Move m,
                                          const typename C::Leaf& a) {
    { t.root(p) } -> std::same_as<typename C::Node>;
    { t.after(n, p, m, p) } -> std::same_as<typename C::Node>;
    { t.leaf(p, n) } -> std::same_as<typename C::Leaf>;
    { c.better(a, a) } -> std::same_as<bool>;    // whether the first is better for side 0; false for equals
    { c.above_draw(a) } -> std::same_as<Value>;  // above 0: better for side 0 than a drawn game; below: worse
};

// A comparator made from an evaluator: the better value is the better position.
template <Rules P, Knowledge<P> E>
class ValueComparator {
  public:
    using Workspace = OnThread<P, E>;
    using Node = typename E::Node;
    using Leaf = Value;  // to side 0
    template <class... Args>
    explicit ValueComparator(Args... args) : knowledge_(std::move(args)...) {}
    Workspace workspace() const { return Workspace(knowledge_); }
    Node root(Workspace& w, const P& p) const { return w.root(p); }
    Node after(Workspace& w, const Node& n, const P& before, Move m, const P& p) const {
        return w.after(n, before, m, p);
    }
    Leaf leaf(Workspace& w, const P& p, const Node& n) const {
        const Value v = w.value(p, n);
        return p.side() == 0 ? v : -v;
    }
    bool better(Leaf a, Leaf b) const { return a > b; }
    Value above_draw(Leaf a) const { return a; }

  private:
    E knowledge_;
};

template <Rules P, Comparator<P> C>
class Comparison {
  public:
    // Without megabytes there is no table.
    Comparison(C comparator, bool quiescence, std::size_t megabytes)
        : comparator_(std::move(comparator)), positions_(comparator_), quiescence_(quiescence) {
        if (megabytes > 0) table_ = std::make_unique<Table>(megabytes);
    }
    Comparison(const Comparison&) = delete;
    Comparison& operator=(const Comparison&) = delete;

    // As AlphaBeta's, depth by depth; the value of a line is what above_draw says of its end.
    Report search(const P& root, std::vector<std::uint64_t> past, const Limits& limits, const std::atomic<bool>& stop,
                  const Listener& listener) {
        Brake brake(limits, stop, nullptr, false);
        brake_ = &brake;
        past_ = std::move(past);
        leaves_.clear();
        ordering_.begin(root);
        Root at_root{*this, root, positions_.root(root)};
        return deepen(at_root, root, limits, brake, listener);
    }

    void forget() {
        ordering_.clear();
        if (table_) table_->clear();
    }

  private:
    using Node = typename C::Node;
    using Leaf = typename C::Leaf;
    using Moves = typename P::Moves;

    // What a line can come to, from bad to good for side 0.
    enum class Rank : std::int8_t { nothing, lost, even, won, everything };
    static constexpr int drawn = -1;
    struct Mark {
        Rank rank;
        int ply = 0;       // of a decided end
        int leaf = drawn;  // of an even mark: where its leaf lies in leaves_, or that of a drawn game
    };

    bool better(const Mark& a, const Mark& b) const {
        if (a.rank != b.rank) return a.rank > b.rank;
        if (a.rank == Rank::won) return a.ply < b.ply;
        if (a.rank == Rank::lost) return a.ply > b.ply;
        if (a.leaf == b.leaf) return false;
        if (a.leaf == drawn) return comparator_.above_draw(leaf_of(b)) < 0;
        if (b.leaf == drawn) return comparator_.above_draw(leaf_of(a)) > 0;
        return comparator_.better(leaf_of(a), leaf_of(b));
    }
    bool better_for(int side, const Mark& a, const Mark& b) const { return side == 0 ? better(a, b) : better(b, a); }
    static bool same(const Mark& a, const Mark& b) { return a.rank == b.rank && a.ply == b.ply && a.leaf == b.leaf; }

    static Mark end(const Outcome& outcome, int ply) {
        if (outcome.winner < 0) return {Rank::even};
        return {outcome.winner == 0 ? Rank::won : Rank::lost, ply};
    }

    // Leaves lie on a stack. A node puts those that it may hand back above those of the nodes above it; when it is
    // done, the one that it does hand back comes down to where the node began, and the others go.
    const Leaf& leaf_of(const Mark& mark) const { return leaves_[static_cast<std::size_t>(mark.leaf)]; }
    Mark mark_of(const P& p, const Node& node) {
        leaves_.push_back(positions_.leaf(p, node));
        return {Rank::even, 0, static_cast<int>(leaves_.size()) - 1};
    }
    void drop_leaves(std::size_t above) {
        leaves_.erase(leaves_.begin() + static_cast<std::ptrdiff_t>(above), leaves_.end());
    }
    Mark keep_only(Mark mark, std::size_t above) {
        if (mark.leaf >= static_cast<int>(above)) {
            if (mark.leaf > static_cast<int>(above))
                leaves_[above] = std::move(leaves_[static_cast<std::size_t>(mark.leaf)]);
            mark.leaf = static_cast<int>(above++);
        }
        drop_leaves(above);
        return mark;
    }

    // What each side has made sure of.
    struct Floors {
        Mark of[2] = {{Rank::nothing}, {Rank::everything}};
        Mark& operator[](int side) { return of[side]; }
        const Mark& operator[](int side) const { return of[side]; }
    };
    // The mark held between the floors. The other side's comes first: most leaves are refutations, beyond that one, and
    // need no second comparison.
    Mark within(const Floors& floors, const Mark& mark, int side) const {
        if (!better_for(1 - side, mark, floors[1 - side])) return floors[1 - side];
        return better_for(side, mark, floors[side]) ? mark : floors[side];
    }

    // The root as deepen() asks for it.
    struct Root {
        Comparison& search;
        const P& position;
        Node node;
        Floors floors{};

        static constexpr bool trusts_unfinished = false;  // no number tells how far it can be trusted
        void begin_depth(int) { search.deepest_ = 0; }
        void begin_line() {
            floors = {};
            search.leaves_.clear();
        }
        bool improves(Move m, int depth, bool, Pv& pv) {
            const std::size_t above = search.leaves_.size();
            const Mark mark = search.search_move(position, node, m, floors, depth - 1, 0, pv);
            if (search.brake_->stopped()) return false;
            Mark& best = floors[position.side()];
            if (same(mark, best)) {
                search.drop_leaves(above);
                return false;
            }
            best = search.keep_only(mark, 0);
            return true;
        }
        Value value() const { return search.value_of(floors[position.side()], position.side()); }
        void end_line(const Line&) {}
        int deepest() const { return search.deepest_; }
    };

    Value value_of(const Mark& mark, int side) const {
        if (mark.rank != Rank::even) {
            const Value end = won - static_cast<Value>(mark.ply);
            return (mark.rank == Rank::won) == (side == 0) ? end : -end;
        }
        const Value v = mark.leaf == drawn ? 0 : comparator_.above_draw(leaf_of(mark));
        return side == 0 ? v : -v;
    }

    // The mark of a move, and the line that follows it.
    Mark search_move(const P& before, const Node& node, Move m, const Floors& floors, int depth, int ply, Pv& pv) {
        P after = before;
        after.play(m);
        if (table_ && depth > 0) table_->prefetch(after.key());
        const Node next = positions_.after(node, before, m, after);
        past_.push_back(before.key());
        const Mark mark = search(after, next, floors, depth, ply + 1, pv);
        past_.pop_back();
        return mark;
    }

    Mark search(const P& p, const Node& node, Floors floors, int depth, int ply, Pv& pv) {
        if (brake_->count()) return {Rank::even};
        deepest_ = std::max(deepest_, ply);
        const int stood = occurrences(p, past_), side = p.side();
        if (stood >= 2 && p.reversible() > 0) return within(floors, {Rank::even}, side);
        if (depth <= 0 || ply >= longest - 1) return quiesce(p, node, floors, ply, 0, stood);
        Moves list;
        p.moves(list);
        if (const auto over = p.outcome(list, stood)) return within(floors, end(*over, ply), side);
        auto order = ordering_.start(p, list, best_before(p), ply, 2, true);
        const std::size_t above = leaves_.size();
        Move best = -1;
        for (int i = 0; i < list.size(); ++i) {
            const Move m = order.pick(list, i);
            Pv line;
            const Mark mark = search_move(p, node, m, floors, depth - 1, ply, line);
            if (brake_->stopped()) return mark;
            if (same(mark, floors[side])) continue;
            const bool cut = same(mark, floors[1 - side]);
            floors[side] = keep_only(mark, above);
            pv.set(m, line);
            best = m;
            if (cut) {
                if (!is_noisy(p, m)) ordering_.cut(p, m, list, i, depth, ply);
                break;
            }
        }
        if (table_ && best >= 0) table_->keep(p.key(), {best, 0, depth, Bound::exact});
        return floors[side];
    }

    Move best_before(const P& p) const {
        if (table_)
            if (const auto found = table_->find(p.key())) return found->move;
        return -1;
    }

    // The position itself, once no noisy move can change it much; the same moves as AlphaBeta looks at.
    Mark quiesce(const P& p, const Node& node, Floors floors, int ply, int depth, int stood) {
        deepest_ = std::max(deepest_, ply);
        const bool noise = has_noise<P> && quiescence_ && ply < longest - 1;
        const bool check = noise && threatened(p);
        const int side = p.side();
        Moves list;
        if (check || depth == 0) {
            p.moves(list);
            if (const auto over = p.outcome(list, stood)) return within(floors, end(*over, ply), side);
        }
        const std::size_t above = leaves_.size();
        if (!check) {
            const Mark here = within(floors, mark_of(p, node), side);
            if (!noise || same(here, floors[1 - side])) return keep_only(here, above);
            floors[side] = keep_only(here, above);
        }
        if constexpr (has_noise<P>) {
            if (!check) {
                list.clear();
                p.noisy_moves(list);
            }
            auto order = ordering_.start(p, list, -1, ply, 0, false);
            for (int i = 0; i < list.size(); ++i) {
                const Move m = order.pick(list, i);
                if (!check && p.loses_material(m)) continue;
                P after = p;
                after.play(m);
                if (brake_->count()) return {Rank::even};
                const Node next = positions_.after(node, p, m, after);
                const Mark mark = quiesce(after, next, floors, ply + 1, depth + 1, 1);
                if (same(mark, floors[side])) continue;
                const bool cut = same(mark, floors[1 - side]);
                floors[side] = keep_only(mark, above);
                if (cut) break;
            }
        }
        return floors[side];
    }

    C comparator_;
    OnThread<P, C> positions_;
    bool quiescence_;
    std::unique_ptr<Table> table_;
    Ordering<P> ordering_;
    std::vector<Leaf> leaves_;
    Brake* brake_ = nullptr;
    std::vector<std::uint64_t> past_;
    int deepest_ = 0;
};

}  // namespace rookery::search
