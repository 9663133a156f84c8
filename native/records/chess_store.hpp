// Games of chess in a store, and what is drawn from them: positions, their bits, the moves played there.
//
// What a call gives depends on its arguments alone, not on the number of threads.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "encoders/chess_bits.hpp"
#include "games/chess/position.hpp"
#include "records/header.hpp"

namespace rookery::records {

using Bytes = std::span<const std::uint8_t>;

// Some positions of games: plies[i] of games[i].
struct Places {
    std::vector<std::uint32_t> games;
    std::vector<std::uint16_t> plies;
};

// The bits of positions, encoders::most_chess_bits numbers a row.
struct BitRows {
    std::unique_ptr<std::int16_t[]> data;
    std::size_t rows = 0;
};

struct Draw {
    int per_game;   // at most so many plies of a game, all different
    int first_ply;  // none before this
    bool quiet;     // only where the move played was no capture
    std::uint64_t seed;
};

class ChessStore {
  public:
    // The three parts of a store; they must outlive it. BadStore if they do not fit each other.
    ChessStore(Bytes headers, Bytes moves, Bytes texts);

    std::size_t size() const { return headers_.size() / sizeof(Header); }
    Header header(std::size_t game) const;
    std::string_view text(std::size_t game) const;
    chess::Position start(std::size_t game) const;
    std::vector<Move> moves(std::size_t game) const;  // all of a game

    using Ask = std::function<void()>;  // throws to break the work off; called on the caller's thread

    // The games must be below size(), the plies of a place at most those of its game; not checked here.
    // With `bits`, those of each position too, from the same replay of its game.
    Places sample(std::span<const std::uint32_t> games, Draw draw, int threads, const Ask& ask,
                  BitRows* bits = nullptr) const;
    // Calls see(i, position) for each place, on any thread. Places of one game should follow each other, ascending.
    using See = std::function<void(std::size_t, const chess::Position&)>;
    void visit(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies, int threads, const Ask& ask,
               const See& see) const;
    // The moves played there: each ply must be below those of its game.
    void played(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies, int threads, const Ask& ask,
                std::uint16_t* out) const;
    // Calls see(i, ply, position, next) for each ply of each game before `next` is played there: the plies of a game in
    // order and on one thread, the games on any.
    using Walk = std::function<void(std::size_t, int, const chess::Position&, Move)>;
    void walk(std::span<const std::uint32_t> games, int threads, const Ask& ask, const Walk& see) const;
    // Calls see(i) for each number below count, on any thread.
    static void each(std::size_t count, int threads, const Ask& ask, const std::function<void(std::size_t)>& see);
    // Plays every game: BadStore for the first that cannot be played or has another id than it says.
    void check(int threads, const Ask& ask) const;

  private:
    class Replay;
    class Drawer;
    Bytes moves_of(const Header& h) const { return moves_.subspan(h.moves, h.plies); }

    Bytes headers_, moves_, texts_;
};

}  // namespace rookery::records
