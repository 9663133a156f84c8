// The network of beliefs of Kriegspiel, and what it learns from.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "belief/belief.hpp"
#include "belief/lessons.hpp"
#include "bind/bind.hpp"

namespace rookery {
namespace {

using belief::Belief;
using belief::Network;
using Weights = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const float> layer(const char* name, const Weights& weights, std::size_t size) {
    if (weights.shape(0) != size)
        throw BadOption(std::string(name) + " must have " + std::to_string(size) + " numbers (got " +
                        std::to_string(weights.shape(0)) + ")");
    const std::span<const float> all{weights.data(), size};
    require_finite(name, all);
    return all;
}

template <class Number>
auto array(std::vector<Number>&& values, std::size_t rows, std::size_t columns) {
    auto* kept = new std::vector<Number>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::ndim<2>, nb::c_contig>(kept->data(), {rows, columns}, owner);
}

const Binding belief_network_binding([](nb::module_& m) {
    nb::class_<Network>(m, "BeliefNetwork")
        .def(nb::new_([](const Weights& first, const Weights& second, const Weights& last, const Weights& where,
                         float share, bool corrects) {
                 return std::make_shared<Network>(
                     layer("first", first, Network::first_size), layer("second", second, Network::second_size),
                     layer("last", last, Network::last_size), layer("where", where, Network::where_size),
                     within("share", share, 0, 1), corrects);
             }),
             "first"_a, "second"_a, "last"_a, "where"_a, "share"_a = 1, "corrects"_a = true)
        .def(
            "value",
            [](const Network& network, const kriegspiel::View& view) {
                return network.value(Belief::of(view, {}).matrices());
            },
            "view"_a);
    m.def(
        "belief_lessons",
        [](const State<kriegspiel::Position>& state, int seat) {
            const auto found = belief::lessons(state, static_cast<chess::Colour>(seat_of(seat, 2)), {});
            std::vector<float> inputs, balance;
            std::vector<std::uint8_t> imagined;
            std::vector<std::uint64_t> truth;
            for (const belief::Lesson& lesson : found) {
                inputs.insert(inputs.end(), lesson.inputs.begin(), lesson.inputs.end());
                balance.push_back(lesson.balance);
                imagined.push_back(lesson.imagined);
                truth.insert(truth.end(), lesson.truth.begin(), lesson.truth.end());
            }
            return nb::make_tuple(
                array(std::move(inputs), found.size(), Network::inputs), array(std::move(balance), found.size(), 1),
                array(std::move(imagined), found.size(), 1), array(std::move(truth), found.size(), 3));
        },
        "state"_a, "seat"_a,
        "The turns of a seat in a game: inputs of the network, balance of men, whether a tree would have imagined them "
        "so, and where the enemy's King, pawns and pieces stood.");
});

}  // namespace
}  // namespace rookery
