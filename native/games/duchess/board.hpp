// The Duchess board: a Vortex, two rings round it, and a flap of 5 x 4 squares for each player.
//
// Everything here follows from one rule. Six sectors lie clockwise round the Vortex. The chart of a sector
// gives the squares that its player sees in front of him plain coordinates: x = -2..2 for the files a..e,
// y = 7 - rank, the Vortex at (0, 0). To the left, where x < 0, his chart overlaps that of the next sector:
// (x, y) is the same point as (y, -x) there. A line keeps its heading, and headings turn with the charts.
//
// Sectors and seats are counted from 0 in code and from 1 in text.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "games/duchess/squares.hpp"

namespace rookery::duchess {

constexpr int sectors = 6;
constexpr Square nowhere = 255;

// A square in the chart of its standard sector: the flap's own; in the hexagon the one where x >= 0.
struct Place {
    std::int8_t sector, x, y;
};

// A line through a square, and how far along the line the square lies.
struct Crossing {
    std::uint8_t line, at;
};

// All squares that a rider can visit without a turn, in order, from 1 on; before and behind them nowhere.
struct Line {
    static constexpr std::size_t most = 13;  // squares on a line
    std::array<std::uint8_t, most + 2> squares{};
    std::uint8_t length = 0;
};

template <int Players>
struct Board {
    static_assert(Players == 4 || Players == 6);
    static constexpr int squares = 37 + 20 * Players;
    // The last; before it come the sectors, one by one: the flap from rank 1 to 4, then c5 d5 e5 c6 d6 e6.
    static constexpr Square vortex = squares - 1;
    // 31 or 39 of the Rook and 49 or 57 of the Bishop. One more has a place but no square: it stands in for
    // the Bishop's second line in corners that have only one. So all squares but the Vortex lie on 2 + 2.
    static constexpr int lines = Players == 4 ? 31 + 49 : 39 + 57;
    using Set = Squares<(squares + 63) / 64>;

    // With four players, flaps 3 and 6 are folded down: partners face each other.
    static constexpr int sector_of(int seat) { return Players == 4 ? seat + seat / 2 : seat; }
    static constexpr bool flap_is_up(int sector) { return Players == 6 || sector % 3 != 2; }

    // What can be reached from a square of an empty board.
    struct Reach {
        Set edges, corners, beside;       // beside = edges and corners: the King's steps
        Set leaps;                        // the Knight's
        Set straight_lines, slant_lines;  // the Rook's and the Bishop's
    };

    constexpr Board();

    constexpr const Reach& from(Square s) const { return reach_[at(s)]; }
    // The Rook's lines through a square, and the Bishop's.
    constexpr std::span<const Crossing> straights(Square s) const { return {&crossings_[4 * at(s)], ways(s)}; }
    constexpr std::span<const Crossing> slants(Square s) const { return {&crossings_[4 * at(s) + ways(s)], ways(s)}; }
    constexpr std::span<const Crossing> crossings(Square s) const { return {&crossings_[4 * at(s)], 2 * ways(s)}; }
    constexpr const Line& line(int number) const { return lines_[static_cast<std::size_t>(number)]; }
    // The squares of a line from one place to another, both included; places off its ends do no harm.
    constexpr Set stretch(int line, int first, int last) const {
        const auto& before = before_[static_cast<std::size_t>(line)];
        return before[static_cast<std::size_t>(last + 1)] - before[static_cast<std::size_t>(first)];
    }
    // What lies between two squares of one line. Two lines never meet twice, so there is only one such line.
    constexpr Set between(Square a, Square b) const {
        const auto [line, mine, other] = common_line(a, b);
        return stretch(line, std::min(mine, other) + 1, std::max(mine, other) - 1);
    }
    // All from beside one square to the edge of the board over another, on the line of both.
    constexpr Set ray(Square from, Square over) const {
        const auto [line, mine, other] = common_line(from, over);
        return mine < other ? stretch(line, mine + 1, Line::most) : stretch(line, 0, mine - 1);
    }

    constexpr Place place(Square s) const { return places_[at(s)]; }
    // King moves from the Vortex.
    constexpr int distance(Square s) const { return std::max<int>(std::max(place(s).x, place(s).y), -place(s).x); }
    // The square, or nowhere: on a folded flap, in the gap between two flaps, or off the edge.
    static Square find(int sector, int x, int y);
    // The board as a seat sees it, turned so that all seats that see the same shape share one numbering: with
    // 6 players each sees itself on the first sector; with 4, seats 0 and 2 do, and 1 and 3 on the second.
    constexpr Square seen_by(int seat, Square s) const { return seen_[static_cast<std::size_t>(seat)][at(s)]; }

  private:
    struct Meeting {
        int line, mine, other;
    };
    constexpr Meeting common_line(Square a, Square b) const {
        const std::uint8_t code = meetings_[at(a)][at(b)];
        const Crossing c = crossings_[4 * at(a) + (code >> 4)];
        return {c.line, c.at, code & 15};
    }
    // The number of a line, a new one if it is not known yet.
    constexpr int number_line(const Line& line, int& found);
    constexpr void cross(Square s, std::size_t way, int line, bool slant);
    static constexpr std::size_t at(Square s) { return static_cast<std::size_t>(s); }
    static constexpr std::size_t ways(Square s) { return s == vortex ? 3 : 2; }

    std::array<Reach, squares> reach_{};
    std::array<Crossing, 4 * squares + 2> crossings_{};  // the Vortex comes last and has two more
    // [line][i]: its squares before place i.
    std::array<std::array<Set, Line::most + 3>, lines + 1> before_{};
    std::array<Line, lines + 1> lines_{};
    // [a][b]: which of the crossings of a leads to b (high bits), and the place of b on that line (low bits).
    std::array<std::array<std::uint8_t, squares>, squares> meetings_{};
    std::array<Place, squares> places_{};
    std::array<std::array<std::uint8_t, squares>, Players> seen_{};
};

// Made when the program is compiled.
extern const Board<4> board4;
extern const Board<6> board6;

template <int Players>
constexpr const Board<Players>& board() {
    if constexpr (Players == 4)
        return board4;
    else
        return board6;
}

// The standard name of a square: 1c1, or V.
template <int Players>
std::string square_name(Square s);

// Reads a name, standard or not, from the front of a text and takes it off; nowhere if there is none of
// this board, and then the text stays as it is.
template <int Players>
Square read_square(std::string_view& text);

}  // namespace rookery::duchess
