#include "rivals/naive.hpp"

#include "rivals/sight.hpp"

namespace rookery::rivals {

template <int N>
Move Naive::choose(const go::Position<N>& position, Rng& rng) const {
    using G = go::Grid<N>;
    const Sight<N> sight(position);
    Best<N> best;
    for (const auto& chain : sight.other())
        if (chain.breath() == 1)
            go::each(chain.liberties & sight.legal(),
                     [&](int p) { best.offer(p, 200 + 10 * go::count(sight.effect(p).captured)); });
    for (const auto& chain : sight.own()) {
        const int breath = chain.breath(), size = chain.size();
        if (breath > 2) continue;
        go::each(chain.liberties & sight.legal(), [&](int p) {
            const auto effect = sight.effect(p);
            const int after = effect.breath();
            const bool joins = static_cast<bool>(effect.chain & ~chain.stones & ~G::bit(p));
            if (breath == 1 && after >= 2) best.offer(p, 100 + 10 * size + after);
            if (breath == 2 && after >= 3) best.offer(p, (joins ? 50 + 5 * size : 30 + 3 * size) + after);
        });
    }
    return best ? draw(best.points(), rng) : wander(sight, rng);
}

#define ROOKERY_NAIVE(N) template Move Naive::choose(const go::Position<N>&, Rng&) const;
ROOKERY_GO_SIZES(ROOKERY_NAIVE)

}  // namespace rookery::rivals
