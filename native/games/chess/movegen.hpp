// Legal moves, generated directly: nothing is tried and taken back.
//
// What the King may do follows from the squares the enemy attacks with the King lifted off the board; what
// the others may do from the checkers (take or block the one checker) and the pins (stay on the pin's line).
#pragma once

#include "games/chess/position.hpp"

namespace rookery::chess {

template <Colour Us, class Sink>
class Generator {
  public:
    Generator(const Position& p, Sink& sink, Bitboard movers)
        : p_(p),
          sink_(sink),
          movers_(movers),
          own_(p.men(Us)),
          enemy_(p.men(Them)),
          occupied_(own_ | enemy_),
          king_(p.king_square(Us)) {}

    void run() {
        const bool king_too = movers_ & bit(king_);
        if (king_too) king_moves();
        find_checkers_and_pins();
        if (several(checkers_)) return;
        const Bitboard allowed = checkers_ ? between(king_, first(checkers_)) | checkers_ : ~0ull;
        pieces(allowed & ~own_);
        pawns(allowed);
        if (king_too && !checkers_ && p_.castling()) castle();
    }

  private:
    static constexpr Colour Them = ~Us;

    void king_moves() {
        const Bitboard reach = king_attacks(king_) & ~own_;
        if (reach) add_targets(sink_, king_, reach & ~attacked());
    }

    // Every square the enemy attacks with our King lifted off the board: never none, as there is an enemy King.
    Bitboard attacked() {
        if (!attacked_) attacked_ = find_attacked();
        return attacked_;
    }
    Bitboard find_attacked() const {
        const Bitboard blockers = occupied_ ^ bit(king_);
        const Bitboard their_pawns = p_.men(Them, pawn);
        Bitboard seen =
            take_west<Them>(their_pawns) | take_east<Them>(their_pawns) | king_attacks(p_.king_square(Them));
        for (const Square s : each(p_.men(Them, knight))) seen |= knight_attacks(s);
        for (const Square s : each(diagonal(Them))) seen |= bishop_attacks(s, blockers);
        for (const Square s : each(straight(Them))) seen |= rook_attacks(s, blockers);
        return seen;
    }

    void find_checkers_and_pins() {
        checkers_ = (pawn_attacks(Us, king_) & p_.men(Them, pawn)) | (knight_attacks(king_) & p_.men(Them, knight));
        // Enemy riders that would see the King if our men were gone.
        const Bitboard snipers =
            (bishop_attacks(king_, enemy_) & diagonal(Them)) | (rook_attacks(king_, enemy_) & straight(Them));
        for (const Square s : each(snipers)) {
            const Bitboard shield = between(king_, s) & own_;
            if (!shield)
                checkers_ |= bit(s);
            else if (!several(shield))
                pinned_ |= shield;
        }
    }

    Bitboard pin_line(Square s) const { return pinned_ & bit(s) ? line_through(king_, s) : ~0ull; }

    void pieces(Bitboard allowed) {
        for (const Square s : each(p_.men(Us, knight) & movers_ & ~pinned_))
            add_targets(sink_, s, knight_attacks(s) & allowed);
        for (const Square s : each(diagonal(Us) & movers_))
            add_targets(sink_, s, bishop_attacks(s, occupied_) & allowed & pin_line(s));
        for (const Square s : each(straight(Us) & movers_))
            add_targets(sink_, s, rook_attacks(s, occupied_) & allowed & pin_line(s));
    }

    void pawns(Bitboard allowed) {
        const Bitboard all = p_.men(Us, pawn) & movers_;
        pawn_set(all & ~pinned_, allowed);
        for (const Square s : each(all & pinned_)) pawn_set(bit(s), allowed & line_through(king_, s));
        // The position only knows the square when the capture is legal for at least one Pawn.
        if (const Square target = p_.en_passant(); target >= 0)
            for (const Square s : each(pawn_attacks(Them, target) & all))
                if (en_passant_is_safe(s, target)) add_targets(sink_, s, bit(target));
    }

    void pawn_set(Bitboard set, Bitboard allowed) {
        constexpr Bitboard third = Us == white ? rank_3 : rank_6;
        constexpr int up = Us == white ? 8 : -8;
        const Bitboard steps = forward<Us>(set) & ~occupied_;
        add_pawn_moves(sink_, steps & allowed, up);
        add_pawn_moves(sink_, forward<Us>(steps & third) & ~occupied_ & allowed, 2 * up);
        add_pawn_moves(sink_, take_west<Us>(set) & enemy_ & allowed, up - 1);
        add_pawn_moves(sink_, take_east<Us>(set) & enemy_ & allowed, up + 1);
    }

    // Two Pawns leave the board at once, so the check can come from anywhere.
    bool en_passant_is_safe(Square from, Square target) const {
        const Square victim = target + (Us == white ? -8 : 8);
        const Bitboard after = (occupied_ ^ bit(from) ^ bit(victim)) | bit(target);
        return !(p_.attackers(king_, Them, after) & ~bit(victim));
    }

    void castle() {
        constexpr int home = Us == white ? 0 : 56;
        constexpr int short_right = Us == white ? Position::white_short : Position::black_short;
        constexpr int long_right = Us == white ? Position::white_long : Position::black_long;
        constexpr Bitboard f_g = 0x60ull << home, b_c_d = 0x0eull << home, c_d = 0x0cull << home;
        if ((p_.castling() & short_right) && !(occupied_ & f_g) && !(attacked() & f_g))
            add_targets(sink_, king_, bit(home + 6));
        if ((p_.castling() & long_right) && !(occupied_ & b_c_d) && !(attacked() & c_d))
            add_targets(sink_, king_, bit(home + 2));
    }

    Bitboard diagonal(Colour c) const { return p_.men(c) & (p_.men(bishop) | p_.men(queen)); }
    Bitboard straight(Colour c) const { return p_.men(c) & (p_.men(rook) | p_.men(queen)); }

    const Position& p_;
    Sink& sink_;
    const Bitboard movers_, own_, enemy_, occupied_;
    const Square king_;
    Bitboard checkers_ = 0, pinned_ = 0, attacked_ = 0;
};

// Gives the sink every legal move of the men on the squares of `movers`.
template <class Sink>
void generate(const Position& p, Sink& sink, Bitboard movers = ~0ull) {
    if (p.turn() == white)
        Generator<white, Sink>(p, sink, movers).run();
    else
        Generator<black, Sink>(p, sink, movers).run();
}

}  // namespace rookery::chess
