#include "games/chess/san.hpp"

namespace rookery::chess {
namespace {

constexpr Bitboard rank_mask(int rank) {
    return rank_1 << (8 * rank);
}
constexpr Bitboard file_mask(int file) {
    return file_a << file;
}

constexpr bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}
constexpr bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

// The kind that a letter stands for, or -1. A small b is a file, so small letters only promote.
constexpr int kind_of_letter(char c) {
    switch (c) {
        case 'N':
            return knight;
        case 'B':
            return bishop;
        case 'R':
            return rook;
        case 'Q':
            return queen;
        case 'K':
            return king;
        case 'P':
            return pawn;
        default:
            return -1;
    }
}
constexpr int promotion_of_letter(char c) {
    const int kind = kind_of_letter(c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
    return kind >= knight && kind <= queen ? kind : 0;
}

std::string_view without_marks(std::string_view text) {
    while (!text.empty() && (text.back() == '+' || text.back() == '#' || text.back() == '!' || text.back() == '?'))
        text.remove_suffix(1);
    return text;
}

// 1 short, 2 long, 0 neither.
int castling_side(std::string_view text) {
    if (text.empty() || (text[0] != 'O' && text[0] != '0' && text[0] != 'o')) return 0;
    const char o = text[0];
    if (text.size() != 3 && text.size() != 5) return 0;
    for (std::size_t i = 1; i < text.size(); ++i)
        if (text[i] != (i % 2 ? '-' : o)) return 0;
    return text.size() == 3 ? 1 : 2;
}

Reading chosen(Bitboard from, Square to, int promotion) {
    if (!from) return {0, Fault::illegal};
    if (several(from)) return {0, Fault::ambiguous};
    return {make_move(first(from), to, promotion), Fault::none};
}

Reading castle(const Position& p, const Ascending& legal, int side) {
    const Square home = p.king_square(p.turn());
    if (file_of(home) != 4) return {0, Fault::illegal};
    const Square to = side == 1 ? home + 2 : home - 2;
    // The King's move of two squares: nobody else's stands for castling.
    return chosen(legal.sources(to) & bit(home), to, 0);
}

}  // namespace

Reading read_san(const Position& p, const Ascending& legal, std::string_view text) {
    constexpr Reading unreadable{0, Fault::unreadable};
    text = without_marks(text);
    if (const int side = castling_side(text)) return castle(p, legal, side);
    if (text.size() < 2 || text.size() > 10) return unreadable;

    int kind = kind_of_letter(text[0]);
    const bool named = kind >= 0;
    if (named) text.remove_prefix(1);

    // What promotes stands behind: =Q, (Q), /Q, Q, q.
    int promotion = 0;
    if (text.size() > 2) {
        std::string_view rest = text;
        if (rest.back() == ')') rest.remove_suffix(1);
        promotion = promotion_of_letter(rest.back());
        // In Nab the last letter is a file, and no square is there.
        if (promotion && rest.size() > 2) {
            rest.remove_suffix(1);
            if (rest.back() == '=' || rest.back() == '(' || rest.back() == '/') rest.remove_suffix(1);
            text = rest;
        } else {
            promotion = 0;
        }
    }
    if (text.size() < 2 || !is_file(text[text.size() - 2]) || !is_rank(text.back())) return unreadable;
    const int to_file = text[text.size() - 2] - 'a';
    const Square to = (text.back() - '1') * 8 + to_file;
    text.remove_suffix(2);
    bool takes = false;
    if (!text.empty() && (text.back() == 'x' || text.back() == '-' || text.back() == ':')) {
        takes = text.back() != '-';
        text.remove_suffix(1);
    }

    Bitboard from = ~0ull;
    bool has_file = false, has_rank = false;
    if (!text.empty() && is_file(text[0])) {
        from &= file_mask(text[0] - 'a');
        has_file = true;
        text.remove_prefix(1);
    }
    if (!text.empty() && is_rank(text[0])) {
        from &= rank_mask(text[0] - '1');
        has_rank = true;
        text.remove_prefix(1);
    }
    if (!text.empty()) return unreadable;

    if (!named) {
        // A whole square of origin is enough without a letter, as in UCI; else it is a Pawn.
        if (has_file && has_rank) {
            const Man there = p.at(first(from));
            kind = there == empty ? pawn : kind_of(there);
        } else {
            kind = pawn;
        }
    }
    if (kind == pawn) {
        if (!has_file && !takes) from &= file_mask(to_file);  // e4 is never a capture
        if (promotion) return chosen(legal.promoting_sources(to) & from, to, promotion);
        if (rank_of(to) == 0 || rank_of(to) == 7) return {0, Fault::illegal};  // promotes to nothing
    } else if (promotion) {
        return {0, Fault::illegal};
    }
    return chosen(legal.sources(to) & p.men(static_cast<Kind>(kind)) & from, to, 0);
}

std::string san(const Position& p, Move m) {
    constexpr std::string_view letters = "PNBRQK";
    const Square from = from_of(m), to = to_of(m);
    const Kind kind = kind_of(p.at(from));
    std::string text;
    if (kind == king && (to - from == 2 || from - to == 2)) {
        text = to > from ? "O-O" : "O-O-O";
    } else if (kind == pawn) {
        if (p.is_capture(m)) text = {static_cast<char>('a' + file_of(from)), 'x'};
        text += square_name(to);
        if (promotion_of(m)) text += {'=', letters[static_cast<std::size_t>(promotion_of(m))]};
    } else {
        text = letters[kind];
        if (const Bitboard others = Ascending(p).sources(to) & p.men(kind) & ~bit(from)) {
            const bool file_tells = !(others & file_mask(file_of(from)));
            const bool rank_tells = !(others & rank_mask(rank_of(from)));
            const std::string name = square_name(from);
            text += file_tells ? name.substr(0, 1) : rank_tells ? name.substr(1) : name;
        }
        if (p.is_capture(m)) text += 'x';
        text += square_name(to);
    }
    Position after = p;
    after.play(m);
    if (after.checkers()) text += after.count_moves() ? '+' : '#';
    return text;
}

}  // namespace rookery::chess
