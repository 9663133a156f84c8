// What a store of games keeps of each besides its moves: forty bytes, the same on every machine that is little-endian.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/rng.hpp"

namespace rookery::records {

struct Header {
    std::uint64_t id;     // game_id of its moves and start
    std::uint64_t moves;  // where its moves begin: a byte a ply, the move's number among the legal ones, ascending
    std::uint64_t text;   // where its tags begin: a line each, "Event London"; the first is FEN if it was set up
    std::uint32_t date;   // yyyymmdd, 00 for what is unknown of it
    std::uint16_t plies;
    std::uint16_t text_size;
    std::int16_t white_elo, black_elo;  // 0: unknown
    std::int8_t result;                 // 1 White won, 0 drawn, -1 Black won, 2 unknown
    std::uint8_t set_up;                // whether it began elsewhere than games do
    std::uint16_t unused;
};
static_assert(sizeof(Header) == 40 && std::endian::native == std::endian::little);

// The identity of a game, the same in every store: a hash of its start, empty for the usual one, and its moves.
inline std::uint64_t game_id(std::string_view start, std::span<const std::uint8_t> moves) {
    std::uint64_t hash = mix(start.size() << 32 | moves.size());
    const auto absorb = [&hash](const void* data, std::size_t size) {
        const auto* bytes = static_cast<const char*>(data);
        for (std::size_t at = 0; at < size; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + at, std::min<std::size_t>(8, size - at));
            hash = mix(hash ^ word);
        }
    };
    absorb(start.data(), start.size());
    absorb(moves.data(), moves.size());
    return hash;
}

}  // namespace rookery::records
