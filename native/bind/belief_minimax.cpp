// The player of Kriegspiel that searches metapositions.
#include "belief/minimax.hpp"

#include "bind/belief_tries.hpp"

namespace rookery {
namespace {

using belief::Ranking;
using kriegspiel::View;

Ranking minimax(const View& view, int depth, std::int64_t nodes, double seconds, std::vector<Move> only,
                const Stop& stop, const std::vector<std::pair<Move, double>>& earlier) {
    require_tries(view, only);
    const Unlocked unlocked;
    search::Limits limits = limits_of(depth, nodes, seconds, std::move(only), 1);
    Poll poll = signals();
    limits.poll = &poll;
    std::vector<Ranking::Choice> before;
    for (const auto& [move, value] : earlier) before.push_back({move, finite("value", value)});
    return belief::rank(view, {}, limits, stop.flag(), before);
}

const Binding minimax_binding([](nb::module_& m) {
    nb::class_<Ranking>(m, "KriegspielRanking")
        .def_prop_ro("choices",
                     [](const Ranking& r) {
                         std::vector<std::pair<Move, double>> choices;
                         for (const Ranking::Choice& c : r.choices) choices.emplace_back(c.move, c.value);
                         return choices;
                     })
        .def_ro("nodes", &Ranking::nodes)
        .def_ro("depth", &Ranking::depth)
        .def_ro("seconds", &Ranking::seconds);
    m.def("kriegspiel_minimax", &minimax, "view"_a, "depth"_a, "nodes"_a, "seconds"_a, "only"_a, "stop"_a, "earlier"_a);
});

}  // namespace
}  // namespace rookery
