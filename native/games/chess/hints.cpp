// What a search may ask of a chess position to look at the right moves first, and at no more than it must.
#include "games/chess/movegen.hpp"
#include "games/chess/position.hpp"

namespace rookery::chess {
namespace {

constexpr std::array<int, 6> worth{1, 3, 3, 5, 9, 100};

struct NoisyLister {
    Position::Moves& list;
    Bitboard enemies;
    void add(MoveSet set) {
        if (!set.to) return;
        const int promotion = promotion_of(set[0]);
        if (promotion == 0)
            set.to &= enemies;
        else if (promotion != queen)
            return;
        Lister<Position::Moves>{list}.add(set);
    }
};

}  // namespace

void Position::noisy_moves(Moves& list) const {
    NoisyLister sink{list, men(~turn_)};
    generate(*this, sink);
}

int Position::gain(Move m) const {
    int gain = promotion_of(m) == queen ? 64 * worth[queen] : 0;
    if (is_capture(m)) {
        const Kind victim = at(to_of(m)) == empty ? pawn : kind_of(at(to_of(m)));
        gain += 64 * worth[victim] + 10 - kind_of(at(from_of(m)));
    }
    return gain;
}

bool Position::may_pass() const {
    return !checkers() && (men(turn_) & ~men(pawn) & ~men(king)) != 0;
}

// The exchange on one square, each side taking with its cheapest man and stopping when that is better.
bool Position::loses_material(Move m) const {
    const Square to = to_of(m);
    const int taken = at(to) == empty ? (takes_en_passant(m) ? worth[pawn] : 0) : worth[kind_of(at(to))];
    const int mover = worth[kind_of(at(from_of(m)))];
    if (taken >= mover) return false;
    Bitboard board = occupied() ^ bit(from_of(m));
    std::array<int, 32> gains;
    int n = 0, on_square = mover;
    gains[0] = taken;
    for (Colour side = ~turn_; n < 31; side = ~side) {
        const Bitboard takers = attackers(to, side, board) & board;
        if (!takers) break;
        int kind = pawn;
        while (!(takers & men(static_cast<Kind>(kind)))) ++kind;
        // A King may only take last.
        if (kind == king && (attackers(to, ~side, board) & board)) break;
        ++n;
        gains[static_cast<std::size_t>(n)] = on_square - gains[static_cast<std::size_t>(n - 1)];
        on_square = worth[static_cast<std::size_t>(kind)];
        board ^= bit(first(takers & men(static_cast<Kind>(kind))));
    }
    for (; n > 0; --n)
        gains[static_cast<std::size_t>(n - 1)] =
            -std::max(-gains[static_cast<std::size_t>(n - 1)], gains[static_cast<std::size_t>(n)]);
    return gains[0] < 0;
}

}  // namespace rookery::chess
