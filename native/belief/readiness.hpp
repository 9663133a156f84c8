// How readily an enemy who does not see our men plays a legal move: weights for the particle filter (particles.hpp).
//
// He knows his own men and what was announced. The logarithms of the weights were fitted, as a softmax over the legal
// moves, to 12,870 moves of kriegspiel-mcts, kriegspiel-minimax and kriegspiel-hybrid against each other: 2.58 nats a
// move on the fifth that was held out, where all moves alike have 3.02.
#pragma once

#include <cmath>

#include "belief/particles.hpp"

namespace rookery::belief {

inline float readiness(const chess::Position& board, Move m, const kriegspiel::Event* before) {
    static const auto e = [](double x) { return static_cast<float>(std::exp(x)); };
    static const float pawn_takes = e(5.02), king_retakes = e(3.68), retakes = e(2.52), king_checked = e(0.34),
                       checked = e(0.07), king_takes = e(1.26), queen_takes = e(-1.49), takes = e(-0.26);
    static const float castles = e(0.12), king_steps = e(-0.57), piece = e(-1.58), guarded = e(-0.74), queen = e(-3.04),
                       queen_guarded = e(-1.37);
    static const std::array<float, 8> pawn = {0, e(-2.27), e(-1.65), e(-1.04), e(-0.43), e(0.18), e(0.8), e(4.32)};
    const chess::Square from = chess::from_of(m), to = chess::to_of(m);
    const chess::Colour him = board.turn();
    const chess::Kind kind = chess::kind_of(board.at(from));
    if (board.is_capture(m)) {
        if (kind == chess::pawn) return pawn_takes;  // pawn tries are announced
        if (before && before->kind == kriegspiel::Event::moved) {
            if (before->said.captured != '-' && to == chess::to_of(before->move))
                return kind == chess::king ? king_retakes : retakes;
            if (before->said.checks[0]) return kind == chess::king ? king_checked : checked;
        }
        return kind == chess::king ? king_takes : kind == chess::queen ? queen_takes : takes;
    }
    if (kind == chess::pawn) {
        if (chess::promotion_of(m) && chess::promotion_of(m) != chess::queen) return piece;
        return pawn[static_cast<std::size_t>(him == chess::white ? chess::rank_of(to) : 7 - chess::rank_of(to))];
    }
    if (kind == chess::king) return std::abs(from - to) == 2 ? castles : king_steps;
    const bool covered = (board.attackers(to, him, board.occupied()) & ~chess::bit(from)) != 0;
    if (kind == chess::queen) return covered ? queen_guarded : queen;
    return covered ? guarded : piece;
}

}  // namespace rookery::belief
