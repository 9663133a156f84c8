#include "belief/soundness.hpp"

#include "belief/possible.hpp"
#include "core/rng.hpp"

namespace rookery::belief {
namespace {

using kriegspiel::Position;

// How a game's tries are chosen, so that rare events come about.
enum Habit : int { anything, captures, checks, pawns, habits };

Move pick(const Position& position, Habit habit, Rng& rng) {
    Position::Moves list;
    position.moves(list);
    const auto any = [&](const auto& moves) {
        return moves[static_cast<int>(rng.below(static_cast<std::uint32_t>(moves.size())))];
    };
    if (rng.below(16) == 0) return static_cast<Move>(rng.below(Position::policy_size));  // most likely senseless
    if (habit == anything || rng.below(3) == 0) return any(list);
    const chess::Position& board = position.board();
    chess::Position::Moves legal, liked;
    board.moves(legal);
    for (const Move m : legal) {
        bool likes = habit == captures && board.is_capture(m);
        likes |= habit == pawns && (chess::kind_of(board.at(chess::from_of(m))) == chess::pawn || board.is_capture(m));
        if (habit == checks) {
            chess::Position next = board;
            next.play(m);
            likes = next.threatened() || board.is_capture(m);
        }
        if (likes) liked.push(m);
    }
    return liked.empty() ? any(list) : any(liked);
}

class Game {
  public:
    Game(std::uint64_t seed, Soundness& total) : rng_(seed), total_(total) {}

    void play(Poll& poll) {
        const auto habit = static_cast<Habit>(rng_.below(habits));
        const auto begin = rng_.below(4);  // of four games two begin at the start, two in the middle
        Position position;
        if (begin >= 2)
            for (std::uint32_t i = rng_.below(120); i > 0 && !over(position); --i)
                position.play(pick(position, habit, rng_));
        position = Position(position.board().str() + (begin == 3 ? " material" : ""));
        const State<Position> start(position);
        std::array seats{Possible::of(kriegspiel::view(start, chess::white)),
                         Possible::of(kriegspiel::view(start, chess::black))};
        ++total_.games;
        look(position, seats, "the start");
        while (!over(position)) {
            poll.step(64);
            const Move m = pick(position, habit, rng_);
            const Position before = position;
            position.play(m);
            const auto seat = static_cast<std::size_t>(before.seat());
            const std::string event = before.str() + " " + chess::uci(m);
            if (!position.refused().empty()) {
                seats[seat].refused(m);
            } else {
                const Message said =
                    Message::of(kriegspiel::announce(before.board(), m, position.board(), position.tries()));
                seats[seat].stood(m, said);
                seats[1 - seat].meta(said);
            }
            ++total_.events;
            if (!look(position, seats, event)) return;
        }
    }

  private:
    static bool over(const Position& position) {
        Position::Moves list;
        position.moves(list);
        return position.outcome(list, 1).has_value();
    }

    bool look(const Position& position, const std::array<Possible, 2>& seats, const std::string& event) {
        for (const Possible& p : seats) {
            if (p.allows(position.board())) continue;
            if (!total_.violations++)
                total_.first =
                    position.str() + ", after " + event + ", is impossible to seat " + std::to_string(p.us());
            return false;
        }
        return true;
    }

    Rng rng_;
    Soundness& total_;
};

}  // namespace

Soundness possible_violations(std::int64_t games, std::uint64_t seed, Poll& poll) {
    Soundness total;
    for (std::int64_t game = 0; game < games; ++game)
        Game(mix(seed) + static_cast<std::uint64_t>(game), total).play(poll);
    return total;
}

}  // namespace rookery::belief
