// Kriegspiel by statistical sampling (Parker, Nau and Subrahmanian, IJCAI 2005): a move is worth what a chess search
// thinks of it, on average over boards that may be the true one.
//
//   score(m) = mean over the boards where m is legal of s(board after m) - 0.02 (1 - share of boards where it is)
//
// with s in [-1, 1] from the win probability 1 / (1 + exp(-centipawns / 180)). A refused try costs nothing, so a move
// that is seldom legal is still worth trying; but one that is legal on less than 5 % of the boards is judged by too few.
//
// A chess search that sees one board knows nothing of the game before it. So that a won game is not drawn by shuffling,
// the value of a move that brings back an earlier placement of the own men, or that comes late in a quiet stretch
// and is quiet itself, is drawn towards that of a draw. A King who stands alone is left to the endgame module.
#pragma once

#include <atomic>
#include <vector>

#include "belief/endgame.hpp"
#include "belief/judge.hpp"
#include "belief/particles.hpp"

namespace rookery::belief {

enum class Method {
    last,   // LOS: boards that fit the last observation
    all,    // AOSP: boards that fit all observations
    hybrid  // HS: first the one, and more and more the other
};

class Sampling {
  public:
    struct Options {
        Method method = Method::hybrid;
        int boards = 200;  // to look at in a turn
        int depth = 2;     // plies before quiescence, the own move among them
        int pool = 20000;  // of boards that fit all observations
    };
    struct Bounds {
        std::int64_t boards = 0;  // 0: as the options say
        double seconds = 0;       // for this try; 0: no bound
        std::vector<Move> only;   // to choose from; empty: all that may be tried
    };
    // What of the game before counts for a draw.
    struct Past {
        std::vector<kriegspiel::Pieces> own;  // placements after the own moves since the last that cannot return
        int quiet = 0;                        // plies since the last capture or move of an own Pawn

        explicit Past(const kriegspiel::View& view);
        // How often the own men have stood as they would after a move.
        int returns(const kriegspiel::Pieces& now, Move m) const;
    };
    struct Ranked {
        Move move = -1;
        double score = 0;  // in [-1, 1]; judged by enough boards or not
        double share = 0;  // of the boards, where it is legal
    };
    struct Choice {
        std::vector<Ranked> ranked;  // best first; never empty
        std::int64_t boards = 0;     // looked at for this try
        std::int64_t kept = 0;       // by which it was chosen, those of earlier tries of the turn too
        std::size_t alive = 0;       // boards that fit all observations
    };

    // The tries that hunt a lone King, best first; none where there is no such King, or no way to mate him.
    static std::vector<Ranked> hunt(Endgame& endgame, const kriegspiel::View& view, const std::vector<Move>& tries,
                                    double seconds);

    explicit Sampling(Options options);

    // The best try of a view whose seat is to move and has a move. Boards and their values are kept for the next try of
    // the turn. In a new game the first seed draws the pool.
    Choice choose(const kriegspiel::View& view, const Bounds& bounds, std::uint64_t seed, Poll& poll,
                  const std::atomic<bool>& stop);
    void forget();

    // [64][6]: the share of the boards on which an enemy man of the kind stands there, by the boards that `choose`
    // would draw from. Empty where there is none: while the enemy thinks, LOS has no observation to draw from.
    std::vector<float> frequencies(const kriegspiel::View& view, Poll& poll);
    const Particles& particles() const { return particles_; }

  private:
    static constexpr double least_share = 0.05, illegal_cost = 0.02;

    // Boards of this turn one by one, from the pool and from the last observation.
    class Source;

    void begin_turn(std::vector<Move> tries);
    void hear_refusals(const kriegspiel::View& view);
    void value(const chess::Position& board, int quiet);
    std::vector<Ranked> rank(const kriegspiel::View& view, const std::vector<Move>& tries, Rng& rng) const;
    double pool_share(const kriegspiel::View& view) const;

    Options options_;
    Judge judge_;
    Endgame endgame_;
    Particles particles_;
    bool seeded_ = false;
    // This turn's tries, boards, and what each try is worth on each; nan where it is not legal.
    std::size_t heard_ = 0;  // events of the log at the last try
    std::vector<Move> tries_;
    std::vector<int> slot_;  // by move: its place in tries_, or -1
    std::vector<chess::Position> boards_;
    std::vector<float> values_;  // [board][try]
};

}  // namespace rookery::belief
