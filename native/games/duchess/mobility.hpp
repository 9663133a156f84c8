// The legal moves of one seat, generated directly: nothing is tried and taken back.
//
// What the King may do follows from the squares attacked with the King lifted off the board; what the others
// may do from the checkers (take or block the only one) and the pins (stay on the pin's line). Both hold for
// teleports as well: they too only lift a man here and put it down there.
#pragma once

#include "games/duchess/position.hpp"

namespace rookery::duchess {

template <int Players>
class Mobility {
  public:
    using Board = duchess::Board<Players>;
    using Set = typename Board::Set;

    Mobility(const Position<Players>& p, int seat)
        : p_(p),
          own_(p.men(seat)),
          king_(p.king_square(seat)),
          friends_(p.team(side_of(seat))),
          enemies_(p.team(1 - side_of(seat))),
          occupied_(friends_ | enemies_),
          closed_(friends_) {
        Set kings;
        for (int other = 0; other < Players; ++other) kings.add(p.king_square(other));
        closed_ |= kings;
        ((p.movers(steps) & friends_) - kings).each([&](Square w) { teleports_ |= board().from(w).beside; });
        find_checks_and_pins();
    }

    bool in_check() const { return checks_ > 0; }

    // Whether test(from, kind, targets) holds for one of the men at least, who may have no targets. Kind by
    // kind, so that the processor can guess what comes.
    template <class Test>
    bool any(Test test) const {
        return of_king(test) || of_others(test);
    }

    // Whether there is a move at all. The King is asked last: which of his squares are safe takes longest to tell.
    bool any() const {
        const auto test = [](Square, Kind, const Set& to) { return static_cast<bool>(to); };
        return of_others(test) || of_king(test);
    }

  private:
    static constexpr const Board& board() { return duchess::board<Players>(); }

    template <class Test>
    bool of_king(Test test) const {
        return test(king_, king, safe(reachable(king_, board().from(king_).beside)));
    }

    template <class Test>
    bool of_others(Test test) const {
        if (checks_ > 1) return false;
        const auto& b = board();
        const auto walk = [&](Kind kind, const Set& men, auto reach) {
            return men.any([&](Square from) { return test(from, kind, lawful(from, reach(from))); });
        };
        const auto leap = [&](Square s) { return b.from(s).leaps; };
        const auto slant = [&](Square s) { return p_.look(b.slants(s)); };
        const auto straight = [&](Square s) { return p_.look(b.straights(s)); };
        const Set leapers = own_ & p_.movers(leaps), slanters = own_ & p_.movers(slants),
                  straighters = own_ & p_.movers(straights);
        return walk(pawn, own_ & p_.movers(pawn_steps),
                    [&](Square s) { return (b.from(s).edges - occupied_) | (b.from(s).corners & enemies_); }) ||
               walk(queen, straighters & slanters, [&](Square s) { return straight(s) | slant(s); }) ||
               walk(duchess::duchess, leapers & slanters, [&](Square s) { return leap(s) | slant(s); }) ||
               walk(fortress, leapers & straighters, [&](Square s) { return leap(s) | straight(s); }) ||
               walk(knight, leapers - slanters - straighters, leap) ||
               walk(rook, straighters - leapers - slanters, straight) ||
               walk(bishop, slanters - leapers - straighters, slant) ||
               walk(wizard, (own_ & p_.movers(steps)) - Set::of(king_),
                    [&](Square s) { return b.from(s).beside | teleports_; });
    }

    void find_checks_and_pins() {
        const auto& r = board().from(king_);
        answers_ = r.beside & p_.movers(steps);
        answers_ |= r.corners & p_.movers(pawn_steps);
        answers_ |= r.leaps & p_.movers(leaps);
        answers_ &= enemies_;
        checks_ = answers_.count();
        const Set lines = (r.straight_lines & p_.movers(straights)) | (r.slant_lines & p_.movers(slants));
        const Set riders = lines & enemies_;
        riders.each([&](Square rider) {
            const Set way = board().between(king_, rider), shield = way & occupied_;
            if (!shield) {
                ++checks_;
                answers_ |= way | Set::of(rider);
            } else if (shield.count() == 1) {
                pinned_ |= shield & own_;
                pin_lines_ |= way | Set::of(rider);
            }
        });
    }

    // With the teleports, and without the squares that nobody may land on.
    Set reachable(Square from, const Set& ordinary) const {
        return (teleports_.has(from) ? ordinary | teleports_ : ordinary) - closed_;
    }

    // What of that leaves the King out of check; for all men but the King.
    Set lawful(Square from, const Set& ordinary) const {
        Set to = reachable(from, ordinary);
        if (checks_ == 1) to &= answers_;
        if (pinned_.has(from)) to &= pin_lines_ & board().ray(king_, from);
        return to;
    }

    Set safe(const Set& to) const {
        const Set others = occupied_ - Set::of(king_);
        Set kept;
        to.each([&](Square s) {
            if (!p_.is_attacked(s, enemies_, others)) kept.add(s);
        });
        return kept;
    }

    const Position<Players>& p_;
    const Set own_;
    const Square king_;
    const Set friends_, enemies_, occupied_;
    Set closed_;     // friends and all Kings: nobody lands there
    Set teleports_;  // the squares beside the team's Wizards
    Set answers_;    // what takes or blocks a checker, if there is one only
    Set pinned_, pin_lines_;
    int checks_ = 0;
};

}  // namespace rookery::duchess
