#include "belief/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "belief/sweep.hpp"

namespace rookery::belief {
namespace {

using chess::bishop;
using chess::bishop_attacks;
using chess::count;
using chess::file_of;
using chess::king;
using chess::king_attacks;
using chess::knight;
using chess::knight_attacks;
using chess::pawn;
using chess::pawn_attacks;
using chess::queen;
using chess::rank_of;
using chess::rook;
using chess::rook_attacks;

constexpr std::array<double, 6> worth{1.6, 2.8, 3.0, 4.0, 12.0, 0.0};
// How much of a danger is left when the cheapest protector is of a kind.
constexpr std::array<double, 6> relief{.4, .4, .3, .25, .15, .35};
// What not knowing costs, for each man that may stand on a square; pawns by how far they are from our first rank.
constexpr std::array<double, 6> unknown{0, -.01, -.01, -.02, -.025, -.005};
constexpr std::array<double, 8> unknown_pawn{0, -2, -1, -.25, -.1, -.05, -.02, 0};

double old(const Possible& p, Bitboard squares) {
    double sum = 0;
    for (const Square s : each(squares)) sum += p.age(s);
    return sum;
}

// 0 in the corners, 6 in the centre.
int centrality(Square s) {
    return std::min(file_of(s), 7 - file_of(s)) + std::min(rank_of(s), 7 - rank_of(s));
}

struct Seen {
    explicit Seen(const Possible& position) : p(position) {
        blocked = p.own_men() | p.sure_occupied();
        opaque = p.own_men() | p.maybe_occupied();
        control = p.control();
        all = std::max(1.0, old(p, p.maybe_occupied()));
        const Bitboard sure = p.sure_occupied();
        const auto only = [&](Kind a, Kind b) {
            Bitboard none = 0;
            for (int k = pawn; k <= king; ++k)
                if (k != a && k != b) none |= p.possible(static_cast<Kind>(k));
            return sure & ~none;
        };
        straight = only(rook, queen);
        diagonal = only(bishop, queen);
        knights = only(knight, knight);
        pawns = only(pawn, pawn);
        for (std::size_t f = 0; f < 8; ++f) {
            const int squares = count(p.possible(pawn) & (chess::file_a << f));
            pawn_share[f] = squares ? static_cast<double>(p.most_pawns(static_cast<int>(f))) / squares : 0;
        }
    }

    double danger(Square s) const {
        const Bitboard rooks = rook_attacks(s, blocked), bishops = bishop_attacks(s, blocked);
        const Bitboard takers = pawn_attacks(p.us(), s);
        // A man who certainly attacks it.
        if ((takers & pawns) | (knight_attacks(s) & knights) | (rook_attacks(s, opaque) & straight) |
            (bishop_attacks(s, opaque) & diagonal))
            return 1;
        Bitboard from = (rooks & (p.possible(rook) | p.possible(queen))) |
                        (bishops & (p.possible(bishop) | p.possible(queen))) | (knight_attacks(s) & p.possible(knight));
        if (!(control & bit(s))) from |= king_attacks(s) & p.kings();
        double sum = old(p, from) / all;
        for (const Square u : each(takers & p.possible(pawn)))
            sum += 2.5 * pawn_share[static_cast<std::size_t>(file_of(u))];
        return std::clamp(3.0 * (p.men_left() + 1) / 16 * sum, 0.0, 1.0);
    }

    const Possible& p;
    Bitboard blocked = 0, opaque = 0, control = 0;
    Bitboard straight = 0, diagonal = 0, knights = 0, pawns = 0;  // enemy men that are known to be such
    double all = 1;
    std::array<double, 8> pawn_share{};
};

struct Man {
    Square at;
    Kind kind;
    Bitboard attacks;
};

// How likely it is felt to be that the enemy, not in check, has no move.
double stalemate(const Possible& p, Bitboard control) {
    const Bitboard kings = p.kings() & ~control;
    int stuck = 0;
    for (const Square s : each(kings)) stuck += !(king_attacks(s) & ~control);
    if (!stuck) return 0;
    double risk = static_cast<double>(stuck) / count(kings);
    if (p.pawns_left()) {
        // Pawns that run into our men cannot move either.
        const Bitboard pawns = p.possible(pawn), own = p.own_men();
        const Bitboard held = pawns & (p.us() == chess::white ? own << 8 : own >> 8);
        const double share = pawns ? static_cast<double>(count(held)) / count(pawns) : 1;
        risk *= std::pow(std::max(share, 0.5), p.pawns_left());
    }
    return risk * std::pow(0.4, p.pieces_left());
}

}  // namespace

double danger(const Possible& p, Square s) {
    return Seen(p).danger(s);
}

double evaluate(const Possible& p, const Last& last) {
    const Seen seen(p);
    const int enemies = p.men_left(), ours = p.own_count() - 1;
    std::array<Man, 16> men{};
    std::size_t n = 0;
    Bitboard controlled = 0;
    for (int k = pawn; k <= king; ++k)
        for (const Square s : each(p.own(static_cast<Kind>(k)))) {
            if (n == men.size()) break;
            const Bitboard to =
                k == pawn ? pawn_attacks(p.us(), s) : chess::piece_attacks(static_cast<Kind>(k), s, seen.blocked);
            men[n++] = {s, static_cast<Kind>(k), to};
            controlled |= to;
        }

    // --- material, weighed by safety
    double value = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Man& man = men[i];
        const double full = man.kind == king ? 5.0 * enemies / 15 : worth[man.kind];
        const double felt = seen.danger(man.at);
        double unsafe = 0;
        if (felt > 0) {
            unsafe = felt * (man.at == last.moved ? 1.5 : 1.0);
            bool guarded = false;
            double shield = 1;
            for (std::size_t j = 0; j < n; ++j) {
                if (j == i || !(men[j].attacks >> man.at & 1)) continue;
                if (!guarded) {
                    // The men stand cheapest first, so this is the cheapest.
                    shield *= (1 - relief[men[j].kind]) * (men[j].kind <= man.kind ? 0.8 : 1.0);
                    guarded = true;
                }
                shield *= 0.85 * enemies / 15.0;
            }
            unsafe = guarded ? std::max(unsafe * shield, 0.33 * felt * (enemies + 1) / 16) : std::max(unsafe, 0.25);
            if (man.at == last.moved && last.took) unsafe = 1;
            if (man.kind == king) unsafe = std::min(unsafe, 1.0);
        }
        value += full * (1 - std::min(unsafe, 1.0));
    }
    value += -2.0 * p.pawns_left() - 5.0 * p.pieces_left() + (ours - enemies);

    // --- position
    value += 0.025 * count(controlled);
    for (int f = 0; f < 8; ++f)
        if (!(p.possible(pawn) & (chess::file_a << f))) value += 1;
    // Pawns are to promote, the more so the fewer men can stop them.
    const double urge = 0.012 + 0.004 * (15 - enemies);
    for (const Square s : each(p.own(pawn))) {
        const int far = p.us() == chess::white ? rank_of(s) - 1 : 6 - rank_of(s);
        value += urge * far * far;
    }
    if (ours < 4)
        for (std::size_t i = 0; i + 1 < n; ++i) {
            const Square a = men[i].at, k = p.king_square();
            const int far = std::max(std::abs(file_of(a) - file_of(k)), std::abs(rank_of(a) - rank_of(k)));
            value += 0.1 * (7 - far);
        }

    // --- information
    double doubt = 0;
    for (int k = knight; k <= king; ++k)
        doubt += unknown[static_cast<std::size_t>(k)] * old(p, p.possible(static_cast<Kind>(k)));
    for (int r = 1; r < 7; ++r) {
        const Bitboard row = chess::rank_1 << (8 * (p.us() == chess::white ? r : 7 - r));
        if (const Bitboard there = p.possible(pawn) & row)
            doubt += unknown_pawn[static_cast<std::size_t>(r)] * old(p, there);
    }
    value += doubt / Possible::oldest;

    if (enemies < 5) value -= 200 * stalemate(p, seen.control);

    // --- towards mate
    if (enemies < 7 && ours >= enemies && !last.urgent) {
        constexpr std::array<double, 7> gain{1, .2, .1, .05, .05, .02, .02};
        double room = 0;
        for (const Square s : each(p.kings())) room += 1 + 3.2 * centrality(s) / 6;
        value += (60 - 0.5 * room) * 0.05 * gain[static_cast<std::size_t>(enemies)];
    }
    return value;
}

}  // namespace rookery::belief
