#include "rivals/patterns.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace rookery::rivals {
namespace {

struct Pattern {
    std::string_view rows;  // X own, O other, . empty, # off the board, - any; * is the move
    int value;
};

constexpr Pattern patterns[] = {
    // connect
    {"---/X*X/-O-", 60},
    {"OX-/X*-/---", 62},
    {"-O-/X*X/###", 58},
    {"X.-/O*X/---", 52},
    {"X--/.*O/X--", 44},
    {"X.-/-*X/###", 40},
    // cut
    {"-X-/O*O/---", 61},
    {"XO-/O*-/---", 63},
    {"-X-/O*O/###", 57},
    {"O.-/X*O/---", 50},
    {"-X-/O*O/-X-", 66},
    // bend and turn
    {"XOX/.*./---", 55},
    {"XO./.*./-.-", 46},
    {"XO-/X*./-.-", 50},
    {"XO./-*./###", 42},
    {"XOO/X*./###", 45},
    {"-O./X*./-O-", 48},
    {"-X-/O*./-.-", 34},
    // block
    {"-X-/O*./-X-", 50},
    {"X--/X*O/###", 47},
    {".X-/.*O/###", 46},
    {".XO/.*./###", 41},
    // extend
    {"-.-/X*./O.-", 38},
    {".../X*./OO.", 40},
    {"X../.*./...", 26},
    {".../X*./...", 20},
    {".../.*./...", 24},
    {"-O-/.*./-.-", 22},
    // make or spoil an eye
    {"XX-/.*-/###", 48},
    {"OO-/.*-/###", 45},
    {"X.X/-*-/---", 36},
    {"O.O/-*-/---", 37},
};

using Square = std::array<char, 9>;

Square read(std::string_view rows) {
    Square s{};
    for (std::size_t i = 0; i < 9; ++i) s[i] = rows[i + i / 3];
    return s;
}

Square turned(const Square& s) {
    return {s[6], s[3], s[0], s[7], s[4], s[1], s[8], s[5], s[2]};
}

Square mirrored(const Square& s) {
    return {s[2], s[1], s[0], s[5], s[4], s[3], s[8], s[7], s[6]};
}

// Every surroundings that fit a square.
std::vector<unsigned> fitting(const Square& square) {
    std::vector<unsigned> codes{0};
    for (const char c : square) {
        if (c == '*') continue;
        const std::string_view kinds = ".XO#";
        std::vector<unsigned> longer;
        for (const unsigned code : codes)
            for (unsigned kind = 0; kind < 4; ++kind)
                if (c == '-' || c == kinds[kind]) longer.push_back(code << 2 | kind);
        codes = std::move(longer);
    }
    return codes;
}

using Table = std::array<std::uint8_t, 1 << 16>;

Table make_table() {
    Table table{};
    for (const Pattern& pattern : patterns) {
        Square square = read(pattern.rows);
        for (int i = 0; i < 8; ++i) {
            for (const unsigned code : fitting(square))
                table[code] = std::max(table[code], static_cast<std::uint8_t>(pattern.value));
            square = i == 3 ? mirrored(square) : turned(square);
        }
    }
    return table;
}

const Table table = make_table();

}  // namespace

int pattern_value(std::uint16_t around) {
    return table[around];
}

}  // namespace rookery::rivals
