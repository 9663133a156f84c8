// What one seat of Kriegspiel knows: copies of what it may know, and no way back to the board.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "games/kriegspiel/position.hpp"
#include "games/state.hpp"

namespace rookery::kriegspiel {

using Pieces = std::array<chess::Bitboard, 6>;  // by kind: pawn, knight, bishop, rook, queen, king

// One thing that a seat hears.
struct Event {
    enum Kind : std::uint8_t {
        refused,  // its own try was refused; nobody else hears of it
        moved,    // its own move stood
        answered  // the other side has moved
    };
    Kind kind = answered;
    Move move = -1;          // the seat's own try or move; -1 for the other side's
    Announcement said = {};  // of a move that stood
    End end = End::none;     // how the game has ended; only the last event can tell of it

    bool operator==(const Event&) const = default;
};

// What was public when the game began.
struct Start {
    bool board = true;              // the whole board was; else, of the enemy, only how much material he has
    Pieces own{}, enemy{};          // enemy: all empty unless the board was public
    int pawns = 0, pieces = 0;      // how many pawns, and other men but the King, the enemy had
    int castling = 0;               // as chess::Position has it; the enemy's rights only if the board was public
    chess::Square en_passant = -1;  // only if the board was public
    chess::Colour turn = chess::white;
    int tries = 0;             // pawn captures of the side to move
    CheckDirections checks{};  // against the side to move

    bool operator==(const Start&) const = default;
};

struct View {
    chess::Colour us = chess::white, turn = chess::white;
    Start start;
    Pieces own{};
    int castling = 0;           // the seat's own rights, as chess::Position has them
    int tries = 0;              // pawn captures of the side to move, as announced
    CheckDirections checks{};   // against the side to move, as announced
    std::vector<Move> refused;  // the seat's tries that were refused this turn
    std::vector<Move> moves;    // what the seat may try now, ascending; empty when it is not its turn
    std::vector<Event> log;     // all that it has heard, oldest first

    chess::Bitboard men() const { return own[0] | own[1] | own[2] | own[3] | own[4] | own[5]; }
    bool operator==(const View&) const = default;
};

View view(const State<Position>& state, chess::Colour us);
// Whether a view that came from elsewhere can be one at all, so that nothing that reads it leaves the board.
bool sound(const View& view);

// An event as the line that the referee says: `OPP cap=p@d5 chk=F+N tries=2 turn=b end=-`.
std::string line(const Event& event);

}  // namespace rookery::kriegspiel
