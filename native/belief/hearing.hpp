// What a seat would hear of a board that it imagines, compared with what it heard: the cheapest facts first, since most
// boards are told apart by them.
#pragma once

#include "games/chess/movegen.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery::belief {

// The pawn captures of the side to move, by (from, to), as the referee counts them.
struct TryCounter {
    int total = 0;
    // Only Pawns are asked to move. Those that take stay in no file, so their step is odd; en passant comes alone,
    // as one man's moves do.
    void add(chess::MoveSet set) {
        const bool takes = set.step == chess::make_move(0, 1) || (set.base & 1);
        const int promotion = (set.base + 64) >> 12;  // a set of Pawns may begin a little below its promotion
        if (takes && (promotion == 0 || promotion == chess::queen)) total += set.size();
    }
};

template <chess::Colour Us>
chess::Bitboard pawn_targets(chess::Bitboard pawns) {
    return chess::take_west<Us>(pawns) | chess::take_east<Us>(pawns);
}

inline int pawn_tries(const chess::Position& board) {
    const chess::Colour us = board.turn();
    const chess::Bitboard pawns = board.men(us, chess::pawn);
    const chess::Bitboard targets =
        us == chess::white ? pawn_targets<chess::white>(pawns) : pawn_targets<chess::black>(pawns);
    if (!(targets & board.men(~us)) && board.en_passant() < 0) return 0;
    TryCounter counter;
    chess::generate(board, counter, pawns);
    return counter.total;
}

// Whether a move takes what was announced, or nothing where nothing was.
inline bool takes_as_said(const chess::Position& before, Move m, const kriegspiel::Announcement& said) {
    if (!before.is_capture(m)) return said.captured == '-';
    if (said.captured == '-') return false;
    chess::Square square = chess::to_of(m);
    if (before.takes_en_passant(m)) square += before.turn() == chess::white ? -8 : 8;
    const bool pawn = chess::kind_of(before.at(square)) == chess::pawn;
    return square == said.square && pawn == (said.captured == 'p');
}

inline bool has_move(const chess::Position& board) {
    const chess::Bitboard kings = board.men(chess::king);  // asked last: they take the longest to answer
    return board.count_moves(~kings) != 0 || board.count_moves(kings) != 0;
}

// Whether the game would have ended so, or gone on. Repetitions and the length of the game are not on the board.
inline bool ends_as_said(const chess::Position& after, kriegspiel::End end) {
    switch (end) {
        case kriegspiel::End::none:
            return after.clock() < 100 && !after.insufficient_material() && has_move(after);
        case kriegspiel::End::mate:
            return after.threatened() && !has_move(after);
        case kriegspiel::End::stalemate:
            return !after.threatened() && !has_move(after);
        case kriegspiel::End::material:
            return after.insufficient_material();
        default:
            return true;
    }
}

// Checks, tries and the end, of the board after a move.
inline bool stands_as_said(const chess::Position& after, const kriegspiel::Announcement& said, kriegspiel::End end) {
    const bool check = said.checks[0] != 0;
    if (after.threatened() != check) return false;
    if (check && kriegspiel::check_directions(after) != said.checks) return false;
    return pawn_tries(after) == said.tries && ends_as_said(after, end);
}

}  // namespace rookery::belief
