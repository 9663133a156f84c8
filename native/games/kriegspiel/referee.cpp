// What the referee says: a function of the board, the try and the end of the game alone.
#include <algorithm>
#include <cstring>

#include "games/kriegspiel/position.hpp"

namespace rookery::kriegspiel {
namespace {

using chess::Square;

// In the order of End: how the rules call it, and the referee.
struct Word {
    const char *reason, *word;
};
constexpr Word words[] = {{"", "-"},
                          {"checkmate", "mate"},
                          {"stalemate", "stale"},
                          {"insufficient material", "material"},
                          {"fifty moves", "fifty"},
                          {"threefold repetition", "rep3"},
                          {"length", "length"},
                          {"forfeit", "forfeit"}};

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

End end_of(const Outcome& over) {
    const auto found = std::find_if(std::begin(words), std::end(words),
                                    [&](const Word& w) { return std::strcmp(w.reason, over.reason) == 0; });
    return static_cast<End>(found - std::begin(words));
}

const char* end_word(End end) {
    return words[static_cast<std::size_t>(end)].word;
}

CheckDirections check_directions(const chess::Position& board) {
    constexpr std::string_view order = "RFLSN";
    CheckDirections found{};
    std::size_t n = 0;
    for (const Square s : chess::each(board.checkers()))
        found[n++] = direction(board, board.king_square(board.turn()), s);
    if (n == 2 && order.find(found[0]) > order.find(found[1])) std::swap(found[0], found[1]);
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
    said.turn = after.turn();
    return said;
}

}  // namespace rookery::kriegspiel
