// Where enemy men of each kind usually stand after so many of their moves: D_w(p, t) and D_b(p, t) of the paper.
//
// A table of expected occupancies, made from games; rookery/learners/kriegspiel_model.py makes one, and a file of it
// is one opponent, or the average of many. Approach A draws boards from the densities; the belief uses their
// differences, as the attraction of squares.
#pragma once

#include <span>
#include <vector>

#include "belief/grid.hpp"

namespace rookery::belief {

class OpponentModel {
  public:
    static constexpr int times = 40;
    static constexpr std::size_t size = std::size_t{2} * 6 * times * 64;
    // The men that one matrix holds together.
    enum Group : int { kings, pawns, pieces };

    // [2][6][40][64]: colour, kind (pawn first, as in chess), moves made by that colour, square.
    // attraction: beta of f(s) = max(least, 1 + beta * difference / greatest difference).
    OpponentModel(std::span<const float> density, float attraction, float least);

    const Grid& density(chess::Colour c, int kind, int time) const {
        return density_[index(c, 6, kind, std::clamp(time, 0, times - 1))];
    }
    // f(s), for the move after `time`; 1 everywhere once the model ends.
    const Grid& attraction(chess::Colour c, Group group, int time) const {
        return time + 1 < times ? attraction_[index(c, 3, group, std::max(time, 0))] : even_;
    }
    // How likely a King that still stands at home castles with the move after `time`.
    float castles(chess::Colour c, bool short_side, int time) const;

  private:
    static std::size_t index(chess::Colour c, int kinds, int kind, int time) {
        return static_cast<std::size_t>((c * kinds + kind) * times + time);
    }
    std::vector<Grid> density_, attraction_;
    Grid even_;
};

}  // namespace rookery::belief
