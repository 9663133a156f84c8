// A King who stands alone, as far as one seat knows: the exact set of squares where he may be.
//
// Once nothing else is left on the other side, all that the referee says tells of the King alone: a move that stood did
// not run into him, a silent one gave no check, a refused one met him. That set is the whole metaposition (Bolognesi and
// Ciancarini, "Searching over metapositions in Kriegspiel", 2004).
#pragma once

#include <optional>
#include <vector>

#include "belief/army.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery::belief {

// What stood on the board after a move of ours.
struct Stood {
    Army army;
    Bitboard squares;  // where he may have been then
};

struct LoneKing {
    Army army;                // ours
    Bitboard squares = 0;     // where he may be; never empty, and he is on one of them
    int clock = 0;            // plies since the last capture or Pawn move, as far as the log tells
    std::vector<Stood> past;  // since then

    // Nothing while the other side has more than its King, or may have.
    static std::optional<LoneKing> of(const kriegspiel::View& view);

    // One more event, our men before it being `army`.
    void follow(const kriegspiel::Event& event);
};

}  // namespace rookery::belief
