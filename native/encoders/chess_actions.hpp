// The moves of chess as a policy network counts them: 1968 actions, every UCI move that some man can make.
//
// First the moves between squares that a queen's or a knight's move joins, by the square left, then by the square
// reached, a1 to h8: castling and all moves of pawns but promotions are among them. Then the promotions, by the square
// left, the square reached and the man, queen, rook, bishop, knight.
#pragma once

#include <array>
#include <cstdlib>

#include "games/chess/moveset.hpp"

namespace rookery::encoders {

inline constexpr int chess_action_count = 1968;

struct ChessActions {
    std::array<Move, chess_action_count> moves{};
    std::array<std::int16_t, chess::policy_size> actions{};  // by move; -1 where no man could make it
};

constexpr bool chess_joined(chess::Square from, chess::Square to) {
    const int files = std::abs(chess::file_of(to) - chess::file_of(from));
    const int ranks = std::abs(chess::rank_of(to) - chess::rank_of(from));
    if (from == to) return false;
    return files == 0 || ranks == 0 || files == ranks || files * ranks == 2;
}

// A pawn's step or capture to the last rank, of either colour.
constexpr bool chess_promotes(chess::Square from, chess::Square to) {
    const int files = chess::file_of(to) - chess::file_of(from);
    if (files < -1 || files > 1) return false;
    const int left = chess::rank_of(from), reached = chess::rank_of(to);
    return (left == 6 && reached == 7) || (left == 1 && reached == 0);
}

inline const ChessActions& all_chess_actions() {
    static const ChessActions all = [] {
        ChessActions made;
        made.actions.fill(-1);
        int next = 0;
        const auto add = [&](Move m) {
            made.moves[static_cast<std::size_t>(next)] = m;
            made.actions[static_cast<std::size_t>(m)] = static_cast<std::int16_t>(next++);
        };
        const auto each_pair = [](auto visit) {
            for (chess::Square from = 0; from < 64; ++from)
                for (chess::Square to = 0; to < 64; ++to) visit(from, to);
        };
        each_pair([&](chess::Square from, chess::Square to) {
            if (chess_joined(from, to)) add(chess::make_move(from, to));
        });
        each_pair([&](chess::Square from, chess::Square to) {
            if (!chess_promotes(from, to)) return;
            for (int kind = chess::queen; kind >= chess::knight; --kind) add(chess::make_move(from, to, kind));
        });
        return made;
    }();
    return all;
}

// The action of a move that is legal somewhere.
inline int chess_action(Move m) {
    return all_chess_actions().actions[static_cast<std::size_t>(m)];
}

// The same move on the board turned over, rank 1 for rank 8.
constexpr Move turned_over(Move m) {
    return chess::make_move(chess::from_of(m) ^ 56, chess::to_of(m) ^ 56, chess::promotion_of(m));
}

// Its action as the mover sees it: on the board turned over for Black.
inline int chess_action(Move m, chess::Colour mover) {
    return chess_action(mover == chess::white ? m : turned_over(m));
}

}  // namespace rookery::encoders
