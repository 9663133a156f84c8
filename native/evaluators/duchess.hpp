// The linear evaluation of Real and Blair's Duchess program, cumulative (section V.A): only what a move changes is
// adjusted. Odd and even team have weights of their own, and so may the phases of the game.
//
// A change of the board changes what all seats see, and the next ply asks in another seat's view. So each weight
// of the board is kept as a row of numbers, one for each seat that might look, and rows are added. They are whole
// numbers: sums kept along a line of play are exactly those computed from nothing.
#pragma once

#include <array>
#include <vector>

#include "evaluators/duchess_features.hpp"
#include "search/knowledge.hpp"

namespace rookery::evaluators {

template <int Players>
class DuchessLinear {
  public:
    using Position = duchess::Position<Players>;
    using Features = duchess::Features<Players>;
    using Square = duchess::Square;

    // What every seat sees, and behind that how many enemies attack each seat's King.
    static constexpr std::size_t lanes = Players == 4 ? 8 : 16;
    struct Node {
        alignas(4 * lanes) std::array<std::int32_t, lanes> sum{};
        int men = 0;
    };

    // Sets of weights, Features::count each: the odd team's (seats 0, 2) and the even team's; so for each phase of
    // the game where there are three.
    explicit DuchessLinear(std::vector<float> weights);

    static constexpr int features = Features::count;
    int sets() const { return 2 * static_cast<int>(phases_.size()); }
    int set_of(const Position& p) const { return 2 * phase(p.occupied().count()) + p.side(); }
    // Whoever changes weights must say so before the next value is asked for.
    std::vector<float>& weights() { return weights_; }
    const std::vector<float>& weights() const { return weights_; }
    void refresh();

    Node root(const Position& p) const;
    Node after(const Node& node, const Position& before, Move m, const Position& after) const;
    search::Value value(const Position& p, const Node& node) const;

    // Whether two nodes say different things of a position, in any seat's view.
    static bool differs(const Node& a, const Node& b) { return a.sum != b.sum || a.men != b.men; }

    // How many plies deeper than elsewhere a search must look, by the paper's rule: games must come to an end.
    static int deeper(const Position& p) {
        const int men = p.occupied().count();
        return men < 2 * Players ? 4 : Features::is_ending(men) ? 2 : 0;
    }

  private:
    static constexpr float unit = 1 << 22;  // of the whole numbers that stand for weights
    using Row = std::array<std::int32_t, lanes>;
    struct Phase {
        std::vector<Row> stands;   // [seat and kind][square]: what a man is worth
        std::vector<Row> attacks;  // [seat and mode][seat and kind]: what it is worth that one attacks the other
        std::array<std::array<std::int32_t, 1 + Players / 2>, 2> wizards{};  // [side that looks][how many]
        // [side that looks][player]
        std::array<std::array<std::int32_t, Players>, 2> check{}, mate{};
        std::array<std::int32_t, 2> bias{};
        std::vector<std::int32_t> near_king;  // [side that looks][feature]
        bool sees_kings = false;
    };
    class Tally;

    int phase(int men) const { return phases_.size() == 1 ? 0 : Features::phase(men); }
    void fill(Phase& phase, const float* const sets[2]) const;

    std::vector<float> weights_;
    std::vector<Phase> phases_;
};

}  // namespace rookery::evaluators
