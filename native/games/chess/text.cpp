// Chess in words: squares, moves as UCI writes them, positions as FEN.
#include <charconv>
#include <vector>

#include "core/errors.hpp"
#include "games/chess/san.hpp"

namespace rookery::chess {
namespace {

constexpr std::string_view letters = "PNBRQK  pnbrqk";  // by Man - 1
constexpr std::string_view promotion_letters = " nbrq";
constexpr std::array<const char*, 6> kind_names{"pawn", "knight", "bishop", "rook", "queen", "king"};

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        const std::size_t end = std::min(text.find(' ', at), text.size());
        fields.push_back(text.substr(at, end - at));
        at = end;
    }
    return fields;
}

// The square that two characters name, or -1.
Square read_square(std::string_view text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return -1;
    return (text[1] - '1') * 8 + (text[0] - 'a');
}

std::uint16_t read_number(std::string_view field, int least, const char* what) {
    int value = -1;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || value < least || value > 30000)
        throw BadPosition(std::string(what) + " " + quote(field) + " is no number from " + std::to_string(least) +
                          " to 30000");
    return static_cast<std::uint16_t>(value);
}

}  // namespace

std::string square_name(Square s) {
    return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))};
}

std::string uci(Move m) {
    std::string text = square_name(from_of(m)) + square_name(to_of(m));
    if (promotion_of(m)) text += promotion_letters[static_cast<std::size_t>(promotion_of(m))];
    return text;
}

Move read_uci(std::string_view text) {
    const Square from = text.size() >= 4 ? read_square(text.substr(0, 2)) : -1;
    const Square to = text.size() >= 4 ? read_square(text.substr(2, 2)) : -1;
    const std::size_t promotion = text.size() == 5 ? promotion_letters.find(text[4]) : 0;
    if (from < 0 || to < 0 || text.size() > 5 || promotion == std::string_view::npos ||
        (text.size() == 5 && promotion == 0))
        throw BadNotation("cannot read " + quote(text) + " as a move; write it like e2e4 or e7e8q");
    return make_move(from, to, static_cast<int>(promotion));
}

namespace {

bool is_uci(std::string_view text) {
    const bool whole =
        text.size() == 4 || (text.size() == 5 && promotion_letters.find(text[4], 1) != std::string_view::npos);
    return whole && read_square(text.substr(0, 2)) >= 0 && read_square(text.substr(2, 2)) >= 0;
}

// The moves of the man on a square, to say what can be played in the place of what cannot.
std::string moves_from(const Position& p, Square from) {
    Position::Moves list;
    p.moves(list);
    std::string found;
    for (const Move m : list)
        if (from_of(m) == from && found.size() < 80) found += (found.empty() ? "" : " ") + uci(m);
    return found;
}

}  // namespace

Move Position::parse(std::string_view text) const {
    if (is_uci(text)) {
        const Move move = read_uci(text);
        if (legal(move)) return move;
        const std::string from = square_name(from_of(move)), hint = moves_from(*this, from_of(move));
        throw IllegalMove(quote(text) + " is not legal in " + quote(str()) +
                          (at(from_of(move)) == empty ? "; nothing stands on " + from
                           : hint.empty()             ? "; the piece on " + from + " has no move"
                                                      : "; from " + from + ": " + hint));
    }
    const Reading found = read_san(*this, Ascending(*this), text);
    switch (found.fault) {
        case Fault::unreadable:
            throw BadNotation("cannot read " + quote(text) + " as a move; write it like e4, Nf3 or e2e4");
        case Fault::illegal:
            throw IllegalMove(quote(text) + " is not legal in " + quote(str()));
        case Fault::ambiguous:
            throw BadNotation(quote(text) + " could be several moves in " + quote(str()) +
                              "; name the square it comes from");
        case Fault::none:
            break;
    }
    return found.move;
}

Position::Position() : Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") {}

Position::Position(std::string_view fen) {
    const auto fields = split(fen);
    if (fields.size() != 4 && fields.size() != 6)
        throw BadPosition("a FEN has 6 fields (or its first 4), not " + std::to_string(fields.size()) + ": " +
                          quote(fen));
    try {
        read_board(fields[0]);
        if (fields[1] != "w" && fields[1] != "b")
            throw BadPosition("the side to move must be w or b (got " + quote(fields[1]) + ")");
        turn_ = fields[1] == "w" ? white : black;
        check_material();
        read_castling(fields[2]);
        read_en_passant(fields[3]);
        if (fields.size() == 6) {
            clock_ = read_number(fields[4], 0, "the halfmove clock");
            number_ = read_number(fields[5], 1, "the move number");
        }
    } catch (const BadPosition& error) {
        throw BadPosition(std::string(error.what()) + ", in the FEN " + quote(fen));
    }
    key_ = full_key();
}

void Position::read_board(std::string_view field) {
    int rank = 7, file = 0;
    for (const char c : field) {
        if (c == '/') {
            if (file != 8 || rank == 0)
                throw BadPosition("rank " + std::to_string(rank + 1) + " has " + std::to_string(file) +
                                  " squares, or there are too many ranks");
            --rank, file = 0;
        } else if (c >= '1' && c <= '8') {
            file += c - '0';
        } else if (const auto i = letters.find(c); i != std::string_view::npos && c != ' ') {
            if (file < 8) {
                const Man m = static_cast<Man>(i + 1);
                put(rank * 8 + file, colour_of(m), kind_of(m));
            }
            ++file;
        } else {
            throw BadPosition(quote({&c, 1}) + " is no piece; use PNBRQK and pnbrqk");
        }
        if (file > 8) throw BadPosition("rank " + std::to_string(rank + 1) + " has more than 8 squares");
    }
    if (rank != 0 || file != 8) throw BadPosition("the board " + quote(field) + " has not 8 ranks of 8 squares");
}

// Keeps out what no game can reach and what the move list has no room for.
void Position::check_material() const {
    for (const Colour c : {white, black}) {
        const std::string who = c == white ? "White" : "Black";
        if (count(men(c, king)) != 1)
            throw BadPosition(who + " must have exactly one king (got " + std::to_string(count(men(c, king))) + ")");
        int promoted = 0;
        for (const Kind k : {knight, bishop, rook, queen})
            promoted += std::max(0, count(men(c, k)) - (k == queen ? 1 : 2));
        if (count(men(c, pawn)) + promoted > 8)
            throw BadPosition(who + " has more pieces than 8 pawns and their promotions allow");
    }
    if (const Bitboard b = men(pawn) & (rank_1 | rank_8))
        throw BadPosition("a pawn stands on " + square_name(first(b)));
    if (attackers(king_square(~turn_), turn_, occupied()))
        throw BadPosition("the side that has just moved left its king in check");
}

void Position::read_castling(std::string_view field) {
    if (field == "-") return;
    constexpr std::string_view rights = "KQkq";
    constexpr std::array<Square, 4> rooks{7, 0, 63, 56};
    for (const char c : field) {
        const auto i = rights.find(c);
        if (i == std::string_view::npos || (castling_ & (1 << i)))
            throw BadPosition("the castling field must be some of KQkq, or - (got " + quote(field) + ")");
        const Colour colour = i < 2 ? white : black;
        if (king_square(colour) != (colour == white ? 4 : 60) || at(rooks[i]) != man(colour, rook))
            throw BadPosition("castling " + quote({&c, 1}) + " needs the king and that rook at home");
        castling_ = static_cast<std::uint8_t>(castling_ | (1 << i));
    }
}

void Position::read_en_passant(std::string_view field) {
    if (field == "-") return;
    const Square target = read_square(field);
    if (target < 0 || rank_of(target) != (turn_ == white ? 5 : 2))
        throw BadPosition("the en-passant square must be - or a square on rank " +
                          std::string(turn_ == white ? "6" : "3") + " (got " + quote(field) + ")");
    const int up = turn_ == white ? 8 : -8;
    if (at(target - up) != man(~turn_, pawn) || at(target) != empty || at(target + up) != empty)
        throw BadPosition("no pawn has just passed the en-passant square " + quote(field));
    if (can_take_en_passant(target)) en_passant_ = static_cast<std::int8_t>(target);
}

std::string Position::str() const {
    std::string fen;
    for (int rank = 7; rank >= 0; --rank) {
        int gap = 0;
        for (int file = 0; file < 8; ++file) {
            const Man m = at(rank * 8 + file);
            if (m == empty) {
                ++gap;
                continue;
            }
            if (gap) fen += static_cast<char>('0' + gap);
            gap = 0;
            fen += letters[m - 1u];
        }
        if (gap) fen += static_cast<char>('0' + gap);
        if (rank) fen += '/';
    }
    fen += turn_ == white ? " w " : " b ";
    if (castling_ == 0) fen += '-';
    for (int i = 0; i < 4; ++i)
        if (castling_ & (1 << i)) fen += "KQkq"[i];
    fen += ' ' + (en_passant_ < 0 ? "-" : square_name(en_passant_));
    return fen + ' ' + std::to_string(clock_) + ' ' + std::to_string(number_);
}

}  // namespace rookery::chess
