// Trees that grow with knowledge from Python, in any game: PUCT and the probability-limited one.
#include <nanobind/ndarray.h>

#include "bind/search.hpp"
#include "search/probability.hpp"
#include "search/puct.hpp"

namespace rookery {
namespace {

using Values = nb::ndarray<const float, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Policy = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::list to_python(const std::vector<const AnyPosition*>& positions) {
    nb::list states;
    for (const AnyPosition* p : positions) states.append(p->python());
    return states;
}

// What does not fit the positions handed out would be read beyond its end.
void check_rows(const char* name, std::size_t rows, std::size_t wanted) {
    if (rows != wanted)
        throw BadEvaluation(std::to_string(rows) + " rows of " + name + " for " + std::to_string(wanted) +
                            " positions");
}

void check_values(const Values& values) {
    const std::span<const float> numbers(values.data(), values.size());
    if (std::any_of(numbers.begin(), numbers.end(), [](float v) { return std::isnan(v); }))
        throw BadEvaluation("an evaluator gave a value that is not a number (NaN)");
}

void check_policy(const Policy& policy, std::size_t rows, const AnyPosition& root) {
    check_rows("policy", policy.shape(0), rows);
    const auto moves = static_cast<std::size_t>(root.policy_size());
    if (policy.shape(1) != moves)
        throw BadEvaluation("a policy of " + std::to_string(policy.shape(1)) + " numbers; this game has " +
                            std::to_string(moves) + " moves");
    require_finite("the policy of an evaluator", {policy.data(), policy.size()});
}

void bind_puct(nb::module_& m) {
    using Tree = search::PuctTree<AnyPosition>;
    nb::class_<Tree>(m, "PuctTree")
        .def(
            "__init__",
            [](Tree* self, const AnyPosition& root, const std::vector<Move>& only, double c,
               std::optional<double> reduction) {
                require_moves(root, only);
                if (reduction) finite("reduction", *reduction);
                new (self) Tree(root, root.past(), only, not_below("c", finite("c", c), 0), reduction);
            },
            "root"_a, "only"_a, "c"_a, "reduction"_a = nb::none())
        .def_prop_ro("simulations", &Tree::simulations)
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
            [](Tree& tree, const Values& values, const std::optional<Policy>& policy) {
                const Turn turn(&tree);
                check_rows("values", values.shape(0), tree.waiting());
                check_values(values);
                if (policy) check_policy(*policy, tree.waiting(), tree.root());
                const Unlocked unlocked;
                tree.absorb(values.data(), policy ? policy->data() : nullptr, policy ? policy->shape(1) : 0);
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
            [](Tree& tree, const std::optional<Policy>& policy, double threshold) {
                const Turn turn(&tree);
                if (policy) check_policy(*policy, tree.level().size(), tree.root());
                within("threshold", threshold, 0, 1);
                const Unlocked unlocked;
                Poll poll = signals();
                tree.expand(policy ? policy->data() : nullptr, policy ? policy->shape(1) : 0, threshold, poll);
            },
            "policy"_a.none(), "threshold"_a)
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
    bind_probability(m);
});

}  // namespace
}  // namespace rookery
