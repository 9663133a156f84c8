// What an own move is worth on one whole board, against an enemy who does not see our men.
//
// A chess search over imagined boards (judge.hpp) lets the enemy answer as if he saw everything: whatever hangs is taken.
// In Kriegspiel he takes what the referee gives away: he takes back where he has just lost a man, uses pawn tries, looks
// for who gives check. Else he takes by accident, about as often as a move drawn at random would. So
//
//   value = tanh((evaluation - sum over our men of P(taken) * what the exchange costs) / scale)
//
// with P from what is announced after the move. The shares below were counted in games between kriegspiel-mcts and
// kriegspiel-minimax (docs/kriegspiel-players.md). Mate and stalemate are seen.
#pragma once

#include <cmath>

#include "belief/hearing.hpp"
#include "evaluators/chess.hpp"

namespace rookery::belief {

// How an enemy who does not see our men answers.
struct Habits {
    float retake = 0.65f;        // that he takes back, of each man that can
    float pawn_retake = 0.96f;   // the same of pawns
    float use_pawn_try = 0.93f;  // that he takes when pawn tries are announced
    float take_checker = 0.5f;   // that he takes the man that gives check, if he can
    float accident = 1.5f;       // how readily he takes by accident, beside any other move
    float patience = 1.5f;       // for how many of his moves what hangs is charged
    float scale = 600;           // centipawns: beyond, more counts little
};

class Blindfold {
  public:
    using Position = chess::Position;
    using Node = evaluators::ChessClassical::Node;

    explicit Blindfold(const Habits& habits) : h_(habits) {}

    Node root(const Position& board) const { return knowledge_.root(board); }

    // Of a legal move, to the side that plays it: -1 to 1.
    float value(const Position& board, const Node& node, Move m) const {
        Position after = board;
        after.play(m);
        const int answers = after.count_moves();
        if (answers == 0) return after.threatened() ? 1.0f : 0.0f;
        if (after.clock() >= 100 || after.insufficient_material()) return 0;
        const float static_value =
            -static_cast<float>(knowledge_.value(after, knowledge_.after(node, board, m, after)));
        return std::tanh((static_value - losses(after, answers, board.is_capture(m), chess::to_of(m))) / h_.scale);
    }

    // What he wins on a square by taking there with his man on `from`, if both then go on as long as it pays.
    static float exchange(const Position& p, chess::Square s, chess::Square from) {
        const chess::Colour him = p.turn();
        const float taker = worth[chess::kind_of(p.at(from))];
        return worth[chess::kind_of(p.at(s))] - regain(p, s, ~him, p.occupied() ^ chess::bit(from), taker);
    }

    // What his next moves may cost us, in centipawns, on a board after our move: he is to move, and has so many legal
    // moves. took: whether it took something; to: where it went.
    float losses(const Position& p, int answers, bool took, chess::Square to) const {
        const chess::Colour him = p.turn();
        const chess::Bitboard occupied = p.occupied(), pawns = p.men(him, chess::pawn);
        const chess::Bitboard checkers = p.checkers();
        const int tries = checkers ? 0 : pawn_tries(p);
        float sum = 0;
        for (const chess::Square s : chess::each(p.men(~him) & ~p.men(chess::king))) {
            chess::Bitboard from = p.attackers(s, him, occupied);
            if (!from) continue;
            if (checkers && !(checkers & chess::bit(s))) continue;
            // His King takes nothing that is protected.
            if (from & p.men(chess::king)) {
                const chess::Bitboard without = occupied & ~p.men(him, chess::king);
                if (p.attackers(s, ~him, without) & ~chess::bit(s)) from &= ~p.men(chess::king);
                if (!from) continue;
            }
            float cost = 0, least = 1e9f;
            int takers = 0;
            for (const chess::Square a : chess::each(from)) {
                const float lost = exchange(p, s, a);
                cost += lost, least = std::min(least, worth[chess::kind_of(p.at(a))]);
                ++takers;
            }
            cost /= static_cast<float>(takers);
            const bool by_pawn = (from & pawns) != 0;
            float chance;
            if (took && s == to)
                chance = by_pawn ? h_.pawn_retake : 1 - std::pow(1 - h_.retake, static_cast<float>(takers));
            else if (checkers)
                chance = h_.take_checker;
            else if (by_pawn && tries > 0)
                chance = h_.use_pawn_try * static_cast<float>(chess::count(from & pawns)) /
                         static_cast<float>(std::max(tries, 1));
            else
                chance = std::min(0.9f,
                                  h_.patience * h_.accident * static_cast<float>(takers) / static_cast<float>(answers));
            // What costs him more than us is no gift: he sees that it is protected as little as we see him.
            sum += std::min(1.0f, chance) * std::max(cost, 0.0f);
        }
        return sum;
    }

  private:
    static constexpr std::array<float, 6> worth{100, 320, 335, 500, 950, 2000};

    // What `side` wins by taking a man of this worth, if it pays.
    static float regain(const Position& p, chess::Square s, chess::Colour side, chess::Bitboard occupied,
                        float victim) {
        const chess::Bitboard from = p.attackers(s, side, occupied) & occupied & ~chess::bit(s);
        if (!from) return 0;
        for (int k = chess::pawn; k <= chess::king; ++k) {
            const chess::Bitboard men = from & p.men(side, static_cast<chess::Kind>(k));
            if (!men) continue;
            const chess::Bitboard left = occupied ^ chess::bit(chess::first(men));
            if (k == chess::king && (p.attackers(s, ~side, left) & left)) return 0;
            return std::max(0.0f, victim - regain(p, s, ~side, left, worth[static_cast<std::size_t>(k)]));
        }
        return 0;
    }

    Habits h_;
    evaluators::ChessClassical knowledge_;
};

}  // namespace rookery::belief
