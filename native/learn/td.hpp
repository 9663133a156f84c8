// TD(0) by self-play: Mayer, "Board representations for neural Go players learning by temporal difference",
// section II. One network plays both colours. V_t is what it thinks of the board after move t, in the view of
// the player who made it; two moves later the same player has moved again, and V_t learns from V_{t+2}:
//
//     w += eta (V_{t+2} - V_t) grad V_t                                                        (equation 1)
//
// At the end both players learn what they got: the last mover first, then the other.
//
// Two other ways, which the paper found to be worse: V_t learns from what lies one move later, or only the last
// mover learns what it got (section II.A).
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "core/poll.hpp"
#include "nets/go_td/candidates.hpp"

namespace rookery::learn {

enum class Selection { epsilon, creative };

// Which random moves make that V_t does not learn from V_{t+2}; the end is always learnt from.
enum class Skip { none, last, ends, target, any };

inline Skip read_skip(std::string_view text) {
    if (text == "none") return Skip::none;
    if (text == "t+2") return Skip::last;  // Sutton and Barto's tic-tac-toe
    if (text == "t|t+2") return Skip::ends;
    if (text == "t+1|t+2") return Skip::target;  // both moves that made the board of the target
    if (text == "any") return Skip::any;
    throw std::invalid_argument("no rule to skip is called '" + std::string(text) + "'");
}

constexpr bool skips(Skip rule, bool random_t, bool random_t1, bool random_t2) {
    switch (rule) {
        case Skip::last:
            return random_t2;
        case Skip::ends:
            return random_t || random_t2;
        case Skip::target:
            return random_t1 || random_t2;
        case Skip::any:
            return random_t || random_t1 || random_t2;
        case Skip::none:
            break;
    }
    return false;
}

// What V_t learns from. One move later the value is the opponent's, so that of the player is 1 less it. The paper
// names the usual way only as "before and after a single move of a player": so board and value may also be taken
// in the view of the player who makes the move between.
enum class Difference { two_moves, one_move, one_move_of_the_mover };

inline Difference read_difference(std::string_view text) {
    if (text == "t+2") return Difference::two_moves;
    if (text == "t+1") return Difference::one_move;
    if (text == "t+1 mover") return Difference::one_move_of_the_mover;
    throw std::invalid_argument("no difference is called '" + std::string(text) + "'");
}

struct TdOptions {
    Selection selection = Selection::creative;
    double epsilon = 0.05;     // how often any move is played instead of the best
    float creativity = 0.05f;  // the share of the best value that a creative move may lack
    Skip skip = Skip::target;
    bool learn_from_best = false;  // the target is the best value, not that of the move played
    float tie_reward = 0.5f;
    int ply_cap = 200;
    float eta = 0.01f, eta_input = 0.01f;
    Difference difference = Difference::two_moves;
    bool both_rewarded = true;  // else only the player who moved last learns what it got
};

struct TdStats {
    std::int64_t games = 0, plies = 0, capped = 0, black_wins = 0, ties = 0;
    std::int64_t updates = 0, skipped = 0;
    double error = 0;  // sum of |target - V|
};

// A game as it was played: its moves, and which of them were random.
struct PlayedGame {
    std::vector<Move> moves;
    std::vector<bool> random;
};

template <int N, class Net>
class TdLearner {
  public:
    using Position = go::Position<N>;

    TdLearner(const Position& start, const nets::Encoding<N>& encoding, const TdOptions& options, Rng rng)
        : start_(start), options_(options), encoding_(encoding), rng_(rng) {}

    Net net;  // to be set before the first game
    Rng& rng() { return rng_; }
    void set_rng(Rng rng) { rng_ = rng; }
    const nets::Encoding<N>& encoding() const { return encoding_; }

    // Weights beyond this have diverged.
    static constexpr float max_weight = 1e6f;

    // Whatever it throws, the games that came to an end are learnt.
    void play(TdStats& stats, std::int64_t games, Poll& poll) {
        for (std::int64_t i = 0; i < games; ++i) {
            poll.step();
            game(stats, [&](const auto& candidates, int, bool& random) { return choose(candidates, random); });
            // Now and then, since it costs a tenth of a game; values that are no numbers are found at once, by choose().
            if ((i % 256 == 255 || i + 1 == games) && !net.within(max_weight))
                throw Diverged("a weight is beyond what networks can mean");
        }
    }

    // The next game of `play`, told.
    PlayedGame watch(TdStats& stats) {
        PlayedGame played;
        game(stats, [&](const auto& candidates, int, bool& random) {
            const int place = choose(candidates, random);
            played.moves.push_back(candidates.move(place));
            played.random.push_back(random);
            return place;
        });
        return played;
    }

    // Learns from a game of others, all of whose moves must be legal; it is scored where it ends.
    void replay(TdStats& stats, const PlayedGame& played) {
        game(stats, [&](const auto& candidates, int ply, bool& random) {
            const auto t = static_cast<std::size_t>(ply);
            if (t >= played.moves.size()) return -1;
            random = played.random[t];
            return candidates.place(played.moves[t]);  // -1 where it is illegal
        });
    }

  private:
    struct Reached : nets::Seen<N> {
        bool random;
    };

    // `pick` gives the place of a candidate, and says whether it was drawn at random; -1 breaks off.
    template <class Pick>
    void game(TdStats& stats, Pick&& pick) {
        const float whole = encoding_.whole();
        const nets::Rates rates{options_.eta_input / whole, options_.eta_input, options_.eta};
        Position position = start_;
        nets::Reading<N> board(encoding_, position);
        Reached last[3];  // the boards after moves t - 2, t - 1 and t, each in the place of its number
        int ply = 0;
        const auto learn = [&](const Reached& reached, float target) {
            stats.error += std::abs(net.learn(reached, target, rates));
            ++stats.updates;
        };
        for (; !position.over() && ply < options_.ply_cap; ++ply) {
            const nets::Candidates<N> candidates(net, position, board.stones());
            bool random = false;
            const int place = pick(candidates, ply, random);
            if (place < 0) break;
            const Move m = candidates.move(place);
            const int seat = position.seat();
            if (m != Position::pass) board.play(m, candidates.captured(position, m), seat);
            position.play(m);
            last[ply % 3] = {{board.stones(), board.gram(), nets::Reading<N>::view_of(seat)}, random};
            const bool two = options_.difference == Difference::two_moves;
            const int t = ply - (two ? 2 : 1);
            if (t < 0) continue;
            if (skips(options_.skip, last[t % 3].random, two && last[(ply - 1) % 3].random, random)) {
                ++stats.skipped;
                continue;
            }
            const float value = options_.learn_from_best ? candidates.best() : candidates.value(place);
            if (options_.difference == Difference::one_move_of_the_mover) {
                Reached before = last[t % 3];
                before.view = -before.view;
                learn(before, value);
            } else {
                learn(last[t % 3], two ? value : 1 - value);
            }
        }
        const int score = position.score();
        const float black = score > 0 ? 1 : score < 0 ? 0 : options_.tie_reward;
        const float white = score > 0 ? 0 : score < 0 ? 1 : options_.tie_reward;
        const int rewarded = options_.both_rewarded ? 2 : 1;
        for (int t = ply - 1; t >= 0 && t >= ply - rewarded; --t)
            learn(last[t % 3], last[t % 3].view > 0 ? black : white);
        ++stats.games;
        stats.plies += ply;
        stats.capped += position.passes() < 2;
        stats.black_wins += score > 0;
        stats.ties += score == 0;
    }

    int choose(const nets::Candidates<N>& candidates, bool& random) {
        const float best = candidates.best();
        if (options_.selection == Selection::creative) {
            // Where the best is below 0 the share of it would be above it.
            return candidates.any_from(best > 0 ? best * (1 - options_.creativity) : best, rng_);
        }
        random = rng_.uniform() < options_.epsilon;
        return random ? candidates.any(rng_) : candidates.any_from(best, rng_);
    }

    Position start_;
    TdOptions options_;
    nets::Encoding<N> encoding_;
    Rng rng_;
};

}  // namespace rookery::learn
