// Kriegspiel: chess behind a referee, as on the ICC ("wild 16") and at the Computer Olympiads.
//
// A move here is a try. The referee plays it if it is legal on the true board, and otherwise refuses it: then
// nothing changes but the trier's knowledge, and the same seat is asked again.
#pragma once

#include <array>
#include <vector>

#include "games/chess/position.hpp"
#include "games/playout.hpp"

namespace rookery::kriegspiel {

// From where a King is attacked, of R F L S N in that order: rank, file, long and short diagonal, knight. At most
// two, and zeros after them, so that data() is a text.
using CheckDirections = std::array<char, 3>;

// What the referee says to both seats after a move that stood.
struct Announcement {
    char captured = '-';                // p a pawn, P any other man
    chess::Square square = 0;           // where the captured man stood
    CheckDirections checks{};           // of the King of the side now to move
    int tries = 0;                      // pawn captures of the side now to move, by (from, to)
    chess::Colour turn = chess::white;  // the side now to move

    bool operator==(const Announcement&) const = default;
};

class Position {
  public:
    using Moves = MoveList<512>;  // nothing blocks a rider's tries but its own men
    using Choices = chess::MoveSets;
    static constexpr Move policy_size = chess::policy_size;
    static constexpr int most_refusals = 300, most_plies = 600;

    Position() : Position(chess::Position()) {}
    // A FEN; after it `material`, if of the enemy only the material is public when a game begins here; and `tried`
    // with the tries refused this turn, if any.
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
    bool material_only() const { return material_only_; }

  private:
    explicit Position(chess::Position board);
    std::optional<Outcome> ending(int occurrences) const;
    void look();  // what the referee sees when a new board stands

    chess::Position board_;
    std::vector<Move> refused_;  // this turn, in order, senseless and repeated ones too
    std::uint8_t tries_ = 0;
    bool stuck_ = false;  // no legal move: mate or stalemate
    bool material_only_ = false;
    int since_ = 0;  // tries since the last capture or pawn move
};

// One random game. As long as tries are refused, the rest of the same tries will do: one of them is legal.
Outcome playout(Position position, Rng& rng, Repetitions& past, std::int64_t& plies);

// From where the King of the side to move is attacked.
CheckDirections check_directions(const chess::Position& board);
Announcement announce(const chess::Position& before, Move move, const chess::Position& after, int tries);
// How a game has ended, and the referee's word for it.
enum class End : std::uint8_t { none, mate, stalemate, material, fifty, repetition, length, forfeit };
End end_of(const Outcome& over);
const char* end_word(End end);

}  // namespace rookery::kriegspiel
