// What can be wrong with what a caller gave or asked for. The bindings turn each into the Python error of the same name
// in rookery/errors.py. A message says what was wrong, where, and what would do.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

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
struct BadStore : std::runtime_error {  // a store of games that is damaged
    using std::runtime_error::runtime_error;
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

// A user's text inside a message: quoted, on one line, and not too long.
inline std::string quote(std::string_view text) {
    constexpr std::size_t most = 200;
    std::string quoted = "'";
    for (const char c : text.substr(0, most)) {
        // Controls, and those of U+0080 to U+009F, whose first byte is 0xc2: a terminal might obey them.
        const bool second = quoted.back() == '\xc2' && static_cast<unsigned char>(c) < 0xa0;
        quoted += static_cast<unsigned char>(c) < 32 || c == 127 || second ? '?' : c;
    }
    return quoted + (text.size() > most ? "...'" : "'");
}

}  // namespace rookery
