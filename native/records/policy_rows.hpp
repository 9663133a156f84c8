// Games of a store as rows to learn a policy from: one for each ply, a game's rows one after the other.
//
// A row is the position, the move played there and all legal moves, as small as it can be had without being decoded:
// whoever learns from it makes planes of it. Moves are actions of encoders/chess_actions.hpp.
#pragma once

#include <memory>
#include <vector>

#include "records/chess_store.hpp"

namespace rookery::records {

// An array of which nothing is set before it is written.
template <class T>
struct Raw {
    std::unique_ptr<T[]> data;
    std::size_t size = 0;
    Raw() = default;
    explicit Raw(std::size_t count) : data(std::make_unique_for_overwrite<T[]>(count)), size(count) {}
};

struct PolicyRows {
    static constexpr std::size_t board_bytes = 32, state_bytes = 4;
    static constexpr std::uint8_t no_square = 64;

    std::vector<std::int64_t> games;  // the first row of each game, and the end of the last
    Raw<std::uint8_t> boards;         // board_bytes a row: chess::Man of two squares a byte, a1 in its low half
    Raw<std::uint8_t> states;         // state_bytes a row: Black to move + 2 * castling rights, the square behind a
                                      // Pawn that may be taken en passant or no_square, clock, number; at most 255
    Raw<std::uint16_t> played;        // the action of the move played
    std::vector<std::int64_t> legal_begins;  // where the legal actions of each row begin, and the end
    Raw<std::uint16_t> legal;
};

// The parts of a row.
void write_board(const chess::Position& p, std::uint8_t* out);
void write_state(const chess::Position& p, std::uint8_t* out);

// A row more for a position in which `next` was played.
void append_row(const chess::Position& p, Move next, std::vector<std::uint8_t>& boards,
                std::vector<std::uint8_t>& states, std::vector<std::uint16_t>& played,
                std::vector<std::uint16_t>& legal);

// The games must be below the store's size; not checked here.
PolicyRows policy_rows(const ChessStore& store, std::span<const std::uint32_t> games, int threads,
                       const ChessStore::Ask& ask);

}  // namespace rookery::records
