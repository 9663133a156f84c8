// What can be wrong with text and moves. The bindings turn each into the Python error of the same name
// in rookery/errors.py. A message says what was wrong, where, and what would do.
#pragma once

#include <stdexcept>

namespace rookery {

struct BadPosition : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct BadNotation : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct IllegalMove : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace rookery
