// A position of Go as numbers for a network that serves boards of every size: the encoder `go-zero-1`, whose
// readable twin is rookery.encoders.zero.
#pragma once

#include <algorithm>
#include <cstring>

#include "games/go/position.hpp"

namespace rookery::encoders {

inline constexpr int go_planes = 14;
inline constexpr Move no_move = -1;  // where the game has no last move

// What White gets at the count by area, in half points. Territory counts the same but for the stones that one
// side has placed more than the other (area less territory is just that), so they are komi of a kind.
template <int N>
int area_komi(const go::Position<N>& p) {
    const go::Options& options = p.options();
    if (options.scoring == go::Scoring::area) return options.komi;
    return options.komi + 2 * (p.area_score() - p.territory_score());
}

// Writes go_planes * N * N bytes, 255 for one: own stones, and those of chains with 1, 2 and 3 liberties; the
// other side's likewise; the point forbidden by ko; the last move and the one before it; a pass just before;
// ones; and all over the last plane 128 plus the mover's komi in half points.
template <int N>
void encode(const go::Position<N>& p, Move last, Move before, std::uint8_t* out) {
    using G = go::Grid<N>;
    using Bits = typename G::Bits;
    constexpr int area = N * N;
    std::memset(out, 0, go_planes * area);
    const auto plane = [&](int i) { return out + i * area; };
    const auto put = [&](const Bits& set, std::uint8_t* to) { go::each(set, [&](int q) { to[q] = 255; }); };
    for (int side = 0; side < 2; ++side) {
        const int first = side == p.seat() ? 0 : 4;
        Bits left = p.stones(side);
        put(left, plane(first));
        while (left) {
            const Bits chain = G::flood(G::bit(go::nth(left, 0)), left);
            left ^= chain;
            const int liberties = go::count(G::neighbours(chain) & p.empty());
            if (liberties <= 3) put(chain, plane(first + liberties));
        }
    }
    if (p.ko() >= 0) plane(8)[p.ko()] = 255;
    if (last >= 0 && last < area) plane(9)[last] = 255;
    if (before >= 0 && before < area) plane(10)[before] = 255;
    if (p.passes() > 0) std::memset(plane(11), 255, area);
    std::memset(plane(12), 255, area);
    const int komi = p.seat() == 0 ? -area_komi(p) : area_komi(p);
    std::memset(plane(13), std::clamp(128 + komi, 0, 255), area);
}

}  // namespace rookery::encoders
