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
using chess::line_through;
using chess::pawn;
using chess::pawn_attacks;
using chess::queen;
using chess::rank_of;
using chess::rook;
using chess::rook_attacks;
using chess::several;

std::uint8_t checks_of(const kriegspiel::CheckDirections& directions) {
    constexpr std::string_view order = "RFLSN";
    unsigned set = 0;
    for (const char c : std::string_view(directions.data())) set |= 1u << order.find(c);
    return static_cast<std::uint8_t>(set);
}

Message Message::of(const kriegspiel::Announcement& said) {
    Message m;
    m.captured = said.captured;
    m.square = static_cast<std::int8_t>(said.square);
    m.checks = checks_of(said.checks);
    m.tries = static_cast<std::int8_t>(said.tries);
    return m;
}

// --- the start

Possible::Possible(const kriegspiel::Start& start, Colour us)
    : own_(start.own),
      us_(us),
      pawns_(static_cast<std::int8_t>(start.pawns)),
      pieces_(static_cast<std::int8_t>(start.pieces)) {
    const bool white = us == chess::white, ours = start.turn == us;
    for (const Bitboard b : own_) own_all_ |= b;
    castling_ = static_cast<std::uint8_t>(start.castling >> (white ? 0 : 2) & 3);
    blocks_ = checkers_ = ~0ull;
    (ours ? checks_ : enemy_checks_) = checks_of(start.checks);
    (ours ? tries_ : enemy_tries_) = static_cast<std::int8_t>(start.tries);
    // Who came last by two steps is not said unless the board is public: any pawn may have that could have.
    if (ours)
        stepped_ = start.board ? (start.en_passant < 0 ? 0 : bit(start.en_passant - up())) : ~0ull;
    else if (start.board)
        en_passant_ = start.en_passant < 0 ? 0 : bit(start.en_passant + up());
    else
        en_passant_ = own_[pawn] & (chess::rank_1 << (white ? 24 : 32));

    if (start.board) {
        may_ = start.enemy;
        empty_ = ~(own_all_ | others() | may_[king]);
        enemy_castling_ = static_cast<std::uint8_t>(start.castling >> (white ? 2 : 0) & 3);
        for (std::size_t f = 0; f < 8; ++f) {
            const auto here = static_cast<std::int8_t>(count(may_[pawn] & file_set(static_cast<int>(f))));
            least_[f] = most_[f] = here;
        }
        for (const Square s : each(white ? 0xffffull << 48 : 0xffffull)) ages_[static_cast<std::size_t>(s)] = 10;
        return;
    }
    may_.fill(~own_all_);
    empty_ = ~own_all_;
    enemy_castling_ = 3;
    most_.fill(pawns_);
    ages_.fill(oldest);
    settle();
    if (ours) {
        may_[king] &= ~control();
        hear_checks(checks_);
        hear_tries();
    } else {
        not_attacked(king_square(), 0, own_all_);
        if (!enemy_checks_) may_[king] &= ~control();
        hear_enemy_tries(enemy_tries_);
    }
    settle();
}

Possible Possible::of(const kriegspiel::View& view) {
    Possible p(view.start, view.us);
    // A game may begin in a turn in which tries were refused already; the log begins after them.
    const bool first_turn = std::all_of(view.log.begin(), view.log.end(), [](const kriegspiel::Event& e) {
        return e.kind == kriegspiel::Event::refused;
    });
    if (first_turn)
        for (std::size_t i = 0; i + view.log.size() < view.refused.size(); ++i) p.refused(view.refused[i]);
    for (const kriegspiel::Event& event : view.log) p.follow(event);
    return p;
}

void Possible::follow(const kriegspiel::Event& event) {
    switch (event.kind) {
        case kriegspiel::Event::refused:
            return refused(event.move);
        case kriegspiel::Event::moved:
            return stood(event.move, Message::of(event.said));
        case kriegspiel::Event::answered:
            // He who tried too often has lost, and has not moved.
            if (event.end != kriegspiel::End::forfeit) meta(Message::of(event.said));
    }
}

// --- what follows from what

void Possible::clear(Bitboard squares) {
    for (Bitboard& m : may_) m &= ~squares;
    empty_ |= squares & ~own_all_;
}

void Possible::occupy(Bitboard squares) {
    empty_ &= ~squares;
}

void Possible::count_pawns() {
    for (std::size_t f = 0; f < 8; ++f) {
        const auto here = static_cast<std::int8_t>(count(may_[pawn] & file_set(static_cast<int>(f))));
        most_[f] = std::min({most_[f], here, pawns_});
        least_[f] = std::max<std::int8_t>(least_[f], 0);
    }
    int most = 0, least = 0;
    for (std::size_t f = 0; f < 8; ++f) most += most_[f], least += least_[f];
    const int at_least = pawns_ - promotable_;
    for (std::size_t f = 0; f < 8; ++f) {
        const int forced = at_least - (most - most_[f]), room = pawns_ - (least - least_[f]);
        most_[f] = static_cast<std::int8_t>(std::max(0, std::min<int>(most_[f], room)));
        least_[f] = static_cast<std::int8_t>(std::max<int>(least_[f], forced));
        const Bitboard here = may_[pawn] & file_set(static_cast<int>(f));
        if (!most_[f]) {
            may_[pawn] &= ~here;
        } else if (least_[f] == count(here)) {
            for (int k = knight; k <= king; ++k) may_[static_cast<std::size_t>(k)] &= ~here;
            occupy(here);
        }
    }
}

void Possible::settle() {
    may_[pawn] &= ~last_ranks;
    if (!pawns_) may_[pawn] = 0;
    if (pieces_ + promotable_ == 0) may_[knight] = may_[bishop] = may_[rook] = may_[queen] = 0;
    count_pawns();
    if (may_[king] && !several(may_[king])) {
        const Bitboard there = may_[king];
        clear(there);
        occupy(there);
        may_[king] = there;
    }
    // Men whose kind is known leave no other of their kind elsewhere, if they are all.
    const Bitboard pieces = may_[knight] | may_[bishop] | may_[rook] | may_[queen], sure = sure_occupied();
    const Bitboard sure_pawns = sure & may_[pawn] & ~pieces & ~may_[king];
    const Bitboard sure_pieces = sure & pieces & ~may_[pawn] & ~may_[king];
    if (count(sure_pawns) == pawns_) may_[pawn] = sure_pawns;
    if (count(sure_pieces) == pieces_ + promotable_)
        for (int k = knight; k <= queen; ++k) may_[static_cast<std::size_t>(k)] &= sure_pieces;
    if (count(sure) == men_left() + 1)
        for (Bitboard& m : may_) m &= sure;
    else if (const Bitboard maybe = maybe_occupied(); count(maybe) == men_left() + 1)
        occupy(maybe);
    const Square home = us_ == chess::white ? 56 : 0;
    if (!(may_[king] & bit(home + 4))) enemy_castling_ = 0;
    if (!(may_[rook] & bit(home + 7))) enemy_castling_ &= 2;
    if (!(may_[rook] & bit(home))) enemy_castling_ &= 1;
}

void Possible::grow_old() {
    const Bitboard maybe = maybe_occupied(), sure = sure_occupied();
    for (std::size_t s = 0; s < 64; ++s) {
        const int older = std::min(ages_[s] + 1, oldest);
        ages_[s] = static_cast<std::uint8_t>(sure >> s & 1 ? oldest : maybe >> s & 1 ? older : 0);
    }
}

Bitboard Possible::control() const {
    // Where another man than the King may stand, a line may end; the King himself does not shield his retreat.
    const Bitboard opaque = own_all_ | others();
    Bitboard struck = us_ == chess::white
                          ? chess::take_west<chess::white>(own_[pawn]) | chess::take_east<chess::white>(own_[pawn])
                          : chess::take_west<chess::black>(own_[pawn]) | chess::take_east<chess::black>(own_[pawn]);
    struck |= leaps(own_[knight]) | steps(own_[king]);
    for (const Square s : each(own_[bishop] | own_[queen])) struck |= bishop_attacks(s, opaque);
    for (const Square s : each(own_[rook] | own_[queen])) struck |= rook_attacks(s, opaque);
    return struck;
}

bool Possible::may_be_pinned(Square from, Square to) const {
    const Square k = king_square();
    const Bitboard line = line_through(k, from);
    if (from == k || !line || line & bit(to) || between(k, from) & ~empty_) return false;
    const bool is_straight = rank_of(k) == rank_of(from) || file_of(k) == file_of(from);
    // The King's own side of the line is blocked by himself, and what is between would have to be empty.
    const Bitboard beyond = line & ~between(k, from) & ~bit(k);
    return is_straight ? rook_attacks(from, ~empty_) & beyond & straight()
                       : bishop_attacks(from, ~empty_) & beyond & diagonal();
}

Bitboard Possible::may_be_attacked_by_others(Square s, Bitboard own) const {
    const Bitboard blocked = own | sure_occupied();
    return (knight_attacks(s) & may_[knight]) | (pawn_attacks(us_, s) & may_[pawn]) |
           (rook_attacks(s, blocked) & straight()) | (bishop_attacks(s, blocked) & diagonal());
}

Bitboard Possible::may_attack(Square s, Bitboard own) const {
    return may_be_attacked_by_others(s, own) | (king_attacks(s) & may_[king]);
}

// No enemy man attacks a square from any direction but these; other own men than `own` are thought away.
void Possible::not_attacked(Square s, std::uint8_t except, Bitboard own) {
    may_[king] &= ~king_attacks(s);
    if (!(except & knight_check)) may_[knight] &= ~knight_attacks(s);
    const std::uint8_t rest = static_cast<std::uint8_t>(~except);
    may_[pawn] &= ~on_line(pawn_attacks(us_, s) & may_[pawn], s, rest);
    // The first square of a line that is not surely empty cannot hold a man who strikes along it.
    const Bitboard opaque = own | maybe_occupied();
    const Bitboard rooks = rook_attacks(s, opaque) & straight(), bishops = bishop_attacks(s, opaque) & diagonal();
    if (rooks) {
        const Bitboard none = on_line(rooks, s, rest);
        may_[rook] &= ~none;
        may_[queen] &= ~none;
    }
    if (bishops) {
        const Bitboard none = on_line(bishops, s, rest);
        may_[bishop] &= ~none;
        may_[queen] &= ~none;
    }
}

void Possible::must_be_pinned(Square from) {
    const Square k = king_square();
    const Bitboard line = line_through(k, from);
    if (!line || between(k, from) & ~empty_) return;
    clear(between(k, from));
    const bool is_straight = rank_of(k) == rank_of(from) || file_of(k) == file_of(from);
    const Bitboard beyond = line & ~between(k, from) & ~bit(k);
    const Bitboard by = is_straight ? rook_attacks(from, ~empty_) & beyond & straight()
                                    : bishop_attacks(from, ~empty_) & beyond & diagonal();
    if (!by || several(by)) return;
    const Square pinner = first(by);
    const Kind slider = is_straight ? rook : bishop;
    for (int kind = pawn; kind <= king; ++kind)
        if (kind != slider && kind != queen) may_[static_cast<std::size_t>(kind)] &= ~by;
    occupy(by);
    clear(between(from, pinner));
}

void Possible::promoted() {
    if (!promotable_) return;
    --promotable_;
    --pawns_;
    ++pieces_;
}

void Possible::may_promote(Bitboard from) {
    if (promotable_ < pawns_) ++promotable_;
    for (std::size_t f = 0; f < 8; ++f)
        if (from & file_set(static_cast<int>(f))) least_[f] = static_cast<std::int8_t>(std::max(0, least_[f] - 1));
}

// --- reading

int Possible::kind_at(Square s) const {
    for (int k = 0; k < 6; ++k)
        if (own_[static_cast<std::size_t>(k)] >> s & 1) return k;
    return -1;
}

std::uint8_t Possible::mask(Square s) const {
    unsigned m = (empty_ >> s & 1) << empty_bit;
    for (int k = 0; k < 6; ++k) m |= static_cast<unsigned>(may_[static_cast<std::size_t>(k)] >> s & 1) << k;
    return static_cast<std::uint8_t>(m);
}

void Possible::moves(Moves& list) const {
    const Bitboard may_take = others(), targets = (empty_ | may_take) & ~own_all_;
    const Square k = king_square();
    // In check only the King moves, or a man to the line of a single check.
    Bitboard landing = targets;
    if (checks_) {
        if (several(checks_))
            landing = 0;
        else if (checks_ == knight_check)
            landing &= knight_attacks(k) & may_[knight];
        else
            landing &= on_line(rook_attacks(k, own_all_) | bishop_attacks(k, own_all_), k, checks_);
    }
    const auto add = [&](Square from, Bitboard to) {
        for (const Square t : each(to)) list.push(chess::make_move(from, t));
    };
    add(k, king_attacks(k) & targets);
    const Bitboard blocked = ~empty_;
    for (const Square s : each(own_[knight])) add(s, knight_attacks(s) & landing);
    for (const Square s : each(own_[bishop])) add(s, bishop_attacks(s, blocked) & landing);
    for (const Square s : each(own_[rook])) add(s, rook_attacks(s, blocked) & landing);
    for (const Square s : each(own_[queen])) add(s, (rook_attacks(s, blocked) | bishop_attacks(s, blocked)) & landing);
    const int start = us_ == chess::white ? 1 : 6;
    const Bitboard passed =
        (us_ == chess::white ? (stepped_ & may_[pawn]) << 8 : (stepped_ & may_[pawn]) >> 8) & empty_;
    for (const Square s : each(own_[pawn])) {
        const auto pawn_move = [&](Square t) {
            list.push(chess::make_move(s, t, bit(t) & last_ranks ? static_cast<int>(queen) : 0));
        };
        const Square one = s + up();
        if (one < 0 || one > 63) continue;
        if (empty_ & bit(one)) {
            if (landing & bit(one)) pawn_move(one);
            const Square two = one + up();
            if (rank_of(s) == start && empty_ & landing & bit(two)) pawn_move(two);
        }
        if (tries_ != 0) {
            Bitboard takes = pawn_attacks(us_, s) & landing & may_take;
            // Taking in passing may end a check from another square than it lands on.
            takes |= pawn_attacks(us_, s) & passed & targets;
            for (const Square t : each(takes)) pawn_move(t);
        }
    }
    if (castling_ && !checks_) {
        const Square home = us_ == chess::white ? 0 : 56;
        if (castling_ & 1 && !((0x60ull << home) & ~empty_)) list.push(chess::make_move(k, home + 6));
        if (castling_ & 2 && !((0x0eull << home) & ~empty_)) list.push(chess::make_move(k, home + 2));
    }
}

bool Possible::allows(const chess::Position& board) const {
    const Colour them = ~us_;
    for (int k = 0; k < 6; ++k) {
        const auto kind = static_cast<Kind>(k);
        if (own_[static_cast<std::size_t>(k)] != board.men(us_, kind)) return false;
        if (board.men(them, kind) & ~may_[static_cast<std::size_t>(k)]) return false;
    }
    if (~board.occupied() & ~empty_) return false;
    const int pawns = count(board.men(them, pawn)), men = count(board.men(them)) - 1;
    if (men != men_left() || pawns > pawns_ || pawns < pawns_ - promotable_) return false;
    for (int f = 0; f < 8; ++f) {
        const int here = count(board.men(them, pawn) & file_set(f));
        if (here < least_pawns(f) || here > most_pawns(f)) return false;
    }
    return castling_ == (board.castling() >> (us_ == chess::white ? 0 : 2) & 3);
}

}  // namespace rookery::belief
