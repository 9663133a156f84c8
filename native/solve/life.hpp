// What no play can change any more.
#pragma once

#include "solve/board.hpp"

namespace rookery::solve {

// Whether two eyes cannot lie in a set: it has no two points apart from each other.
template <int N>
constexpr bool cramped(Bits<N> set) {
    const Bits<N> others = set & (set - 1);
    return !others || (!(others & (others - 1)) && (go::Grid<N>::neighbours(others) & set));
}

// The unconditionally alive chains of a side (Benson 1976): those with two vital regions, each bounded by such
// chains alone, and each of whose empty points is a liberty of the chain. Besides, a vital region must be one in
// which the opponent cannot make two eyes, so that its stones there are dead and the owner need never answer.
template <int N>
Bits<N> living(const Bits<N> own, const Bits<N> empty) {
    using G = go::Grid<N>;
    const Parts<N> chains(own), regions(G::all & ~own);
    if (regions.size < 2) return 0;
    std::uint32_t alive = (1u << chains.size) - 1, bounded = (1u << regions.size) - 1;
    std::array<std::uint32_t, at(Parts<N>::most)> vital{}, touched{};  // the regions, for each chain
    for (int c = 0; c < chains.size; ++c) {
        const Bits<N> around = G::neighbours(chains.part[at(c)]);
        for (int r = 0; r < regions.size; ++r) {
            const Bits<N> region = regions.part[at(r)], inner = region & ~around;
            if (inner == region) continue;
            touched[at(c)] |= 1u << r;
            if (!(inner & empty) && cramped<N>(inner)) vital[at(c)] |= 1u << r;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int c = 0; c < chains.size; ++c) {
            const std::uint32_t eyes = vital[at(c)] & bounded;
            if (!(alive >> c & 1) || (eyes & (eyes - 1))) continue;
            alive &= ~(1u << c);
            bounded &= ~touched[at(c)];
            changed = true;
        }
    }
    Bits<N> found = 0;
    for (int c = 0; c < chains.size; ++c)
        if (alive >> c & 1) found |= chains.part[at(c)];
    return found;
}

// Living stones and the regions between them in which the opponent cannot make two eyes. A point next to a living
// stone is never an eye of the opponent, since the owner may always play there.
template <int N>
Bits<N> secure(const Bits<N> alive) {
    using G = go::Grid<N>;
    const Bits<N> near = G::neighbours(alive);
    const Parts<N> regions(G::all & ~alive);
    Bits<N> held = alive;
    for (int r = 0; r < regions.size; ++r)
        if (cramped<N>(regions.part[at(r)] & ~near)) held |= regions.part[at(r)];
    return held;
}

}  // namespace rookery::solve
