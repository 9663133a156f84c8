// Games of chess out of PGN as it is found in archives: read once, from front to back, and never a reason to stop.
//
// Comments, escaped lines, variations and glyphs are passed over. What is wrong with a game is said of that game; the
// next begins after its result, at its tags, or at a move numbered 1.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rookery::records {

// Why a game is not kept.
enum class Skip {
    none,
    variant,             // by the rules of another game
    bad_position,        // a FEN that is none
    unreadable,          // a move that is no move
    illegal,             // a move that cannot be played
    ambiguous,           // a move that could be several
    null_move,           // a turn that was passed
    unclosed_comment,    // a brace that is never closed
    unclosed_variation,  // a parenthesis that is never closed
    too_long,            // more plies than a store has room for, or more text than a game can have
    no_moves,
    rating,  // these four: not asked for
    result,
    length,
    date,
    kinds  // how many there are
};
inline constexpr std::array<const char*, static_cast<std::size_t>(Skip::kinds)> skip_names{"",
                                                                                           "other variant",
                                                                                           "bad position",
                                                                                           "unreadable move",
                                                                                           "illegal move",
                                                                                           "ambiguous move",
                                                                                           "null move",
                                                                                           "unclosed comment",
                                                                                           "unclosed variation",
                                                                                           "too long",
                                                                                           "no moves",
                                                                                           "rating",
                                                                                           "result",
                                                                                           "length",
                                                                                           "date"};

// The tags that mean something here; all others are passed over.
enum class Tag {
    event,
    site,
    date,
    utc_date,
    round,
    white,
    black,
    result,
    white_elo,
    black_elo,
    fen,
    variant,
    eco,
    time_control,
    termination,
    kinds
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(Tag::kinds)> tag_names{
    "Event",    "Site",     "Date", "UTCDate", "Round", "White",       "Black",      "Result",
    "WhiteElo", "BlackElo", "FEN",  "Variant", "ECO",   "TimeControl", "Termination"};

struct PgnGame {
    std::array<std::string_view, tag_names.size()> tags;  // as they stand in the text; empty where there is none
    std::string start;                // the FEN of a game that was set up; empty for the usual start
    std::vector<std::uint8_t> moves;  // the number of each among the legal moves, ascending
    int result;                       // 1 White won, 0 drawn, -1 Black won, 2 unknown
    Skip skip;

    std::string_view tag(Tag t) const { return tags[static_cast<std::size_t>(t)]; }
};

inline constexpr std::size_t most_game_text = 8u << 20;  // bytes that one game may have, comments and all

enum class Read { game, more, end };

// Reads the game that begins at `at`, and moves `at` behind it. `more`: it does not end within the text, and this is not
// the last of it; `at` has not moved. `end`: there is no other. `wanted` is asked once the tags are known, and may skip
// the game; its moves are then not read.
Read read_game(std::string_view text, std::size_t& at, bool last, PgnGame& game,
               const std::function<Skip(const PgnGame&)>& wanted);

// yyyymmdd, 00 for unknown parts; 0: unknown.
std::uint32_t read_date(std::string_view text);
// 0: unknown.
std::int16_t read_elo(std::string_view text);
// The value of a tag as clean UTF-8 on one line: what is no UTF-8 is taken for Latin-1.
std::string clean(std::string_view value);

}  // namespace rookery::records
