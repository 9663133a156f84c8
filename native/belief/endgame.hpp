// How to mate a King who stands alone and is not seen.
//
// Nodes are our turns: our men and the set of squares where he may be. A try splits the set by what the referee answers:
// refused, silent, check by its directions, mate, stalemate; and each part spreads by his move, or he takes a man. A try
// is worth mostly what its worst answer is, for he may see the board, and a little what its answers are on the average.
// Leaves are valued by the region that is left to him (Bolognesi and Ciancarini, "Searching over metapositions in
// Kriegspiel", 2004, with other terms). The same input gives the same ranking.
#pragma once

#include <array>
#include <vector>

#include "belief/lone_king.hpp"

namespace rookery::belief {

struct Ranked {
    Move move;
    double value;
};

class Endgame {
  public:
    static constexpr std::int64_t default_nodes = 60'000;
    // As many as may be valued in so many seconds, and never more than by default; 0: no bound.
    static std::int64_t nodes_in(double seconds) {
        constexpr double a_second = 200'000;  // about, on one core beside other work
        if (seconds <= 0 || seconds * a_second >= static_cast<double>(default_nodes)) return default_nodes;
        return static_cast<std::int64_t>(seconds * a_second);
    }

    // Whether it has anything to say: he is alone and we can mate him.
    static bool applies(const kriegspiel::View& view);

    // Our tries, the best first; those that would surely be refused are not among them. `nodes` bounds the metapositions
    // that are valued; all tries are looked at one move deep whatever it is.
    std::vector<Ranked> choose(const LoneKing& known, std::int64_t nodes = default_nodes);

    // Of our turn: the greater the better.
    static double evaluate(const Army& army, Bitboard squares);
    std::int64_t nodes() const { return nodes_; }

  private:
    struct Entry {
        std::uint64_t key = 0;
        double value = 0;
    };
    // What becomes of a part of the set, summed and at worst.
    struct Parts {
        double sum = 0, worst = 1e9;
        void add(double share, double value);
        double value() const;
    };
    double leaf(const Army& army, Bitboard squares);
    double search(const Army& army, Bitboard squares, int depth, int refusals);
    double attempt(const Army& army, Bitboard squares, Move m, int depth, int refusals);
    void stands(Parts& parts, const Army& next, Bitboard standing, double share, int depth);

    std::vector<Entry> table_ = std::vector<Entry>(1 << 16);
    std::int64_t nodes_ = 0, budget_ = 0;
    double mate_ = 0;
    int root_depth_ = 0;
    bool out_ = false;  // of nodes
};

}  // namespace rookery::belief
