// Metapositions: the enemy's moves and what is heard of them (`meta` of the paper, section 4.3 of the method).
#include "belief/possible.hpp"

#include <algorithm>

#include "belief/lines.hpp"
#include "belief/sweep.hpp"

namespace rookery::belief {

using chess::between;
using chess::bishop;
using chess::bishop_attacks;
using chess::count;
using chess::file_of;
using chess::first;
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
using chess::several;

void Possible::meta(const Message& said) {
    if (said.captured == '-')
        enemy_moves();
    else
        enemy_takes(said);
    en_passant_ = 0;
    checks_ = said.checks;
    tries_ = said.tries;
    enemy_checks_ = 0;
    // His King is not in check after his own move.
    may_[king] &= ~control();
    hear_checks(said.checks);
    hear_tries();
    settle();
    grow_old();
}

void Possible::enemy_moves() {
    const bool in_check = enemy_checks_ != 0;
    // Where a man other than the King may land: anywhere empty, or between his King and our checker.
    const Bitboard landing = !in_check ? empty_ : several(enemy_checks_) ? 0 : blocks_ & empty_;
    const Bitboard struck = control(), through = empty_;
    const bool king_must = bare_king() || !landing;
    std::array<Bitboard, 6> to{};
    Bitboard left = 0;

    to[king] = steps(may_[king]) & empty_ & ~struck;
    left |= steps(to[king]) & may_[king];

    if (!king_must) {
        to[knight] = leaps(may_[knight]) & landing;
        left |= leaps(landing) & may_[knight];
        to[bishop] = sweep_diagonal(may_[bishop], through) & landing;
        left |= sweep_diagonal(landing, through) & diagonal();
        to[rook] = sweep_rank(may_[rook], through) & landing;
        left |= sweep_rank(landing, through) & straight();
        to[queen] = (sweep_diagonal(may_[queen], through) | sweep_rank(may_[queen], through)) & landing;
        // A file on which a pawn must stand cannot be crossed from one side of all its squares to the other.
        Bitboard under = 0, over = 0, not_over = 0, not_under = 0;
        for (std::size_t f = 0; f < 8; ++f) {
            const Bitboard pawns = may_[pawn] & file_set(static_cast<int>(f));
            if (least_[f] <= 0 || !pawns) continue;
            const Square low = first(pawns), high = 63 - std::countl_zero(pawns);
            const Bitboard file = file_set(static_cast<int>(f));
            under |= file & ((bit(low) << 1) - 1);  // from here up, not as far as the highest
            not_over |= file & ~(bit(high) - 1);
            over |= file & ~(bit(high) - 1);  // from here down, not as far as the lowest
            not_under |= file & ((bit(low) << 1) - 1);
        }
        const auto vertical = [&](Bitboard men) {
            const Bitboard rising = sweep<north>(men & under, through) & ~not_over;
            const Bitboard falling = sweep<south>(men & over, through) & ~not_under;
            return rising | falling | sweep<north>(men & ~under, through) | sweep<south>(men & ~over, through);
        };
        to[rook] |= vertical(may_[rook]) & landing;
        to[queen] |= vertical(may_[queen]) & landing;
        left |= (sweep<north>(landing, through) | sweep<south>(landing, through)) & straight();

        const bool white = us_ == chess::white;
        const auto down = [&](Bitboard b) { return white ? b >> 8 : b << 8; };
        const auto back = [&](Bitboard b) { return white ? b << 8 : b >> 8; };
        const Bitboard third = white ? chess::rank_6 : chess::rank_3;
        const Bitboard once = down(may_[pawn]) & empty_, twice = down(once & third) & landing;
        stepped_ = twice;
        const Bitboard ends = once & landing;
        to[pawn] = (ends | twice) & ~last_ranks;
        left |= (back(ends) | back(back(twice) & once)) & may_[pawn];
        if (const Bitboard last = ends & last_ranks) {
            may_promote(last);
            for (int k = knight; k <= queen; ++k) to[static_cast<std::size_t>(k)] |= last;
        }
        if (!in_check && enemy_castling_) {
            const int home = white ? 56 : 0;
            const auto castle = [&](int side, Bitboard free, Bitboard passed, Square king_to, Square rook_from,
                                    Square rook_to) {
                const Bitboard need = free << home;
                if (!(enemy_castling_ & side) || need & ~empty_ || (passed << home) & struck) return;
                to[king] |= bit(king_to + home);
                to[rook] |= bit(rook_to + home);
                left |= bit(rook_from + home) | bit(home + 4);
            };
            castle(1, 0x60, 0x60, 6, 7, 5);
            castle(2, 0x0e, 0x0c, 2, 0, 3);
        }
    } else {
        stepped_ = 0;
        left |= may_[king];
        may_[king] = 0;
    }
    for (std::size_t k = 0; k < 6; ++k) may_[k] |= to[k];
    empty_ |= left;
}

void Possible::enemy_takes(const Message& said) {
    const Square q = said.square;
    const int lost = kind_at(q);
    stepped_ = 0;
    if (lost < 0) return;
    own_[static_cast<std::size_t>(lost)] &= ~bit(q);
    own_all_ &= ~bit(q);
    const Square home = us_ == chess::white ? 0 : 56;
    if (q == home + 7) castling_ &= 2;
    if (q == home) castling_ &= 1;

    const Bitboard blocked = ~empty_;
    std::array<Bitboard, 6> from{};
    from[king] = control() & bit(q) ? 0 : king_attacks(q) & may_[king];
    Bitboard passing = 0;
    const bool others_may = !enemy_checks_ || (!several(enemy_checks_) && checkers_ & bit(q));
    const Bitboard rook_lines = rook_attacks(q, blocked), bishop_lines = bishop_attacks(q, blocked);
    if (others_may) {
        from[knight] = knight_attacks(q) & may_[knight];
        from[rook] = rook_lines & may_[rook];
        from[bishop] = bishop_lines & may_[bishop];
        from[queen] = (rook_lines | bishop_lines) & may_[queen];
        if (enemy_tries_ != 0) from[pawn] = pawn_attacks(us_, q) & may_[pawn];
    }
    const Square behind = q - up();
    if (said.captured == 'p' && en_passant_ & bit(q) && enemy_tries_ != 0)
        passing = king_attacks(q) & (chess::rank_1 << (8 * rank_of(q))) & may_[pawn];

    int ways = count(passing), kings = count(from[king]);
    Bitboard sources = passing;
    for (const Bitboard b : from) ways += count(b), sources |= b;
    const Bitboard pawns = from[pawn] | passing;
    const bool promotes = last_ranks & bit(q);

    empty_ |= sources;
    if (ways == 1) clear(sources);
    for (std::size_t k = 0; k < 6; ++k)
        if (from[k] && !(k == pawn && promotes)) may_[k] |= bit(q);
    if (passing) {
        may_[pawn] |= bit(behind);
        empty_ |= bit(q);
        if (ways == count(passing)) {
            clear(bit(q));
            occupy(bit(behind));
        }
    }
    if (kings && kings == ways) may_[king] = bit(q);
    if (!ways) empty_ |= bit(q);

    if (!pawns) return;
    const bool only_pawns = ways == count(pawns);
    if (promotes) {
        for (int k = knight; k <= queen; ++k) may_[static_cast<std::size_t>(k)] |= bit(q);
        may_promote(pawns);
        if (only_pawns) promoted();
    } else {
        const auto f = static_cast<std::size_t>(file_of(q));
        ++most_[f];
        if (only_pawns) ++least_[f];
        for (std::size_t g = 0; g < 8; ++g)
            if (pawns & file_set(static_cast<int>(g))) least_[g] = static_cast<std::int8_t>(std::max(0, least_[g] - 1));
    }
    if (ways == 1) --most_[static_cast<std::size_t>(file_of(first(pawns)))];
}

// The directions in which our King is in check.
void Possible::hear_checks(std::uint8_t checks) {
    const Square k = king_square();
    not_attacked(k, checks, own_all_);
    if (!checks) return;
    if (!pieces_ && checks & (rank_check | file_check | knight_check)) promoted();
    const Bitboard blocked = own_all_ | sure_occupied();
    for (const std::uint8_t d : {rank_check, file_check, long_check, short_check, knight_check}) {
        if (!(checks & d)) continue;
        std::array<Bitboard, 6> by{};
        if (d == knight_check) {
            by[knight] = knight_attacks(k) & may_[knight];
        } else if (d & (rank_check | file_check)) {
            const Bitboard lines = on_line(rook_attacks(k, blocked) & straight(), k, d);
            by[rook] = lines & may_[rook];
            by[queen] = lines & may_[queen];
        } else {
            const Bitboard lines = on_line(bishop_attacks(k, blocked) & diagonal(), k, d);
            by[bishop] = lines & may_[bishop];
            by[queen] = lines & may_[queen];
            by[pawn] = on_line(pawn_attacks(us_, k) & may_[pawn], k, d);
        }
        const Bitboard all = by[0] | by[1] | by[2] | by[3] | by[4];
        if (!all || several(all)) continue;
        // It can only be that one.
        for (std::size_t kind = 0; kind < 6; ++kind) may_[kind] = (may_[kind] & ~all) | by[kind];
        occupy(all);
        clear(between(k, first(all)));
    }
}

// How many pawn captures we have.
void Possible::hear_tries() {
    if (tries_ < 0) return;
    int pairs = 0;
    Bitboard targets = 0, certain = 0, in_passing = 0;
    const Bitboard maybe = others();
    const Bitboard passed =
        (us_ == chess::white ? (stepped_ & may_[pawn]) << 8 : (stepped_ & may_[pawn]) >> 8) & empty_;
    for (const Square u : each(own_[pawn])) {
        const Bitboard beside = pawn_attacks(us_, u) & ~own_all_;
        if (tries_ == 0) {
            if (checks_) return;
            for (const Square t : each(beside & maybe_occupied()))
                if (!may_be_pinned(u, t)) certain |= bit(t);
            continue;
        }
        pairs += count(beside & (maybe | passed));
        targets |= beside & maybe & ~passed;
        in_passing |= beside & passed & ~maybe;
    }
    if (tries_ == 0) {
        clear(certain);
    } else if (pairs == tries_) {
        const Bitboard pawns = us_ == chess::white ? in_passing >> 8 : in_passing << 8;
        occupy(targets | pawns);
        may_[king] &= ~targets;
        for (int k = knight; k <= king; ++k) may_[static_cast<std::size_t>(k)] &= ~pawns;
    }
}

}  // namespace rookery::belief
