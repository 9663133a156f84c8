// What a game may tell of moves that a quiet judgement must not be interrupted by: captures, promotions, checks.
// A game that defines none of it is quiet everywhere.
#pragma once

#include <concepts>

#include "games/rules.hpp"

namespace rookery::search {

template <Rules P>
inline constexpr bool has_noise = requires(const P& p, typename P::Moves& list, Move m) {
    p.noisy_moves(list);
    { p.is_noisy(m) } -> std::same_as<bool>;
    { p.loses_material(m) } -> std::same_as<bool>;
};

template <Rules P>
bool is_noisy(const P& p, Move m) {
    if constexpr (has_noise<P>) return p.is_noisy(m);
    return false;
}

// Whether the side to move must answer something first, such as a check.
template <Rules P>
bool threatened(const P& p) {
    if constexpr (requires {
                      { p.threatened() } -> std::same_as<bool>;
                  })
        return p.threatened();
    return false;
}

}  // namespace rookery::search
