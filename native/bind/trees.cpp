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

// A number of rows other than that of the positions handed out would be read beyond its end.
void check(std::size_t rows, std::size_t wanted) {
    if (rows != wanted) {
        const std::string told = std::to_string(rows) + " evaluations for " + std::to_string(wanted);
        throw nb::value_error((told + " positions").c_str());
    }
}

void bind_puct(nb::module_& m) {
    using Tree = search::PuctTree<AnyPosition>;
    nb::class_<Tree>(m, "PuctTree")
        .def("__init__", [](Tree* self, const AnyPosition& root, const std::vector<Move>& only, double c,
                            std::optional<double> reduction) {
            require_moves(root, only);
            new (self) Tree(root, root.past(), only, c, reduction);
        }, "root"_a, "only"_a, "c"_a, "reduction"_a = nb::none())
        .def_prop_ro("simulations", &Tree::simulations)
        .def("collect", [](Tree& tree, int most, std::int64_t until) {
            std::vector<const AnyPosition*> leaves;
            {
                const nb::gil_scoped_release release;
                leaves = tree.collect(most, until);
            }
            return to_python(leaves);
        }, "most"_a, "until"_a)
        .def("absorb", [](Tree& tree, const Values& values, const std::optional<Policy>& policy) {
            check(values.shape(0), tree.waiting());
            if (policy) check(policy->shape(0), tree.waiting());
            const nb::gil_scoped_release release;
            tree.absorb(values.data(), policy ? policy->data() : nullptr, policy ? policy->shape(1) : 0);
        }, "values"_a, "policy"_a.none())
        .def("priors", &Tree::priors)
        .def("mix_priors", &Tree::mix_priors, "other"_a, "share"_a)
        .def("growth", &Tree::growth);
}

void bind_probability(nb::module_& m) {
    using Tree = search::ProbabilityTree<AnyPosition>;
    nb::class_<Tree>(m, "ProbabilityTree")
        .def("__init__", [](Tree* self, const AnyPosition& root, std::vector<Move> only) {
            require_moves(root, only);
            new (self) Tree(root, root.past(), std::move(only));
        }, "root"_a, "only"_a)
        .def_prop_ro("size", &Tree::size)
        .def_prop_ro("depth", &Tree::depth)
        .def("level", [](const Tree& tree) { return to_python(tree.level()); })
        .def("expand", [](Tree& tree, const std::optional<Policy>& policy, double threshold) {
            if (policy) check(policy->shape(0), tree.level().size());
            const nb::gil_scoped_release release;
            tree.expand(policy ? policy->data() : nullptr, policy ? policy->shape(1) : 0, threshold);
        }, "policy"_a.none(), "threshold"_a)
        .def("close", &Tree::close)
        .def("leaves", [](const Tree& tree, std::size_t most) {
            nb::list states;
            for (const AnyPosition& p : tree.leaves(most)) states.append(p.python());
            return states;
        }, "most"_a)
        .def("settle", [](Tree& tree, const Values& values) {
            tree.settle(values.data(), values.shape(0));
        }, "values"_a)
        .def("solve", &Tree::solve, nb::call_guard<nb::gil_scoped_release>());
}

const Binding trees_binding([](nb::module_& m) {
    bind_puct(m);
    bind_probability(m);
});

}  // namespace
}  // namespace rookery
