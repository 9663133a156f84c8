// Trees that grow with knowledge from Python, in any game: PUCT, Gumbel and the probability-limited one.
#include <nanobind/ndarray.h>

#include "bind/gumbel.hpp"
#include "bind/policies.hpp"
#include "bind/search.hpp"
#include "search/probability.hpp"
#include "search/puct.hpp"

namespace rookery {
namespace {

using Values = nb::ndarray<const float, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
nb::list to_python(const std::vector<const AnyPosition*>& positions) {
    nb::list states;
    for (const AnyPosition* p : positions) states.append(p->python());
    return states;
}

void check_values(const Values& values) {
    const std::span<const float> numbers(values.data(), values.size());
    if (std::any_of(numbers.begin(), numbers.end(), [](float v) { return std::isnan(v); }))
        throw BadEvaluation("an evaluator gave a value that is not a number (NaN)");
}

void bind_puct(nb::module_& m) {
    using Tree = search::PuctTree<AnyPosition>;
    nb::class_<Tree>(m, "PuctTree")
        .def(
            "__init__",
            [](Tree* self, const AnyPosition& root, const std::vector<Move>& only, double c,
               std::optional<double> reduction, std::size_t memory) {
                require_moves(root, only);
                if (reduction) finite("reduction", *reduction);
                not_below("c", finite("c", c), 0);
                within("memory", memory, 1, most_megabytes);
                new (self) Tree(root, root.past(), only, c, reduction, memory << 20);
            },
            "root"_a, "only"_a, "c"_a, "reduction"_a = nb::none(), "memory"_a = most_megabytes)
        .def_prop_ro("simulations", &Tree::simulations)
        .def_prop_ro("full", &Tree::full)
        .def_prop_ro("bytes", &Tree::bytes)
        .def(
            "follow",
            [](Tree& tree, const AnyPosition& root) {
                const Turn turn(&tree);
                const auto way = root.since(tree.root());
                const Unlocked unlocked;
                return way && !way->empty() && tree.follow(*way);
            },
            "root"_a)
        .def(
            "collect",
            [](Tree& tree, int most, std::int64_t until) {
                const Turn turn(&tree);
                std::vector<const AnyPosition*> leaves;
                {
                    const Unlocked unlocked;
                    Poll poll = signals();
                    leaves = tree.collect(most, until, poll);
                }
                return to_python(leaves);
            },
            "most"_a, "until"_a)
        .def(
            "absorb",
            [](Tree& tree, const Values& values, const GivenPolicy& given) {
                const Turn turn(&tree);
                check_rows("values", values.shape(0), tree.waiting());
                check_values(values);
                const auto policy = policy_of(given, tree.waiting(), [&](std::size_t i) { return tree.moves_of(i); });
                const Unlocked unlocked;
                tree.absorb(values.data(), policy ? &*policy : nullptr);
            },
            "values"_a, "policy"_a.none())
        .def("priors",
             [](const Tree& tree) {
                 const Turn turn(&tree);
                 return tree.priors();
             })
        .def(
            "mix_priors",
            [](Tree& tree, const std::vector<float>& other, float share) {
                const Turn turn(&tree);
                require_finite("priors", other);
                tree.mix_priors(other, within("share", share, 0, 1));
            },
            "other"_a, "share"_a)
        .def("report", [](const Tree& tree) {
            const Turn turn(&tree);
            return tree.report();
        });
}

void bind_gumbel(nb::module_& m) {
    using search::GumbelSettings;
    nb::class_<GumbelSettings>(m, "GumbelSettings")
        .def(nb::init<>())
        .def_rw("simulations", &GumbelSettings::simulations)
        .def_rw("max_considered", &GumbelSettings::max_considered)
        .def_rw("visit", &GumbelSettings::visit)
        .def_rw("scale", &GumbelSettings::scale);

    // The search with the generator of its gumbels, if it has one.
    struct Tree : search::GumbelSearch<search::GameDomain<AnyPosition>> {
        Tree(const AnyPosition& root, const GumbelSettings& settings, std::optional<std::uint64_t> seed)
            : GumbelSearch(search::GameDomain<AnyPosition>(root.past()), settings, {}) {
            if (seed) rng.emplace(*seed);
        }
        std::optional<Rng> rng;
    };
    nb::class_<Tree>(m, "GumbelTree")
        .def(
            "__init__",
            [](Tree* self, const AnyPosition& root, const std::vector<Move>& only, const GumbelSettings& settings,
               std::optional<std::uint64_t> seed) {
                require_moves(root, only);
                check_gumbel(settings);
                new (self) Tree(root, settings, seed);
                self->start(root, [&](Move move) { return search::allowed(move, only); });
            },
            "root"_a, "only"_a, "settings"_a, "seed"_a = nb::none())
        .def("collect",
             [](Tree& tree) {
                 const Turn turn(&tree);
                 {
                     const Unlocked unlocked;
                     tree.grow(tree.rng ? &*tree.rng : nullptr);
                 }
                 nb::list states;
                 for (std::size_t i = 0; i < tree.leaves(); ++i) states.append(tree.leaf(i).python());
                 return states;
             })
        .def(
            "absorb",
            [](Tree& tree, const Values& values, const GivenPolicy& given) {
                const Turn turn(&tree);
                check_rows("values", values.shape(0), tree.leaves());
                check_values(values);
                const auto policy = policy_of(given, tree.leaves(), [&](std::size_t i) { return tree.moves_of(i); });
                const Unlocked unlocked;
                tree.absorb(values.data(), policy ? &*policy : nullptr);
            },
            "values"_a, "policy"_a.none())
        .def_prop_ro("known", &Tree::known)
        .def("chosen",
             [](const Tree& tree) {
                 const Turn turn(&tree);
                 if (!tree.begun()) throw BadOption("collect() has not begun to search");
                 return tree.chosen();
             })
        .def("improved",
             [](const Tree& tree) {
                 const Turn turn(&tree);
                 if (!tree.known()) throw BadOption("the root is not evaluated yet");
                 return std::pair(tree.moves(), tree.improved());
             })
        .def("report", [](const Tree& tree) {
            const Turn turn(&tree);
            return tree.report();
        });
}

void bind_probability(nb::module_& m) {
    using Tree = search::ProbabilityTree<AnyPosition>;
    nb::class_<Tree>(m, "ProbabilityTree")
        .def(
            "__init__",
            [](Tree* self, const AnyPosition& root, std::vector<Move> only) {
                require_moves(root, only);
                new (self) Tree(root, root.past(), std::move(only));
            },
            "root"_a, "only"_a)
        .def_prop_ro("size", &Tree::size)
        .def_prop_ro("depth", &Tree::depth)
        .def("level",
             [](const Tree& tree) {
                 const Turn turn(&tree);
                 return to_python(tree.level());
             })
        .def(
            "expand",
            [](Tree& tree, const GivenPolicy& given, double threshold, bool prune) {
                const Turn turn(&tree);
                const auto level = tree.level();
                const auto policy = policy_of(given, level.size(), [&](std::size_t i) {
                    AnyPosition::Moves list;
                    level[i]->moves(list);
                    return static_cast<std::size_t>(list.size());
                });
                within("threshold", threshold, 0, 1);
                const Unlocked unlocked;
                Poll poll = signals();
                tree.expand(policy ? &*policy : nullptr, threshold, prune, poll);
            },
            "policy"_a.none(), "threshold"_a, "prune"_a = false)
        .def("close",
             [](Tree& tree) {
                 const Turn turn(&tree);
                 tree.close();
             })
        .def(
            "leaves",
            [](const Tree& tree, std::size_t most) {
                const Turn turn(&tree);
                nb::list states;
                for (const AnyPosition& p : tree.leaves(most)) states.append(p.python());
                return states;
            },
            "most"_a)
        .def(
            "settle",
            [](Tree& tree, const Values& values) {
                const Turn turn(&tree);
                check_values(values);
                tree.settle(values.data(), values.shape(0));
            },
            "values"_a)
        .def("solve", [](const Tree& tree) {
            const Turn turn(&tree);
            const Unlocked unlocked;
            return tree.solve();
        });
}

const Binding trees_binding([](nb::module_& m) {
    bind_puct(m);
    bind_gumbel(m);
    bind_probability(m);
});

}  // namespace
}  // namespace rookery
