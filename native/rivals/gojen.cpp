#include "rivals/gojen.hpp"

#include <algorithm>

#include "rivals/chains.hpp"
#include "rivals/patterns.hpp"

namespace rookery::rivals {
namespace {

constexpr int worth_own_land = 40;  // the least value for which it fills land of its own

template <int N>
constexpr int centre = N * (N / 2) + N / 2;

template <int N>
bool first_line(int point) {
    const int row = point / N, column = point % N;
    return row == 0 || column == 0 || row == N - 1 || column == N - 1;
}

// The value of every legal point.
template <int N>
class Values {
  public:
    using G = go::Grid<N>;
    using Bits = typename G::Bits;
    using Effect = typename ChainView<N>::Effect;

    Values(const ChainView<N>& chains, const Gojen::Options& options) : chains_(chains), options_(options) {
        const Surroundings<N> surroundings(chains.mine(), chains.theirs());
        go::each(chains.legal(), [&](int p) {
            effects_[index(p)] = chains.effect(p);
            values_[index(p)] = shape(p, surroundings.around(p));
        });
        for (const auto& chain : chains.other()) attack(chain);
        for (const auto& chain : chains.own()) defend(chain);
    }

    int operator[](int point) const { return values_[index(point)]; }
    const Effect& effect(int point) const { return effects_[index(point)]; }

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    void raise(int point, int value) { values_[index(point)] = std::max(values_[index(point)], value); }

    static int shape(int point, std::uint16_t around) {
        const int known = pattern_value(around), middle = point == centre<N> ? 8 : 3;
        if (first_line<N>(point)) return known ? known - 6 : 5;
        return (known ? known : 5) + middle;
    }

    void attack(const typename ChainView<N>::Chain& chain) {
        const int count = chain.liberty_count(), size = chain.size();
        if (count > options_.attack) return;
        go::each(chain.liberties & chains_.legal(), [&](int p) {
            if (count == 1) raise(p, 100 + 10 * go::count(effect(p).captured) + freed(p));
            if (count == 2 && effect(p).liberty_count() >= 2)
                raise(p, (options_.escape && caught(chain, p) ? 70 : 50) + 4 * size);
            if (count == 3) raise(p, 32 + 2 * size);
        });
    }

    // What it adds to a capture that it frees own chains from atari.
    int freed(int point) const {
        const Effect& e = effect(point);
        const Bits open = (chains_.empty() & ~G::bit(point)) | e.captured;
        int sum = 0;
        for (const auto& chain : chains_.own()) {
            if (chain.liberty_count() != 1) continue;
            const Bits now = chain.stones & e.chain ? e.liberties : G::neighbours(chain.stones) & open;
            if (go::count(now) >= 2) sum += 8 + 6 * chain.size();
        }
        return sum;
    }

    // Whether a chain with two liberties, attacked at one, has no more than two by a stone on the other. Stones
    // that it might capture there are left out.
    bool caught(const typename ChainView<N>::Chain& chain, int point) const {
        const Bits way = chain.liberties & ~G::bit(point);
        Bits run = chain.stones | way;
        for (const auto& friendly : chains_.other())
            if (friendly.liberties & way) run |= friendly.stones;
        return go::count(G::neighbours(run) & chains_.empty() & ~G::bit(point) & ~way) <= 2;
    }

    void defend(const typename ChainView<N>::Chain& chain) {
        const int count = chain.liberty_count(), size = chain.size();
        if (count > 2) return;
        go::each(chain.liberties & chains_.legal(), [&](int p) {
            const int after = effect(p).liberty_count();
            if (count == 1 && after >= 3) raise(p, 92 + 9 * size);
            if (count == 1 && after == 2) raise(p, 78 + 6 * size);
            if (count == 2 && after >= 3) raise(p, 44 + 4 * size + after);
        });
    }

    const ChainView<N>& chains_;
    const Gojen::Options& options_;
    std::array<Effect, G::points> effects_;  // of legal points only, as are the values
    std::array<int, G::points> values_;
};

}  // namespace

template <int N>
Move Gojen::choose(const go::Position<N>& position, Rng& rng) const {
    using G = go::Grid<N>;
    const ChainView<N> chains(position);
    if (chains.empty() == G::all) return draw(G::neighbours(G::bit(centre<N>)), rng);
    const Values<N> values(chains, options_);
    const auto land = chains.land();
    const double noise = std::max(options_.noise, 1e-9);  // never none: equal values are equally likely
    Move best = go::Position<N>::pass;
    double highest = -1e9;
    go::each(chains.legal(), [&](int p) {
        const auto& effect = values.effect(p);
        if ((effect.liberty_count() == 1 && !effect.captured) || chains.eye(p)) return;
        if (values[p] < worth_own_land && G::has(land, p)) return;
        const double value = values[p] + noise * rng.uniform();
        if (value > highest) {
            highest = value;
            best = p;
        }
    });
    return best;
}

#define ROOKERY_GOJEN(N) template Move Gojen::choose(const go::Position<N>&, Rng&) const;
ROOKERY_GO_SIZES(ROOKERY_GOJEN)

}  // namespace rookery::rivals
