// Knowledge as searches use it: a number for a position, kept up to date along a line of play.
//
// An evaluator is shared by all threads of a search and never changes while it runs. What it keeps for one position
// of the line is a Node; what it keeps for a whole thread (accumulators, a cache of features) is a Workspace. Cheap
// sums go into the Node itself, by value, and need no workspace. Costly ones are lazy: a Node is then a handle into
// the workspace, `after` only notes the move, and `value` brings the node up to date. So a position that is cut by
// the table, or as a repetition, costs no update. lazy.hpp makes a lazy evaluator of one by value.
//
// What a search promises, and an evaluator may build on:
//  - Nodes form a stack. When a second node is made from the same one, the first and all below it are done with.
//    So a handle may be the distance from the root.
//  - Both positions given to `after` stay where they are for as long as the node is in use.
//  - A workspace is used by one thread. Every search begins with `root`; weights may have changed since the last.
// What an evaluator promises: a Node does not depend on who moves. After a null move the position is asked for with
// the node from before it.
//
// Values are floats from the view of the side to move. What a unit means is the evaluator's own business
// (centipawns, a probability); a decided game is worth `won` less the plies to it, far above any evaluation.
// Whole numbers below 2^24 are exact in a float, so centipawns lose nothing.
#pragma once

#include <cmath>
#include <concepts>
#include <utility>

#include "core/errors.hpp"
#include "games/rules.hpp"

namespace rookery::search {

using Value = float;
constexpr Value won = 1'000'000, infinite = 2 * won;
constexpr int longest = 128;       // plies from the root to the deepest node
constexpr int longest_win = 1000;  // plies: a value that is nearer to `won` than this is that of a decided game
constexpr bool decided(Value v) {
    return v > won - longest_win || v < -won + longest_win;
}
constexpr Value most_worth = won - longest_win - 1;  // of an evaluation, however sure
inline Value just_above(Value v) {
    return std::nextafter(v, infinite);
}

// Knowledge whose nodes hold all that it keeps.
template <class E, class P>
concept ByValue = Rules<P> && requires(const E& e, const P& p, const typename E::Node& n, Move m) {
    { e.root(p) } -> std::same_as<typename E::Node>;
    { e.after(n, p, m, p) } -> std::same_as<typename E::Node>;  // node and position before, move, position after
    { e.value(p, n) } -> std::same_as<Value>;
};
// The same with a workspace.
template <class E, class P>
concept WithWorkspace =
    Rules<P> && requires(const E& e, typename E::Workspace& w, const P& p, const typename E::Node& n, Move m) {
        { e.workspace() } -> std::same_as<typename E::Workspace>;
        { e.root(w, p) } -> std::same_as<typename E::Node>;
        { e.after(w, n, p, m, p) } -> std::same_as<typename E::Node>;
        { e.value(w, p, n) } -> std::same_as<Value>;
    };
template <class E, class P>
concept Knowledge = ByValue<E, P> || WithWorkspace<E, P>;

template <Rules P>
[[gnu::cold, gnu::noinline]] Value cut(Value v, const P& p) {
    if (std::isnan(v))
        throw BadEvaluation("the evaluation of " + quote(p.str()) +
                            " is not a number (NaN); its weights may be damaged, or its learning diverged");
    return std::copysign(most_worth, v);
}

// Every evaluation enters a search through this: what is too large, infinity too, is cut to stay below a decided
// game, and what is no number is an error. So a search compares numbers alone, and always finds a best move.
template <Rules P>
Value sound(Value v, const P& p) {
    if (std::abs(v) <= most_worth) [[likely]]
        return v;
    return cut(v, p);
}

// An evaluator or a comparator (comparison.hpp) with its workspace on one thread; it must outlive this.
template <Rules P, class E>
class OnThread {
  public:
    using Node = typename E::Node;

    explicit OnThread(const E& knowledge) : knowledge_(knowledge), workspace_(make(knowledge)) {}

    Node root(const P& p) {
        if constexpr (keeps)
            return knowledge_.root(workspace_, p);
        else
            return knowledge_.root(p);
    }
    Node after(const Node& n, const P& before, Move m, const P& p) {
        if constexpr (keeps)
            return knowledge_.after(workspace_, n, before, m, p);
        else
            return knowledge_.after(n, before, m, p);
    }
    Value value(const P& p, const Node& n) {
        if constexpr (keeps)
            return sound(knowledge_.value(workspace_, p, n), p);
        else
            return sound(knowledge_.value(p, n), p);
    }
    auto leaf(const P& p, const Node& n) {
        if constexpr (keeps)
            return knowledge_.leaf(workspace_, p, n);
        else
            return knowledge_.leaf(p, n);
    }

  private:
    static constexpr bool keeps = requires(const E& e) { e.workspace(); };
    struct Nothing {};
    static auto make(const E& knowledge) {
        if constexpr (keeps)
            return knowledge.workspace();
        else
            return Nothing{};
    }

    const E& knowledge_;
    [[no_unique_address]] decltype(make(std::declval<const E&>())) workspace_;
};

// What a decided outcome is worth to a side, `ply` plies from the root.
inline Value value_of(const Outcome& outcome, int side, int ply) {
    if (outcome.winner < 0) return 0;
    const Value win = won - static_cast<Value>(ply);
    return outcome.winner == side ? win : -win;
}

}  // namespace rookery::search
