#include "games/go/position.hpp"

#include "core/errors.hpp"
#include "games/go/benson.hpp"

namespace rookery::go {

template <int N>
Position<N>::Position(const Diagram& d) {
    // A chain that is not yet whole has a liberty where it is to grow, so nothing is captured on the way.
    for (int p = 0; p < G::points; ++p) {
        const int side = d.points[index(p)];
        if (side == Diagram::none) continue;
        Bits captured;
        board_.play(p, side, captured);
        board_key_ ^= stone_key(side, p);
    }
    seat_ = static_cast<std::int8_t>(d.seat);
    prisoners_ = {d.prisoners[0], d.prisoners[1]};
    ko_ = static_cast<std::int16_t>(d.ko);
    passes_ = static_cast<std::int8_t>(d.passes);
    ply_ = static_cast<std::int16_t>(d.ply);
    options_ = d.options;
    if (options_.ko == Ko::superko) past_.add(board_key_);
}

template <int N>
Diagram Position<N>::diagram() const {
    Diagram d{
        N,       std::vector<int>(G::points, Diagram::none), seat_, {prisoners_[0], prisoners_[1]}, ko_, passes_, ply_,
        options_};
    for (int side = 0; side < 2; ++side) each(stones(side), [&](int p) { d.points[index(p)] = side; });
    return d;
}

template <int N>
bool Position<N>::allows(Move m) const {
    if (over() || m < 0 || m > pass) return false;
    if (m == pass) return true;
    // A stone with a liberty of its own is no suicide; that settles most moves without a look at all of them.
    const bool breathes = static_cast<bool>(G::neighbours(G::bit(m)) & empty());
    if (breathes && options_.ko != Ko::superko) return m != ko_ && G::has(empty(), m);
    return G::has(legal(), m);
}

template <int N>
typename Position<N>::Bits Position<N>::legal() const {
    if (over()) return Bits{};
    Bits points = board_.legal(seat_);
    if (ko_ >= 0) points &= ~G::bit(ko_);
    if (options_.ko == Ko::superko) {
        Bits repeated{};
        each(points, [&](int p) {
            if (past_.has(after(p))) repeated |= G::bit(p);
        });
        points &= ~repeated;
    }
    return points;
}

template <int N>
void Position<N>::moves(Moves& list) const {
    if (over()) return;
    each(legal(), [&](int p) { list.push(p); });
    list.push(pass);
}

template <int N>
std::uint64_t Position<N>::after(Move m) const {
    std::uint64_t key = board_key_ ^ stone_key(seat_, m);
    each(captures(m), [&](int p) { key ^= stone_key(1 - seat_, p); });
    return key;
}

// Prisoners belong to the key where they count, for they decide the worth of a position; only their
// difference does.
template <int N>
std::uint64_t Position<N>::key() const {
    const int lead = options_.scoring == Scoring::territory ? prisoners_[0] - prisoners_[1] : 0;
    const auto rest = static_cast<std::uint64_t>(seat_ + 2 * passes_ + 8 * (ko_ + 1));
    return board_key_ ^ mix(rest ^ static_cast<std::uint64_t>(lead) << 32);
}

template <int N>
std::optional<Outcome> Position<N>::outcome() const {
    if (!over()) return std::nullopt;
    const int points = score();
    return Outcome{points > 0 ? 0 : points < 0 ? 1 : -1, passes_ == 2 ? "passes" : "length"};
}

template <int N>
std::string Position<N>::text(Move m) const {
    if (m < 0 || m > pass)
        throw IllegalMove("the move number must be between 0 and " + std::to_string(pass) + " (got " +
                          std::to_string(m) + ")");
    return vertex(m, N);
}

template <int N>
Move Position<N>::parse(std::string_view text) const {
    const Move m = read_vertex(text, N);
    const auto illegal = [&](const char* why) {
        return IllegalMove(vertex(m, N) + ": " + why + " in '" + str() + "'");
    };
    if (over()) throw illegal("the game is over");
    if (m == pass || G::has(legal(), m)) return m;
    if (!G::has(empty(), m)) throw illegal("there is a stone already");
    if (m == ko_) throw illegal("the ko may not be taken back at once");
    if (G::has(board_.legal(seat_), m)) throw illegal("superko, the board would come again");
    throw illegal("suicide");
}

template <int N>
typename Position<N>::Tally Position<N>::tally() const {
    std::array<Bits, 2> standing{stones(0), stones(1)}, land;
    Tally t;
    t.prisoners = prisoners_[0] - prisoners_[1];
    if (options_.dead == Dead::benson) {
        const Bits dead[2] = {stones(0) & Benson<N>(stones(1)).secure(empty()),
                              stones(1) & Benson<N>(stones(0)).secure(empty())};
        t.prisoners += count(dead[1]) - count(dead[0]);
        for (int side : {0, 1}) standing[index(side)] ^= dead[side];
    }
    const Bits open = G::all & ~(standing[0] | standing[1]);
    for (int side : {0, 1}) land[index(side)] = G::flood(G::neighbours(standing[index(side)]), open);
    t.stones = count(standing[0]) - count(standing[1]);
    t.territory = count(land[0] & ~land[1]) - count(land[1] & ~land[0]);
    return t;
}

template <int N>
int Position<N>::territory_score() const {
    const Tally t = tally();
    return t.territory + t.prisoners;
}

template <int N>
int Position<N>::area_score() const {
    const Tally t = tally();
    return t.territory + t.stones;
}

template <int N>
int Position<N>::score() const {
    const bool area = options_.scoring == Scoring::area;
    const int given = area && options_.dead == Dead::agreed ? options_.handicap : 0;
    return 2 * ((area ? area_score() : territory_score()) - given) - options_.komi;
}

template <int N>
Outcome playout(Position<N> position, Rng& rng, Repetitions&, std::int64_t& plies) {
    while (!position.over()) {
        const auto open = position.empty();
        const int points = count(open);
        const int drawn = static_cast<int>(rng.below(static_cast<std::uint32_t>(points + 1)));
        plies += position.attempt(drawn < points ? nth(open, drawn) : Position<N>::pass);
    }
    return *position.outcome();
}

#define ROOKERY_GO_INSTANCES(N) \
    template class Position<N>; \
    template Outcome playout(Position<N>, Rng&, Repetitions&, std::int64_t&);
ROOKERY_GO_SIZES(ROOKERY_GO_INSTANCES)

static_assert(Rules<Position<5>>);

}  // namespace rookery::go
