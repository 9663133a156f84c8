// Moves as sets of squares: sooner made than their list, and enough to count them, to find one, to pick one.
#pragma once

#include "games/chess/bitboard.hpp"
#include "games/rules.hpp"

namespace rookery::chess {

// A move is from + 64 * to + 4096 * promotion, promotion 0 none, 1 knight, 2 bishop, 3 rook, 4 queen.
// Castling is the King's move of two squares.
constexpr Move policy_size = 5 * 64 * 64;
constexpr Move make_move(Square from, Square to, int promotion = 0) {
    return from | to << 6 | promotion << 12;
}
constexpr Square from_of(Move m) {
    return m & 63;
}
constexpr Square to_of(Move m) {
    return (m >> 6) & 63;
}
constexpr int promotion_of(Move m) {
    return m >> 12;
}

// The moves base + step * to, for every square `to` of a set.
struct MoveSet {
    Bitboard to;
    Move base, step;

    int size() const { return count(to); }
    Move operator[](int i) const { return base + step * nth(to, i); }
    // No branch: asked of set after set, neither half can be foreseen.
    bool contains(Move m) const { return (base + step * to_of(m) == m) & ((to & bit(to_of(m))) != 0); }
};

// Everything below that makes moves gives them to a sink, something with add(MoveSet), in these two forms:
// one man's moves to several squares,
template <class Sink>
void add_targets(Sink& sink, Square from, Bitboard to) {
    sink.add(MoveSet{to, make_move(from, 0), make_move(0, 1)});
}
// and one move of several Pawns, each from `to - delta`, with all promotions.
template <class Sink>
void add_pawn_moves(Sink& sink, Bitboard to, int delta) {
    constexpr Bitboard last = rank_1 | rank_8;
    sink.add(MoveSet{to & ~last, -delta, make_move(1, 1)});
    if (to & last)
        for (int kind = knight; kind <= queen; ++kind)
            sink.add(MoveSet{to & last, make_move(0, 0, kind) - delta, make_move(1, 1)});
}

template <class List>
struct Lister {
    List& list;
    void add(MoveSet set) {
        for (const Square to : each(set.to)) list.push(set.base + set.step * to);
    }
};

struct Counter {
    int total = 0;
    void add(MoveSet set) { total += set.size(); }
};

struct Seeker {
    Move wanted;
    bool found = false;
    void add(MoveSet set) { found |= set.contains(wanted); }
};

// Keeps them. Reads like a list of moves, in which any one is quickly picked.
class MoveSets {
  public:
    void add(MoveSet set) {
        sets_[made_] = set;
        made_ += set.to != 0;
        size_ += set.size();
    }
    void remove(Move m) {
        for (std::size_t i = 0; i < made_; ++i) {
            if (!sets_[i].contains(m)) continue;
            sets_[i].to ^= bit(to_of(m));
            --size_;
            return;  // no move is in two sets
        }
    }
    void clear() { made_ = 0, size_ = 0; }
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](int i) const {
        const MoveSet* set = begin();
        for (int here = set->size(); i >= here; here = set->size()) i -= here, ++set;
        return (*set)[i];
    }
    const MoveSet* begin() const { return sets_.data(); }
    const MoveSet* end() const { return sets_.data() + made_; }

  private:
    std::size_t made_ = 0;
    int size_ = 0;
    std::array<MoveSet, 224> sets_;  // left unset: only the first made_ are ever read; none of them is made empty
};

}  // namespace rookery::chess
