// Binds linear knowledge of one game: its values, its search, and the learner that trains it.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>

#include "bind/search.hpp"
#include "learn/treestrap.hpp"

namespace rookery {

using Weights = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;  // [sets, features]
using WeightsOut = nb::ndarray<nb::numpy, float, nb::ndim<2>, nb::c_contig>;

inline std::vector<float> to_vector(const Weights& given) {
    require_finite("weights", {given.data(), given.size()});
    return {given.data(), given.data() + given.size()};
}

inline WeightsOut to_python(const std::vector<float>& weights, std::size_t features) {
    auto* data = new float[weights.size()];
    std::copy(weights.begin(), weights.end(), data);
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    return WeightsOut(data, {weights.size() / features, features}, owner);
}

// The knowledge itself, built from an array of weights.
template <Rules P, class K>
void bind_linear(nb::module_& m, const std::string& name) {
    using S = State<P>;
    bind_knowledge<P, K>(m, name.c_str())
        .def(
            "__init__", [](K* self, const Weights& weights) { new (self) K(to_vector(weights)); }, "weights"_a)
        .def_prop_ro_static("features", [](nb::handle) { return K::features; })
        // What a position shows: features with their values, and which set of weights they meet.
        .def(
            "shows",
            [](const K& k, const S& s) {
                std::map<int, int> shown;
                K::Features::each(s.position(), [&](int feature, int count) { shown[feature] += count; });
                std::vector<std::pair<int, int>> list;
                for (const auto& [feature, count] : shown)
                    if (count) list.emplace_back(feature, count);
                return std::pair(k.set_of(s.position()), list);
            },
            "state"_a)
        // Values every position that a move leads to, kept from the one before or computed from nothing; how many.
        .def(
            "weigh_moves",
            [](const K& k, const std::vector<S>& states, bool from_nothing) {
                std::int64_t count = 0;
                volatile float last = 0;  // or nothing would have to be computed
                for (const S& s : states) {
                    const P& p = s.position();
                    const auto node = k.root(p);
                    typename P::Moves list;
                    p.moves(list);
                    for (const Move m : list) {
                        P next = p;
                        next.play(m);
                        last = k.value(next, from_nothing ? k.root(next) : k.after(node, p, m, next));
                        ++count;
                    }
                }
                return count;
            },
            "states"_a, "from_nothing"_a)
        // Plays random games of that many plies in all; how often a value kept along the way was not the one
        // computed from nothing, in the view of any seat.
        .def(
            "drift",
            [](const K& k, const S& start, std::int64_t plies, std::uint64_t seed) {
                const Unlocked unlocked;
                Poll poll = signals();
                Rng rng(seed);
                std::int64_t wrong = 0;
                P p = start.position();
                auto node = k.root(p);
                for (std::int64_t i = 0; i < plies; ++i) {
                    poll.step();
                    typename P::Moves list;
                    p.moves(list);
                    if (p.outcome(list, 1)) {
                        p = start.position(), node = k.root(p);
                        continue;
                    }
                    const Move move = list[static_cast<int>(rng.below(static_cast<std::uint32_t>(list.size())))];
                    P next = p;
                    next.play(move);
                    node = k.after(node, p, move, next);
                    p = next;
                    wrong += k.differs(node, k.root(p));
                }
                return wrong;
            },
            "start"_a, "plies"_a, "seed"_a);
    bind_alphabeta<P, K>();
}

inline void require(const learn::TreeStrapConfig& s) {
    within<int>("depth", s.depth, 1, search::longest / 2);
    within<double>("learning_rate", s.learning_rate, 0, 1e6);
    within<double>("final_factor", s.final_factor, 0, 1);
    within<double>("discount", s.discount, 0, 1);
    within<double>("max_update", s.max_update, 0, 1e6);
    within<double>("lambda_", s.lambda, 0, 1);
    within<int>("killers", s.killers, 0, 2);
    within<int>("random_moves", s.random_moves, 0, 1'000'000);
    within<int>("max_plies", s.max_plies, 1, 1'000'000'000);
    megabytes_of(s.megabytes);
    within<std::int64_t>("round_nodes", s.round_nodes, 1, 1'000'000'000'000'000);
}

template <Rules P, class K>
void bind_treestrap(nb::module_& m, const std::string& name) {
    using T = learn::TreeStrap<P, K>;
    nb::class_<T>(m, (name + "TreeStrap").c_str())
        .def(
            "__init__",
            [](T* self, const State<P>& start, const Weights& weights, const learn::TreeStrapConfig& config,
               const std::vector<bool>& learns, std::uint64_t seed, std::int64_t games, int side_by_side, int threads) {
                require(config);
                within<std::int64_t>("games", games, 1, 1'000'000'000'000);
                within<int>("side_by_side", side_by_side, 1, 65536);
                threads_of(threads);
                if (start.outcome()) throw BadOption("the game to start with is over");
                if (learns.size() != static_cast<std::size_t>(K::features))
                    throw std::invalid_argument("learns must say for each of " + std::to_string(K::features) +
                                                " features whether it may change");
                new (self)
                    T(start.position(), K(to_vector(weights)), config, learns, seed, games, side_by_side, threads);
            },
            "start"_a, "weights"_a, "config"_a, "learns"_a, "seed"_a, "games"_a, "side_by_side"_a, "threads"_a)
        .def_prop_ro_static("max_weight", [](nb::handle) { return T::max_weight; })
        .def(
            "play",
            [](T& t, std::int64_t games, const Wish& stop) {
                not_below("games", games, 0);
                const Turn turn(&t);
                const Unlocked unlocked;
                return t.play(games, asking(stop));
            },
            "games"_a, "stop"_a = nb::none())
        .def("weights",
             [](T& t) {
                 const Turn turn(&t);
                 return to_python(t.weights(), K::features);
             })
        .def(
            "set_weights",
            [](T& t, const Weights& given) {
                const Turn turn(&t);
                if (given.size() != t.weights().size())
                    throw BadOption(std::to_string(t.weights().size()) + " weights are wanted (got " +
                                    std::to_string(given.size()) + ")");
                std::vector<float> weights = to_vector(given);
                T::require_sound(weights);
                t.weights() = std::move(weights);
            },
            "weights"_a)
        .def_prop_ro("begun", &T::begun)
        .def_prop_ro("ended", &T::ended)
        .def("unfinished",
             [](const T& t) {
                 const Turn turn(&t);
                 return t.unfinished();
             })
        .def(
            "resume",
            [](T& t, std::int64_t begun, std::int64_t ended, const std::vector<learn::UnfinishedGame>& unfinished) {
                const Turn turn(&t);
                t.resume(begun, ended, unfinished);
            },
            "begun"_a, "ended"_a, "unfinished"_a);
}

}  // namespace rookery
