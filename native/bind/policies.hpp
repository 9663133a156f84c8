// Policies that Python hands over: arrays, and what is asked of them.
#pragma once

#include <nanobind/ndarray.h>

#include "bind/bind.hpp"
#include "search/policy.hpp"

namespace rookery {

using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shares = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using GivenPolicy = std::optional<std::pair<Offsets, Shares>>;  // none: moves all alike

// What does not fit the positions handed out would be read beyond its end.
inline void check_rows(const char* name, std::size_t rows, std::size_t wanted) {
    if (rows != wanted)
        throw BadEvaluation(std::to_string(rows) + " rows of " + name + " for " + std::to_string(wanted) +
                            " positions");
}

// The policy of so many positions, the i-th of which has moves_of(i) legal moves.
template <class F>
std::optional<search::Policy> policy_of(const GivenPolicy& given, std::size_t rows, F moves_of) {
    if (!given) return std::nullopt;
    const auto& [offsets, shares] = *given;
    check_rows("policy", offsets.size() ? offsets.size() - 1 : 0, rows);
    std::size_t total = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (offsets.data()[i] != static_cast<std::int64_t>(total))
            throw BadEvaluation("a policy has " + std::to_string(offsets.data()[i]) + " numbers for " +
                                std::to_string(total) + " moves");
        if (i < rows) total += moves_of(i);
    }
    if (shares.size() != total)
        throw BadEvaluation("a policy has " + std::to_string(shares.size()) + " numbers for " + std::to_string(total) +
                            " moves");
    require_finite("the policy of an evaluator", {shares.data(), shares.size()});
    return search::Policy{{offsets.data(), offsets.size()}, {shares.data(), shares.size()}};
}

}  // namespace rookery
