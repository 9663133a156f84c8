#include "rivals/naive.hpp"

#include "rivals/chains.hpp"

namespace rookery::rivals {

template <int N>
Move Naive::choose(const go::Position<N>& position, Rng& rng) const {
    using G = go::Grid<N>;
    const ChainView<N> chains(position);
    BestPoints<N> best;
    for (const auto& chain : chains.other())
        if (chain.liberty_count() == 1)
            go::each(chain.liberties & chains.legal(),
                     [&](int p) { best.offer(p, 200 + 10 * go::count(chains.effect(p).captured)); });
    for (const auto& chain : chains.own()) {
        const int count = chain.liberty_count(), size = chain.size();
        if (count > 2) continue;
        go::each(chain.liberties & chains.legal(), [&](int p) {
            const auto effect = chains.effect(p);
            const int after = effect.liberty_count();
            const bool joins = static_cast<bool>(effect.chain & ~chain.stones & ~G::bit(p));
            if (count == 1 && after >= 2) best.offer(p, 100 + 10 * size + after);
            if (count == 2 && after >= 3) best.offer(p, (joins ? 50 + 5 * size : 30 + 3 * size) + after);
        });
    }
    return best ? draw(best.points(), rng) : any_safe_move(chains, rng);
}

#define ROOKERY_NAIVE(N) template Move Naive::choose(const go::Position<N>&, Rng&) const;
ROOKERY_GO_SIZES(ROOKERY_NAIVE)

}  // namespace rookery::rivals
