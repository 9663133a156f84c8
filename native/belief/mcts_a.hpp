// Approach A of Ciancarini and Favini (2010, section 5.1): Monte Carlo tree search as it plays Phantom Go. Each iteration
// fills the board at random, so that it fits what was heard last, follows the tree by real messages and plays a
// pseudo-random game to its end. Values go up as averages. The paper found it no better than random play, and so it is.
#pragma once

#include <unordered_map>

#include "belief/random_board.hpp"

namespace rookery::belief {

// A pseudo-random game: who was just taken from takes back, and who has a pawn capture makes it, nine times in ten.
class PseudoRandomGame {
  public:
    explicit PseudoRandomGame(Rng& rng) : rng_(rng) {}

    // One move; `taken`: where the other side has just captured, or -1. The board must have a move.
    Move pick(const chess::Position& board, const chess::Position::Moves& list, Square taken) {
        if (rng_.uniform() < eager) {
            chess::Position::Moves wanted;
            for (const Move m : list)
                if (chess::to_of(m) == taken) wanted.push(m);
            if (wanted.empty())
                for (const Move m : list)
                    if (chess::kind_of(board.at(chess::from_of(m))) == chess::pawn && board.is_capture(m))
                        wanted.push(m);
            if (!wanted.empty()) return any(wanted);
        }
        return any(list);
    }
    // To its end; 1, 0 or -1 to `us`.
    float run(chess::Position board, chess::Colour us, Square taken) {
        for (int plies = 0; plies < longest; ++plies) {
            chess::Position::Moves list;
            board.moves(list);
            if (const auto over = board.outcome(list, 1))
                return over->winner < 0 ? 0.0f : over->winner == us ? 1.0f : -1.0f;
            if (const auto winner = decided(board)) return *winner == us ? 1.0f : -1.0f;
            const Move m = pick(board, list, taken);
            taken = board.is_capture(m) ? chess::to_of(m) : -1;
            board.play(m);
        }
        return 0;
    }

  private:
    static constexpr double eager = 0.9;
    static constexpr int longest = 300;

    // A standard ending that needs no play: a King alone against a Rook or more.
    static std::optional<chess::Colour> decided(const chess::Position& board) {
        for (const chess::Colour c : {chess::white, chess::black})
            if (board.men(~c) == board.men(~c, chess::king) && (board.men(c, chess::rook) | board.men(c, chess::queen)))
                return c;
        return std::nullopt;
    }
    Move any(const chess::Position::Moves& list) {
        return list[static_cast<int>(rng_.below(static_cast<std::uint32_t>(list.size())))];
    }

    Rng& rng_;
};

class alignas(128) TreeA {
  public:
    TreeA(const RandomBoard& root, const std::vector<Move>& moves, const MctsOptions& options, std::uint64_t seed)
        : options_(options), rng_(seed), boards_(root), us_(root.us()), moves_(moves) {
        nodes_.emplace_back();
    }

    std::int64_t nodes() const { return simulated_; }

    bool grow() {
        if (moves_.empty() || nodes_.size() >= options_.room) return false;
        ++simulated_;  // a board that cannot be drawn counts too: there is an end to it
        const auto drawn = boards_.draw_board(rng_);
        if (!drawn) return true;
        kriegspiel::Position referee = *drawn;
        const chess::Position& board = referee.board();
        PseudoRandomGame game(rng_);
        path_.clear();
        std::uint32_t at = 0;
        Square taken = -1;
        float value = 0;
        for (;;) {
            chess::Position::Moves list;
            board.moves(list);
            if (const auto over = board.outcome(list, 1)) {
                value = over->winner < 0 ? 0.0f : over->winner == us_ ? 1.0f : -1.0f;
                break;
            }
            bool fresh = false;
            const Move m = choose(at, list, fresh);
            if (m < 0) break;  // nothing that is legal here may be tried
            path_.push_back({at, m});
            const std::uint64_t answer = play(referee, m, taken);
            chess::Position::Moves replies;
            board.moves(replies);
            if (const auto over = board.outcome(replies, 1)) {
                value = over->winner < 0 ? 0.0f : over->winner == us_ ? 1.0f : -1.0f;
                break;
            }
            const std::uint64_t heard = mix(answer ^ play(referee, game.pick(board, replies, taken), taken));
            if (fresh) {
                value = game.run(board, us_, taken);
                break;
            }
            const auto [child, made] =
                children_.try_emplace(mix(heard ^ (std::uint64_t{at} << 32) ^ mix(static_cast<std::uint64_t>(m))),
                                      static_cast<std::uint32_t>(nodes_.size()));
            if (made) nodes_.emplace_back();
            at = child->second;
        }
        for (const Step& step : path_) {
            Node& node = nodes_[step.node];
            ++node.visits;
            Tally& tally = node.tally[step.move];
            ++tally.visits;
            tally.sum += value;
        }
        return true;
    }

    void reject(Move move, const RandomBoard& root) {
        boards_ = root;
        std::erase(moves_, move);
    }

    void add_to(search::TreeReport& report) const {
        report.nodes += simulated_;
        for (const Move m : moves_) {
            const auto found = nodes_[0].tally.find(m);
            const Tally tally = found == nodes_[0].tally.end() ? Tally{} : found->second;
            belief::add_to(report, m, tally.visits, tally.visits ? tally.sum / static_cast<double>(tally.visits) : -1,
                           {m});
        }
    }

  private:
    struct Tally {
        std::int64_t visits = 0;
        double sum = 0;
    };
    struct Node {
        std::int64_t visits = 0;
        std::unordered_map<Move, Tally> tally;
    };
    struct Step {
        std::uint32_t node;
        Move move;
    };

    // UCT over what is legal on this board; a move that was never tried comes first, by chance.
    Move choose(std::uint32_t at, const chess::Position::Moves& list, bool& fresh) {
        const Node& node = nodes_[at];
        chess::Position::Moves untried;
        Move best = -1;
        double most = 0;
        const double doubt =
            options_.c * std::sqrt(std::log(static_cast<double>(std::max<std::int64_t>(1, node.visits))));
        for (const Move m : list) {
            if (at == 0 && std::find(moves_.begin(), moves_.end(), m) == moves_.end()) continue;
            const auto found = node.tally.find(m);
            if (found == node.tally.end()) {
                untried.push(m);
                continue;
            }
            const auto n = static_cast<double>(found->second.visits);
            const double bound = found->second.sum / n + doubt / std::sqrt(n);
            if (best < 0 || bound > most) most = bound, best = m;
        }
        fresh = !untried.empty();
        return fresh ? untried[static_cast<int>(rng_.below(static_cast<std::uint32_t>(untried.size())))] : best;
    }

    // Plays a move; what the referee says of it, as a number.
    static std::uint64_t play(kriegspiel::Position& referee, Move m, Square& taken) {
        const chess::Position before = referee.board();
        referee.play(m);
        taken = before.is_capture(m) ? chess::to_of(m) : -1;
        const auto said = kriegspiel::announce(before, m, referee.board(), referee.tries());
        std::uint64_t key =
            mix(static_cast<std::uint64_t>(said.captured) | static_cast<std::uint64_t>(said.square) << 8 |
                static_cast<std::uint64_t>(said.tries) << 16);
        for (const char c : said.checks) key = mix(key ^ static_cast<std::uint64_t>(c));
        return key;
    }

    MctsOptions options_;
    Rng rng_;
    RandomBoard boards_;
    chess::Colour us_;
    std::vector<Move> moves_;  // of the root
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, std::uint32_t> children_;  // by node, move and messages
    std::vector<Step> path_;
    std::int64_t simulated_ = 0;
};

}  // namespace rookery::belief
