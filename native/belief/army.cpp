#include "belief/army.hpp"

#include "core/rng.hpp"

namespace rookery::belief {
namespace {

using namespace chess;

// The quarters a1-d4 and e5-h8: through a King there the diagonal that rises to the right is the long one.
constexpr Bitboard rising_long = 0x000000000f0f0f0full | 0xf0f0f0f000000000ull;

Bitboard attacks_of(Kind kind, Square s, Colour colour, Bitboard occupied) {
    return kind == pawn ? pawn_attacks(colour, s) : piece_attacks(kind, s, occupied);
}

// Of the squares seen from s, those on the diagonal that rises to the right.
Bitboard rising(Square s, Bitboard seen) {
    Bitboard found = 0;
    for (const Square to : each(seen))
        if ((file_of(to) > file_of(s)) == (rank_of(to) > rank_of(s))) found |= bit(to);
    return found;
}

struct Diagonals {
    std::array<Bitboard, 64> up{};
    Diagonals() {
        for (Square s = 0; s < 64; ++s) up[static_cast<std::size_t>(s)] = rising(s, bishop_attacks(s, 0));
    }
};

}  // namespace

std::uint64_t Army::key() const {
    std::uint64_t found = static_cast<std::uint64_t>(colour);
    for (const Bitboard b : men) found = (found ^ b) * 0x9e3779b97f4a7c15ull + (found >> 29);
    return found;
}

Bitboard Army::attacks() const {
    const Bitboard occupied = all();
    Bitboard found = 0;
    for (int k = pawn; k <= king; ++k)
        for (const Square s : each(men[static_cast<std::size_t>(k)]))
            found |= attacks_of(static_cast<Kind>(k), s, colour, occupied);
    return found;
}

Checks Army::checks() const {
    static const Diagonals diagonals;  // not a global: it needs the tables of another file
    const Bitboard occupied = all();
    Checks found;
    for (int k = pawn; k < king; ++k)
        for (const Square s : each(men[static_cast<std::size_t>(k)])) {
            const Bitboard seen = attacks_of(static_cast<Kind>(k), s, colour, occupied);
            if (k == knight) {
                found.by[4] |= seen;
                continue;
            }
            const Bitboard rank = rank_1 << (s & 56), file = file_a << file_of(s);
            const Bitboard oblique = seen & ~rank & ~file;
            const Bitboard up = oblique & diagonals.up[static_cast<std::size_t>(s)], down = oblique & ~up;
            found.by[0] |= seen & rank;
            found.by[1] |= seen & file;
            found.by[2] |= (up & rising_long) | (down & ~rising_long);
            found.by[3] |= (up & ~rising_long) | (down & rising_long);
        }
    return found;
}

Bitboard Army::refusing(Move m) const {
    const Square from = from_of(m), to = to_of(m);
    if (!(men[king] & bit(from))) return between(from, to) | bit(to);
    const Bitboard near = king_attacks(to) | bit(to);
    if (std::abs(to - from) != 2) return near;
    // Castling: not over a square that he guards, and with nobody between King and Rook.
    const Square rook = to > from ? from + 3 : from - 4;
    return near | king_attacks((from + to) / 2) | between(from, rook);
}

Army Army::after(Move m) const {
    Army next = *this;
    const Square from = from_of(m), to = to_of(m);
    const int kind = kind_at(from);
    if (kind < 0) return next;
    const int now = promotion_of(m) ? promotion_of(m) : kind;
    next.men[static_cast<std::size_t>(kind)] &= ~bit(from);
    next.men[static_cast<std::size_t>(now)] |= bit(to);
    if (kind == king && std::abs(to - from) == 2) {
        next.men[rook] &= ~bit(to > from ? from + 3 : from - 4);
        next.men[rook] |= bit((from + to) / 2);
    }
    return next;
}

Army Army::without(Square s) const {
    Army next = *this;
    for (Bitboard& b : next.men) b &= ~bit(s);
    return next;
}

void Army::moves(Moves& list) const {
    const Bitboard own = all();
    const int ahead = colour == white ? 8 : -8;
    for (const Square s : each(men[pawn])) {
        const Square to = s + ahead;
        if (to < 0 || to > 63 || own & bit(to)) continue;
        if (rank_of(to) == (colour == white ? 7 : 0)) {
            for (const int k : {queen, rook, bishop, knight}) list.push(make_move(s, to, k));
            continue;
        }
        list.push(make_move(s, to));
        if (rank_of(s) == (colour == white ? 1 : 6) && !(own & bit(to + ahead))) list.push(make_move(s, to + ahead));
    }
    for (int k = knight; k <= king; ++k)
        for (const Square s : each(men[static_cast<std::size_t>(k)]))
            for (const Square to : each(piece_attacks(static_cast<Kind>(k), s, own) & ~own))
                list.push(make_move(s, to));
}

bool Army::can_mate() const {
    if (men[pawn] | men[rook] | men[queen]) return true;
    const bool light = men[bishop] & ~dark_squares, dark = men[bishop] & dark_squares;
    return (light && dark) || (men[bishop] && men[knight]) || count(men[knight]) > 2;
}

}  // namespace rookery::belief
