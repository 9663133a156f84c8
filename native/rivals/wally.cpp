#include "rivals/wally.hpp"

#include "rivals/chains.hpp"

namespace rookery::rivals {
namespace {

// The liberties of their chains in atari that take the most stones.
template <int N>
BestPoints<N> captures(const ChainView<N>& chains) {
    BestPoints<N> best;
    for (const auto& chain : chains.other())
        if (chain.liberty_count() == 1)
            go::each(chain.liberties & chains.legal(),
                     [&](int p) { best.offer(p, go::count(chains.effect(p).captured)); });
    return best;
}

// The liberties of own chains with at most two, the largest chain first, that give it more of them.
template <int N>
BestPoints<N> rescues(const ChainView<N>& chains) {
    BestPoints<N> best;
    for (const auto& chain : chains.own()) {
        const int count = chain.liberty_count();
        if (count <= 2)
            go::each(chain.liberties & chains.legal(), [&](int p) {
                const int after = chains.effect(p).liberty_count();
                if (after >= 2 && after > count) best.offer(p, chain.size());
            });
    }
    return best;
}

// The liberties of their chains with two, the largest chain first, where a stone is safe.
template <int N>
BestPoints<N> attacks(const ChainView<N>& chains) {
    BestPoints<N> best;
    for (const auto& chain : chains.other())
        if (chain.liberty_count() == 2)
            go::each(chain.liberties & chains.legal(), [&](int p) {
                if (chains.effect(p).liberty_count() >= 2) best.offer(p, chain.size());
            });
    return best;
}

// Safe points next to their stones: best between two chains, then round a corner from an own stone.
template <int N>
BestPoints<N> shapes(const ChainView<N>& chains) {
    BestPoints<N> best;
    go::each(chains.legal() & go::Grid<N>::neighbours(chains.theirs()), [&](int p) {
        if (chains.effect(p).liberty_count() < 2) return;
        int touched = 0;
        for (const auto& chain : chains.other()) touched += go::Grid<N>::has(chain.liberties, p);
        const bool bends = static_cast<bool>(ChainView<N>::diagonal(p) & chains.mine());
        best.offer(p, touched >= 2 ? 3 : bends ? 2 : 1);
    });
    return best;
}

}  // namespace

template <int N>
Move Wally::choose(const go::Position<N>& position, Rng& rng) const {
    const ChainView<N> chains(position);
    for (const auto stage : {captures<N>, rescues<N>, attacks<N>, shapes<N>})
        if (const BestPoints<N> best = stage(chains)) return draw(best.points(), rng);
    return any_safe_move(chains, rng);
}

#define ROOKERY_WALLY(N) template Move Wally::choose(const go::Position<N>&, Rng&) const;
ROOKERY_GO_SIZES(ROOKERY_WALLY)

}  // namespace rookery::rivals
