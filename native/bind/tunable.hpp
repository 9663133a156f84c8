// Constants that a player's name may set: `tuned=patience:2`.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "belief/matrices.hpp"
#include "bind/checks.hpp"

namespace rookery {

using Tuned = std::vector<std::pair<std::string, float>>;

struct Tunable {
    const char* name;
    float* at;
    float least, most;
};

// Sets each by its name, once, to a value in its range.
inline void tune(std::span<const Tunable> all, const Tuned& tuned) {
    std::vector<std::string> done;
    for (const auto& [name, value] : tuned) {
        const auto known =
            std::find_if(all.begin(), all.end(),
                         [&, name = std::string_view(name)](const Tunable& each) { return each.name == name; });
        if (known == all.end()) {
            std::string names;
            for (const Tunable& each : all) names += (names.empty() ? "" : ", ") + std::string(each.name);
            throw BadOption("no constant is called " + quote(name) + " here; there are " + names);
        }
        if (std::find(done.begin(), done.end(), name) != done.end())
            throw BadOption("the constant " + name + " is given twice");
        done.push_back(name);
        *known->at = within(known->name, value, known->least, known->most);
    }
}

// What bounds of each other must keep.
inline void require_ordered(const belief::Constants& c) {
    if (c.least_legal > c.most_legal) throw BadOption("least_legal must not be above most_legal");
}

}  // namespace rookery
