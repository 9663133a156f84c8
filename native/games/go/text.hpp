// Positions and moves of Go as text; docs/games/go.md describes both.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "games/go/options.hpp"
#include "games/rules.hpp"

namespace rookery::go {

// All that the text of a position says, for a board of any size. Points are numbered as moves are.
struct Diagram {
    static constexpr int none = -1, black = 0, white = 1;  // what stands on a point

    int size = 0;
    std::vector<int> points;  // size * size of the above
    int seat = 0;
    std::array<int, 2> prisoners{};  // that each side has taken
    int ko = -1;                     // where the seat may not play now
    int passes = 0;                  // in a row, just before
    int ply = 0;
    Options options;
};

inline constexpr int smallest = 2, largest = 19;
inline constexpr int most_prisoners = 9999;
inline constexpr int most_handicap = 360;
constexpr int longest(int size) {
    return 8 * size * size;
}  // plies of a game

// Reads a position of a board of that size. A short text, which ends after the rows or the side to move,
// takes these options; a full one names its own. BadPosition if the text describes no position.
Diagram read(std::string_view text, int size, const Options& options);
std::string write(const Diagram& diagram);

// The words of a full text for options: none for the usual ones.
Options read_options(std::string_view text);
std::string write_options(const Options& options);

// A move as a GTP vertex, such as C3 or pass, and back; BadNotation if it is none of this board.
std::string vertex(Move move, int size);
Move read_vertex(std::string_view text, int size);

}  // namespace rookery::go
