#include "evaluators/chess.hpp"

#include <algorithm>

namespace rookery::evaluators {
namespace {

using namespace chess;

constexpr std::array<Tapered, 6> worth{{{85, 110}, {330, 310}, {345, 330}, {490, 540}, {980, 980}, {0, 0}}};
constexpr std::array<int, 6> phase_of{0, 1, 1, 2, 4, 0};

constexpr Bitboard file_set(int file) {
    return file_a << file;
}
// 0 on the rim to 3 in the centre.
constexpr int ring(int file, int rank) {
    return std::min({file, 7 - file, rank, 7 - rank});
}
// 0 on the d- and e-file to 3 on the rim.
constexpr int from_middle(int file) {
    return std::max(3 - file, file - 4);
}

constexpr Tapered on_square(Kind kind, int file, int rank) {
    const int r = ring(file, rank), m = from_middle(file);
    switch (kind) {
        case pawn: {
            constexpr std::array<int, 8> middle{0, 0, 4, 8, 16, 32, 60, 0}, end{0, 4, 8, 20, 40, 75, 120, 0};
            const int centre = rank >= 2 && rank <= 4 ? (m == 0 ? 16 : m == 1 ? 4 : 0) : 0;
            const auto i = static_cast<std::size_t>(rank);
            return {middle[i] + centre - (m == 3 ? 6 : 0), end[i]};
        }
        case knight:
            return {-34 + 15 * r - (rank == 0 ? 6 : 0) + (rank >= 4 && r >= 2 ? 8 : 0), -30 + 13 * r};
        case bishop:
            return {-12 + 7 * r - (rank == 0 ? 8 : 0), -12 + 6 * r};
        case rook:
            return {(rank == 6 ? 22 : 0) + (rank == 0 ? 6 - 3 * m : 0), rank == 6 ? 14 : 0};
        case queen:
            return {-4 + 3 * r - (rank >= 2 && rank <= 4 ? 4 : 0), -20 + 11 * r};
        case king: {
            constexpr std::array<int, 8> home{18, 34, 22, -14, -4, -12, 36, 22};
            const int exposed = -12 - 14 * std::min(rank, 4) - (3 - m) * 4;
            return {rank == 0 ? home[static_cast<std::size_t>(file)] : exposed, -45 + 24 * r + (rank >= 3 ? 6 : 0)};
        }
    }
    return {};
}

// By man and square, Black's mirrored and negative.
constexpr auto make_table() {
    std::array<std::array<Tapered, 64>, 16> made{};
    for (int k = pawn; k <= king; ++k)
        for (Square s = 0; s < 64; ++s) {
            const Kind kind = static_cast<Kind>(k);
            const Tapered value = worth[static_cast<std::size_t>(k)] + on_square(kind, file_of(s), rank_of(s));
            made[man(white, kind)][static_cast<std::size_t>(s)] = value;
            made[man(black, kind)][static_cast<std::size_t>(s ^ 56)] = Tapered{} - value;
        }
    return made;
}
constexpr auto table = make_table();

constexpr Tapered worth_at(Man m, Square s) {
    return table[m][static_cast<std::size_t>(s)];
}

// The neighbouring files of a square, and per colour what lies ahead of it on these and its own: where an enemy
// Pawn would stop a passed one.
struct Fronts {
    std::array<Bitboard, 64> beside{};
    std::array<std::array<Bitboard, 64>, 2> ahead{};
    constexpr Fronts() {
        for (Square s = 0; s < 64; ++s) {
            const auto i = static_cast<std::size_t>(s);
            const int file = file_of(s), rank = rank_of(s);
            beside[i] = (file > 0 ? file_set(file - 1) : 0) | (file < 7 ? file_set(file + 1) : 0);
            for (int r = 0; r < 8; ++r)
                if (r != rank) ahead[r > rank ? white : black][i] |= (beside[i] | file_set(file)) & (rank_1 << (8 * r));
        }
    }
};
constexpr Fronts fronts;

int distance(Square a, Square b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

template <Colour Us>
Tapered pawns(const Position& p) {
    constexpr std::array<Tapered, 8> passed{
        {{0, 0}, {2, 10}, {4, 16}, {10, 32}, {28, 62}, {55, 110}, {90, 170}, {0, 0}}};
    const Bitboard own = p.men(Us, pawn), enemy = p.men(~Us, pawn);
    Tapered sum;
    for (const Square s : each(own)) {
        const auto i = static_cast<std::size_t>(s);
        const Square stop = s + (Us == white ? 8 : -8);
        const int rank = Us == white ? rank_of(s) : 7 - rank_of(s);
        if (!(fronts.beside[i] & own))
            sum -= {12, 16};
        else if (pawn_attacks(~Us, s) & own)
            sum += {9, 7};
        if (fronts.ahead[Us][i] & file_set(file_of(s)) & own) {
            sum -= {10, 22};  // doubled
        } else if (!(fronts.ahead[Us][i] & enemy)) {
            const Tapered bonus = passed[static_cast<std::size_t>(rank)];
            sum += bit(stop) & p.occupied() ? Tapered{bonus.middle / 2, bonus.end / 2} : bonus;
            // Kings decide the race.
            if (rank >= 3)
                sum += Tapered{0, 5} * (rank - 2) *
                       (distance(p.king_square(~Us), stop) - distance(p.king_square(Us), stop));
        }
    }
    return sum;
}

template <Colour Us>
Tapered pieces(const Position& p) {
    const Bitboard occupied = p.occupied(), own_pawns = p.men(Us, pawn), enemy_pawns = p.men(~Us, pawn);
    const Bitboard guarded = take_west<~Us>(enemy_pawns) | take_east<~Us>(enemy_pawns);
    const Bitboard free = ~p.men(Us) & ~guarded;
    const Square target = p.king_square(~Us);
    const Bitboard zone = king_attacks(target) | bit(target);
    Tapered sum;
    int attackers = 0, weight = 0;
    const auto attack = [&](Bitboard reach, int strength) {
        if (reach & zone) ++attackers, weight += strength * count(reach & zone);
    };
    for (const Square s : each(p.men(Us, knight))) {
        const Bitboard reach = knight_attacks(s), file = file_set(file_of(s));
        sum += Tapered{5, 5} * (count(reach & free) - 4);
        attack(reach, 20);
        const bool safe = !(fronts.ahead[Us][static_cast<std::size_t>(s)] & ~file & enemy_pawns);
        if (safe && (pawn_attacks(~Us, s) & own_pawns)) sum += {16, 8};  // an outpost
    }
    for (const Square s : each(p.men(Us, bishop))) {
        const Bitboard reach = bishop_attacks(s, occupied ^ p.men(Us, queen));
        sum += Tapered{5, 5} * (count(reach & free) - 6);
        attack(reach, 20);
    }
    for (const Square s : each(p.men(Us, rook))) {
        const Bitboard reach = rook_attacks(s, occupied ^ p.men(Us, queen) ^ p.men(Us, rook));
        sum += Tapered{2, 4} * (count(reach & free) - 7);
        attack(reach, 35);
        const Bitboard file = file_set(file_of(s));
        if (!(file & own_pawns)) sum += file & enemy_pawns ? Tapered{12, 6} : Tapered{28, 10};
    }
    for (const Square s : each(p.men(Us, queen))) {
        const Bitboard reach = bishop_attacks(s, occupied) | rook_attacks(s, occupied);
        sum += Tapered{1, 3} * (count(reach & free) - 13);
        attack(reach, 50);
    }
    if (several(p.men(Us, bishop))) sum += {32, 48};
    // One attacker alone does little; each further one multiplies the danger.
    constexpr std::array<int, 8> share{0, 0, 50, 75, 88, 94, 97, 99};
    sum += {weight * share[static_cast<std::size_t>(std::min(attackers, 7))] / 100, 0};
    return sum;
}

template <Colour Us>
Tapered shelter(const Position& p) {
    const Square k = p.king_square(Us);
    const Bitboard own = p.men(Us, pawn), front = forward<Us>(bit(k));
    const Bitboard near = front | ((front & ~file_a) >> 1) | ((front & ~file_h) << 1);
    int value = 12 * count(near & own) + 6 * count(forward<Us>(near) & own);
    for (int f = std::max(0, file_of(k) - 1); f <= std::min(7, file_of(k) + 1); ++f)
        if (!(file_set(f) & own)) value -= 14;
    return {value, 0};
}

}  // namespace

ChessPieces::Node ChessPieces::root(const Position& p) const {
    Node n;
    for (const Square s : each(p.occupied())) {
        n.sum += worth_at(p.at(s), s);
        n.phase += phase_of[kind_of(p.at(s))];
    }
    return n;
}

ChessPieces::Node ChessPieces::after(const Node& node, const Position& before, Move m, const Position& after) const {
    Node n = node;
    const Square from = from_of(m), to = to_of(m);
    const Man moved = before.at(from), taken = before.at(to);
    n.sum += worth_at(after.at(to), to) - worth_at(moved, from);
    if (taken != empty) {
        n.sum -= worth_at(taken, to);
        n.phase -= phase_of[kind_of(taken)];
    }
    if (promotion_of(m)) n.phase += phase_of[static_cast<std::size_t>(promotion_of(m))];
    if (before.takes_en_passant(m)) {
        const Square victim = to + (before.turn() == white ? -8 : 8);
        n.sum -= worth_at(before.at(victim), victim);
    }
    if (kind_of(moved) == king && std::abs(to - from) == 2) {
        const Square corner = to > from ? to + 1 : to - 2, beside = (from + to) / 2;
        const Man castle = man(before.turn(), rook);
        n.sum += worth_at(castle, beside) - worth_at(castle, corner);
    }
    return n;
}

search::Value ChessClassical::value(const Position& p, const Node& n) const {
    Tapered sum = n.sum + pawns<white>(p) - pawns<black>(p) + pieces<white>(p) - pieces<black>(p);
    if (n.phase > 6) sum += shelter<white>(p) - shelter<black>(p);
    sum += p.turn() == white ? Tapered{12, 8} : Tapered{-12, -8};
    // Without Pawns a small lead wins nothing.
    const Colour leader = sum.end > 0 ? white : black;
    if (!p.men(leader, pawn) && std::abs(sum.end) < 420) sum.end /= 4;
    return view(p, n, sum);
}

}  // namespace rookery::evaluators
