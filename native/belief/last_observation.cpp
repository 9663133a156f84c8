#include "belief/last_observation.hpp"

#include <algorithm>
#include <cmath>

#include "belief/assemble.hpp"
#include "belief/hearing.hpp"

namespace rookery::belief {

using chess::between;
using chess::bit;
using chess::Bitboard;
using chess::Colour;
using chess::count;
using chess::each;
using chess::Kind;
using chess::nth;
using chess::Position;
using chess::Square;

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

// The squares from which a check would be called by that letter, if nothing stood between.
Bitboard line_of(char letter, Square king) {
    const int x = chess::file_of(king), y = chess::rank_of(king);
    Bitboard line = 0;
    switch (letter) {
        case 'N':
            return chess::knight_attacks(king);
        case 'R':
            line = chess::rank_1 << (8 * y);
            break;
        case 'F':
            line = chess::file_a << x;
            break;
        default: {
            const bool rising = (letter == 'L') == ((x < 4) == (y < 4));
            for (const Square s : each(chess::bishop_attacks(king, 0)))
                if (((chess::file_of(s) > x) == (chess::rank_of(s) > y)) == rising) line |= bit(s);
        }
    }
    return line & ~bit(king);
}

bool straight(char letter) {
    return letter == 'R' || letter == 'F';
}

// Whether a man of that kind on s checks a King along a line of that letter.
bool checks_along(char letter, Kind kind, Square s, Colour us, Square king) {
    if (letter == 'N') return kind == chess::knight;
    if (kind == chess::queen) return true;
    if (straight(letter)) return kind == chess::rook;
    return kind == chess::bishop || (kind == chess::pawn && (chess::pawn_attacks(us, king) & bit(s)));
}

Bitboard attacked_by(const kriegspiel::Pieces& men, Colour c, Bitboard occupied) {
    Bitboard seen =
        c == chess::white ? pawn_targets<chess::white>(men[chess::pawn]) : pawn_targets<chess::black>(men[chess::pawn]);
    for (int k = chess::knight; k <= chess::king; ++k)
        for (const Square s : each(men[at(k)])) seen |= chess::piece_attacks(static_cast<Kind>(k), s, occupied);
    return seen;
}

}  // namespace

// A board in the making.
class Draft {
  public:
    Draft(const LastObservation& heard, Rng& rng) : heard_(heard), rng_(rng) {
        for (const Bitboard b : heard.own_) own_ |= b;
        king_ = chess::first(heard.own_[chess::king]);
    }

    // Puts all men somewhere; false: there is no room for them.
    bool place() {
        choose_men();
        for (Bitboard rest = heard_.filled_ & ~own_; rest;) {
            const Square s = pick(rest);
            rest &= ~bit(s);
            if (!place_any(s)) return false;
        }
        // The King first: it has the least room. Then Pawns, and the rest.
        for (const int kind : {chess::king, chess::pawn, chess::queen, chess::rook, chess::bishop, chess::knight})
            while (left_[at(kind)] > 0) {
                const Bitboard room = free(kind);
                --left_[at(kind)];
                if (const Bitboard home = room & home_of(kind); home && rng_.uniform() < heard_.stays_)
                    put(pick(home), kind);
                else if (room)
                    put(pick_for(kind, room), kind);
                else if (kind != chess::pawn || !promote())
                    return false;
            }
        return true;
    }

    // Mends what no game could reach: too many of a kind, or the enemy's King in check though it is our turn. False:
    // there was no such thing, and the draft is a position.
    bool make_sound() {
        if (const int kind = excess(); kind >= 0) return exchange(kind);
        const Square theirs = chess::first(men_[chess::king]);
        if (attacked_by(heard_.own_, heard_.us_, own_ | enemy_) & bit(theirs)) return shelter(theirs);
        return false;
    }

    Position board() const {
        const bool white = heard_.us_ == chess::white;
        return assemble(white ? heard_.own_ : men_, white ? men_ : heard_.own_, heard_.us_, heard_.castling_, -1,
                        heard_.number_);
    }

    // Mends one thing that contradicts what was heard; false: nothing did.
    bool repair(const Position& p) {
        if (heard_.taken_ >= 0 && !taker_stands()) return fill(heard_.taken_) || scatter();
        if (kriegspiel::check_directions(p) != heard_.checks_) return mend_checks(p);
        if (const int tries = pawn_tries(p); tries != heard_.tries_) return mend_tries(tries < heard_.tries_);
        for (const Move m : heard_.refused_)
            if (p.legal(m)) return forbid(p, m);
        if (!has_move(p) || p.insufficient_material()) return scatter();
        return false;
    }

    // A Pawn that took en passant stands behind what it took.
    bool taker_stands() const {
        const Square s = heard_.taken_, behind = s + (heard_.us_ == chess::white ? -8 : 8);
        if (enemy_ & bit(s)) return true;
        const int rank = heard_.us_ == chess::white ? 3 : 4;
        return chess::rank_of(s) == rank && (men_[chess::pawn] & bit(behind));
    }

  private:
    Square pick(Bitboard b) { return nth(b, static_cast<int>(rng_.below(static_cast<std::uint32_t>(count(b))))); }

    // Of the pieces that a side begins with, those that are left; more than that were promoted.
    void choose_men() {
        std::array<int, 7> start{chess::knight, chess::knight, chess::bishop, chess::bishop,
                                 chess::rook,   chess::rook,   chess::queen};
        left_.fill(0);
        left_[chess::king] = 1;
        left_[chess::pawn] = heard_.pawns_;
        for (int i = 0; i < heard_.pieces_; ++i) {
            if (i >= 7) {
                ++left_[chess::queen];
                continue;
            }
            std::swap(start[at(i)], start[at(i) + rng_.below(static_cast<std::uint32_t>(7 - i))]);
            ++left_[at(start[at(i)])];
        }
    }

    // One of the squares, where a man of the kind is believed to stand the more often the likelier.
    Square pick_for(int kind, Bitboard room) {
        if (!heard_.likely_) return pick(room);
        const auto share = [&](Square s) { return (*heard_.likely_)[at(s)][at(kind)] + 1e-4f; };
        float all = 0;
        for (const Square s : each(room)) all += share(s);
        float left = static_cast<float>(rng_.uniform()) * all;
        for (const Square s : each(room))
            if ((left -= share(s)) < 0) return s;
        return chess::first(room);
    }

    Bitboard free(int kind) const {
        Bitboard room = heard_.room_[at(kind)] & ~own_ & ~enemy_;
        // The first Bishop's fellow stands on the other colour.
        if (kind == chess::bishop && count(men_[chess::bishop]) == 1) {
            const bool dark = men_[chess::bishop] & chess::dark_squares;
            const Bitboard other = room & (dark ? ~chess::dark_squares : chess::dark_squares);
            if (other) room = other;
        }
        if (kind == chess::king) {
            const Bitboard safe = room & ~attacked_by(heard_.own_, heard_.us_, own_ | enemy_);
            if (safe) room = safe;
        }
        return room;
    }

    // Where a game usually begins for men of a kind.
    Bitboard home_of(int kind) const {
        constexpr std::array<Bitboard, 6> white{0xff00, 0x42, 0x24, 0x81, 0x08, 0x10};
        const Bitboard home = white[at(kind)];
        return heard_.us_ == chess::black ? home : __builtin_bswap64(home);
    }

    void put(Square s, int kind) {
        men_[at(kind)] |= bit(s);
        enemy_ |= bit(s);
        kinds_[at(s)] = static_cast<Kind>(kind);
    }
    void lift(Square s) {
        men_[kinds_[at(s)]] ^= bit(s);
        enemy_ ^= bit(s);
    }
    void move(Square from, Square to) {
        const Kind kind = kinds_[at(from)];
        lift(from);
        put(to, kind);
    }

    bool place_any(Square s) {
        std::array<int, 16> men;
        std::array<float, 16> shares;
        std::size_t n = 0;
        float all = 0;
        for (int k = chess::pawn; k <= chess::king; ++k)
            if (heard_.room_[at(k)] & bit(s))
                for (int i = 0; i < left_[at(k)] && n < men.size(); ++i) {
                    // Of each man of a kind its part of what the kind has there.
                    const float share = heard_.likely_ ? ((*heard_.likely_)[at(s)][at(k)] + 1e-4f) / left_[at(k)] : 1;
                    all += shares[n] = share;
                    men[n++] = k;
                }
        if (n == 0) return false;
        std::size_t chosen = n - 1;
        if (heard_.likely_) {
            float left = static_cast<float>(rng_.uniform()) * all;
            for (std::size_t i = 0; i < n; ++i)
                if ((left -= shares[i]) < 0) {
                    chosen = i;
                    break;
                }
        } else {
            chosen = rng_.below(static_cast<std::uint32_t>(n));
        }
        const int kind = men[chosen];
        --left_[at(kind)];
        put(s, kind);
        return true;
    }

    // A Pawn that finds no room has become something.
    bool promote() {
        const Bitboard room = free(chess::queen);
        if (room) put(pick(room), chess::queen);
        return room != 0;
    }

    // Men that no observation holds where they are.
    Bitboard movable() const {
        Bitboard fixed = heard_.filled_ | men_[chess::king];
        if (heard_.taken_ >= 0) fixed |= bit(heard_.taken_);
        return enemy_ & ~fixed;
    }
    // Where a man may go: a Bishop keeps its colour.
    Bitboard goes(Square s) const {
        const Kind kind = kinds_[at(s)];
        Bitboard room = heard_.room_[kind] & ~own_ & ~enemy_;
        if (kind == chess::bishop) room &= bit(s) & chess::dark_squares ? chess::dark_squares : ~chess::dark_squares;
        return room;
    }
    bool vacate(Square s, Bitboard avoid = 0) {
        const Bitboard room = goes(s) & ~avoid;
        if (!(movable() & bit(s)) || !room) return false;
        move(s, pick_for(kinds_[at(s)], room));
        return true;
    }
    // One of the men to a square; where none may stand there, a piece becomes one that may.
    bool fill(Square s) {
        if ((own_ | enemy_) & bit(s)) return false;
        Bitboard men = 0, pieces = 0;
        for (const Square from : each(movable())) {
            if (goes(from) & bit(s)) men |= bit(from);
            if (kinds_[at(from)] != chess::pawn) pieces |= bit(from);
        }
        if (men) {
            move(pick(men), s);
            return true;
        }
        std::array<int, 4> may;
        std::size_t n = 0;
        for (int k = chess::knight; k <= chess::queen; ++k)
            if (heard_.room_[at(k)] & bit(s)) may[n++] = k;
        if (!pieces || n == 0) return false;
        lift(pick(pieces));
        put(s, may[rng_.below(static_cast<std::uint32_t>(n))]);
        return true;
    }
    // Anybody anywhere, where nothing better is known.
    bool scatter() {
        const Bitboard men = movable();
        if (rng_.below(8) == 0 || !men) {
            const Square k = chess::first(men_[chess::king]);
            const Bitboard room = free(chess::king);
            if (room && !(heard_.filled_ & bit(k))) move(k, pick(room));
        } else {
            vacate(pick(men));
        }
        return true;
    }

    // A kind of which there are more than promotions can have made; -1: none.
    int excess() const {
        int promoted = 0, worst = -1;
        for (int k = chess::knight; k <= chess::queen; ++k) {
            const int extra = count(men_[at(k)]) - (k == chess::queen ? 1 : 2);
            if (extra > 0) promoted += extra, worst = k;
        }
        return count(men_[chess::pawn]) + promoted > 8 ? worst : -1;
    }
    // One of a kind becomes another of which there are too few.
    bool exchange(int kind) {
        const Square s = pick(men_[at(kind)]);
        for (int tries = 0; tries < 8; ++tries) {
            const int other = chess::knight + static_cast<int>(rng_.below(4));
            if (count(men_[at(other)]) >= (other == chess::queen ? 1 : 2) || !(heard_.room_[at(other)] & bit(s)))
                continue;
            lift(s);
            put(s, other);
            return true;
        }
        return scatter();
    }

    bool shelter(Square king) {
        if (!(heard_.filled_ & bit(king))) {
            const Bitboard room = heard_.room_[chess::king] & ~own_ & ~enemy_ &
                                  ~attacked_by(heard_.own_, heard_.us_, (own_ | enemy_) ^ bit(king));
            if (room) {
                move(king, pick(room));
                return true;
            }
        }
        // A man between, or any other change.
        const Bitboard lines = chess::piece_attacks(chess::queen, king, own_ | enemy_) & ~own_ & ~enemy_;
        if (lines && rng_.below(4) && fill(pick(lines))) return true;
        return scatter();
    }

    bool mend_checks(const Position& p) {
        const auto have = kriegspiel::check_directions(p);
        const auto has = [](const kriegspiel::CheckDirections& all, char c) {
            return std::find(all.begin(), all.end(), c) != all.end();
        };
        for (const Square s : each(p.checkers())) {
            const bool called = std::any_of(heard_.checks_.begin(), heard_.checks_.end(), [&](char c) {
                return c && (line_of(c, king_) & bit(s)) && checks_along(c, kinds_[at(s)], s, heard_.us_, king_);
            });
            if (called && have[1] == 0) continue;
            if (called && rng_.below(2)) continue;
            if (vacate(s)) return true;
            const Bitboard gap = between(king_, s);
            if (gap && fill(pick(gap))) return true;
        }
        for (const char c : heard_.checks_)
            if (c && !has(have, c) && check_along(c)) return true;
        return scatter();
    }
    bool check_along(char c) {
        const Bitboard occupied = own_ | enemy_, line = line_of(c, king_);
        const Bitboard reach = c == 'N'      ? line
                               : straight(c) ? chess::rook_attacks(king_, occupied) & line
                                             : chess::bishop_attacks(king_, occupied) & line;
        // A man that stands on the line, and could be another.
        Bitboard men = 0;
        const Bitboard open = reach & ~occupied;
        std::array<Bitboard, 64> targets;
        for (const Square from : each(movable())) {
            Bitboard to = goes(from) & open;
            for (const Square s : each(to))
                if (!checks_along(c, kinds_[at(from)], s, heard_.us_, king_)) to ^= bit(s);
            targets[at(from)] = to;
            if (to) men |= bit(from);
        }
        if (men) {
            const Square from = pick(men);
            move(from, pick(targets[at(from)]));
            return true;
        }
        // Or one becomes what can give such a check.
        const Bitboard pieces = enemy_ & ~men_[chess::pawn] & ~men_[chess::king];
        const int kind = c == 'N'        ? chess::knight
                         : rng_.below(2) ? chess::queen
                         : straight(c)   ? chess::rook
                                         : chess::bishop;
        if (const Bitboard there = reach & pieces & heard_.room_[at(kind)]) {
            const Square s = pick(there);
            lift(s);
            put(s, kind);
            return true;
        }
        const Bitboard to = open & heard_.room_[at(kind)], from = pieces & movable();
        if (!to || !from) return false;
        lift(pick(from));
        put(pick(to), kind);
        return true;
    }

    bool mend_tries(bool more) {
        const Bitboard pawns = heard_.own_[chess::pawn];
        const Bitboard targets =
            heard_.us_ == chess::white ? pawn_targets<chess::white>(pawns) : pawn_targets<chess::black>(pawns);
        const Bitboard empty = targets & ~own_ & ~enemy_, full = targets & movable();
        if (more && empty && fill(pick(empty))) return true;
        if (!more && full && vacate(pick(full), targets)) return true;
        return scatter();
    }

    // A refused try must not be legal.
    bool forbid(const Position& p, Move m) {
        const Square from = chess::from_of(m), to = chess::to_of(m);
        const Kind kind = chess::kind_of(p.at(from));
        const bool pawn_takes = kind == chess::pawn && chess::file_of(from) != chess::file_of(to);
        if (pawn_takes && vacate(to)) return true;
        Bitboard way = between(from, to);
        if (kind == chess::pawn && !pawn_takes) way |= bit(to);
        if (kind == chess::king && !way) {
            if (attack(to)) return true;
        } else if (way && !pawn_takes && fill(pick(way))) {
            return true;
        }
        return scatter();
    }
    bool attack(Square to) {
        const Bitboard occupied = (own_ | enemy_) & ~bit(king_);
        Bitboard men = 0;
        std::array<Bitboard, 64> targets;
        for (const Square from : each(movable())) {
            const Kind kind = kinds_[at(from)];
            // From where it attacks is where it would attack from there; a Pawn the other way round.
            const Bitboard reach = kind == chess::pawn ? chess::pawn_attacks(heard_.us_, to)
                                                       : chess::piece_attacks(kind, to, occupied & ~bit(from));
            targets[at(from)] = reach & goes(from);
            if (targets[at(from)]) men |= bit(from);
        }
        if (!men) return false;
        const Square from = pick(men);
        move(from, pick(targets[at(from)]));
        return true;
    }

    const LastObservation& heard_;
    Rng& rng_;
    Square king_;  // ours
    Bitboard own_ = 0, enemy_ = 0;
    kriegspiel::Pieces men_{};
    std::array<Kind, 64> kinds_{};  // of the enemy's men; elsewhere it means nothing
    std::array<int, 6> left_{};     // still to be placed
};

LastObservation::LastObservation(const kriegspiel::View& view, const Possible& possible, const Belief::Kinds* likely)
    : us_(view.us),
      own_(view.own),
      castling_(view.castling),
      number_(1),
      filled_(~possible.maybe_empty() & ~view.men()),
      pawns_(possible.pawns_left()),
      pieces_(possible.pieces_left()),
      checks_(view.checks),
      tries_(view.tries),
      refused_(view.refused) {
    for (int k = chess::pawn; k <= chess::king; ++k)
        room_[at(k)] = possible.possible(static_cast<Kind>(k)) & ~view.men();
    for (auto event = view.log.rbegin(); event != view.log.rend(); ++event) {
        if (event->kind == kriegspiel::Event::refused) continue;
        if (event->kind == kriegspiel::Event::answered && event->said.captured != '-') taken_ = event->said.square;
        break;
    }
    number_ += static_cast<int>(std::count_if(view.log.begin(), view.log.end(), [](const kriegspiel::Event& event) {
        return event.kind == kriegspiel::Event::moved;
    }));
    if (likely) likely_ = *likely;
    stays_ = likely ? 0 : 0.8 * std::exp(-number_ / 15.0);
}

std::optional<Position> LastObservation::draw(Rng& rng) const {
    Draft draft(*this, rng);
    if (!draft.place()) return std::nullopt;
    for (int i = 0; i < most_repairs; ++i) {
        if (draft.make_sound()) continue;
        Position board = draft.board();
        if (!draft.repair(board)) return board;
    }
    return std::nullopt;
}

bool LastObservation::fits(const Position& board) const {
    const Colour them = ~us_;
    if (board.turn() != us_ || (filled_ & ~board.men(them))) return false;
    for (int k = chess::pawn; k <= chess::king; ++k) {
        const Kind kind = static_cast<Kind>(k);
        if (board.men(us_, kind) != own_[at(k)] || (board.men(them, kind) & ~room_[at(k)])) return false;
    }
    const Bitboard king = board.men(them, chess::king);
    if (count(board.men(them)) != pawns_ + pieces_ + 1 || count(king) != 1) return false;
    if (board.attackers(chess::first(king), us_, board.occupied())) return false;
    if (taken_ >= 0 && !(board.men(them) & bit(taken_))) {
        const int rank = us_ == chess::white ? 3 : 4;
        const Square behind = taken_ + (us_ == chess::white ? -8 : 8);
        if (chess::rank_of(taken_) != rank || !(board.men(them, chess::pawn) & bit(behind))) return false;
    }
    return kriegspiel::check_directions(board) == checks_ && pawn_tries(board) == tries_ &&
           std::none_of(refused_.begin(), refused_.end(), [&](Move m) { return board.legal(m); }) && has_move(board);
}

}  // namespace rookery::belief
