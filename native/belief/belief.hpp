// All that a seat believes: the exact masks, and the matrices kept within them.
//
// Belief follows the log of a view, event by event. Two beliefs of the same log are the same, however they were
// reached, so a player may keep one and follow what is new.
#pragma once

#include "belief/matrices.hpp"
#include "belief/network.hpp"

namespace rookery::belief {

class Belief {
  public:
    // Of each square, how likely an enemy man of each kind stands there: pawn, knight, bishop, rook, queen, king.
    using Kinds = std::array<std::array<float, 6>, 64>;

    Belief(const kriegspiel::Start& start, chess::Colour us, const Constants& constants,
           const OpponentModel* model = nullptr);  // the model must outlive it
    static Belief of(const kriegspiel::View& view, const Constants& constants, const OpponentModel* model = nullptr);
    // Before the view's log: a game may begin in a turn in which tries were refused already.
    static Belief beginning(const kriegspiel::View& view, const Constants& constants,
                            const OpponentModel* model = nullptr);

    void follow(const kriegspiel::Event& event);

    const Possible& possible() const { return possible_; }
    const Matrices& matrices() const { return matrices_; }
    const Constants& constants() const { return constants_; }
    const OpponentModel* model() const { return model_; }
    // The same, corrected by what a network has learnt.
    Belief corrected(const Network& network) const;
    // The matrix of pieces is shared among kinds, by how each moves, what is possible and what is left of each.
    Kinds kinds() const;

  private:
    void take(Square s);
    void spread_kinds();
    void arrive(Square s);  // one of his pieces may have taken there
    void share();
    std::array<float, 4> wanted() const;

    Possible possible_;
    Matrices matrices_;
    Constants constants_;
    const OpponentModel* model_;
    // Of knights, bishops, rooks and queens.
    std::array<Grid, 4> kinds_;
    std::array<float, 4> left_{};  // expected; promoted pawns aside
};

}  // namespace rookery::belief
