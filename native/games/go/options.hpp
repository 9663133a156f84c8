// The rules that may be chosen. They are part of every position.
#pragma once

#include <cstdint>

namespace rookery::go {

enum class Scoring : std::uint8_t { territory, area };  // empty points and prisoners, or and stones
enum class Ko : std::uint8_t { simple, superko };       // superko: no board may ever come again
enum class Dead : std::uint8_t { none, benson };        // stones that are taken off before counting

struct Options {
    Scoring scoring = Scoring::territory;
    Ko ko = Ko::simple;
    Dead dead = Dead::none;
    std::int16_t komi = 0;  // in half points

    friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace rookery::go
