// A Duchess position for 4 or 6 players.
//
// Seats move in turn, seats of equal parity are one side. A seat that cannot move has one move, the pass; a
// won game has none. Whether a seat is in checkmate is judged afresh in each position, for every seat.
#pragma once

#include "core/rng.hpp"
#include "games/duchess/board.hpp"
#include "games/rules.hpp"

namespace rookery::duchess {

// In the order of the standard text.
enum Kind : std::uint8_t { king, wizard, queen, duchess, fortress, knight, rook, bishop, pawn };
constexpr int kinds = 9;
constexpr std::string_view kind_letters = "KWQDFNRBP";
constexpr std::array<int, kinds> full_set{1, 1, 1, 1, 1, 1, 2, 2, 5};  // what a player starts with
// What a position may give a player, 15 men in all: a made-up one may have two Knights, which no game has.
constexpr std::array<int, kinds> most_of{1, 1, 2, 2, 2, 2, 2, 2, 5};
constexpr int most_men = 15;

// The five ways to move; a kind has one or two of them.
enum Gait : std::uint8_t { steps, pawn_steps, leaps, slants, straights };
constexpr int gaits = 5;
constexpr std::array<std::array<Gait, 2>, kinds> gaits_of{{{steps, steps},
                                                           {steps, steps},
                                                           {straights, slants},
                                                           {leaps, slants},
                                                           {leaps, straights},
                                                           {leaps, leaps},
                                                           {straights, straights},
                                                           {slants, slants},
                                                           {pawn_steps, pawn_steps}}};

// A man on the board, or empty.
using Man = std::uint8_t;
constexpr Man empty = 0;
constexpr Man make_man(int seat, Kind k) {
    return static_cast<Man>(seat << 4 | (k + 1));
}
constexpr Kind kind_of(Man m) {
    return static_cast<Kind>((m & 15) - 1);
}
constexpr int seat_of(Man m) {
    return m >> 4;
}

constexpr int side_of(int seat) {
    return seat & 1;
}

// A move is from + squares * to. Pawns promote on the Vortex only, so a promotion needs no target: the
// targets after the last square stand for what the Pawn becomes. The last number of all is the pass.
template <int Players>
struct Moving {
    static constexpr int squares = Board<Players>::squares;
    static constexpr int promotions = 7;  // wizard to bishop
    static constexpr Move pass = squares * (squares + promotions);
    static constexpr Move policy_size = pass + 1;

    // King stands for no promotion.
    static constexpr Move make(Square from, Square to, Kind promotion = king) {
        return from + squares * (promotion == king ? to : squares + promotion - wizard);
    }
    static constexpr Square from(Move m) { return m % squares; }
    static constexpr Square to(Move m) { return std::min(m / squares, Board<Players>::vortex); }
    static constexpr Kind promotion(Move m) {
        return static_cast<Kind>(std::max(m / squares - Board<Players>::vortex, 0));
    }
};

template <int Players>
class Position {
  public:
    using Board = duchess::Board<Players>;
    using Set = typename Board::Set;
    using Moving = duchess::Moving<Players>;
    // No position has more: `most_of` have at most 12 + 12 + 2 * (48 + 24 + 48 + 12 + 36 + 12) + 5 * 6 = 414
    // ordinary moves, 15 men 15 * (12 + 8 + 8) = 420 teleports, 5 Pawns 5 * 7 promotions.
    using Moves = MoveList<896>;
    static constexpr Move policy_size = Moving::policy_size;
    static constexpr Move pass = Moving::pass;
    static constexpr int stagnation = 200;  // plies without capture or promotion that draw the game

    Position();  // the starting position
    // BadPosition if the text describes none.
    explicit Position(std::string_view text);

    // --- Rules
    int seat() const { return seat_; }
    int side() const { return side_of(seat_); }
    void moves(Moves& list) const;
    void play(Move m);
    std::uint64_t key() const { return key_; }
    int reversible() const { return 0; }  // repetitions mean nothing in Duchess
    std::optional<Outcome> outcome(const Moves& list, int occurrences) const;
    std::optional<Outcome> outcome(int occurrences) const;  // the same, where nobody has made the list
    std::string text(Move m) const;
    Move parse(std::string_view text) const;
    std::string str() const;

    // --- the men
    Man at(Square s) const { return board_[index(s)]; }
    Square king_square(int seat) const { return kings_[index(seat)]; }
    int quiet() const { return quiet_; }  // plies since the last capture or promotion, at most `stagnation`
    const Set& men(int seat) const { return seats_[index(seat)]; }
    const Set& movers(Gait g) const { return gaits_[g]; }
    Set men(int seat, Kind k) const;
    Set team(int side) const {
        Set all = men(side);
        for (int seat = side + 2; seat < Players; seat += 2) all |= men(seat);
        return all;
    }
    Set occupied() const { return team(0) | team(1); }
    bool is_capture(Move m) const { return m != pass && at(Moving::to(m)) != empty; }

    // --- attacks, all by ordinary moves: a teleport threatens nothing that its Wizard does not
    // Every man, of any seat, that attacks a square: that could take there if an enemy stood on it.
    Set attackers(Square s) const;
    bool is_attacked(Square s, const Set& by, const Set& occupied) const;
    // Where the man on a square can go or take if nobody's King minds; friends in the way not taken out.
    Set reach(Square s, const Set& occupied, const Set& enemies) const;

    // What a rider sees along some lines: up to the first man each way, him included, and his own square.
    Set look(std::span<const Crossing> lines) const {
        Set seen;
        for (const Crossing c : lines) {
            const auto [before, behind] = meets(c);
            seen |= board<Players>().stretch(c.line, before, behind);
        }
        return seen;
    }

    // The nearest men on a line, before and behind a square of it; nowhere where there is none.
    std::pair<Square, Square> neighbours(Crossing c) const {
        const auto [before, behind] = meets(c);
        const auto& squares = board<Players>().line(c.line).squares;
        return {squares[index(before)], squares[index(behind)]};
    }

    // --- the state of a seat
    bool in_check(int seat) const { return is_attacked(king_square(seat), team(1 - side_of(seat)), occupied()); }
    bool can_move(int seat) const;
    bool is_mated(int seat) const { return in_check(seat) && !can_move(seat); }

    // --- what searches may ask (hints.cpp)
    void noisy_moves(Moves& list) const;  // captures and promotions
    bool is_noisy(Move m) const { return m != pass && (is_capture(m) || Moving::promotion(m) != king); }
    int gain(Move m) const;             // above 0 for noisy moves, more for the better bargains
    bool loses_material(Move m) const;  // whether a dearer man takes a cheaper one that is guarded

    int count_moves() const;         // the length of moves(), without making the list
    std::uint64_t full_key() const;  // key(), computed from nothing

  private:
    static constexpr std::uint64_t man_key(Man m, Square s) { return mix(std::uint64_t{m} << 8 | index(s)); }
    static constexpr std::uint64_t seat_key(int seat) { return mix(std::uint64_t{1} << 16 | index(seat)); }
    static constexpr std::size_t index(Square s) { return static_cast<std::size_t>(s); }
    // The places of a line, before and behind a square of it, where a look along it ends.
    std::pair<int, int> meets(Crossing c) const {
        const unsigned line = lines_[c.line];
        const unsigned below = line & ((1u << c.at) - 1), above = line & (~0u << c.at << 1);
        return {std::bit_width(below) - 1, std::countr_zero(above)};
    }
    void clear();
    void put(Square s, Man m);      // where nothing stands
    void replace(Square s, Man m);  // where something stands
    void take(Square s);
    void flip_man(Square s, Man m);
    void flip_lines(Square s);
    void set_seat(int seat);
    // Whether the seat to move has a man of that kind in the box.
    bool is_missing(Kind k) const { return men(seat_, k).count() < full_set[k]; }
    // Whether the side to move has lost, given that the seat to move is in check and cannot move.
    bool partners_are_mated() const;
    // The draw that it is if no seat can move, given that the seat to move cannot.
    bool moves_freely(int seat) const;
    std::optional<Outcome> nobody_moves() const;

    void read_head(std::string_view head);
    void read_men(int seat, std::string_view text);
    void check_men() const;
    void check_turn() const;

    std::array<Set, gaits> gaits_{};
    std::array<Set, Players> seats_{};
    std::array<Man, Board::squares> board_{};
    // Which places of each line are occupied, and the two just off its ends: so a look along it always meets
    // something.
    std::array<std::uint16_t, Board::lines + 1> lines_;
    std::array<std::uint8_t, Players> kings_{};
    std::uint64_t key_ = 0;
    std::uint8_t seat_ = 0, quiet_ = 0;
};

}  // namespace rookery::duchess
