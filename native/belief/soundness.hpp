// Games of random tries, in which both seats' metapositions are held against the true board after every event.
#pragma once

#include <cstdint>
#include <string>

#include "core/poll.hpp"

namespace rookery::belief {

struct Soundness {
    std::int64_t games = 0, events = 0, violations = 0;
    std::string first;  // the first board that a seat thought impossible, and why it was not
};

// Every fourth game each: tries at random; captures, checks and promotions before others. Some begin in the middle
// of a game, with the board public or only the material.
Soundness possible_violations(std::int64_t games, std::uint64_t seed, Poll& poll);

}  // namespace rookery::belief
