// The metaposition of Ciancarini and Favini: what can still stand on each square, given all that a seat heard.
//
// Possible is a superset of the seat's information set: a man is struck out of a square only where no game that
// fits what was heard has it there, so the true board is always possible. It is kept as a set of squares for each
// kind of enemy man and one for "empty", with the seat's own men beside them.
//
// It follows a game by `pseudo` for the seat's own tries and `meta` for what is heard of the enemy's moves
// (sections 4.2 and 4.3 of the paper's method). A search may feed it assumed messages: then nothing is promised of
// the truth, but every call still ends, and masks may become empty.
#pragma once

#include <array>

#include "belief/checks.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery::belief {

using chess::bit;
using chess::Bitboard;
using chess::Colour;
using chess::each;
using chess::Kind;
using chess::Square;

// What both seats hear when a move stood.
struct Message {
    static constexpr int unknown = -1;  // tries that a search does not want to assume anything of

    char captured = '-';      // p a pawn, P any other man
    std::int8_t square = 0;   // where the captured man stood
    std::uint8_t checks = 0;  // a set of Check, against the side now to move
    std::int8_t tries = 0;    // pawn captures of the side now to move, or unknown

    static Message of(const kriegspiel::Announcement& said);
};

// What the trier hears.
struct Answer {
    bool stood = true;
    Message message{};  // if it stood
};

class Possible {
  public:
    static constexpr int oldest = 30;
    // Bits of a mask: one for each Kind, then this one.
    static constexpr int empty_bit = 6;

    // Before the first move: all that the start made public.
    Possible(const kriegspiel::Start& start, Colour us);
    // After all that a seat has heard.
    static Possible of(const kriegspiel::View& view);

    // --- following a game
    void follow(const kriegspiel::Event& event);
    // One of the seat's own tries, and its answer.
    void pseudo(Move move, const Answer& answer);
    void stood(Move move, const Message& message);
    void refused(Move move);
    // A move of the enemy: what was heard of it.
    void meta(const Message& message);

    // --- what may stand where
    std::uint8_t mask(Square s) const;  // bits by Kind, and empty_bit; 0 where an own man stands
    bool may_be(Square s, Kind k) const { return may_[k] >> s & 1; }
    bool may_be_empty(Square s) const { return empty_ >> s & 1; }
    bool certainly_empty(Square s) const { return sure_empty() >> s & 1; }
    Bitboard possible(Kind k) const { return may_[k]; }  // where an enemy man of the kind may stand
    Bitboard maybe_empty() const { return empty_; }
    Bitboard maybe_occupied() const { return others() | may_[chess::king]; }  // by the enemy
    Bitboard sure_empty() const { return empty_ & ~maybe_occupied(); }
    Bitboard sure_occupied() const { return ~empty_ & ~own_all_; }  // by the enemy
    Bitboard kings() const { return may_[chess::king]; }
    Bitboard others() const {  // where an enemy man that is no King may stand
        return may_[0] | may_[1] | may_[2] | may_[3] | may_[4];
    }

    // --- the seat's own men
    Colour us() const { return us_; }
    const std::array<Bitboard, 6>& own() const { return own_; }
    Bitboard own(Kind k) const { return own_[k]; }
    Bitboard own_men() const { return own_all_; }
    int own_count() const { return chess::count(own_all_); }
    int kind_at(Square s) const;  // of an own man; -1: none there
    Square king_square() const { return chess::first(own_[chess::king]); }
    int castling() const { return castling_; }  // bit 0 the short side, bit 1 the long one

    // --- what is left of the enemy, the King aside
    // At most so many pawns and at least so many other men, together exactly `men_left`: of the pawns, up to
    // `promotable` may have become pieces.
    int pawns_left() const { return pawns_; }
    int pieces_left() const { return pieces_; }
    int promotable() const { return promotable_; }
    int men_left() const { return pawns_ + pieces_; }
    bool bare_king() const { return men_left() == 0; }
    // Bounds on the enemy's pawns of a file.
    int least_pawns(int file) const { return least_[static_cast<std::size_t>(file)]; }
    int most_pawns(int file) const { return most_[static_cast<std::size_t>(file)]; }

    // --- what was said last
    int tries() const { return tries_; }              // pawn captures that we have, if it is our turn
    std::uint8_t checks() const { return checks_; }   // against us
    int enemy_tries() const { return enemy_tries_; }  // those of the enemy, when it was his turn last
    std::uint8_t enemy_checks() const { return enemy_checks_; }
    // Turns since a square was verified, 0..oldest.
    int age(Square s) const { return ages_[static_cast<std::size_t>(s)]; }

    // --- geometry under what is known
    // The squares that our men strike for certain, where the King alone does not block.
    Bitboard control() const;
    // Whether a move of the own man on `from` may open a line to our King.
    bool may_be_pinned(Square from, Square to) const;
    // The squares from which an enemy man may attack a square, those of Kings too, if `own` men stand there.
    Bitboard may_attack(Square s, Bitboard own) const;
    // Tries that may be legal: slides pass through squares that may be empty, pawns take only while tries are
    // announced, and promote to a Queen only.
    using Moves = MoveList<256>;
    void moves(Moves& list) const;

    // Whether a true board is among what is possible; the checker of tests.
    bool allows(const chess::Position& board) const;

  private:
    void enemy_moves();
    void enemy_takes(const Message& message);
    void hear_check(std::uint8_t checks, Bitboard opened, Bitboard landed, Bitboard stale);
    void hear_enemy_tries(int tries);
    void hear_checks(std::uint8_t checks);
    void hear_tries();
    void not_attacked(Square s, std::uint8_t except, Bitboard own);
    void must_be_pinned(Square from);
    Bitboard may_be_attacked_by_others(Square s, Bitboard own) const;
    void promoted();                  // one pawn, for certain
    void may_promote(Bitboard from);  // one of the pawns on these squares
    void clear(Bitboard squares);     // they are empty
    void occupy(Bitboard squares);    // they are not
    void settle();
    void grow_old();
    void count_pawns();
    Bitboard straight() const { return may_[chess::rook] | may_[chess::queen]; }
    Bitboard diagonal() const { return may_[chess::bishop] | may_[chess::queen]; }
    int up() const { return us_ == chess::white ? 8 : -8; }
    Bitboard first_rank() const { return us_ == chess::white ? chess::rank_1 : chess::rank_8; }

    std::array<Bitboard, 6> may_{}, own_{};
    Bitboard empty_ = 0, own_all_ = 0;
    Bitboard en_passant_ = 0;  // own pawns that the enemy may take in passing now
    Bitboard stepped_ = 0;     // where an enemy pawn may have come by two steps just now
    Bitboard blocks_ = 0;      // where an enemy man may end a check of ours by stepping between
    Bitboard checkers_ = 0;    // our men that may give that check
    std::array<std::uint8_t, 64> ages_{};
    std::array<std::int8_t, 8> least_{}, most_{};
    Colour us_ = chess::white;
    std::int8_t pawns_ = 0, pieces_ = 0, promotable_ = 0;
    std::int8_t tries_ = Message::unknown, enemy_tries_ = Message::unknown;
    std::uint8_t checks_ = 0, enemy_checks_ = 0;
    std::uint8_t castling_ = 0, enemy_castling_ = 0;
};

}  // namespace rookery::belief
