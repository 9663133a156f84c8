// What can be wrong with what a caller gave or asked for. The bindings turn each into the Python error of the same name
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
struct BadOption : std::invalid_argument {  // a number out of range, an array of the wrong shape
    using std::invalid_argument::invalid_argument;
};
struct BadEvaluation : std::runtime_error {  // knowledge that says what is no number
    using std::runtime_error::runtime_error;
};
struct Busy : std::runtime_error {  // asked from a second thread
    using std::runtime_error::runtime_error;
};
struct Diverged : std::runtime_error {  // what is learnt has left the range in which it means anything
    using std::runtime_error::runtime_error;
};
struct Interrupted : std::runtime_error {  // work that somebody wished to end
    using std::runtime_error::runtime_error;
};
struct NoThread : std::runtime_error {  // it could not be started
    using std::runtime_error::runtime_error;
};

}  // namespace rookery
