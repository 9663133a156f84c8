// Alpha-beta whose bounds are positions (David, Netanyahu and Wolf 2016, DeepChess): the knowledge only says
// which of two positions is better, and no number is ever needed.
//
// Everything here is told from side 0's view, so no position has to be turned round. The floor of side 0 is
// the best mark that it has made sure of on the way here, the floor of side 1 likewise. Side 0's nodes try to
// beat the first and are cut off at the second; side 1's the other way round. A node that fails hands back
// the very bound that it was given, so a comparator must never find a position better than itself.
#pragma once

#include <optional>
#include <type_traits>

#include "search/limits.hpp"
#include "search/noise.hpp"
#include "search/ordering.hpp"
#include "search/repetition.hpp"

namespace rookery::search {

// A Node is what it keeps along a line of play, as in Knowledge; a Leaf, of a position to be compared.
template <class C, class P>
concept Comparator =
    Rules<P> && requires(const C& c, const P& p, const typename C::Node& n, Move m, const typename C::Leaf& a) {
        { c.root(p) } -> std::same_as<typename C::Node>;
        { c.after(n, p, m, p) } -> std::same_as<typename C::Node>;  // as in Knowledge
        { c.leaf(p, n) } -> std::same_as<typename C::Leaf>;
        { c.better(a, a) } -> std::same_as<bool>;    // whether the first is better for side 0; false for equals
        { c.above_draw(a) } -> std::same_as<Value>;  // above 0: better for side 0 than a drawn game; below: worse
    };

// A comparator made from an evaluator: the better value is the better position.
template <Rules P, Knowledge<P> E>
class ValueComparator {
  public:
    using Node = typename E::Node;
    using Leaf = Value;  // to side 0
    template <class... Args>
    explicit ValueComparator(Args... args) : knowledge_(std::move(args)...) {}
    Node root(const P& p) const { return knowledge_.root(p); }
    Node after(const Node& n, const P& before, Move m, const P& p) const { return knowledge_.after(n, before, m, p); }
    Leaf leaf(const P& p, const Node& n) const {
        const Value v = sound(knowledge_.value(p, n), p);
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
    Comparison(C comparator, bool quiescence) : comparator_(std::move(comparator)), quiescence_(quiescence) {}

    // As AlphaBeta's, depth by depth; the value of a line is what above_draw says of its end.
    Report search(const P& root, std::vector<std::uint64_t> past, const Limits& limits, const std::atomic<bool>& stop,
                  const Listener& listener) {
        Brake brake(limits, stop, nullptr, false);
        brake_ = &brake;
        past_ = std::move(past);
        ordering_.begin(root);
        Report best;
        const Node node = comparator_.root(root);
        std::vector<Move> moves = root_moves(root, limits);
        for (int depth = 1; depth <= std::min(limits.depth, longest / 2); ++depth) {
            deepest_ = 0;
            Report report;
            for (int line = 0; line < std::clamp<int>(limits.lines, 1, static_cast<int>(moves.size())); ++line)
                search_root(root, node, moves, static_cast<std::size_t>(line), depth, report);
            const bool complete = !brake.stopped();
            // No number tells how far an unfinished depth can be trusted, so only a finished one is.
            if (complete) best.lines = std::move(report.lines), best.depth = depth;
            best.deepest = std::max(best.deepest, deepest_);
            best.nodes = brake.nodes();
            best.seconds = brake.seconds();
            if (!complete) break;
            if (listener) listener(best);
            brake.arm();
            if (forced(moves.size(), limits) || settled(best, limits)) break;
        }
        return best;
    }

    void forget() { ordering_.clear(); }

  private:
    using Node = typename C::Node;
    using Leaf = typename C::Leaf;
    using Moves = typename P::Moves;

    // What a line can come to, from bad to good for side 0.
    enum class Rank : std::int8_t { nothing, lost, even, won, everything };
    struct Mark {
        Rank rank;
        int ply = 0;                              // of a decided end
        std::optional<Leaf> leaf = std::nullopt;  // of an even mark; a drawn game has none
    };

    bool better(const Mark& a, const Mark& b) const {
        if (a.rank != b.rank) return a.rank > b.rank;
        if (a.rank == Rank::won) return a.ply < b.ply;
        if (a.rank == Rank::lost) return a.ply > b.ply;
        if (a.leaf && b.leaf) return comparator_.better(*a.leaf, *b.leaf);
        if (a.leaf) return comparator_.above_draw(*a.leaf) > 0;
        return b.leaf && comparator_.above_draw(*b.leaf) < 0;
    }
    bool better_for(int side, const Mark& a, const Mark& b) const { return side == 0 ? better(a, b) : better(b, a); }

    static Mark end(const Outcome& outcome, int ply) {
        if (outcome.winner < 0) return {Rank::even};
        return {outcome.winner == 0 ? Rank::won : Rank::lost, ply};
    }

    // What each side has made sure of.
    struct Floors {
        Mark of[2] = {{Rank::nothing}, {Rank::everything}};
        Mark& operator[](int side) { return of[side]; }
        const Mark& operator[](int side) const { return of[side]; }
    };
    // Whether the side, with what it has made sure of, will not be let in here by the other.
    bool shut(const Floors& floors) const { return !better(floors[1], floors[0]); }

    std::vector<Move> root_moves(const P& root, const Limits& limits) const {
        Moves list;
        root.moves(list);
        std::vector<Move> moves;
        for (const Move m : list)
            if (allowed(m, limits.only)) moves.push_back(m);
        std::sort(moves.begin(), moves.end());
        return moves;
    }

    void search_root(const P& root, const Node& node, std::vector<Move>& moves, std::size_t place, int depth,
                     Report& report) {
        Floors floors;
        std::vector<Move> best, line;
        for (std::size_t i = place; i < moves.size(); ++i) {
            const Mark mark = search_move(root, node, moves[i], floors, depth - 1, 0, line);
            if (brake_->stopped()) return;
            if (!better_for(root.side(), mark, floors[root.side()])) continue;
            floors[root.side()] = mark;
            best = line;
            const auto from = moves.begin() + static_cast<std::ptrdiff_t>(i);
            std::rotate(moves.begin() + static_cast<std::ptrdiff_t>(place), from, from + 1);
        }
        report.lines.push_back({value_of(floors[root.side()], root.side()), std::move(best)});
    }

    Value value_of(const Mark& mark, int side) const {
        if (mark.rank != Rank::even) {
            const Value end = won - static_cast<Value>(mark.ply);
            return (mark.rank == Rank::won) == (side == 0) ? end : -end;
        }
        const Value v = mark.leaf ? comparator_.above_draw(*mark.leaf) : 0;
        return side == 0 ? v : -v;
    }

    // The mark of a move and the line it leads to, itself first.
    Mark search_move(const P& before, const Node& node, Move m, const Floors& floors, int depth, int ply,
                     std::vector<Move>& line) {
        P after = before;
        after.play(m);
        const Node next = comparator_.after(node, before, m, after);
        past_.push_back(before.key());
        std::vector<Move> rest;
        Mark mark = search(after, next, floors, depth, ply + 1, rest);
        past_.pop_back();
        line.assign(1, m);
        line.insert(line.end(), rest.begin(), rest.end());
        return mark;
    }

    Mark search(const P& p, const Node& node, Floors floors, int depth, int ply, std::vector<Move>& pv) {
        if (brake_->count()) return {Rank::even};
        deepest_ = std::max(deepest_, ply);
        const int stood = occurrences(p, past_);
        if (stood >= 2 && p.reversible() > 0) return {Rank::even};
        if (depth <= 0 || ply >= longest - 1) return quiesce(p, node, std::move(floors), ply, 0, stood);
        Moves list;
        p.moves(list);
        if (const auto over = p.outcome(list, stood)) return end(*over, ply);
        auto order = ordering_.start(p, list, -1, ply, true, true);
        const int side = p.side();
        for (int i = 0; i < list.size(); ++i) {
            const Move m = order.pick(list, i);
            std::vector<Move> line;
            Mark mark = search_move(p, node, m, floors, depth - 1, ply, line);
            if (brake_->stopped()) return mark;
            if (!better_for(side, mark, floors[side])) continue;
            floors[side] = std::move(mark);
            pv = std::move(line);
            if (shut(floors)) {
                if (!is_noisy(p, m)) ordering_.cut(p, m, list, i, depth, ply);
                return floors[1 - side];
            }
        }
        return floors[side];
    }

    // The position itself, once no noisy move can change it much; the same moves as AlphaBeta looks at.
    Mark quiesce(const P& p, const Node& node, Floors floors, int ply, int depth, int stood) {
        deepest_ = std::max(deepest_, ply);
        const bool noise = has_noise<P> && quiescence_ && ply < longest - 1;
        const bool check = noise && threatened(p);
        Moves list;
        if (check || depth == 0) {
            p.moves(list);
            if (const auto over = p.outcome(list, stood)) return end(*over, ply);
        }
        if (!noise) return {Rank::even, 0, comparator_.leaf(p, node)};
        if constexpr (has_noise<P>) {
            const int side = p.side();
            if (!check) {
                Mark here{Rank::even, 0, comparator_.leaf(p, node)};
                if (better_for(side, here, floors[side])) {
                    floors[side] = std::move(here);
                    if (shut(floors)) return floors[1 - side];
                }
                list.clear();
                p.noisy_moves(list);
            }
            auto order = ordering_.start(p, list, -1, ply, false, false);
            for (int i = 0; i < list.size(); ++i) {
                const Move m = order.pick(list, i);
                if (!check && p.loses_material(m)) continue;
                P after = p;
                after.play(m);
                if (brake_->count()) return {Rank::even};
                const Node next = comparator_.after(node, p, m, after);
                Mark mark = quiesce(after, next, floors, ply + 1, depth + 1, 1);
                if (!better_for(side, mark, floors[side])) continue;
                floors[side] = std::move(mark);
                if (shut(floors)) return floors[1 - side];
            }
            return floors[side];
        }
        return {Rank::even};
    }

    C comparator_;
    bool quiescence_;
    Ordering<P> ordering_;
    Brake* brake_ = nullptr;
    std::vector<std::uint64_t> past_;
    int deepest_ = 0;
};

}  // namespace rookery::search
