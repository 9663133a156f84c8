#include "rivals/wally.hpp"

#include "rivals/sight.hpp"

namespace rookery::rivals {
namespace {

// The liberties of their chains in atari that take the most stones.
template <int N>
Best<N> captures(const Sight<N>& sight) {
    Best<N> best;
    for (const auto& chain : sight.other())
        if (chain.breath() == 1)
            go::each(chain.liberties & sight.legal(),
                     [&](int p) { best.offer(p, go::count(sight.effect(p).captured)); });
    return best;
}

// The liberties of own chains with at most two, the largest chain first, that give it more of them.
template <int N>
Best<N> rescues(const Sight<N>& sight) {
    Best<N> best;
    for (const auto& chain : sight.own()) {
        const int breath = chain.breath();
        if (breath <= 2)
            go::each(chain.liberties & sight.legal(), [&](int p) {
                const int after = sight.effect(p).breath();
                if (after >= 2 && after > breath) best.offer(p, chain.size());
            });
    }
    return best;
}

// The liberties of their chains with two, the largest chain first, where a stone is safe.
template <int N>
Best<N> attacks(const Sight<N>& sight) {
    Best<N> best;
    for (const auto& chain : sight.other())
        if (chain.breath() == 2)
            go::each(chain.liberties & sight.legal(), [&](int p) {
                if (sight.effect(p).breath() >= 2) best.offer(p, chain.size());
            });
    return best;
}

// Safe points next to their stones: best between two chains, then round a corner from an own stone.
template <int N>
Best<N> shapes(const Sight<N>& sight) {
    Best<N> best;
    go::each(sight.legal() & go::Grid<N>::neighbours(sight.theirs()), [&](int p) {
        if (sight.effect(p).breath() < 2) return;
        int touched = 0;
        for (const auto& chain : sight.other()) touched += go::Grid<N>::has(chain.liberties, p);
        const bool bends = static_cast<bool>(Sight<N>::diagonal(p) & sight.mine());
        best.offer(p, touched >= 2 ? 3 : bends ? 2 : 1);
    });
    return best;
}

}  // namespace

template <int N>
Move Wally::choose(const go::Position<N>& position, Rng& rng) const {
    const Sight<N> sight(position);
    for (const auto stage : {captures<N>, rescues<N>, attacks<N>, shapes<N>})
        if (const Best<N> best = stage(sight)) return draw(best.points(), rng);
    return wander(sight, rng);
}

#define ROOKERY_WALLY(N) template Move Wally::choose(const go::Position<N>&, Rng&) const;
ROOKERY_GO_SIZES(ROOKERY_WALLY)

}  // namespace rookery::rivals
