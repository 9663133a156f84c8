// Kriegspiel: chess behind a referee, as on the ICC ("wild 16") and at the Computer Olympiads.
//
// A move here is a try. The referee plays it if it is legal on the true board, and otherwise refuses it: then
// nothing changes but the trier's knowledge, and the same seat is asked again.
#pragma once

#include <vector>

#include "games/chess/position.hpp"
#include "games/playout.hpp"

namespace rookery::kriegspiel {

// What the referee says to both seats after a move that stood.
struct Announcement {
    char captured = '-';       // p a pawn, P any other man
    chess::Square square = 0;  // where the captured man stood
    std::string checks;        // of R F L S N: rank, file, long and short diagonal, knight
    int tries = 0;             // pawn captures of the side now to move, by (from, to)
};

class Position {
  public:
    using Moves = MoveList<512>;  // nothing blocks a rider's tries but its own men
    using Choices = chess::MoveSets;
    static constexpr Move policy_size = chess::policy_size;
    static constexpr int most_refusals = 300, most_plies = 600;

    Position() : Position(chess::Position()) {}
    // A FEN, and after it `tried` with the tries refused this turn, if any.
    explicit Position(std::string_view text);

    // --- Rules
    int seat() const { return board_.seat(); }
    int side() const { return board_.side(); }
    // All that the seat cannot know to be refused from its own men, what the referee said last, and the tries
    // already refused this turn. Every legal move is among them.
    void moves(Moves& list) const;
    void moves(chess::MoveSets& sets) const;
    // The referee answers any try, however senseless.
    bool hears(Move m) const { return m >= 0 && m < policy_size; }
    void play(Move m);
    // Refusals make it another position, so that only boards count as repetitions.
    std::uint64_t key() const;
    int reversible() const { return since_; }
    template <class List>
    std::optional<Outcome> outcome(const List&, int occurrences) const {
        return ending(occurrences);
    }
    std::string text(Move m) const { return chess::uci(m); }
    Move parse(std::string_view text) const;
    std::string str() const;

    const chess::Position& board() const { return board_; }
    bool accepts(Move m) const { return board_.legal(m); }
    int plies() const { return 2 * (board_.number() - 1) + board_.turn(); }
    int tries() const { return tries_; }
    const std::vector<Move>& refused() const { return refused_; }

  private:
    explicit Position(chess::Position board);
    std::optional<Outcome> ending(int occurrences) const;
    void look();  // what the referee sees when a new board stands

    chess::Position board_;
    std::vector<Move> refused_;  // this turn, in order, senseless and repeated ones too
    std::uint8_t tries_ = 0;
    bool stuck_ = false;  // no legal move: mate or stalemate
    int since_ = 0;       // tries since the last capture or pawn move
};

// One random game. As long as tries are refused, the rest of the same tries will do: one of them is legal.
Outcome playout(Position position, Rng& rng, Repetitions& past, std::int64_t& plies);

// The directions, of RFLSN in that order, from which the King of the side to move is attacked.
std::string check_directions(const chess::Position& board);
Announcement announce(const chess::Position& before, Move move, const chess::Position& after, int tries);

// The referee's lines: to the trier, and to the other seat (empty: it hears nothing). `over` is the outcome
// of the position after the try.
struct Lines {
    std::string trier, other;
};
Lines answer(const Position& before, Move move, const Position& after, const std::optional<Outcome>& over);

}  // namespace rookery::kriegspiel
