// Numbers on the 64 squares, and sums of them along lines, a row of eight squares at a time.
//
// Everything here is a pure function of its arguments. A line from t adds source(s) of each square s on it, times
// pass(u) of every square u between: what t would be reached by, or could reach, through squares that let things
// pass only in part. Where `pass` is 0, as on own men, the line ends there, after that square's own source.
#pragma once

#include <algorithm>
#include <array>

#include "games/chess/bitboard.hpp"

namespace rookery::belief {

using chess::bit;
using chess::Bitboard;
using chess::each;
using chess::Square;

struct alignas(64) Grid {
    std::array<float, 64> at{};

    float& operator[](Square s) { return at[static_cast<std::size_t>(s)]; }
    float operator[](Square s) const { return at[static_cast<std::size_t>(s)]; }
    float* row(int y) { return at.data() + 8 * y; }
    const float* row(int y) const { return at.data() + 8 * y; }
    // In the order of the squares eight apart, so that it is the same at every processor level.
    float sum() const {
        std::array<float, 8> columns{};
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x) columns[static_cast<std::size_t>(x)] += row(y)[x];
        return ((columns[0] + columns[1]) + (columns[2] + columns[3])) +
               ((columns[4] + columns[5]) + (columns[6] + columns[7]));
    }
    void scale(float factor) {
        for (float& value : at) value *= factor;
    }
    void keep(Bitboard squares) {  // and make the others 0
        for (std::size_t s = 0; s < 64; ++s) at[s] = (squares >> s & 1) ? at[s] : 0.0f;
    }
    void clear(Bitboard squares) { keep(~squares); }
};

// Adds to `out` the lines that leave each square in direction (dx, dy); dy is not 0.
template <int dx, int dy>
void add_line(const Grid& source, const Grid& pass, Grid& out) {
    static_assert(dy == 1 || dy == -1);
    // What the squares of the row just done hand on, with a margin on either side for the slant.
    alignas(64) float from[16] = {};
    for (int step = 0; step < 8; ++step) {
        const int y = dy > 0 ? 7 - step : step;
        const float *s = source.row(y), *p = pass.row(y);
        float* o = out.row(y);
        float seen[8];
        for (int x = 0; x < 8; ++x) seen[x] = from[4 + x + dx];
        for (int x = 0; x < 8; ++x) o[x] += seen[x];
        for (int x = 0; x < 8; ++x) from[4 + x] = s[x] + p[x] * seen[x];
    }
}

// The same for both directions of a rank.
inline void add_ranks(const Grid& source, const Grid& pass, Grid& out) {
    for (int y = 0; y < 8; ++y) {
        const float *s = source.row(y), *p = pass.row(y);
        float* o = out.row(y);
        float east = 0, west = 0;
        for (int x = 0; x < 8; ++x) {
            o[x] += west;
            west = s[x] + p[x] * west;
            o[7 - x] += east;
            east = s[7 - x] + p[7 - x] * east;
        }
    }
}

// The lines of all eight directions together.
inline void add_lines(const Grid& source, const Grid& pass, Grid& out) {
    add_ranks(source, pass, out);
    add_line<0, 1>(source, pass, out);
    add_line<0, -1>(source, pass, out);
    add_line<1, 1>(source, pass, out);
    add_line<1, -1>(source, pass, out);
    add_line<-1, 1>(source, pass, out);
    add_line<-1, -1>(source, pass, out);
}

// Sums over squares at given steps from each square; what lies off the board is 0.
class Leaps {
  public:
    explicit Leaps(const Grid& source) {
        for (int y = 0; y < 8; ++y) std::copy_n(source.row(y), 8, board_.data() + 16 * (y + 2) + 4);
    }
    void add_kings(Grid& out, float weight) const { add(out, weight, {-17, -16, -15, -1, 1, 15, 16, 17}); }
    void add_knights(Grid& out, float weight) const { add(out, weight, {-33, -31, -18, -14, 14, 18, 31, 33}); }

  private:
    void add(Grid& out, float weight, const std::array<int, 8>& steps) const {
        for (int y = 0; y < 8; ++y) {
            const float* centre = board_.data() + 16 * (y + 2) + 4;
            float total[8] = {};
            for (const int step : steps)
                for (int x = 0; x < 8; ++x) total[x] += centre[step + x];
            float* o = out.row(y);
            for (int x = 0; x < 8; ++x) o[x] += weight * total[x];
        }
    }
    alignas(64) std::array<float, 12 * 16> board_{};
};

}  // namespace rookery::belief
