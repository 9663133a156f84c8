// Hand-made knowledge of chess, in centipawns: what men are worth where they stand, and (Classical) how they work
// together. Each term has two values, for the middlegame and the endgame, mixed by the men left on the board.
#pragma once

#include "games/chess/position.hpp"
#include "search/knowledge.hpp"

namespace rookery::evaluators {

struct Tapered {
    int middle = 0, end = 0;
    constexpr Tapered operator+(Tapered o) const { return {middle + o.middle, end + o.end}; }
    constexpr Tapered operator-(Tapered o) const { return {middle - o.middle, end - o.end}; }
    constexpr Tapered operator*(int n) const { return {middle * n, end * n}; }
    constexpr Tapered& operator+=(Tapered o) { return *this = *this + o; }
    constexpr Tapered& operator-=(Tapered o) { return *this = *this - o; }
};

// Men and squares alone, kept up to date move by move.
class ChessPieces {
  public:
    struct Node {
        Tapered sum;    // White's less Black's
        int phase = 0;  // 24 with all pieces on the board, 0 without any
    };
    Node root(const chess::Position& p) const;
    Node after(const Node& n, const chess::Position& before, Move m, const chess::Position& after) const;
    search::Value value(const chess::Position& p, const Node& n) const { return view(p, n, n.sum); }

  protected:
    static search::Value view(const chess::Position& p, const Node& n, Tapered sum) {
        const int phase = n.phase < 24 ? n.phase : 24;
        const int white = (sum.middle * phase + sum.end * (24 - phase)) / 24;
        return static_cast<search::Value>(p.turn() == chess::white ? white : -white);
    }
};

// The same with pawn structure, mobility, king safety and what else a player learns first.
class ChessClassical : public ChessPieces {
  public:
    search::Value value(const chess::Position& p, const Node& n) const;
};

}  // namespace rookery::evaluators
