// Two rivals over many games.
#pragma once

#include <variant>

#include "core/poll.hpp"
#include "rivals/gojen.hpp"
#include "rivals/naive.hpp"
#include "rivals/random.hpp"
#include "rivals/wally.hpp"

namespace rookery::rivals {

using AnyRival = std::variant<Random, Naive, Gojen, Wally>;

// From the view of the first of the two, by the colour that it had.
struct Duel {
    std::array<std::int64_t, 2> games{}, wins{}, losses{};
    std::int64_t plies = 0, capped = 0;  // capped: games that had to end for their length
};

// Plays games from one position; the first rival has Black in the even ones. Game i has a generator of its own,
// so that it is the same whatever was played before it.
template <int N, Rival<N> A, Rival<N> B>
Duel duel(const A& a, const B& b, const go::Position<N>& start, std::int64_t games, std::uint64_t seed, Poll& poll) {
    Duel total;
    for (std::int64_t game = 0; game < games; ++game) {
        Rng rng(mix(seed) + static_cast<std::uint64_t>(game));
        const int seat = static_cast<int>(game % 2);  // of the first
        go::Position<N> position = start;
        for (; !position.over(); ++total.plies) {
            poll.step();
            position.play(position.seat() == seat ? a.choose(position, rng) : b.choose(position, rng));
        }
        const int winner = position.outcome()->winner;
        ++total.games[static_cast<std::size_t>(seat)];
        total.wins[static_cast<std::size_t>(seat)] += winner == seat;
        total.losses[static_cast<std::size_t>(seat)] += winner == 1 - seat;
        total.capped += position.passes() < 2;
    }
    return total;
}

}  // namespace rookery::rivals
