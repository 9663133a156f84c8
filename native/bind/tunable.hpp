// Constants that a player's name may set: `tuned=patience:2`.
#pragma once

#include <span>

#include "bind/checks.hpp"

namespace rookery {

struct Tunable {
    const char* name;
    float* at;
    float least, most;
};

// Whether there is one of that name; it is set, if the value is in its range.
inline bool tune(std::span<const Tunable> all, std::string_view name, float value) {
    for (const Tunable& each : all)
        if (name == each.name) {
            *each.at = within(each.name, value, each.least, each.most);
            return true;
        }
    return false;
}

}  // namespace rookery
