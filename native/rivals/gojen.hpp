// Our likeness of GOjen, the strongest opponent in Mayer's "Board representations for neural Go players": it
// attacks, defends and knows 32 patterns. The values and the patterns are our own.
#pragma once

#include "rivals/rival.hpp"

namespace rookery::rivals {

class Gojen {
  public:
    // What may be taken from it, to make it weaker.
    struct Options {
        double noise = 12;   // every value gets a random part below this
        int attack = 3;      // the most liberties of a chain that it attacks: 1 to 3
        bool escape = true;  // whether it sees that a chain with two liberties cannot run away
    };

    Gojen() = default;
    explicit Gojen(const Options& options) : options_(options) {}

    template <int N>
    Move choose(const go::Position<N>& position, Rng& rng) const;

  private:
    Options options_;
};

static_assert(Rival<Gojen>);

}  // namespace rookery::rivals
