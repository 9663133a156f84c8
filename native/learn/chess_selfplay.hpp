// Games of chess that networks play in lock-step, each move drawn from a policy: self-play as Pelat has it (section
// 4.3), and matches. step() takes the logits of all games and hands out their next positions; finished games leave rows
// to learn from, each with what its move was worth.
//
// Games begin where recorded games were, and know who won these. Game n has a generator of its own, which the seed and n
// decide: the same logits give the same game whatever the number of games beside it and of threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "core/errors.hpp"
#include "core/pool.hpp"
#include "core/rng.hpp"
#include "encoders/chess_actions.hpp"
#include "encoders/chess_history.hpp"
#include "records/policy_rows.hpp"

namespace rookery::learn {

// How a game ended, for White; who won a recorded game is told in the same way.
enum End : std::int8_t { black_won = -1, drawn = 0, white_won = 1, aborted = 2 };

inline constexpr float not_learnt = -1;

// The label of the move that `mover` made where there were `choices` (Pelat, section 4.3). `human`: who won the recorded
// game that this one began from, or `drawn`, for labels without that.
inline float reward(End end, End human, chess::Colour mover, int choices) {
    const End own = mover == chess::white ? white_won : black_won;
    const float undecided = 1.0f / static_cast<float>(choices);
    if (choices == 1) return not_learnt;
    if (end == own) return 1;
    if (human == drawn) return end == drawn ? undecided : 0;
    if (end == aborted) return undecided;
    if (end == drawn) return own == human ? undecided : 1;
    return own == human ? 0 : not_learnt;
}

// Where games begin: each the end of a line of moves from the first position.
class ChessStarts {
  public:
    // Lines one after the other, each with who won the game, or `drawn` for nobody that is known. Those that lead to where
    // a game is over are left out. IllegalMove, or BadOption where nothing is left.
    ChessStarts(std::vector<Move> moves, const std::vector<std::int64_t>& begins, const std::vector<std::int8_t>& won,
                Pool& workers)
        : moves_(std::move(moves)) {
        const std::size_t count = won.size();
        if (begins.size() != count + 1 || begins.front() != 0 || begins.back() != std::ssize(moves_) ||
            !std::is_sorted(begins.begin(), begins.end()))
            throw BadOption("begins must be where each line begins, ascending from 0, and where the last ends");
        std::vector<char> good(count, 0);
        workers.run(static_cast<int>(count), [&](int i) {
            const auto at = static_cast<std::size_t>(i);
            if (won[at] < black_won || won[at] > white_won)
                throw BadOption("won must be -1, 0 or 1 (got " + std::to_string(won[at]) + ")");
            good[at] = playable({moves_.data() + begins[at], moves_.data() + begins[at + 1]});
        });
        for (std::size_t i = 0; i < count; ++i)
            if (good[i]) lines_.push_back({begins[i], begins[i + 1], static_cast<End>(won[i])});
        if (lines_.empty()) throw BadOption("there is no position to begin a game from");
    }

    std::size_t size() const { return lines_.size(); }
    std::span<const Move> line(std::size_t i) const {
        return {moves_.data() + lines_[i].begin, moves_.data() + lines_[i].end};
    }
    End won(std::size_t i) const { return lines_[i].won; }

  private:
    struct Line {
        std::int64_t begin, end;
        End won;
    };

    static bool playable(std::span<const Move> line);

    std::vector<Move> moves_;
    std::vector<Line> lines_;
};

// The positions of one game, and whether it is over.
class ChessLine {
  public:
    ChessLine() : positions_(1) { look(); }
    void play(Move m) {
        chess::Position next = positions_.back();
        next.play(m);
        positions_.push_back(next);
        moves_.push_back(m);
        look();
    }
    const chess::Position& now() const { return positions_.back(); }
    const chess::Position* before(std::size_t plies) const {
        return positions_.size() > plies ? &positions_[positions_.size() - 1 - plies] : nullptr;
    }
    const chess::Position& at(std::size_t ply) const { return positions_[ply]; }
    const std::vector<Move>& moves() const { return moves_; }
    const chess::Position::Moves& legal() const { return legal_; }  // ascending
    std::optional<Outcome> over() const { return now().outcome(legal_, occurrences()); }

  private:
    void look() {
        legal_.clear();
        now().moves(legal_);
        if (!std::is_sorted(legal_.begin(), legal_.end())) std::sort(legal_.begin(), legal_.end());
    }
    int occurrences() const {
        const std::size_t back = std::min(static_cast<std::size_t>(now().reversible()), moves_.size());
        return 1 + static_cast<int>(
                       std::count_if(positions_.end() - 1 - static_cast<std::ptrdiff_t>(back), positions_.end() - 1,
                                     [key = now().key()](const chess::Position& p) { return p.key() == key; }));
    }

    std::vector<chess::Position> positions_;
    std::vector<Move> moves_;
    chess::Position::Moves legal_;
};

inline bool ChessStarts::playable(std::span<const Move> line) {
    ChessLine game;
    for (const Move m : line) {
        if (!std::binary_search(game.legal().begin(), game.legal().end(), m))
            throw IllegalMove("move number " + std::to_string(m) + " is not among the moves of '" + game.now().str() +
                              "'");
        game.play(m);
    }
    return !game.over();
}

struct ChessSelfPlaySettings {
    int games = 64;       // at a time
    int limit = 0;        // in all; 0: as each game ends another begins
    int max_plies = 350;  // of a game after its start; then it is aborted
    int top = 0;          // moves are drawn from so many of the likeliest; 0: from all
    bool human = true;    // whether labels depend on who won the recorded game
};

// Finished games: rows as records::PolicyRows has them, with labels, and a number a game.
struct ChessGames {
    std::vector<std::int64_t> begins{0}, legal_begins{0}, number;
    std::vector<std::uint8_t> boards, states;
    std::vector<std::uint16_t> played, legal;
    std::vector<float> rewards;        // not_learnt: not to be learnt from
    std::vector<std::int32_t> starts;  // plies before its start
    std::vector<std::int8_t> end, human;

    void append(const ChessGames& other) {
        const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        const auto add_begins = [](auto& to, const auto& from) {
            for (const std::int64_t base = to.back(); const std::int64_t each : std::span(from).subspan(1))
                to.push_back(base + each);
        };
        add_begins(begins, other.begins), add_begins(legal_begins, other.legal_begins);
        add(number, other.number), add(boards, other.boards), add(states, other.states);
        add(played, other.played), add(legal, other.legal), add(rewards, other.rewards);
        add(starts, other.starts), add(end, other.end), add(human, other.human);
    }
};

class ChessSelfPlay {
  public:
    static constexpr std::size_t width = encoders::chess_history_bytes, actions = encoders::chess_action_count;
    static constexpr std::int8_t idle = -1;  // the side of a game that is not played

    ChessSelfPlay(const ChessSelfPlaySettings& settings, std::shared_ptr<const ChessStarts> starts, std::uint64_t seed)
        : set_(settings), starts_(std::move(starts)), seed_(seed) {
        for (int i = 0; i < set_.games; ++i) games_.emplace_back();
    }

    int games() const { return set_.games; }

    // `logits` of the positions that the last step wrote, a row a game. Writes the next ones, and who is to move: a
    // chess::Colour or idle. How many games are under way.
    int step(const float* logits, std::uint8_t* planes, std::int8_t* sides, Pool& workers) {
        if (!sound_) throw Diverged("a step of these games has failed; begin new ones");
        sound_ = false;
        workers.run(set_.games, [&](int i) {
            const auto at = static_cast<std::size_t>(i);
            Game& game = games_[at];
            if (!begun_)
                start(game, i);
            else if (game.number != idle)
                play(game, logits + at * actions);
            sides[at] = game.number == idle ? idle : static_cast<std::int8_t>(game.line.now().turn());
            if (game.number != idle)
                encoders::encode_history(game.line.now(), game.line.before(2), game.line.before(4),
                                         planes + at * width);
        });
        begun_ = sound_ = true;
        return static_cast<int>(
            std::count_if(games_.begin(), games_.end(), [](const Game& game) { return game.number != idle; }));
    }

    // How many games finished since they were last taken.
    std::int64_t finished() const {
        std::int64_t sum = 0;
        for (const Game& game : games_) sum += std::ssize(game.done.number);
        return sum;
    }
    ChessGames take() {
        ChessGames all;
        for (Game& game : games_) {
            all.append(game.done);
            game.done = {};
        }
        return all;
    }

  private:
    struct Game {
        std::int64_t number = idle;
        ChessLine line;
        std::size_t start = 0;  // plies before it
        End human = drawn;
        Rng rng{0};
        ChessGames done;
    };

    void start(Game& game, std::int64_t number) {
        if (set_.limit && number >= set_.limit) {
            game.number = idle;
            return;
        }
        game.number = number;
        game.rng = Rng(mix(seed_ ^ mix(static_cast<std::uint64_t>(number))));
        const std::size_t chosen = game.rng.below(static_cast<std::uint32_t>(starts_->size()));
        game.line = ChessLine();
        for (const Move m : starts_->line(chosen)) game.line.play(m);
        game.start = game.line.moves().size();
        game.human = starts_->won(chosen);
    }

    void play(Game& game, const float* logits) {
        game.line.play(drawn_move(game, logits));
        const std::size_t plies = game.line.moves().size() - game.start;
        const std::optional<Outcome> outcome = game.line.over();
        if (!outcome && plies < static_cast<std::size_t>(set_.max_plies)) return;
        const End won[] = {drawn, white_won, black_won};
        finish(game, outcome ? won[outcome->winner + 1] : aborted);
        start(game, game.number + set_.games);
    }

    // A move drawn in proportion to its probability.
    Move drawn_move(Game& game, const float* logits) {
        const chess::Position::Moves& legal = game.line.legal();
        std::array<int, chess::Position::Moves::capacity> order;
        std::array<double, chess::Position::Moves::capacity> shares;
        const auto logit = [&](int i) { return logits[encoders::chess_action(legal[i])]; };
        int count = legal.size();
        // Of all legal moves, before they are sorted: NaN has no place in an order.
        for (int i = 0; i < count; ++i)
            if (!std::isfinite(logit(i))) throw Diverged("the network's policy is not finite");
        std::iota(order.begin(), order.begin() + count, 0);
        if (set_.top && set_.top < count) {
            const auto likelier = [&](int a, int b) { return logit(a) != logit(b) ? logit(a) > logit(b) : a < b; };
            std::partial_sort(order.begin(), order.begin() + set_.top, order.begin() + count, likelier);
            count = set_.top;
        }
        float most = -std::numeric_limits<float>::infinity();
        for (int i = 0; i < count; ++i) most = std::max(most, logit(order[static_cast<std::size_t>(i)]));
        double sum = 0;
        for (int i = 0; i < count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            shares[at] = sum += std::exp(static_cast<double>(logit(order[at])) - static_cast<double>(most));
        }
        const double chance = game.rng.uniform() * sum;
        const auto* const found = std::upper_bound(shares.data(), shares.data() + count - 1, chance);
        return legal[order[static_cast<std::size_t>(found - shares.data())]];
    }

    void finish(Game& game, End end) {
        ChessGames& done = game.done;
        const std::vector<Move>& moves = game.line.moves();
        for (std::size_t ply = 0; ply < moves.size(); ++ply) {
            const chess::Position& p = game.line.at(ply);
            records::append_row(p, moves[ply], done.boards, done.states, done.played, done.legal);
            const auto choices = static_cast<int>(std::ssize(done.legal) - done.legal_begins.back());
            done.legal_begins.push_back(std::ssize(done.legal));
            const float before = game.human == drawn || choices == 1 ? not_learnt : 1;  // people's moves
            done.rewards.push_back(ply < game.start ? before
                                                    : reward(end, set_.human ? game.human : drawn, p.turn(), choices));
        }
        done.begins.push_back(std::ssize(done.played));
        done.number.push_back(game.number);
        done.starts.push_back(static_cast<std::int32_t>(game.start));
        done.end.push_back(end);
        done.human.push_back(game.human);
    }

    ChessSelfPlaySettings set_;
    std::shared_ptr<const ChessStarts> starts_;
    std::uint64_t seed_;
    std::deque<Game> games_;
    bool begun_ = false, sound_ = true;  // sound_: no step has been broken off
};

}  // namespace rookery::learn
