// A user's text inside an error message: quoted, on one line, and not too long.
#pragma once

#include <string>
#include <string_view>

namespace rookery {

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
