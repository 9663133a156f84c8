// What a metaposition is worth to its seat: men weighed by their safety, position, and information (4.5).
#pragma once

#include "belief/possible.hpp"

namespace rookery::belief {

// How a metaposition came about.
struct Last {
    Square moved = -1;    // where our man stands that moved last; -1: none has
    bool took = false;    // whether it took something there
    bool urgent = false;  // whether the move answered a check or a capture
    int plies = 0;        // own moves from the root of a search
};

// In pawns and a bit, without a bound; above 0 it is good for us.
double evaluate(const Possible& p, const Last& last);

// How likely it is felt to be that an enemy man takes on a square of ours, 0 to 1.
double danger(const Possible& p, Square s);

}  // namespace rookery::belief
