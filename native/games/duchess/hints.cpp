// What a search may ask of a Duchess position to look at the right moves first, and at no more than it must.
#include "games/duchess/mobility.hpp"
#include "games/duchess/position.hpp"

namespace rookery::duchess {
namespace {

// By kind, in Pawns, by rule of thumb.
constexpr std::array<int, kinds> worth{100, 4, 9, 6, 8, 3, 5, 3, 1};

}  // namespace

template <int Players>
void Position<Players>::noisy_moves(Moves& list) const {
    const Mobility<Players> mobility(*this, seat_);
    const Set enemies = team(1 - side());
    mobility.any([&](Square from, Kind kind, const Set& to) {
        (to & enemies).each([&](Square s) { list.push(Moving::make(from, s)); });
        if (kind == pawn && to.has(Board::vortex))
            for (int k = wizard; k <= bishop; ++k)
                if (is_missing(static_cast<Kind>(k)))
                    list.push(Moving::make(from, Board::vortex, static_cast<Kind>(k)));
        return false;
    });
}

template <int Players>
int Position<Players>::gain(Move m) const {
    if (m == pass) return 0;
    const Kind promotion = Moving::promotion(m);
    int gain = promotion == king ? 0 : 64 * worth[promotion];
    // Of several takers the cheapest first; a King, worth most, last.
    if (is_capture(m)) {
        const int taken = worth[kind_of(at(Moving::to(m)))], taker = worth[kind_of(at(Moving::from(m)))];
        gain += 64 * taken + 10 - std::min(9, taker);
    }
    return gain;
}

template <int Players>
bool Position<Players>::loses_material(Move m) const {
    const Square from = Moving::from(m), to = Moving::to(m);
    if (!is_capture(m) || Moving::promotion(m) != king) return false;
    if (worth[kind_of(at(to))] >= worth[kind_of(at(from))]) return false;
    return is_attacked(to, team(1 - side()) - Set::of(to), occupied() - Set::of(from));
}

#define ROOKERY_DUCHESS_HINTS(N)                               \
    template void Position<N>::noisy_moves(Moves& list) const; \
    template int Position<N>::gain(Move m) const;              \
    template bool Position<N>::loses_material(Move m) const;
ROOKERY_DUCHESS_HINTS(4)
ROOKERY_DUCHESS_HINTS(6)

}  // namespace rookery::duchess
