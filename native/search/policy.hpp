// What knowledge thinks of the moves of some positions: numbers over the legal moves of each, ascending, one position
// after the other. Searches scale those that they look at to sum 1.
#pragma once

#include <cstdint>
#include <span>

namespace rookery::search {

struct Policy {
    std::span<const std::int64_t> offsets;  // where the numbers of each position begin, and at last the end of all
    std::span<const float> shares;

    std::span<const float> of(std::size_t i) const {
        const auto first = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
        return shares.subspan(first, end - first);
    }
};

}  // namespace rookery::search
