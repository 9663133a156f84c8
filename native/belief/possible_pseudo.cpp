// Metapositions: our own tries and what the referee answers (`pseudo` of the paper, section 4.2 of the method).
#include "belief/possible.hpp"

#include <algorithm>
#include <cstdlib>

#include "belief/lines.hpp"
#include "belief/sweep.hpp"

namespace rookery::belief {

using chess::between;
using chess::bishop;
using chess::bishop_attacks;
using chess::count;
using chess::file_of;
using chess::from_of;
using chess::king;
using chess::king_attacks;
using chess::knight;
using chess::knight_attacks;
using chess::line_through;
using chess::pawn;
using chess::pawn_attacks;
using chess::promotion_of;
using chess::queen;
using chess::rank_of;
using chess::rook;
using chess::rook_attacks;
using chess::several;
using chess::to_of;

void Possible::pseudo(Move move, const Answer& answer) {
    if (answer.stood)
        stood(move, answer.message);
    else
        refused(move);
}

void Possible::stood(Move move, const Message& said) {
    const Square from = from_of(move), to = to_of(move);
    const int kind = kind_at(from);
    if (kind < 0) return;
    const bool castles = kind == king && std::abs(to - from) == 2, took = said.captured != '-';
    const Square victim = took ? said.square : to;
    const Square rook_from = to > from ? from + 3 : from - 4, rook_to = (from + to) / 2;
    const Bitboard path = castles ? between(from, rook_from) : kind == knight ? 0 : between(from, to);
    clear(path);
    if (victim != to || !took) clear(bit(to));
    if (took) {
        occupy(bit(victim));
        may_[king] &= ~bit(victim);
        // What was taken on the square is known to be of that sort: it blocked the lines behind it.
        if (said.captured == 'p') may_[pawn] |= bit(victim);
    }
    // He was not in check before this move.
    may_[king] &= ~control();
    if (castles) not_attacked(rook_to, 0, own_all_ & ~bit(from));

    if (took) {
        const auto f = static_cast<std::size_t>(file_of(victim));
        if (said.captured == 'p') {
            if (pawns_) --pawns_;
            --least_[f];
            most_[f] = static_cast<std::int8_t>(std::max(0, most_[f] - 1));
        } else if (pieces_) {
            --pieces_;
        } else if (pawns_) {
            --pawns_;
            if (promotable_) --promotable_;
        }
        promotable_ = std::min(promotable_, pawns_);
        clear(bit(victim));
    }
    const Bitboard moved = bit(from) | bit(to);
    const auto became = static_cast<std::size_t>(promotion_of(move) ? promotion_of(move) : kind);
    own_[static_cast<std::size_t>(kind)] &= ~bit(from);
    own_[became] |= bit(to);
    own_all_ = (own_all_ & ~bit(from)) | bit(to);
    if (castles) {
        own_[rook] ^= bit(rook_from) | bit(rook_to);
        own_all_ ^= bit(rook_from) | bit(rook_to);
    }
    const Bitboard known = path | moved | bit(victim) | (castles ? bit(rook_from) : 0);
    for (Bitboard& m : may_) m &= ~own_all_;
    empty_ = (empty_ | known) & ~own_all_;
    for (const Square s : each(known)) ages_[static_cast<std::size_t>(s)] = 0;
    const Square home = us_ == chess::white ? 0 : 56;
    if (kind == king) castling_ = 0;
    if (from == home + 7) castling_ &= 2;
    if (from == home) castling_ &= 1;
    en_passant_ = kind == pawn && std::abs(to - from) == 16 ? bit(to) : 0;
    checks_ = 0;
    tries_ = Message::unknown;

    not_attacked(king_square(), 0, own_all_);
    enemy_checks_ = said.checks;
    enemy_tries_ = said.tries;
    blocks_ = ~0ull;
    if (!said.checks) {
        may_[king] &= ~control();
    } else {
        // A slider's own line was open before it moved, or he would have been in check; a capture opens it forwards.
        Bitboard stale = 0;
        if (kind >= bishop && kind <= queen) {
            stale = line_through(from, to);
            if (took)
                for (const Square s : each(stale))
                    if (between(from, s) & bit(to)) stale &= ~bit(s);
        }
        hear_check(said.checks, bit(from) | bit(victim), bit(to) | (castles ? bit(rook_to) : 0), stale);
    }
    hear_enemy_tries(said.tries);
    settle();
}

// We gave check by a move that opened some squares and landed on others. From where it landed, `stale` squares
// cannot have been struck anew.
void Possible::hear_check(std::uint8_t checks, Bitboard opened, Bitboard landed, Bitboard stale) {
    const Bitboard blocked = own_all_ | sure_occupied(), opaque = own_all_ | others();
    const Bitboard rooks = own_[rook] | own_[queen], bishops = own_[bishop] | own_[queen];
    blocks_ = checkers_ = 0;
    for (const Square s : each(may_[king])) {
        std::uint8_t soft = 0, hard = 0;
        Bitboard steps_between = 0, from = 0;
        const auto line = [&](Square x, bool certain) {
            const std::uint8_t d = check_direction(s, x);
            if (certain) hard |= d;
            const bool fresh = landed & bit(x) ? !(stale & bit(s)) : (between(x, s) & opened) != 0;
            if (!fresh) return;
            soft |= d;
            if (!(d & checks)) return;
            steps_between |= between(x, s);
            from |= bit(x);
        };
        const Bitboard sure = (rook_attacks(s, opaque) & rooks) | (bishop_attacks(s, opaque) & bishops);
        const Bitboard maybe = (rook_attacks(s, blocked) & rooks) | (bishop_attacks(s, blocked) & bishops);
        for (const Square x : each(maybe)) line(x, sure >> x & 1);
        for (const Square x : each(pawn_attacks(~us_, s) & own_[pawn])) {
            const std::uint8_t d = check_direction(s, x);
            hard |= d;
            if (!(landed & bit(x))) continue;
            soft |= d;
            from |= bit(x);
        }
        if (const Bitboard knights = knight_attacks(s) & own_[knight]) {
            hard |= knight_check;
            if (knights & landed) soft |= knight_check, from |= knights & landed;
        }
        if ((soft & checks) != checks || hard & ~checks) {
            may_[king] &= ~bit(s);
        } else {
            blocks_ |= steps_between;
            checkers_ |= from;
        }
    }
}

// How many pawn captures the enemy has.
void Possible::hear_enemy_tries(int tries) {
    if (tries < 0) return;
    const Bitboard targets = own_all_ & ~own_[king];
    if (tries == 0) {
        if (enemy_checks_) return;
        const Bitboard suspects =
            us_ == chess::white ? chess::take_west<chess::white>(targets) | chess::take_east<chess::white>(targets)
                                : chess::take_west<chess::black>(targets) | chess::take_east<chess::black>(targets);
        const Bitboard blocked = own_all_ | sure_occupied();
        for (const Square u : each(suspects & may_[pawn])) {
            // He might be pinned by a slider of ours.
            const Bitboard straight_lines = rook_attacks(u, blocked), diagonal_lines = bishop_attacks(u, blocked);
            const Bitboard pinners =
                (straight_lines & (own_[rook] | own_[queen])) | (diagonal_lines & (own_[bishop] | own_[queen]));
            bool pinned = false;
            for (const Square x : each(pinners))
                pinned |= (line_through(u, x) & (straight_lines | diagonal_lines) & may_[king]) != 0;
            if (!pinned) may_[pawn] &= ~bit(u);
        }
        return;
    }
    int pairs = 0;
    Bitboard all = 0;
    for (const Square u : each(may_[pawn])) {
        int here = count(pawn_attacks(~us_, u) & targets);
        here += count(pawn_attacks(~us_, u) & (us_ == chess::white ? en_passant_ >> 8 : en_passant_ << 8) & empty_);
        pairs += here;
        if (here) all |= bit(u);
    }
    if (pairs != tries) return;
    for (int k = knight; k <= king; ++k) may_[static_cast<std::size_t>(k)] &= ~all;
    occupy(all);
}

void Possible::refused(Move move) {
    const Square from = from_of(move), to = to_of(move), k = king_square();
    const int kind = kind_at(from);
    // While in check any move may fail to end it. What is senseless on any board is refused whatever stands there.
    if (kind < 0 || own_all_ & bit(to) || checks_) return;
    if ((promotion_of(move) != 0) != (kind == pawn && (last_ranks & bit(to)) != 0)) return;
    switch (kind) {
        case king: {
            if (std::abs(file_of(to) - file_of(from)) == 2) {
                if (!bare_king()) return;
                const Square rook_from = to > from ? from + 3 : from - 4;
                const bool sensible = rank_of(to) == rank_of(from) && castling_ & (to > from ? 1 : 2) &&
                                      !(between(from, rook_from) & own_all_);
                if (sensible) may_[king] &= between(from, rook_from) | king_attacks(to) | king_attacks((from + to) / 2);
                break;
            }
            if (!(king_attacks(from) & bit(to))) return;
            if (!may_be_attacked_by_others(to, own_all_ & ~bit(from))) may_[king] &= king_attacks(to);
            break;
        }
        case pawn: {
            const bool steps_on = to == from + up();
            const bool steps_twice = to == from + 2 * up() && rank_of(from) == (us_ == chess::white ? 1 : 6) &&
                                     !(own_all_ & bit(from + up()));
            if (!steps_on && !steps_twice && !(pawn_attacks(us_, from) & bit(to))) return;
            if (may_be_pinned(from, to)) return;
            if (steps_on) {
                occupy(bit(to));
            } else if (steps_twice) {
                if (certainly_empty(from + up()))
                    occupy(bit(to));
                else if (certainly_empty(to))
                    occupy(bit(from + up()));
            } else {
                clear(bit(to));
                hear_tries();
            }
            break;
        }
        case knight:
            if (!(knight_attacks(from) & bit(to))) return;
            must_be_pinned(from);
            break;
        default: {
            if (!(chess::piece_attacks(static_cast<Kind>(kind), from, own_all_) & bit(to))) return;
            const Bitboard unsure = between(from, to) & maybe_occupied();
            const bool pinned = line_through(k, from) && may_be_pinned(from, to);
            if (!pinned && unsure && !several(unsure)) occupy(unsure);
            if (!unsure) must_be_pinned(from);
        }
    }
    settle();
}

}  // namespace rookery::belief
