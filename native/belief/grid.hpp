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

inline constexpr float little = 1e-6f;  // what is below it counts as nothing

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

// A row of squares as one value. Compilers split it where the processor has no units so wide.
typedef float Row __attribute__((vector_size(32)));
static_assert(sizeof(Row) == 8 * sizeof(float));

inline const Row* rows(const Grid& grid) {
    return reinterpret_cast<const Row*>(grid.at.data());
}
inline Row* rows(Grid& grid) {
    return reinterpret_cast<Row*>(grid.at.data());
}

// Each square gets what stood `by` squares to its east, or west if that is below 0; what comes from outside is 0.
template <int by>
inline void shift(Row& row) {
    const Row none = {};
    if (by == 1) row = __builtin_shufflevector(row, none, 1, 2, 3, 4, 5, 6, 7, 8);
    if (by == 2) row = __builtin_shufflevector(row, none, 2, 3, 4, 5, 6, 7, 8, 9);
    if (by == 4) row = __builtin_shufflevector(row, none, 4, 5, 6, 7, 8, 9, 10, 11);
    if (by == -1) row = __builtin_shufflevector(none, row, 7, 8, 9, 10, 11, 12, 13, 14);
    if (by == -2) row = __builtin_shufflevector(none, row, 6, 7, 8, 9, 10, 11, 12, 13);
    if (by == -4) row = __builtin_shufflevector(none, row, 4, 5, 6, 7, 8, 9, 10, 11);
}

// Adds to `out` the lines that leave each square in direction (dx, dy); dy is not 0.
template <int dx, int dy>
inline void add_line(const Grid& source, const Grid& pass, Grid& out) {
    static_assert((dy == 1 || dy == -1) && dx >= -1 && dx <= 1);
    Row seen = {};  // what the squares of a row see in the direction
    for (int step = 1; step < 8; ++step) {
        const int from = dy > 0 ? 8 - step : step - 1;
        seen = rows(source)[from] + rows(pass)[from] * seen;
        shift<dx>(seen);
        rows(out)[from - dy] += seen;
    }
}

// The same along a rank, by doubling: first what is seen on one square, then on two, then on four.
template <int dx>
inline void add_rank(const Row& source, const Row& pass, Row& out) {
    Row seen = source, open = pass, more;
    shift<dx>(seen);
    shift<dx>(open);
    more = seen, shift<dx>(more), seen += open * more;
    more = open, shift<dx>(more), open *= more;
    more = seen, shift<2 * dx>(more), seen += open * more;
    more = open, shift<2 * dx>(more), open *= more;
    more = seen, shift<4 * dx>(more), seen += open * more;
    out += seen;
}
inline void add_ranks(const Grid& source, const Grid& pass, Grid& out) {
    for (int y = 0; y < 8; ++y) {
        add_rank<1>(rows(source)[y], rows(pass)[y], rows(out)[y]);
        add_rank<-1>(rows(source)[y], rows(pass)[y], rows(out)[y]);
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

// Adds what stands a knight's jump away from each square.
inline void add_knights(const Grid& source, float weight, Grid& out) {
    for (int y = 0; y < 8; ++y) {
        const Row row = rows(source)[y] * weight;
        Row west = row, east = row;
        shift<1>(west), shift<-1>(east);
        const Row near = west + east;
        shift<1>(west), shift<-1>(east);
        const Row far = west + east;
        if (y > 1) rows(out)[y - 2] += near;
        if (y > 0) rows(out)[y - 1] += far;
        if (y < 7) rows(out)[y + 1] += far;
        if (y < 6) rows(out)[y + 2] += near;
    }
}

// Adds what stands beside each square, on all eight sides.
inline void add_kings(const Grid& source, Grid& out) {
    for (int y = 0; y < 8; ++y) {
        const Row row = rows(source)[y];
        Row west = row, east = row;
        shift<1>(west), shift<-1>(east);
        const Row beside = west + east;
        rows(out)[y] += beside;
        if (y > 0) rows(out)[y - 1] += beside + row;
        if (y < 7) rows(out)[y + 1] += beside + row;
    }
}

// So much in all, the same on each of some squares.
inline void divide_evenly(Grid& grid, Bitboard squares, float total) {
    const float each_one = squares ? total / static_cast<float>(chess::count(squares)) : 0.0f;
    for (std::size_t s = 0; s < 64; ++s) grid.at[s] = (squares >> s & 1) ? each_one : 0.0f;
}

}  // namespace rookery::belief
