// How a board is shown to a network (Mayer, "Board representations for neural Go players learning by temporal
// difference", section II): own stones 1, the other's -1, empty points 0, then a linear map of these.
//
//   koten       each point by itself
//   katatsugi   at each point, a fifth of it and its neighbours together; other weights may be said
//   roban       the mean of each 3x3 square, and of the whole board
//
// Since the map E is linear, the first layer W and E are one layer U = W E over the points of the board. A step
// W += d (E x)' is U += d (E'E x)' there: so U learns without W, given E'E.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "nets/row.hpp"

namespace rookery::nets {

enum class Representation { koten, katatsugi, roban };

inline Representation read_representation(std::string_view name) {
    if (name == "koten") return Representation::koten;
    if (name == "katatsugi") return Representation::katatsugi;
    if (name == "roban") return Representation::roban;
    throw std::invalid_argument("no representation is called '" + std::string(name) + "'");
}

// How much of a point and of each of its neighbours katatsugi joins.
struct Joined {
    double center = 0.2, neighbor = 0.2;
};

template <int N>
class Encoding {
  public:
    static constexpr int points = N * N;
    using Points = Row<padded(points)>;

    explicit Encoding(Representation representation, Joined joined = {}) : maps_(maps(representation, joined)) {
        // Whole numbers: floats add them without error, however long the game. Weights are whole hundredths;
        // a fifth is of a size of its own, for steps are its float and must stay what they were.
        const bool fifths = joined.center == 0.2 && joined.neighbor == 0.2;
        whole_ = representation == Representation::koten       ? 1
                 : representation == Representation::katatsugi ? (fifths ? 25 : 1e4)
                                                               : 81.0 * points * points;
        for (int p = 0; p < points; ++p) {
            unit_[p].set(p, 1);
            for (int q = 0; q < points; ++q) {
                double product = 0;
                for (const auto& map : maps_) product += map[index(p)] * map[index(q)];
                gram_[p].set(q, static_cast<float>(static_cast<std::int64_t>(product * whole_ + 0.5)));
            }
        }
    }

    // E: a row an input, a column a point.
    const std::vector<std::vector<double>>& matrix() const { return maps_; }
    int inputs() const { return static_cast<int>(maps_.size()); }

    const Points& unit(int point) const { return unit_[point]; }
    const Points& gram(int point) const { return gram_[point]; }  // a row of E'E, times whole()
    float whole() const { return static_cast<float>(whole_); }

  private:
    using Map = std::vector<double>;
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    static std::vector<Map> maps(Representation representation, Joined weights) {
        std::vector<Map> all;
        if (representation == Representation::roban) {
            for (int row = 1; row < N - 1; ++row)
                for (int column = 1; column < N - 1; ++column) {
                    Map square(points);
                    for (int r = row - 1; r <= row + 1; ++r)
                        for (int c = column - 1; c <= column + 1; ++c) square[index(N * r + c)] = 1.0 / 9;
                    all.push_back(square);
                }
            all.push_back(Map(points, 1.0 / points));
            return all;
        }
        const bool joined = representation == Representation::katatsugi;
        for (int p = 0; p < points; ++p) {
            Map map(points);
            map[index(p)] = joined ? weights.center : 1;
            for (int q = 0; joined && q < points; ++q) {
                const int far = std::abs(p / N - q / N) + std::abs(p % N - q % N);
                if (far == 1) map[index(q)] = weights.neighbor;
            }
            all.push_back(map);
        }
        return all;
    }

    std::vector<Map> maps_;
    double whole_ = 1;
    Points unit_[points], gram_[points];
};

}  // namespace rookery::nets
