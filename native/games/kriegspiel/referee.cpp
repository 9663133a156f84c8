// What the referee says. Its lines are a function of the board, the try and the end of the game alone.
#include <algorithm>
#include <cstring>

#include "games/kriegspiel/position.hpp"

namespace rookery::kriegspiel {
namespace {

using chess::Square;

struct End {
    const char *reason, *word;
};
constexpr End ends[] = {
    {"checkmate", "mate"},    {"stalemate", "stale"},           {"insufficient material", "material"},
    {"fifty moves", "fifty"}, {"threefold repetition", "rep3"}, {"length", "length"},
    {"forfeit", "forfeit"}};

const char* end_word(const std::optional<Outcome>& over) {
    if (!over) return "-";
    return std::find_if(std::begin(ends), std::end(ends),
                        [&](const End& e) { return std::strcmp(e.reason, over->reason) == 0; })
        ->word;
}

// Of the two diagonals through a King's square the longer is "long"; they are never equal.
bool is_long_diagonal(Square king, Square checker) {
    const bool rising =
        (chess::file_of(checker) > chess::file_of(king)) == (chess::rank_of(checker) > chess::rank_of(king));
    return rising == ((chess::file_of(king) < 4) == (chess::rank_of(king) < 4));
}

char direction(const chess::Position& board, Square king, Square checker) {
    if (chess::kind_of(board.at(checker)) == chess::knight) return 'N';
    if (chess::rank_of(king) == chess::rank_of(checker)) return 'R';
    if (chess::file_of(king) == chess::file_of(checker)) return 'F';
    return is_long_diagonal(king, checker) ? 'L' : 'S';
}

}  // namespace

std::string check_directions(const chess::Position& board) {
    constexpr std::string_view order = "RFLSN";
    std::string found;
    for (const Square s : chess::each(board.checkers())) found += direction(board, board.king_square(board.turn()), s);
    std::sort(found.begin(), found.end(), [&](char a, char b) { return order.find(a) < order.find(b); });
    return found;
}

Announcement announce(const chess::Position& before, Move move, const chess::Position& after, int tries) {
    Announcement said;
    if (before.is_capture(move)) {
        said.square = chess::to_of(move);
        if (before.takes_en_passant(move)) said.square += before.turn() == chess::white ? -8 : 8;
        said.captured = chess::kind_of(before.at(said.square)) == chess::pawn ? 'p' : 'P';
    }
    said.checks = check_directions(after);
    said.tries = tries;
    return said;
}

Lines answer(const Position& before, Move move, const Position& after, const std::optional<Outcome>& over) {
    if (!after.refused().empty()) {
        // The last of too many tries is refused like the others; the other seat hears that it has won.
        const std::string end = over ? std::string("OPP cap=- chk=- tries=0 turn=") +
                                           (after.board().turn() == chess::white ? "w" : "b") + " end=" + end_word(over)
                                     : "";
        return {"ILLEGAL " + chess::uci(move), end};
    }
    const Announcement said = announce(before.board(), move, after.board(), after.tries());
    std::string line = "cap=";
    line += said.captured;
    if (said.captured != '-') line += "@" + chess::square_name(said.square);
    line += " chk=";
    if (said.checks.empty()) line += '-';
    for (std::size_t i = 0; i < said.checks.size(); ++i) line += std::string(i ? "+" : "") + said.checks[i];
    line += " tries=" + std::to_string(said.tries) + " turn=" + (after.board().turn() == chess::white ? "w" : "b");
    line += std::string(" end=") + end_word(over);
    return {"OK " + chess::uci(move) + " " + line, "OPP " + line};
}

}  // namespace rookery::kriegspiel
