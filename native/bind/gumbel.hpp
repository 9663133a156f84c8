// What is asked of the settings of a Gumbel search, at play and in self-play.
#pragma once

#include "bind/checks.hpp"
#include "search/gumbel.hpp"

namespace rookery {

inline void check_gumbel(const search::GumbelSettings& settings) {
    within("simulations", settings.simulations, 1, 32766);
    within("max_considered", settings.max_considered, 1, 1000);
    for (const float number : {settings.visit, settings.scale}) finite("a setting of the search", number);
}

}  // namespace rookery
