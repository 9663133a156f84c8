// What a Duchess position shows to a linear evaluation: Real and Blair, "Learning a Multi-Player Chess Game with
// TreeStrap", section III, and three kinds of features that the paper leaves to future work.
//
// All is told in the view of the seat to move: it is player 0, the next one player 1; squares are as it sees them
// (Board::seen_by). Material is the same for all players but for the sign, so one number stands for a kind.
#pragma once

#include <string>

#include "games/duchess/position.hpp"

namespace rookery::duchess {

// A kind in one of its ways of attacking: Real and Blair wish to tell a Queen that attacks like a Rook from one
// that attacks like a Bishop.
enum Mode : std::uint8_t {
    king_steps,
    wizard_steps,
    queen_straight,
    queen_slant,
    duchess_leap,
    duchess_slant,
    fortress_leap,
    fortress_straight,
    knight_leap,
    rook_straight,
    bishop_slant,
    pawn_corner
};
constexpr int modes = 12;
constexpr Mode no_mode = static_cast<Mode>(modes);
constexpr std::array<Kind, modes> kind_of_mode{king,     wizard,   queen,  queen, duchess, duchess,
                                               fortress, fortress, knight, rook,  bishop,  pawn};
// How a kind attacks squares near by, along the Rook's lines and along the Bishop's.
constexpr std::array<Mode, kinds> near_mode{king_steps,  wizard_steps, no_mode, duchess_leap, fortress_leap,
                                            knight_leap, no_mode,      no_mode, pawn_corner};
constexpr std::array<Mode, kinds> straight_mode{no_mode, no_mode,       queen_straight, no_mode, fortress_straight,
                                                no_mode, rook_straight, no_mode,        no_mode};
constexpr std::array<Mode, kinds> slant_mode{no_mode, no_mode, queen_slant,  duchess_slant, no_mode,
                                             no_mode, no_mode, bishop_slant, no_mode};
// Of the three kinds that have two modes, the one that has a weight of its own; the other goes without.
constexpr int split_modes = 3;
constexpr int split_of(Mode m) {
    return m == queen_straight ? 0 : m == duchess_leap ? 1 : m == fortress_leap ? 2 : -1;
}

// How many King moves lie between two squares of the empty board.
template <int Players>
int steps_between(Square a, Square b);

template <int Players>
struct Features {
    using Position = duchess::Position<Players>;
    using Set = typename Position::Set;

    static constexpr int squares = Board<Players>::squares;
    static constexpr int reaches = 8;  // distances from a King that are told apart; the last is for all beyond

    // Where each block begins. Within a block: [player][kind] of who attacks, [player][kind] of who is attacked;
    // [player][kind][square]; [player][kind][whose King][distance].
    static constexpr int bias = 0, material = 1, wizards = material + kinds, check = wizards + Players / 2 - 1,
                         mate = check + Players, attack = mate + Players,
                         square = attack + Players * kinds * Players * kinds, mode = square + Players * kinds * squares,
                         near_king = mode + Players * split_modes * Players * kinds,
                         count = near_king + Players * kinds * Players * reaches;

    static constexpr int attack_of(int player, Kind kind, int other, Kind target) {
        return attack + ((player * kinds + kind) * Players + other) * kinds + target;
    }
    static constexpr int mode_of(int player, int split, int other, Kind target) {
        return mode + ((player * split_modes + split) * Players + other) * kinds + target;
    }
    static constexpr int square_of(int player, Kind kind, Square seen) {
        return square + (player * kinds + kind) * squares + seen;
    }
    static constexpr int near_king_of(int player, Kind kind, int whose, int distance) {
        return near_king + ((player * kinds + kind) * Players + whose) * reaches + std::min(distance, reaches) - 1;
    }

    // The number by which a seat is known to the one that looks: 0 itself, 1 the next.
    static constexpr int player(int seat, int looking) { return (seat - looking + Players) % Players; }

    static bool is_ending(int men) { return men < 5 * Players; }
    // Opening, middle game and ending, where each has weights of its own.
    static int phase(int men) { return men > 10 * Players ? 0 : is_ending(men) ? 2 : 1; }

    // How many Wizards a side has on the board.
    static int wizards_of(const Position& p, int side) {
        return (p.movers(steps) & p.team(side)).count() - Players / 2;
    }

    // visit(target) for every man, friend or enemy, that a man attacks in one of the three ways.
    template <class Visit>
    static void each_attacked(const Position& p, Square s, Visit visit) {
        const auto& b = board<Players>();
        const Kind kind = kind_of(p.at(s));
        const Set others = p.occupied() - Set::of(s);
        if (const Mode m = near_mode[kind]; m != no_mode) {
            const auto& r = b.from(s);
            const Set near = kind == pawn ? r.corners : kind == king || kind == wizard ? r.beside : r.leaps;
            (near & others).each([&](Square t) { visit(m, t); });
        }
        if (const Mode m = straight_mode[kind]; m != no_mode)
            (p.look(b.straights(s)) & others).each([&](Square t) { visit(m, t); });
        if (const Mode m = slant_mode[kind]; m != no_mode)
            (p.look(b.slants(s)) & others).each([&](Square t) { visit(m, t); });
    }

    // visit(feature, value) for all that is not 0; a feature may come several times, and then its values add up.
    template <class Visit>
    static void each(const Position& p, Visit visit) {
        const int mover = p.seat();
        visit(bias, 1);
        for (int n = 2; n <= Players / 2; ++n)
            if (const int more = (wizards_of(p, p.side()) >= n) - (wizards_of(p, 1 - p.side()) >= n))
                visit(wizards + n - 2, more);
        for (int seat = 0; seat < Players; ++seat) {
            if (!p.in_check(seat)) continue;
            visit(check + player(seat, mover), 1);
            if (!p.can_move(seat)) visit(mate + player(seat, mover), 1);
        }
        const Set all = p.occupied();
        const bool ending = is_ending(all.count());
        all.each([&](Square s) {
            const Man man = p.at(s);
            const Kind kind = kind_of(man);
            const int who = player(seat_of(man), mover);
            visit(material + kind, who % 2 == 0 ? 1 : -1);
            visit(square_of(who, kind, board<Players>().seen_by(mover, s)), 1);
            each_attacked(p, s, [&](Mode m, Square t) {
                const Kind target = kind_of(p.at(t));
                const int other = player(seat_of(p.at(t)), mover);
                visit(attack_of(who, kind, other, target), 1);
                if (const int split = split_of(m); split >= 0) visit(mode_of(who, split, other, target), 1);
            });
            if (ending)
                for (int seat = 1 - side_of(seat_of(man)); seat < Players; seat += 2)
                    visit(near_king_of(who, kind, player(seat, mover), steps_between<Players>(s, p.king_square(seat))),
                          1);
        });
    }
};

}  // namespace rookery::duchess
