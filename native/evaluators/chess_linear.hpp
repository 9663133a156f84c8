// A linear evaluation of chess with the kinds of features that Real and Blair's table lists for it: material, check,
// who attacks or defends whom, and where men stand. It is there to hold TreeStrap to what is known of chess, and
// computes its sums from nothing.
//
// All is told in the view of the side to move, Black's board turned over: so one set of weights serves both.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "games/chess/position.hpp"
#include "search/knowledge.hpp"

namespace rookery::evaluators {

struct ChessFeatures {
    static constexpr int kinds = 6, players = 2;
    // [kind]; [player][kind][player][kind]; [player][kind][square]. Player 0 is to move.
    static constexpr int bias = 0, material = 1, check = material + kinds, attack = check + 1,
                         square = attack + players * kinds * players * kinds, count = square + players * kinds * 64;

    // visit(feature, value) for all that is not 0; a feature may come several times, and then its values add up.
    template <class Visit>
    static void each(const chess::Position& p, Visit visit) {
        const int mover = p.turn(), turned = mover == chess::white ? 0 : 56;
        visit(bias, 1);
        if (p.checkers()) visit(check, 1);
        const chess::Bitboard all = p.occupied();
        for (const chess::Square s : chess::each(all)) {
            const chess::Man man = p.at(s);
            const int kind = chess::kind_of(man), who = chess::colour_of(man) ^ mover;
            visit(material + kind, who == 0 ? 1 : -1);
            visit(square + (who * kinds + kind) * 64 + (s ^ turned), 1);
            const chess::Bitboard attacked = kind == chess::pawn ? chess::pawn_attacks(chess::colour_of(man), s)
                                                                 : chess::piece_attacks(chess::kind_of(man), s, all);
            for (const chess::Square t : chess::each(attacked & all)) {
                const chess::Man target = p.at(t);
                const int other = chess::colour_of(target) ^ mover;
                visit(attack + ((who * kinds + kind) * players + other) * kinds + chess::kind_of(target), 1);
            }
        }
    }
};

class ChessLinear {
  public:
    using Features = ChessFeatures;
    struct Node {};

    explicit ChessLinear(std::vector<float> weights) : weights_(std::move(weights)) {
        if (weights_.size() != static_cast<std::size_t>(features))
            throw std::invalid_argument("the number of weights must be " + std::to_string(features) + " (got " +
                                        std::to_string(weights_.size()) + ")");
    }

    static constexpr int features = Features::count;
    int sets() const { return 1; }
    int set_of(const chess::Position&) const { return 0; }
    std::vector<float>& weights() { return weights_; }
    void refresh() {}

    Node root(const chess::Position&) const { return {}; }
    Node after(const Node&, const chess::Position&, Move, const chess::Position&) const { return {}; }
    search::Value value(const chess::Position& p, const Node&) const {
        float sum = 0;
        Features::each(p, [&](int feature, int times) {
            sum += weights_[static_cast<std::size_t>(feature)] * static_cast<float>(times);
        });
        return sum;
    }
    static bool differs(const Node&, const Node&) { return false; }
    static int deeper(const chess::Position&) { return 0; }

  private:
    std::vector<float> weights_;
};

}  // namespace rookery::evaluators
