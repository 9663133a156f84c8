// The TD networks of 5x5 Go: their values, their learning, their games.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/variant.h>

#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "evaluators/td.hpp"
#include "learn/lookahead.hpp"
#include "learn/td.hpp"
#include "rivals/duel.hpp"

namespace rookery {
namespace {

constexpr int N = 5;
using Position = go::Position<N>;
using Start5 = State<Position>;
using Shallow = nets::Shallow<N, N * N>;
using Deep = nets::Deep<N, 20>;
using AnyNet = std::variant<Shallow, Deep>;
using Array = nb::ndarray<nb::numpy, float, nb::ndim<2>, nb::c_contig>;
using Given = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

AnyNet make_net(nets::Representation representation, bool bias) {
    AnyNet net;
    if (representation == nets::Representation::roban) net = Deep();
    std::visit([&](auto& n) { n.biased = bias; }, net);
    return net;
}

Array array(int rows, int columns, const auto& get) {
    auto* data = new float[static_cast<std::size_t>(rows * columns)];
    for (int i = 0; i < rows * columns; ++i) data[i] = get(i / columns, i % columns);
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    return Array(data, {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)}, owner);
}

// Every layer by name, as rows of units and columns of what they hear.
std::map<std::string, Array> layers(AnyNet& net) {
    std::map<std::string, Array> all;
    std::visit(
        [&](auto& n) {
            n.visit([&](const char* name, int rows, int columns, auto get, auto) {
                all.emplace(name, array(rows, columns, get));
            });
        },
        net);
    return all;
}

void set_layers(AnyNet& net, const std::map<std::string, Given>& given) {
    std::size_t known = 0;
    const auto shape = [](std::size_t rows, std::size_t columns) {
        return std::to_string(rows) + " x " + std::to_string(columns);
    };
    std::visit(
        [&](auto& n) {
            n.visit([&](const char* name, int rows, int columns, auto, auto set) {
                const auto found = given.find(name);
                if (found == given.end()) throw std::invalid_argument(std::string("there is no layer ") + name);
                const Given& layer = found->second;
                if (layer.shape(0) != static_cast<std::size_t>(rows) ||
                    layer.shape(1) != static_cast<std::size_t>(columns))
                    throw std::invalid_argument(
                        std::string("the layer ") + name + " is " + shape(layer.shape(0), layer.shape(1)) + ", not " +
                        shape(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)));
                require_finite(name, {layer.data(), layer.size()});
                for (int i = 0; i < rows; ++i)
                    for (int j = 0; j < columns; ++j) set(i, j, layer(i, j));
                ++known;
            });
        },
        net);
    if (known != given.size()) throw std::invalid_argument("there are more layers than this network has");
}

// A network that no longer learns.
struct TdNet {
    nets::Encoding<N> encoding;
    AnyNet net;

    TdNet(std::string_view name, const std::map<std::string, Given>& given)
        : TdNet(nets::read_representation(name), given) {}

    float value(const Start5& state, int seat) const {
        if (seat != 0 && seat != 1) throw nb::index_error("no such seat");
        return std::visit([&](const auto& n) { return evaluators::td_value(n, encoding, state.position(), seat); },
                          net);
    }

    // Of each board, to the seat that has just moved.
    std::vector<float> evaluate(const std::vector<Start5>& states) const {
        return std::visit(
            [&](const auto& n) {
                std::vector<float> all;
                for (const Start5& s : states)
                    all.push_back(evaluators::td_value(n, encoding, s.position(), 1 - s.position().seat()));
                return all;
            },
            net);
    }

    // Of each move of an unfinished game, in their order.
    std::vector<float> values(const Start5& state) const {
        require_moves(state.position(), {});
        const nets::Reading<N> board(encoding, state.position());
        return std::visit(
            [&](const auto& n) {
                const nets::Candidates<N> candidates(n, state.position(), board.stones());
                std::vector<float> all;
                for (int i = 0; i < candidates.size(); ++i) all.push_back(candidates.value(i));
                return all;
            },
            net);
    }

    // The value of a position to the seat to move by a search so deep, and the moves that reach it.
    std::pair<double, std::vector<Move>> look(const Start5& state, int depth, bool exact) const {
        require_moves(state.position(), {});
        within("depth", depth, 1, Position::longest);
        const Unlocked unlocked;
        Poll poll = signals();
        return std::visit(
            [&](const auto& n) {
                const auto found = learn::Lookahead<N, std::decay_t<decltype(n)>>(n, encoding, depth, exact, poll)
                                       .look(state.position());
                return std::pair(found.value, std::vector<Move>(found.moves, found.moves + found.size));
            },
            net);
    }

  private:
    TdNet(nets::Representation representation, const std::map<std::string, Given>& given)
        : encoding(representation), net(make_net(representation, given.contains("output_bias"))) {
        set_layers(net, given);
    }
};

// Calls f with the network as somebody who can play.
template <class F>
rivals::Duel as_rival(const TdNet& net, int depth, bool exact, Poll& poll, F&& f) {
    return std::visit(
        [&](const auto& n) {
            return f(learn::Lookahead<N, std::decay_t<decltype(n)>>(n, net.encoding, depth, exact, poll));
        },
        net.net);
}

using Opponent = std::variant<TdNet, rivals::Random, rivals::Naive, rivals::Gojen, rivals::Wally>;

rivals::Duel duel(const TdNet& net, const Opponent& other, const Start5& start, std::int64_t games, std::uint64_t seed,
                  int depth, int other_depth, bool exact, const Wish& stop) {
    within("depth", depth, 1, Position::longest);
    within("other_depth", other_depth, 1, Position::longest);
    not_below("games", games, 0);
    const Unlocked unlocked;
    Poll poll(asking(stop));
    return as_rival(net, depth, exact, poll, [&](const auto& a) {
        const auto meet = [&](const auto& b) { return rivals::duel(a, b, start.position(), games, seed, poll); };
        return std::visit(
            [&](const auto& b) {
                if constexpr (std::same_as<std::decay_t<decltype(b)>, TdNet>)
                    return as_rival(b, other_depth, exact, poll, meet);
                else
                    return meet(b);
            },
            other);
    });
}

// A learner and its network, of either kind.
class TdLearner {
  public:
    TdLearner(const Start5& start, std::string_view representation, std::uint64_t seed, bool bias,
              const learn::TdOptions& options, double init, double init_input, nets::Joined joined)
        : learner_(make(start.position(), nets::read_representation(representation), joined, options, Rng(seed))) {
        std::visit(
            [&](auto& l) {
                l.net.biased = bias;
                const auto draw = [&](double range) { return range * (2 * l.rng().uniform() - 1); };
                l.net.visit([&](std::string_view name, int rows, int columns, auto, auto set) {
                    if (name == "board") return draw_board(l, draw, init_input);
                    const double range = name == "board_bias" ? init_input : init;
                    for (int i = 0; i < rows; ++i)
                        for (int j = 0; j < columns; ++j) set(i, j, static_cast<float>(draw(range)));
                });
            },
            learner_);
    }

    learn::TdStats play(std::int64_t games, const Wish& stop) {
        not_below("games", games, 0);
        const Turn turn(this);
        const Unlocked unlocked;
        Poll poll(asking(stop));
        learn::TdStats stats;
        std::visit([&](auto& l) { l.play(stats, games, poll); }, learner_);
        return stats;
    }
    std::pair<std::vector<Move>, std::vector<bool>> watch() {
        const Turn turn(this);
        learn::TdStats stats;
        auto played = std::visit([&](auto& l) { return l.watch(stats); }, learner_);
        return {std::move(played.moves), std::move(played.random)};
    }
    learn::TdStats replay(std::vector<Move> moves, std::vector<bool> random) {
        if (moves.size() != random.size()) throw std::invalid_argument("each move is random or not");
        const Turn turn(this);
        learn::TdStats stats;
        std::visit([&](auto& l) { l.replay(stats, {std::move(moves), std::move(random)}); }, learner_);
        return stats;
    }

    std::map<std::string, Array> weights() {
        const Turn turn(this);
        AnyNet copy = std::visit([](auto& l) { return AnyNet(l.net); }, learner_);
        return layers(copy);
    }
    void set_weights(const std::map<std::string, Given>& given) {
        const Turn turn(this);
        std::visit(
            [&](auto& l) {
                AnyNet copy(l.net);
                set_layers(copy, given);
                l.net = std::get<std::decay_t<decltype(l.net)>>(copy);
            },
            learner_);
    }
    std::pair<std::uint64_t, std::uint64_t> generator() {
        const Turn turn(this);
        const auto state = std::visit([](auto& l) { return l.rng().state(); }, learner_);
        return {state.a, state.b};
    }
    void set_generator(std::pair<std::uint64_t, std::uint64_t> state) {
        const Turn turn(this);
        if (!state.first && !state.second) throw std::invalid_argument("a generator of zeros draws nothing but zeros");
        std::visit([&](auto& l) { l.set_rng(Rng(Rng::State{state.first, state.second})); }, learner_);
    }

  private:
    template <class Net>
    using Of = learn::TdLearner<N, Net>;
    using Any = std::variant<Of<Shallow>, Of<Deep>>;

    static Any make(const Position& start, nets::Representation representation, nets::Joined joined,
                    const learn::TdOptions& options, Rng rng) {
        const nets::Encoding<N> encoding(representation, joined);
        if (representation == nets::Representation::roban) return Of<Deep>(start, encoding, options, rng);
        return Of<Shallow>(start, encoding, options, rng);
    }

    // Draws a weight for each input and folds the inputs over the board: U = W E.
    static void draw_board(auto& learner, const auto& draw, double range) {
        const auto& maps = learner.encoding().matrix();
        for (int unit = 0; unit < learner.net.hidden; ++unit) {
            std::vector<double> folded(N * N);
            for (const auto& map : maps) {
                const double w = draw(range);
                for (std::size_t p = 0; p < folded.size(); ++p) folded[p] += w * map[p];
            }
            for (int p = 0; p < N * N; ++p)
                learner.net.board[p].set(unit, static_cast<float>(folded[static_cast<std::size_t>(p)]));
        }
    }

    Any learner_;
};

learn::TdOptions options(std::string_view selection, double epsilon, double creativity, std::string_view skip,
                         std::string_view target, double tie_reward, int ply_cap, double eta, double eta_input,
                         std::string_view difference, std::string_view rewards) {
    if (selection != "creative" && selection != "epsilon")
        throw std::invalid_argument("selection: creative or epsilon");
    if (target != "selected" && target != "best") throw std::invalid_argument("target: selected or best");
    if (rewards != "both" && rewards != "last") throw std::invalid_argument("rewards: both or last");
    within<double>("epsilon", epsilon, 0, 1);
    within<double>("creativity", creativity, 0, 1);
    within<double>("tie_reward", tie_reward, 0, 1);
    within<double>("eta", eta, 0, 1e6);
    within<double>("eta_input", eta_input, 0, 1e6);
    return {selection == "creative" ? learn::Selection::creative : learn::Selection::epsilon,
            epsilon,
            static_cast<float>(creativity),
            learn::read_skip(skip),
            target == "best",
            static_cast<float>(tie_reward),
            ply_cap,
            static_cast<float>(eta),
            static_cast<float>(eta_input),
            learn::read_difference(difference),
            rewards == "both"};
}

BoundSearch* make_search(nb::handle knowledge, const AlphaBetaOptions& options) {
    if (!nb::isinstance<TdNet>(knowledge)) return nullptr;
    const auto& net = nb::cast<const TdNet&>(knowledge);
    return std::visit(
        [&](const auto& n) {
            using Knowing = evaluators::TdKnowledge<N, std::decay_t<decltype(n)>>;
            return make_alphabeta<Position, Knowing>(Knowing(n, net.encoding), options);
        },
        net.net);
}

const Binding td_binding([](nb::module_& m) {
    nb::class_<TdNet>(m, "TdNet")
        .def(nb::init<std::string_view, const std::map<std::string, Given>&>(), "representation"_a, "layers"_a)
        .def_prop_ro("deep", [](const TdNet& net) { return std::holds_alternative<Deep>(net.net); })
        .def("weights", [](TdNet& net) { return layers(net.net); })
        .def("value", &TdNet::value, "state"_a, "seat"_a)
        .def("evaluate", &TdNet::evaluate, "states"_a)
        .def("values", &TdNet::values, "state"_a)
        .def("look", &TdNet::look, "state"_a, "depth"_a, "exact"_a);
    nb::class_<learn::TdStats>(m, "TdStats")
        .def_ro("games", &learn::TdStats::games)
        .def_ro("plies", &learn::TdStats::plies)
        .def_ro("capped", &learn::TdStats::capped)
        .def_ro("black_wins", &learn::TdStats::black_wins)
        .def_ro("ties", &learn::TdStats::ties)
        .def_ro("updates", &learn::TdStats::updates)
        .def_ro("skipped", &learn::TdStats::skipped)
        .def_ro("error", &learn::TdStats::error);
    nb::class_<TdLearner>(m, "TdLearner")
        .def(
            "__init__",
            [](TdLearner* self, const Start5& start, std::string_view representation, std::uint64_t seed, bool bias,
               double init, double init_input, std::string_view selection, double epsilon, double creativity,
               std::string_view skip, std::string_view target, double tie_reward, int ply_cap, double eta,
               double eta_input, std::string_view difference, std::string_view rewards, double center,
               double neighbor) {
                new (self) TdLearner(start, representation, seed, bias,
                                     options(selection, epsilon, creativity, skip, target, tie_reward, ply_cap, eta,
                                             eta_input, difference, rewards),
                                     init, init_input, {center, neighbor});
            },
            "start"_a, "representation"_a, "seed"_a, nb::kw_only(), "bias"_a = false, "init"_a = 1.0,
            "init_input"_a = 1.0, "selection"_a = "creative", "epsilon"_a = 0.05, "creativity"_a = 0.05,
            "skip"_a = "t+1|t+2", "target"_a = "selected", "tie_reward"_a = 0.5, "ply_cap"_a = 200, "eta"_a = 0.01,
            "eta_input"_a = 0.01, "difference"_a = "t+2", "rewards"_a = "both", "center"_a = 0.2, "neighbor"_a = 0.2)
        .def("play", &TdLearner::play, "games"_a, "stop"_a = nb::none())
        .def_prop_ro_static("max_weight", [](nb::handle) { return learn::TdLearner<N, Shallow>::max_weight; })
        .def("watch", &TdLearner::watch)
        .def("replay", &TdLearner::replay, "moves"_a, "random"_a)
        .def("weights", &TdLearner::weights)
        .def("set_weights", &TdLearner::set_weights, "layers"_a)
        .def_prop_rw("generator", &TdLearner::generator, &TdLearner::set_generator);
    m.def(
        "td_encoding",
        [](std::string_view representation) {
            return nets::Encoding<N>(nets::read_representation(representation)).matrix();
        },
        "representation"_a);
    m.def("td_duel", &duel, "net"_a, "other"_a, "start"_a, "games"_a, "seed"_a, nb::kw_only(), "depth"_a = 1,
          "other_depth"_a = 1, "exact"_a = false, "stop"_a = nb::none());
    Pairs<AlphaBetaOptions>::add(make_search);
});

}  // namespace
}  // namespace rookery
