// Boards that fit what a seat heard last, whatever came before: "last observation sampling" of Parker, Nau and
// Subrahmanian (IJCAI 2005).
//
// The enemy's men are placed at random where the masks allow them, or where the matrices of a belief have them likely,
// which remember what came before; then what contradicts the last observation is repaired man by man. A board that 200
// repairs do not mend is rejected.
#pragma once

#include <optional>

#include "belief/belief.hpp"
#include "core/rng.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery::belief {

class LastObservation {
  public:
    static constexpr int most_repairs = 200;

    // A view whose seat is to move. likely: where men of each kind stand how often; none: anywhere alike.
    LastObservation(const kriegspiel::View& view, const Possible& possible, const Belief::Kinds* likely = nullptr);

    // A board with the seat to move; nothing: it was rejected.
    std::optional<chess::Position> draw(Rng& rng) const;
    // Whether a board fits all that a drawn one must.
    bool fits(const chess::Position& board) const;

  private:
    friend class Draft;

    chess::Colour us_;
    kriegspiel::Pieces own_;
    int castling_;             // our own rights
    int number_;               // of the move
    double stays_ = 0;         // the chance that a man is placed where a game begins for it, if it may stand there
    kriegspiel::Pieces room_;  // by kind, where an enemy may stand
    chess::Bitboard filled_;   // where one must
    std::optional<Belief::Kinds> likely_;
    int pawns_, pieces_;        // how many he has; pieces: the King aside
    chess::Square taken_ = -1;  // where he has just taken something; -1: nothing
    kriegspiel::CheckDirections checks_;
    int tries_;
    std::vector<Move> refused_;  // this turn
};

}  // namespace rookery::belief
