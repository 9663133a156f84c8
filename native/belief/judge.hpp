// What many boards are worth, a little thought for each: alpha-beta to a fixed depth, then quiescence, by the classical
// evaluation of chess. A search of its own, since search/alphabeta.hpp prepares for one long look at one position.
#pragma once

#include <algorithm>

#include "belief/hearing.hpp"
#include "evaluators/chess.hpp"

namespace rookery::belief {

class Judge {
  public:
    using Value = search::Value;  // in centipawns, to the side to move

    // What is not between alpha and beta is only known to be beyond. depth 0: quiescence alone.
    Value value(const chess::Position& board, int depth, Value alpha, Value beta) const {
        return search(board, knowledge_.root(board), depth, 0, alpha, beta);
    }

  private:
    using Position = chess::Position;
    using Node = evaluators::ChessClassical::Node;
    static constexpr int quiet_plies = 4;  // on boards of chance everything hangs, and exchanges would never end
    static constexpr Value margin = 200;   // what a capture may bring beside what it takes

    Value search(const Position& p, const Node& node, int depth, int ply, Value alpha, Value beta) const {
        if (depth <= 0) return quiesce(p, node, 0, ply, alpha, beta);
        Position::Moves list;
        p.moves(list);
        if (list.empty()) return p.threatened() ? static_cast<Value>(ply) - search::won : 0;
        if (p.clock() >= 100 || p.insufficient_material()) return 0;
        Order order(p, list);
        Value best = -search::infinite;
        for (int i = 0; i < list.size() && alpha < beta; ++i) {
            const Move m = order.pick(list, i);
            Position after = p;
            after.play(m);
            const Value v = -search(after, knowledge_.after(node, p, m, after), depth - 1, ply + 1, -beta, -alpha);
            best = std::max(best, v);
            alpha = std::max(alpha, v);
        }
        return best;
    }

    // `plies` of noisy moves so far.
    Value quiesce(const Position& p, const Node& node, int plies, int ply, Value alpha, Value beta) const {
        const bool check = p.threatened();
        Position::Moves list;
        Value best = -search::infinite, stands = 0;
        if (check) {
            p.moves(list);
            if (list.empty()) return static_cast<Value>(ply) - search::won;
        } else if (plies == 0 && !has_move(p)) {
            return 0;
        }
        if (plies == 0 && (p.clock() >= 100 || p.insufficient_material())) return 0;
        if (!check || plies >= quiet_plies) {
            best = stands = search::sound(knowledge_.value(p, node), p);
            if (best >= beta || plies >= quiet_plies) return best;
            alpha = std::max(alpha, best);
            p.noisy_moves(list);
        }
        Order order(p, list);
        for (int i = 0; i < list.size() && alpha < beta; ++i) {
            const Move m = order.pick(list, i);
            if (!check && (stands + brings(p, m) + margin <= alpha || p.loses_material(m))) continue;
            Position after = p;
            after.play(m);
            const Value v = -quiesce(after, knowledge_.after(node, p, m, after), plies + 1, ply + 1, -beta, -alpha);
            best = std::max(best, v);
            alpha = std::max(alpha, v);
        }
        return best;
    }

    static Value brings(const Position& p, Move m) {
        constexpr std::array<Value, 6> worth{100, 320, 330, 500, 950, 0};
        const chess::Man taken = p.at(chess::to_of(m));
        return (taken == chess::empty ? 100 : worth[chess::kind_of(taken)]) + (chess::promotion_of(m) ? 850 : 0);
    }

    // The moves of one node; the best bargains are picked first.
    class Order {
      public:
        Order(const Position& p, const Position::Moves& list) {
            for (int i = 0; i < list.size(); ++i) merit_[static_cast<std::size_t>(i)] = p.gain(list[i]);
        }
        Move pick(Position::Moves& list, int i) {
            const auto first = merit_.begin() + i;
            const auto best = std::max_element(first, merit_.begin() + list.size());
            std::swap(list.begin()[i], list.begin()[best - merit_.begin()]);
            std::swap(*first, *best);
            return list[i];
        }

      private:
        std::array<int, Position::Moves::capacity> merit_;  // left unset beyond the list
    };

    evaluators::ChessClassical knowledge_;
};

}  // namespace rookery::belief
