// The rules that may be chosen. They are part of every position.
#pragma once

#include <cstdint>

namespace rookery::go {

enum class Scoring : std::uint8_t { territory, area };  // empty points and prisoners, or and stones
enum class Ko : std::uint8_t { simple, superko };       // superko: no board may ever come again
// Stones that are taken off before counting: none; what Benson's proof finds dead; or what the players agree
// on, which a position cannot know: it counts every stone, and whoever ends the game counts again.
enum class Dead : std::uint8_t { none, benson, agreed };

struct Options {
    Scoring scoring = Scoring::territory;
    Ko ko = Ko::simple;
    Dead dead = Dead::none;
    std::int16_t komi = 0;      // in half points
    std::int16_t handicap = 0;  // stones that Black was given; by area and agreement White gets a point for each

    friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace rookery::go
