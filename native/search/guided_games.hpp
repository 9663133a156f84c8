// Games that knowledge plays against itself, side by side, each move drawn by its probability: what plain Monte-Carlo
// plays out with a policy in the place of chance (Pelat, section 3.5).
//
// The positions of all games under way are handed out together, so that a network sees a large batch. Game i has a
// generator of its own, which the seed and i decide: the same policies give the same game whatever is beside it.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/rng.hpp"
#include "games/rules.hpp"
#include "search/policy.hpp"

namespace rookery::search {

// A state that knows what was before it.
template <class S>
concept GameState = std::copyable<S> && requires(const S s, Move m) {
    { s.legal() } -> std::same_as<std::vector<Move>>;  // ascending; empty exactly when the game is over
    { s.over() } -> std::same_as<std::optional<Outcome>>;
    { s.after(m) } -> std::convertible_to<S>;
};

template <GameState S>
class GuidedGames {
  public:
    enum End : std::int8_t { drawn = -1, first = 0, second = 1, cut = 2, under_way = 3 };

    // One game from each of these, which is cut when it has gone on for so many plies.
    GuidedGames(std::vector<S> starts, int max_plies, std::uint64_t seed) : max_plies_(max_plies) {
        for (S& start : starts) {
            games_.push_back({std::move(start), {}, Rng(mix(seed) + games_.size())});
            look(games_.back());
        }
        gather();
    }

    // Those under way, and the positions that the next policy is of.
    std::size_t waiting() const { return waiting_.size(); }
    const S& state(std::size_t i) const { return games_[waiting_[i]].state; }
    const std::vector<Move>& legal(std::size_t i) const { return games_[waiting_[i]].legal; }

    // Plays a move in each. `each(count, job)` calls job(i) for all i below count, perhaps by several threads. If that
    // is broken off, some games have moved and others have not: all that is left is to look at them.
    template <class Each>
    void play(const Policy& policy, Each each) {
        if (!sound_) throw Interrupted("a move of these games was broken off; begin new ones");
        sound_ = false;
        each(static_cast<int>(waiting_.size()), [&](int i) {
            Game& game = games_[waiting_[static_cast<std::size_t>(i)]];
            game.state = game.state.after(drawn_move(game, policy.of(static_cast<std::size_t>(i))));
            ++game.plies;
            look(game);
        });
        gather();
        sound_ = true;
    }

    std::size_t size() const { return games_.size(); }
    End end(std::size_t game) const { return games_[game].end; }
    const S& last(std::size_t game) const { return games_[game].state; }
    std::int64_t plies() const {
        std::int64_t sum = 0;
        for (const Game& game : games_) sum += game.plies;
        return sum;
    }

  private:
    struct Game {
        S state;
        std::vector<Move> legal;
        Rng rng;
        int plies = 0;
        End end = under_way;
    };

    void look(Game& game) const {
        game.legal = game.state.legal();
        if (game.legal.empty())
            game.end = static_cast<End>(game.state.over()->winner);
        else if (game.plies >= max_plies_)
            game.end = cut;
    }

    void gather() {
        waiting_.clear();
        for (std::size_t i = 0; i < games_.size(); ++i)
            if (games_[i].end == under_way) waiting_.push_back(i);
    }

    // Where a policy has nothing to say, any move.
    static Move drawn_move(Game& game, std::span<const float> shares) {
        double sum = 0;
        for (const float share : shares) sum += static_cast<double>(std::max(share, 0.f));
        if (!(sum > 0)) return game.legal[game.rng.below(static_cast<std::uint32_t>(game.legal.size()))];
        double left = game.rng.uniform() * sum;
        std::size_t likely = 0;  // the last that is likely at all: rounding may leave a little
        for (std::size_t i = 0; i < shares.size(); ++i) {
            if (!(shares[i] > 0)) continue;
            likely = i;
            left -= static_cast<double>(shares[i]);
            if (left < 0) break;
        }
        return game.legal[likely];
    }

    int max_plies_;
    std::vector<Game> games_;
    std::vector<std::size_t> waiting_;  // the games under way
    bool sound_ = true;                 // no move of them has been broken off
};

}  // namespace rookery::search
