// What a game is to the native half: a Position, a small value that knows its own moves.
//
// Positions are copied, not unmade: `P next = p; next.play(m);`. Most are a few hundred bytes, a
// copy costs less than the bookkeeping of an undo, and a search over copies has no state to corrupt.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/poll.hpp"

namespace rookery {

// A move is an index: 0 <= move < policy_size of its game, the same integer that Python sees.
using Move = std::int32_t;

// Every game here has two sides (a team is one side). reason is a constant of the game.
struct Outcome {
    int winner;  // the side that won, or -1
    const char* reason;
};

template <int Capacity>
class MoveList {
  public:
    static constexpr int capacity = Capacity;
    void push(Move m) { moves_[static_cast<std::size_t>(size_++)] = m; }
    void clear() { size_ = 0; }
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](int i) const { return moves_[static_cast<std::size_t>(i)]; }
    Move* begin() { return moves_.data(); }
    Move* end() { return moves_.data() + size_; }
    const Move* begin() const { return moves_.data(); }
    const Move* end() const { return moves_.data() + size_; }

  private:
    int size_ = 0;
    std::array<Move, Capacity> moves_;  // left unset: only the first size_ are ever read
};

template <class P>
concept Rules = std::copyable<P> && requires(P p, const P c, typename P::Moves& list, Move m, std::string_view text) {
    { c.seat() } -> std::same_as<int>;           // who is asked now
    { c.side() } -> std::same_as<int>;           // that seat's side
    { c.moves(list) };                           // appends every move of that seat, each once, in any order;
                                                 // drawing rules aside, so a drawn position may still have some
    { p.play(m) };                               // m must be one of them; not checked here
    { c.key() } -> std::same_as<std::uint64_t>;  // equal for positions that count as repetitions of each other
    { c.reversible() } -> std::same_as<int>;     // how many plies back such a repetition can lie; 0 = never
    { c.outcome(list, 1) } -> std::same_as<std::optional<Outcome>>;  // given what moves() gave, and how often
    // this position has now stood on the board, itself included
    { c.text(m) } -> std::same_as<std::string>;
    { c.parse(text) } -> std::same_as<Move>;   // BadNotation if unreadable, IllegalMove if not among moves()
    { c.str() } -> std::same_as<std::string>;  // the position as text; reading it back gives an equal position
};

// Leaves of the move tree at a depth, 0 or more: the move generator's own test.
template <Rules P>
std::uint64_t perft(const P& position, int depth, Poll& poll) {
    if (depth == 0) return 1;
    // A position may know how many moves it has without making the list.
    if constexpr (requires {
                      { position.count_moves() } -> std::same_as<int>;
                  })
        if (depth == 1) return static_cast<std::uint64_t>(position.count_moves());
    typename P::Moves list;
    position.moves(list);
    if (depth == 1) return static_cast<std::uint64_t>(list.size());
    poll.step(64);
    std::uint64_t leaves = 0;
    for (const Move m : list) {
        P next = position;
        next.play(m);
        leaves += perft(next, depth - 1, poll);
    }
    return leaves;
}

}  // namespace rookery
