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

// The positions of a game so far, by their keys, to tell repetitions.
class Repetitions {
  public:
    void clear() {
        for (const std::uint64_t key : keys_) mark(key) = false;
        keys_.clear();
    }

    // How often a new position has now stood, if only the last `back` before it can equal it.
    int add(std::uint64_t key, int back) {
        if (back == 0) clear();
        int occurrences = 1;
        if (mark(key)) {
            const std::size_t from = keys_.size() - std::min(keys_.size(), static_cast<std::size_t>(back));
            for (std::size_t i = from; i < keys_.size(); ++i) occurrences += keys_[i] == key;
        }
        mark(key) = true;
        keys_.push_back(key);
        return occurrences;
    }

  private:
    bool& mark(std::uint64_t key) { return marks_[key % marks_.size()]; }

    std::vector<std::uint64_t> keys_;
    std::array<bool, 4096> marks_{};  // set for every key here: few new positions need the search through all
};

// Plays one game to its end. `past` is scratch.
template <Rules P>
Outcome playout(P position, Rng& rng, Repetitions& past, std::int64_t& plies) {
    past.clear();
    typename ChoicesOf<P>::Type choices;
    for (;;) {
        const int occurrences = past.add(position.key(), position.reversible());
        choices.clear();
        position.moves(choices);
        if (const auto over = position.outcome(choices, occurrences)) return *over;
        position.play(choices[static_cast<int>(rng.below(static_cast<std::uint32_t>(choices.size())))]);
        ++plies;
    }
}

template <Rules P>
Playouts playouts(const P& position, std::int64_t games, std::uint64_t seed, Poll& poll) {
    Playouts total;
    Repetitions past;
    for (std::int64_t game = 0; game < games; ++game) {
        poll.step(64);
        // A generator a game: game i is the same whatever was played before it.
        Rng rng(mix(seed) + static_cast<std::uint64_t>(game));
        const Outcome outcome = playout(position, rng, past, total.plies);
        ++total.games;
        if (outcome.winner < 0)
            ++total.draws;
        else
            ++total.wins[static_cast<std::size_t>(outcome.winner)];
    }
    return total;
}

}  // namespace rookery
