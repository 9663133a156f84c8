// A chess position: FIDE rules.
#pragma once

#include "games/chess/moveset.hpp"

namespace rookery::chess {

// A man on the board, or empty.
using Man = std::uint8_t;
constexpr Man empty = 0;
constexpr Man man(Colour c, Kind k) {
    return static_cast<Man>(1 + k + (c << 3));
}
constexpr Kind kind_of(Man m) {
    return static_cast<Kind>((m & 7) - 1);
}
constexpr Colour colour_of(Man m) {
    return static_cast<Colour>(m >> 3);
}

std::string square_name(Square s);
std::string uci(Move m);
// Reads e2e4 or e7e8q, whatever stands there. BadNotation if it is not of that form.
Move read_uci(std::string_view text);

class Position {
  public:
    // 218 is the most that a position with at most the starting material and its promotions allows.
    static constexpr Move policy_size = chess::policy_size;
    using Moves = MoveList<224>;
    using Choices = MoveSets;
    enum Castling : std::uint8_t { white_short = 1, white_long = 2, black_short = 4, black_long = 8 };

    Position();  // the starting position
    // FEN, or its first four fields (then the clocks are 0 and 1). BadPosition if it is no legal position.
    explicit Position(std::string_view fen);

    // --- Rules
    int seat() const { return turn_; }
    int side() const { return turn_; }
    void moves(Moves& list) const;
    void moves(MoveSets& sets, Bitboard movers = ~0ull) const;  // of the men on those squares
    void play(Move m);
    std::uint64_t key() const { return key_; }
    int reversible() const { return clock_; }
    template <class List>
    std::optional<Outcome> outcome(const List& list, int occurrences) const {
        return ending(list.empty(), occurrences);
    }
    std::optional<Outcome> ending(bool stuck, int occurrences) const;  // stuck: without a legal move
    std::string text(Move m) const { return uci(m); }
    Move parse(std::string_view text) const;
    std::string str() const;

    // --- the board
    Colour turn() const { return turn_; }
    Man at(Square s) const { return board_[static_cast<std::size_t>(s)]; }
    Bitboard men(Colour c) const { return colours_[c]; }
    Bitboard men(Kind k) const { return kinds_[k]; }
    Bitboard men(Colour c, Kind k) const { return colours_[c] & kinds_[k]; }
    Bitboard occupied() const { return colours_[white] | colours_[black]; }
    Square king_square(Colour c) const { return first(men(c, king)); }
    int castling() const { return castling_; }
    // The square behind a Pawn that may be taken en passant now, by a legal move; else -1.
    Square en_passant() const { return en_passant_; }
    int clock() const { return clock_; }    // plies since the last capture or Pawn move
    int number() const { return number_; }  // of the move, from 1, as in FEN
    bool is_capture(Move m) const { return at(to_of(m)) != empty || takes_en_passant(m); }
    bool takes_en_passant(Move m) const {
        return kind_of(at(from_of(m))) == pawn && to_of(m) == en_passant_ && en_passant_ >= 0;
    }
    Bitboard attackers(Square s, Colour by, Bitboard occupied) const;
    Bitboard checkers() const { return attackers(king_square(turn_), ~turn_, occupied()); }
    bool insufficient_material() const;

    // --- what searches may ask (hints.cpp)
    bool threatened() const { return checkers() != 0; }
    void noisy_moves(Moves& list) const;  // captures, en passant aside, and promotions to a Queen
    bool is_noisy(Move m) const { return is_capture(m) || promotion_of(m) == queen; }
    int gain(Move m) const;             // above 0 for noisy moves, more for the better bargains
    bool loses_material(Move m) const;  // whether the exchange on the target square ends badly
    void pass();                        // the turn only; not a move of the game
    bool may_pass() const;              // not in check, and with more than Pawns, where zugzwang is rare

    std::uint64_t full_key() const;  // key(), computed from nothing
    // Answers about moves() that need not make the list.
    int count_moves(Bitboard movers = ~0ull) const;
    bool legal(Move m) const;

  private:
    template <Colour Us>
    void play_as(Move m);
    void put(Square s, Colour c, Kind k);
    void take(Square s, Colour c, Kind k);
    void read_board(std::string_view field);
    void read_castling(std::string_view field);
    void read_en_passant(std::string_view field);
    void check_material() const;
    bool can_take_en_passant(Square target) const;

    std::array<Bitboard, 6> kinds_{};
    std::array<Bitboard, 2> colours_{};
    std::array<Man, 64> board_{};
    std::uint64_t key_ = 0;
    std::uint16_t clock_ = 0, number_ = 1;
    Colour turn_ = white;
    std::uint8_t castling_ = 0;
    std::int8_t en_passant_ = -1;
};

}  // namespace rookery::chess
