#include "belief/possible.hpp"

#include <algorithm>
#include <cstdlib>

#include "belief/sweep.hpp"

namespace rookery::belief {

using chess::between;
using chess::bishop;
using chess::bishop_attacks;
using chess::count;
using chess::file_of;
using chess::first;
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

namespace {

constexpr Bitboard last_ranks = chess::rank_1 | chess::rank_8;

constexpr Bitboard file_set(int file) {
    return chess::file_a << file;
}

// The direction of a check on a King from a square on one of his lines.
std::uint8_t line_direction(Square king_at, Square from) {
    if (rank_of(king_at) == rank_of(from)) return rank_check;
    if (file_of(king_at) == file_of(from)) return file_check;
    const bool rising = (file_of(from) > file_of(king_at)) == (rank_of(from) > rank_of(king_at));
    return rising == ((file_of(king_at) < 4) == (rank_of(king_at) < 4)) ? long_check : short_check;
}

// The squares of a set from which a check on a King has a direction; all of them are on his lines.
Bitboard on_line(Bitboard set, Square king_at, std::uint8_t directions) {
    Bitboard found = 0;
    for (const Square s : each(set))
        if (line_direction(king_at, s) & directions) found |= bit(s);
    return found;
}

}  // namespace

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

// --- our own tries

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
            const std::uint8_t d = line_direction(s, x);
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
            const std::uint8_t d = line_direction(s, x);
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

// --- the enemy's moves

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
