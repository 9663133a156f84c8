// A small network that reads a seat's belief: what the position is worth to the seat beyond a count of men, and where the
// enemy's men rather stand than the matrices say.
//
// Ciancarini and Favini (2010) count men and nothing else, and their matrices hold squares to be independent. Both are
// learnt here from games whose truth is known (rookery/learners/kriegspiel_network.py). Approach C adds the first to the
// count at each of its nodes, and begins with matrices that the second has corrected.
//
//   hidden = relu(first * inputs + bias)             inputs: our men, the three matrices, what was announced
//   value  = last . relu(second * hidden + bias) + bias
//   P'(s) ~ P(s) * exp((where * hidden + bias)(s)) of each matrix, brought back to its sum and within the exact masks
//
// A value: nothing in it changes once it is made, so threads share one.
#pragma once

#include <span>
#include <vector>

#include "belief/matrices.hpp"

namespace rookery::belief {

class Network {
  public:
    static constexpr std::size_t hidden = 64, narrow = 32, where = 3 * 64;
    static constexpr std::size_t inputs = 9 * 64 + 8;
    using Inputs = std::array<float, inputs>;

    // Each layer a row for each of its inputs, then one of biases.
    static constexpr std::size_t first_size = (inputs + 1) * hidden, second_size = (hidden + 1) * narrow;
    static constexpr std::size_t last_size = narrow + 1, where_size = (hidden + 1) * where;
    // share: how much of the value counts; corrects: whether it corrects matrices.
    Network(std::span<const float> first, std::span<const float> second, std::span<const float> last,
            std::span<const float> where, float share = 1, bool corrects = true);

    // Boards are seen from our own side: of Black, with the ranks turned round.
    static Inputs inputs_of(const Matrices& m);

    // What to add to the balance of men, in its unit.
    float value(const Matrices& m) const;
    void correct(Matrices& m, const Possible& possible, const Constants& constants) const;

  private:
    using Hidden = std::array<float, hidden>;
    Hidden read(const Matrices& m) const;

    std::vector<float> first_, second_, last_, where_;
    float share_;
    bool corrects_;
};

}  // namespace rookery::belief
