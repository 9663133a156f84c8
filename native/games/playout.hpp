// Uniformly random games, whole batches at a time: a floor for players, a fuzzer for rules, a unit of speed.
#pragma once

#include <algorithm>
#include <vector>

#include "core/rng.hpp"
#include "games/rules.hpp"

namespace rookery {

struct Playouts {
    std::int64_t games = 0, plies = 0, draws = 0;
    std::array<std::int64_t, 2> wins{};  // by side
};

// What a playout picks from: the list of moves, or a position's own quicker form of it.
template <Rules P>
struct ChoicesOf {
    using Type = typename P::Moves;
};
template <Rules P>
    requires requires { typename P::Choices; }
struct ChoicesOf<P> {
    using Type = typename P::Choices;
};

// Plays one game to its end. `past` is scratch: the keys of the positions so far.
template <Rules P>
Outcome playout(P position, Rng& rng, std::vector<std::uint64_t>& past, std::int64_t& plies) {
    past.clear();
    typename ChoicesOf<P>::Type choices;
    for (;;) {
        const int back = position.reversible();
        int occurrences = 1;
        if (back > 0) {
            const std::uint64_t key = position.key();
            const std::size_t from = past.size() - std::min(past.size(), static_cast<std::size_t>(back));
            for (std::size_t i = from; i < past.size(); ++i) occurrences += past[i] == key;
            past.push_back(key);
        } else {
            past.assign(1, position.key());
        }
        choices.clear();
        position.moves(choices);
        if (const auto over = position.outcome(choices, occurrences)) return *over;
        position.play(choices[static_cast<int>(rng.below(static_cast<std::uint32_t>(choices.size())))]);
        ++plies;
    }
}

template <Rules P>
Playouts playouts(const P& position, std::int64_t games, std::uint64_t seed) {
    Playouts total;
    std::vector<std::uint64_t> past;
    for (std::int64_t game = 0; game < games; ++game) {
        // A generator a game: game i is the same whatever was played before it.
        Rng rng(mix(seed) + static_cast<std::uint64_t>(game));
        const Outcome outcome = playout(position, rng, past, total.plies);
        ++total.games;
        if (outcome.winner < 0) ++total.draws;
        else ++total.wins[static_cast<std::size_t>(outcome.winner)];
    }
    return total;
}

}  // namespace rookery
