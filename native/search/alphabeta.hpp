// Alpha-beta with principal variation search, null-move pruning and late-move reductions, for any game with two sides.
//
// The sign of a value flips when the side to move changes, not with each ply: a game may give a side two moves
// in a row, or pass over a seat. Killer moves are those of Real and Blair's Duchess program (which kept one a ply);
// TreeStrap learns from the nodes that an Observer is shown.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "search/deepening.hpp"
#include "search/noise.hpp"
#include "search/ordering.hpp"
#include "search/repetition.hpp"
#include "search/table.hpp"
#include "search/tuning.hpp"

namespace rookery::search {

// What is asked of a move that comes late: first only whether it beats those before it, by a window that no value
// lies in; at once what it is worth, as plain alpha-beta does; or of every move all that minimax would say of it,
// with nothing pruned.
enum class Windows { null, plain, open };

struct Options {
    int killers = 2;  // a ply, at most two
    bool history = true;
    Windows windows = Windows::null;
    int quiescence = longest;  // plies of noisy moves beyond the depth, where the game says which are; 0: none
    bool null_move = false;    // where the game can pass: skip a turn, and if that is still too good, stop
    bool selective = false;    // look less deeply at moves that ordering thinks little of, or not at all
};

// Told where a new depth begins, and shown every node that was not a leaf: the evaluator and what it keeps for the
// node, its ply, its best move, and its value or the bound that was found. TreeStrap's material.
struct NoObserver {
    void deepen(int) {}
    template <class P, class E>
    void node(const P&, OnThread<P, E>&, const typename E::Node&, int, Move, Value, Bound) {}
};

// The logarithms of small whole numbers, for late-move reductions.
inline const std::array<double, 1024> logarithms = [] {
    std::array<double, 1024> all{};
    for (int i = 1; i < 1024; ++i) all[static_cast<std::size_t>(i)] = std::log(i);
    return all;
}();

template <Rules P, Knowledge<P> E, class Observer = NoObserver>
class AlphaBeta {
  public:
    // The table may be null: then nothing is remembered, and every value is what plain minimax would say.
    AlphaBeta(const E& knowledge, Options options, Table* table, Observer observer = {})
        : knowledge_(knowledge), options_(options), table_(table), observer_(std::move(observer)) {}

    // `past` holds the keys of the game's earlier positions, oldest first. The root must have a move.
    Report search(const P& root, std::vector<std::uint64_t> past, const Limits& limits, const std::atomic<bool>& stop,
                  const Listener& listener = {}, std::atomic<std::int64_t>* others = nullptr, bool helps = false) {
        Brake brake(limits, stop, others, helps);
        brake_ = &brake;
        past_ = std::move(past);
        tuning_ = tuning_of(root);
        ordering_.begin(root);
        Root at_root{*this, root, knowledge_.root(root)};
        return deepen(at_root, root, limits, brake, listener);
    }

    // The noisy moves with which quiescence goes on from a leaf, none where it is quiet. `past`: the keys of the
    // positions before it.
    Pv settle(const P& leaf, std::vector<std::uint64_t> past) {
        const Limits unlimited;
        const std::atomic<bool> never{false};
        Brake brake(unlimited, never, nullptr, false);
        brake_ = &brake;
        past_ = std::move(past);
        Pv line;
        line.size = 0;
        if constexpr (has_noise<P>) {
            const int usual = std::exchange(options_.quiescence, longest);
            quiesce_noise(leaf, knowledge_.root(leaf), -infinite, infinite, 0, 0, occurrences(leaf, past_), &line);
            options_.quiescence = usual;
        }
        return line;
    }

    void forget() { ordering_.clear(); }

  private:
    using Node = typename E::Node;
    using Moves = typename P::Moves;

    // The root as deepen() asks for it.
    struct Root {
        AlphaBeta& search;
        const P& position;
        Node node;
        Value alpha = -infinite;

        static constexpr bool trusts_unfinished = true;
        void begin_depth(int depth) {
            search.deepest_ = 0;
            search.observer_.deepen(depth);
        }
        void begin_line() { alpha = -infinite; }
        bool improves(Move m, int depth, bool first, Pv& pv) {
            const Value v = search.search_move(position, node, m, alpha, infinite, depth - 1, 0, !first, 0, pv);
            if (search.brake_->stopped() || v <= alpha) return false;
            alpha = v;
            return true;
        }
        Value value() const { return alpha; }
        void end_line(const Line& line) {
            search.observer_.node(position, search.knowledge_, node, 0, line.moves[0], line.value, Bound::exact);
        }
        int deepest() const { return search.deepest_; }
    };

    // The value of a move to the side that makes it. `late`: an earlier move is thought to be better, so first
    // only ask whether this one beats it.
    Value search_move(const P& before, const Node& node, Move m, Value alpha, Value beta, int depth, int ply, bool late,
                      int reduction, Pv& pv) {
        P after = before;
        after.play(m);
        if (table_ && depth > 0) table_->prefetch(after.key());
        const Node next = knowledge_.after(node, before, m, after);
        past_.push_back(before.key());
        const bool flips = after.side() != before.side();
        const auto value = [&](Value low, Value high, int deep) {
            pv.size = 0;
            return flips ? -search(after, next, -high, -low, deep, ply + 1, pv)
                         : search(after, next, low, high, deep, ply + 1, pv);
        };
        Value v;
        if (options_.windows == Windows::open) {
            v = value(-infinite, infinite, depth);
        } else if (late && alpha > -infinite && (options_.windows == Windows::null || reduction > 0)) {
            v = value(alpha, just_above(alpha), depth - reduction);
            if (v > alpha && reduction > 0) v = value(alpha, just_above(alpha), depth);
            if (v > alpha && v < beta) v = value(alpha, beta, depth);
        } else {
            v = value(alpha, beta, depth);
        }
        past_.pop_back();
        return v;
    }

    Value search(const P& p, const Node& node, Value alpha, Value beta, int depth, int ply, Pv& pv) {
        if (brake_->count()) return 0;
        deepest_ = std::max(deepest_, ply);
        const int stood = occurrences(p, past_);
        // A side that could repeat once can repeat again.
        if (stood >= 2 && ply > 0 && p.reversible() > 0) return 0;
        if (depth <= 0 || ply >= longest - 1) return quiesce(p, node, alpha, beta, ply, 0, stood);

        const bool scouts = beta <= just_above(alpha);  // it is only asked whether the value is above alpha
        TableEntry known;
        if (table_)
            if (const auto found = table_->find(p.key())) {
                known = *found;
                const Value v = from_table(known.value, ply);
                if (known.depth >= depth && scouts &&
                    (known.bound == Bound::exact || (known.bound == Bound::lower && v >= beta) ||
                     (known.bound == Bound::upper && v <= alpha)))
                    return v;
            }
        Moves list;
        p.moves(list);
        if (const auto over = p.outcome(list, stood)) return value_of(*over, p.side(), ply);
        if (options_.null_move && too_good_to_need_a_move(p, node, beta, depth, ply)) return beta;

        const bool check = threatened(p);
        auto order = ordering_.start(p, list, known.move, ply, options_.killers, options_.history);
        Value best = -infinite;
        Move best_move = -1;
        const Value floor = alpha;
        for (int i = 0; i < list.size(); ++i) {
            const Move m = order.pick(list, i);
            Pv line;
            const bool quiet = !is_noisy(p, m);
            const bool doubtful = options_.selective && quiet && !check;
            if (doubtful && scouts && best > -won + longest_win && is_too_late(depth, i)) continue;
            const int reduction = doubtful && i >= 3 ? reduction_of(depth, i) : 0;
            const Value v =
                search_move(p, node, m, alpha, beta, depth - 1 + extension(check), ply, i > 0, reduction, line);
            if (brake_->stopped()) return 0;
            if (v > best) {
                best = v;
                best_move = m;
                if (v > alpha) {
                    alpha = v;
                    pv.set(m, line);
                    if (v >= beta) {
                        if (quiet) ordering_.cut(p, m, list, i, depth, ply);
                        break;
                    }
                }
            }
        }
        const Bound bound = best >= beta ? Bound::lower : best > floor ? Bound::exact : Bound::upper;
        observer_.node(p, knowledge_, node, ply, best_move, best, bound);
        if (table_) table_->keep(p.key(), {best_move, to_table(best, ply), depth, bound});
        return best;
    }

    // The evaluation, once no noisy move can change it much.
    Value quiesce(const P& p, const Node& node, Value alpha, Value beta, int ply, int depth, int stood) {
        deepest_ = std::max(deepest_, ply);
        if constexpr (has_noise<P>) {
            if (options_.quiescence > 0 && ply < longest - 1)
                return quiesce_noise(p, node, alpha, beta, ply, depth, stood);
        }
        if (const auto over = ended(p, stood)) return value_of(*over, p.side(), ply);
        return evaluate(p, node);
    }

    Value evaluate(const P& p, const Node& node) { return knowledge_.value(p, node); }

    // Whether the game is over; some games can tell without a list of moves.
    static std::optional<Outcome> ended(const P& p, int stood) {
        if constexpr (requires {
                          { p.outcome(stood) } -> std::same_as<std::optional<Outcome>>;
                      }) {
            return p.outcome(stood);
        } else {
            Moves list;
            p.moves(list);
            return p.outcome(list, stood);
        }
    }

    // `pv`, where somebody asks, is the line that the value rests on.
    Value quiesce_noise(const P& p, const Node& node, Value alpha, Value beta, int ply, int depth, int stood,
                        Pv* pv = nullptr) {
        if (depth >= options_.quiescence || ply >= longest - 1) return evaluate(p, node);
        const bool check = threatened(p);
        Moves list;
        Value best = -infinite;
        if (check) {
            // All moves: a check leaves no time for a quiet look, and mate must be seen.
            p.moves(list);
            if (const auto over = p.outcome(list, stood)) return value_of(*over, p.side(), ply);
        } else {
            if (depth == 0)
                if (const auto over = ended(p, stood)) return value_of(*over, p.side(), ply);
            best = evaluate(p, node);
            if (best >= beta) return best;
            alpha = std::max(alpha, best);
            p.noisy_moves(list);
        }
        auto order = ordering_.start(p, list, -1, ply, 0, false);
        for (int i = 0; i < list.size(); ++i) {
            const Move m = order.pick(list, i);
            if (!check && p.loses_material(m)) continue;
            P after = p;
            after.play(m);
            const Node next = knowledge_.after(node, p, m, after);
            if (brake_->count()) return 0;
            Pv rest;
            rest.size = 0;
            Pv* const line = pv ? &rest : nullptr;
            const Value v = after.side() != p.side()
                                ? -quiesce_noise(after, next, -beta, -alpha, ply + 1, depth + 1, 1, line)
                                : quiesce_noise(after, next, alpha, beta, ply + 1, depth + 1, 1, line);
            if (v > best) {
                best = v;
                if (pv && v > alpha) pv->set(m, rest);
                alpha = std::max(alpha, v);
                if (v >= beta) break;
            }
        }
        deepest_ = std::max(deepest_, ply);
        return best;
    }

    int extension(bool check) const { return check && options_.selective ? 1 : 0; }
    // Late-move reductions: at least one ply of a move is looked at, in a bold game none.
    int reduction_of(int depth, int place) const {
        static_assert(most_depth < 1024 && Moves::capacity <= 1024);
        const int most = depth - (tuning_.boldness > 0 ? 1 : 2);
        const double logs = logarithms[static_cast<std::size_t>(depth)] * logarithms[static_cast<std::size_t>(place)];
        return std::clamp(static_cast<int>(0.5 + logs / 2.0) + tuning_.boldness, 0, std::max(most, 0));
    }
    // Late-move pruning: near the leaves, a quiet move that comes after so many others is hardly ever the best.
    bool is_too_late(int depth, int place) const {
        return tuning_.boldness > 0 && depth <= 4 && place >= 2 + depth * depth;
    }

    // Null-move pruning (Goetsch, Campbell 1990): if giving the other side a free move still beats beta, so will
    // a real move; not sound in zugzwang, so the game says where it may be tried.
    bool too_good_to_need_a_move(const P& p, const Node& node, Value beta, int depth, int ply) {
        if constexpr (requires(P q) {
                          q.pass();
                          { p.may_pass() } -> std::same_as<bool>;
                      }) {
            if (depth < 3 || ply == 0 || decided(beta) || !p.may_pass() || evaluate(p, node) < beta) return false;
            P after = p;
            after.pass();
            Pv line;
            past_.push_back(p.key());
            const Value v =
                -search(after, node, -beta, -(beta - (just_above(beta) - beta)), depth - 3 - depth / 4, ply + 1, line);
            past_.pop_back();
            return v >= beta && !brake_->stopped();
        }
        return false;
    }

    // Wins are told from the root; the table must tell them from the position.
    static Value to_table(Value v, int ply) {
        return !decided(v) ? v : v > 0 ? v + static_cast<Value>(ply) : v - static_cast<Value>(ply);
    }
    static Value from_table(Value v, int ply) {
        return !decided(v) ? v : v > 0 ? v - static_cast<Value>(ply) : v + static_cast<Value>(ply);
    }

    OnThread<P, E> knowledge_;
    Options options_;
    Tuning tuning_;
    Table* table_;
    Observer observer_;
    Ordering<P> ordering_;
    Brake* brake_ = nullptr;
    std::vector<std::uint64_t> past_;
    int deepest_ = 0;
};

}  // namespace rookery::search
