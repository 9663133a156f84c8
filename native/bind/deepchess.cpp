// DeepChess: its comparisons and values, and what tests and benchmarks ask of it.
#include <nanobind/ndarray.h>

#include "bind/comparison.hpp"
#include "bind/search.hpp"
#include "evaluators/deepchess.hpp"

namespace rookery {
namespace {

using chess::Position;
using evaluators::DeepChess;
using Chess = State<Position>;
using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Layers = std::vector<std::pair<Matrix, Vector>>;  // weights [outputs, inputs], bias [outputs]

std::vector<nets::FloatLayer> read(const char* name, const Layers& given) {
    std::vector<nets::FloatLayer> layers;
    for (const auto& [weights, bias] : given) {
        constexpr std::size_t most = 2 * nets::widest;  // of inputs: a head has two embeddings
        within("units of a layer", weights.shape(0), 1, most);
        within("inputs of a layer", weights.shape(1), 1, most);
        if (bias.shape(0) != weights.shape(0))
            throw BadOption("a layer of " + std::string(name) + " has " + std::to_string(weights.shape(0)) +
                            " units and " + std::to_string(bias.shape(0)) + " biases");
        require_finite(name, {weights.data(), weights.size()});
        require_finite(name, {bias.data(), bias.size()});
        layers.push_back({static_cast<int>(weights.shape(1)),
                          static_cast<int>(weights.shape(0)),
                          {weights.data(), weights.data() + weights.size()},
                          {bias.data(), bias.data() + bias.size()}});
    }
    return layers;
}
std::vector<float> read(const char* name, const Vector& given) {
    require_finite(name, {given.data(), given.size()});
    return {given.data(), given.data() + given.size()};
}

// Calls f(workspace, position) for each state, with the workspace at that position's root.
template <class F>
std::vector<float> each(const DeepChess& knowledge, const std::vector<Chess>& states, F f) {
    const Unlocked unlocked;
    Poll poll = signals();
    auto workspace = knowledge.workspace();
    std::vector<float> found;
    for (const Chess& s : states) {
        poll.step(64);
        found.push_back(f(workspace, s.position(), knowledge.root(workspace, s.position())));
    }
    return found;
}

std::vector<float> values(const DeepChess& knowledge, const std::vector<Chess>& states) {
    return each(knowledge, states, [&](auto& w, const Position& p, int n) { return knowledge.value(w, p, n); });
}
std::vector<float> above_draw(const DeepChess& knowledge, const std::vector<Chess>& states) {
    return each(knowledge, states,
                [&](auto& w, const Position& p, int n) { return knowledge.above_draw(knowledge.leaf(w, p, n)); });
}
std::vector<float> leads(const DeepChess& knowledge, const std::vector<Chess>& a, const std::vector<Chess>& b) {
    if (a.size() != b.size())
        throw BadOption("there must be as many second states as first (got " + std::to_string(a.size()) + " and " +
                        std::to_string(b.size()) + ")");
    auto second = b.begin();
    return each(knowledge, a, [&](auto& w, const Position& p, int n) {
        const auto leaf = knowledge.leaf(w, p, n);
        const Position& q = (second++)->position();
        return knowledge.lead(leaf, knowledge.leaf(w, q, knowledge.root(w, q)));
    });
}

// Plays random games of that many plies in all, asking for two positions of three; how many plies, and how often an
// embedding kept along the way was not the one computed from nothing.
std::pair<std::int64_t, std::int64_t> drift(const DeepChess& knowledge, const Chess& start, std::int64_t plies,
                                            std::uint64_t seed) {
    const Unlocked unlocked;
    Poll poll = signals();
    Rng rng(seed);
    const std::size_t size = static_cast<std::size_t>(knowledge.net().embedding());
    if (start.outcome()) throw BadOption("the game is over at " + quote(start.position().str()));
    auto workspace = knowledge.workspace();
    std::int64_t played = 0, wrong = 0;
    while (played < plies) {
        std::array<Position, search::longest> line{start.position()};
        int node = knowledge.root(workspace, line[0]);
        for (std::size_t i = 1; i < line.size() && played < plies; ++i) {
            poll.step(64);
            Position::Moves list;
            line[i - 1].moves(list);
            if (line[i - 1].outcome(list, 1)) break;
            const Move m = list[static_cast<int>(rng.below(static_cast<std::uint32_t>(list.size())))];
            line[i] = line[i - 1];
            line[i].play(m);
            node = knowledge.after(workspace, node, line[i - 1], m, line[i]);
            ++played;
            if (rng.below(3) == 0) continue;
            nets::Activations alone;
            knowledge.embed_alone(line[i], alone.at);
            const nets::Activation* kept = knowledge.embed(workspace, line[i], node);
            wrong += !std::equal(kept, kept + size, alone.at);
        }
    }
    return {played, wrong};
}

// Embeds the positions that the moves of some states lead to, makes leaves of them and compares each with the first:
// as far as `steps` says, 1 to 3. How many; for benchmarks, so nothing is taken from what is kept.
std::int64_t weigh_moves(const DeepChess& knowledge, const std::vector<Chess>& states, int steps) {
    within("steps", steps, 1, 3);
    const Unlocked unlocked;
    auto w = knowledge.workspace();
    std::int64_t count = 0;
    volatile bool last = false;  // or nothing would have to be compared
    for (const Chess& s : states) {
        const Position& p = s.position();
        const int node = knowledge.root(w, p);
        const auto bound = knowledge.leaf(w, p, node);
        Position::Moves list;
        p.moves(list);
        for (const Move m : list) {
            Position next = p;
            next.play(m);
            nets::Activations embedding;
            knowledge.embed_along(w, next, knowledge.after(w, node, p, m, next), embedding.at);
            ++count;
            if (steps == 1) continue;
            const auto leaf = knowledge.leaf(w, next, embedding.at);
            if (steps == 3) last = knowledge.better(leaf, bound);
        }
    }
    return count;
}

const Binding deepchess_binding([](nb::module_& m) {
    nb::class_<DeepChess>(m, "DeepChess")
        .def(
            "__init__",
            [](DeepChess* self, const Layers& embed, const Vector& embed_ranges, const Layers& compare,
               const Vector& compare_ranges, const Layers& scalar, const Vector& scalar_ranges) {
                new (self) DeepChess(nets::DeepChessWeights{read("embed", embed), read("compare", compare),
                                                            read("scalar", scalar), read("embed.ranges", embed_ranges),
                                                            read("compare.ranges", compare_ranges),
                                                            read("scalar.ranges", scalar_ranges)});
            },
            "embed"_a, "embed_ranges"_a, "compare"_a, "compare_ranges"_a, "scalar"_a, "scalar_ranges"_a)
        .def_prop_ro("has_scalar", [](const DeepChess& k) { return k.net().has_scalar(); })
        // The logit of being better than a drawn game, to the seat to move; to White; and s(a, b), to White.
        .def("values", &values, "states"_a)
        .def("above_draw", &above_draw, "states"_a)
        .def("leads", &leads, "a"_a, "b"_a)
        .def("weigh_moves", &weigh_moves, "states"_a, "steps"_a)
        .def("drift", &drift, "start"_a, "plies"_a, "seed"_a);
    bind_alphabeta<Position, DeepChess>();
    bind_comparison<Position, DeepChess>();
});

}  // namespace
}  // namespace rookery
