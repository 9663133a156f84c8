// A user's text inside an error message: quoted, on one line, and not too long.
#pragma once

#include <string>
#include <string_view>

namespace rookery {

inline std::string quote(std::string_view text) {
    constexpr std::size_t most = 200;
    std::string quoted = "'";
    for (const char c : text.substr(0, most)) quoted += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
    return quoted + (text.size() > most ? "...'" : "'");
}

}  // namespace rookery
