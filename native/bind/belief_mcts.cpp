// Monte Carlo tree search over the referee's messages of Kriegspiel.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "belief/mcts_turn.hpp"
#include "bind/belief_tries.hpp"
#include "bind/tunable.hpp"
#include "bind/uct.hpp"

namespace rookery {
namespace {

using belief::Mcts;
using belief::MctsOptions;
using belief::Mode;
using belief::Worth;
using Network = std::shared_ptr<belief::Network>;
using Model = std::shared_ptr<belief::OpponentModel>;
using kriegspiel::View;

// Serves one thread at a time, without the interpreter's lock.
class BoundMcts {
  public:
    BoundMcts(Mcts::Approach approach, const MctsOptions& options, int threads) : mcts_(approach, options, threads) {}

    bool continues(const View& view) const {
        const Turn turn(this);
        return mcts_.continues(view);
    }
    search::TreeReport think(const View& view, std::int64_t nodes, double seconds, const std::vector<Move>& only,
                             std::uint64_t seed, const Stop& stop, const std::optional<nb::callable>& listener,
                             bool analyse) {
        const Turn turn(this);
        require_tries(view, only);
        const Unlocked unlocked;
        Poll poll = signals();
        search::Limits limits = limits_of(1, nodes, seconds, only, 1);
        limits.poll = &poll, limits.analyse = analyse;
        try {
            return mcts_.think(view, limits, seed, stop.flag(), listening<search::TreeReport>(listener));
        } catch (...) {
            mcts_.forget();  // trees that were broken off are not to be trusted
            throw;
        }
    }
    void forget() {
        const Turn turn(this);
        mcts_.forget();
    }

  private:
    Mcts mcts_;
};

bool either(const char* name, std::string_view word, std::string_view yes, std::string_view no) {
    if (word != yes && word != no)
        throw BadOption(std::string(name) + " must be " + std::string(yes) + " or " + std::string(no) + " (got " +
                        quote(word) + ")");
    return word == yes;
}

Mcts::Approach approach_of(std::string_view word) {
    if (word == "a") return Mcts::Approach::a;
    if (word == "b") return Mcts::Approach::b;
    if (word == "c") return Mcts::Approach::c;
    throw BadOption("approach must be a, b or c (got " + quote(word) + ")");
}

// Constants of the belief, and of those for the enemy's reactions the ones that these options read.
void tune(MctsOptions& o, const Tuned& tuned) {
    belief::Reactions& r = o.reactions;
    const std::vector<Tunable> by_control = {
        {"retake_rate", &r.retake_rate, 0, 100},    {"retake_power", &r.retake_power, 0, 10},
        {"checker_rate", &r.checker_rate, 0, 100},  {"capture_rate", &r.capture_rate, 0, 100},
        {"capture_power", &r.capture_power, 0, 10}, {"patience", &r.patience, 0, 100}};
    std::vector<Tunable> all = r.by_control ? by_control : std::vector<Tunable>();
    for (const auto& n : belief::Constants::numbers) {
        const bool reaction = n.value == &belief::Constants::retake || n.value == &belief::Constants::take_checker ||
                              n.value == &belief::Constants::suffer;
        if (!reaction || !r.by_control) all.push_back({n.name, &(o.constants.*(n.value)), n.least, n.most});
    }
    rookery::tune(all, tuned);
    require_ordered(o.constants);
}

MctsOptions options_of(Mcts::Approach approach, int k, double c, double foresight, std::string_view variant,
                       std::string_view mode, std::string_view weights, std::string_view illegal, bool endgame,
                       std::string_view reactions, const Tuned& tuned = {}) {
    MctsOptions options;
    options.reactions.by_control = either("reactions", reactions, "control", "paper") && approach == Mcts::Approach::c;
    options.worth = either("weights", weights, "weighted", "count") ? Worth::weighted() : Worth::counted();
    tune(options, tuned);
    options.endgame = endgame;
    options.k = within("k", k, 1, 40);
    options.c = static_cast<float>(within("c", finite("c", c), 0, 1000));
    options.foresight = static_cast<float>(within("foresight", foresight, 0, 1));
    options.fast = either("variant", variant, "fast", "paper");
    options.constants.mode = either("mode", mode, "corrected", "paper") ? Mode::corrected : Mode::paper;
    options.refusal_is_free = either("illegal", illegal, "best", "paper");
    return options;
}

// A tree of approach C over a view, for tests and explanation.
belief::TreeC tree_of(const View& view, double foresight, std::string_view mode, std::string_view weights,
                      std::string_view illegal, std::string_view reactions, std::uint64_t seed) {
    const MctsOptions options =
        options_of(Mcts::Approach::c, 1, 0.3, foresight, "paper", mode, weights, illegal, true, reactions);
    return {belief::Belief::of(view, options.constants).matrices(), view.moves, options, seed};
}

const Binding belief_mcts_binding([](nb::module_& m) {
    nb::class_<BoundMcts>(m, "KriegspielMcts")
        .def(
            "__init__",
            [](BoundMcts* self, std::string_view approach, int k, double c, double foresight, std::string_view variant,
               std::string_view mode, std::string_view weights, std::string_view illegal, bool endgame, int threads,
               std::string_view reactions, const Tuned& tuned, Network network, Model model) {
                const Mcts::Approach way = approach_of(approach);
                MctsOptions options =
                    options_of(way, k, c, foresight, variant, mode, weights, illegal, endgame, reactions, tuned);
                if (network && way != Mcts::Approach::c)
                    throw BadOption("a network of beliefs serves approach c alone");
                options.network = std::move(network), options.model = std::move(model);
                new (self) BoundMcts(way, options, threads_of(threads));
            },
            "approach"_a, "k"_a, "c"_a, "foresight"_a, "variant"_a, "mode"_a, "weights"_a, "illegal"_a, "endgame"_a,
            "threads"_a, "reactions"_a = "control", "tuned"_a = Tuned(), "network"_a.none() = Network(),
            "model"_a.none() = Model())
        .def("continues", &BoundMcts::continues, "view"_a)
        .def("think", &BoundMcts::think, "view"_a, "nodes"_a, "seconds"_a, "only"_a, "seed"_a, "stop"_a, "listener"_a,
             "analyse"_a)
        .def("forget", &BoundMcts::forget);
    using belief::Reply, belief::TreeC;
    nb::class_<Reply>(m, "MctsReply")
        .def_ro("probability", &Reply::probability)
        .def_ro("computed", &Reply::computed)
        .def_ro("value", &Reply::value)
        .def_ro("child", &Reply::child)
        .def_prop_ro("taken", [](const Reply& r) { return static_cast<int>(r.taken); })
        .def_ro("tries", &Reply::tries);
    nb::class_<TreeC::EdgeView>(m, "MctsEdge")
        .def_ro("move", &TreeC::EdgeView::move)
        .def_ro("legal", &TreeC::EdgeView::legal)
        .def_ro("stood", &TreeC::EdgeView::stood)
        .def_ro("value", &TreeC::EdgeView::value)
        .def_ro("visits", &TreeC::EdgeView::visits)
        .def_prop_ro("answers", [](const TreeC::EdgeView& edge) {
            std::vector<std::tuple<float, float, std::vector<Reply>>> all;
            for (std::size_t a = 0; a < belief::answer_classes; ++a) {
                const auto& replies = edge.replies[a];
                all.emplace_back(edge.answers.probability[a], edge.answers.value[a],
                                 std::vector<Reply>(replies.at.begin(), replies.at.begin() + replies.count));
            }
            return all;
        });
    nb::class_<TreeC::NodeView>(m, "MctsNode")
        .def_ro("balance", &TreeC::NodeView::balance)
        .def_ro("value", &TreeC::NodeView::value)
        .def_ro("edges", &TreeC::NodeView::edges);
    nb::class_<TreeC>(m, "MctsTree")
        .def(
            "__init__",
            [](TreeC* self, const View& view, double foresight, std::string_view mode, std::string_view weights,
               std::string_view illegal, std::string_view reactions, std::uint64_t seed) {
                new (self) TreeC(tree_of(view, foresight, mode, weights, illegal, reactions, seed));
            },
            "view"_a, "foresight"_a = 1.0, "mode"_a = "corrected", "weights"_a = "weighted", "illegal"_a = "best",
            "reactions"_a = "control", "seed"_a = 0)
        .def(
            "grow",
            [](TreeC& tree, int times) {
                Poll poll = signals();
                for (int i = 0; i < times && tree.grow(); ++i) poll.step(64);
            },
            "times"_a, nb::call_guard<Unlocked>())
        .def("__len__", &TreeC::size)
        .def(
            "node",
            [](const TreeC& tree, std::size_t i) {
                return tree.node(within("node", i, 0, static_cast<std::size_t>(tree.size() - 1)));
            },
            "i"_a);
    m.def(
        "exchange_gain",
        [](const std::vector<float>& attackers, bool king, float first, float later, float control) {
            belief::Attack ours;
            within("attackers", attackers.size(), 0, ours.worth.size());
            std::copy(attackers.begin(), attackers.end(), ours.worth.begin());
            ours.count = static_cast<int>(attackers.size());
            ours.king = king && ours.count > 0;
            return belief::regain(ours, first, later, control);
        },
        "attackers"_a, "king"_a, "first"_a, "later"_a, "control"_a);
});

}  // namespace
}  // namespace rookery
