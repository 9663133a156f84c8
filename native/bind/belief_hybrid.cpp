// Kriegspiel by whole boards and a tree of messages together.
#include <nanobind/stl/shared_ptr.h>

#include "belief/hybrid.hpp"
#include "bind/belief_tries.hpp"
#include "bind/tunable.hpp"

namespace rookery {
namespace {

using belief::Hybrid;
using kriegspiel::View;

// Serves one thread at a time, without the interpreter's lock.
class BoundHybrid {
  public:
    explicit BoundHybrid(const Hybrid::Options& options) : hybrid_(options) {}

    Hybrid::Choice choose(const View& view, double seconds, const std::vector<Move>& only, std::uint64_t seed) {
        const Turn turn(this);
        require_tries(view, only);
        not_below("seconds", seconds, 0);
        const Unlocked unlocked;
        Poll poll = signals();
        stop_ = false;
        return hybrid_.choose(view, seconds, only, seed, poll, stop_);
    }
    void forget() {
        const Turn turn(this);
        hybrid_.forget();
    }
    void stop() { stop_ = true; }

  private:
    Hybrid hybrid_;
    std::atomic<bool> stop_{false};
};

Hybrid::Options options_of(int boards, int pool, int tree, double lookahead, const Tuned& tuned) {
    Hybrid::Options o;
    o.boards = within("boards", boards, 1, 1'000'000);
    o.pool = within("pool", pool, 1, 1'000'000);
    o.tree = within("tree", tree, 1, 100'000'000);
    o.lookahead = static_cast<float>(within("lookahead", finite("lookahead", lookahead), 0, 1));
    const Tunable all[] = {{"doubt", &o.doubt, 0, 1000},
                           {"gain", &o.gain, 0, 100},
                           {"retake", &o.habits.retake, 0, 1},
                           {"pawn_retake", &o.habits.pawn_retake, 0, 1},
                           {"use_pawn_try", &o.habits.use_pawn_try, 0, 1},
                           {"take_checker", &o.habits.take_checker, 0, 1},
                           {"accident", &o.habits.accident, 0, 100},
                           {"patience", &o.habits.patience, 0, 100},
                           {"scale", &o.habits.scale, 1, 10'000},
                           {"c", &o.mcts.c, 0, 1000},
                           {"foresight", &o.mcts.foresight, 0, 1},
                           {"tree_patience", &o.mcts.reactions.patience, 0, 100}};
    tune(all, tuned);
    return o;
}

// What a legal move may cost on a board, and its value, for tests.
std::pair<float, float> blindfold(const std::string& fen, Move move) {
    const chess::Position board(fen);
    if (!board.legal(move_of<kriegspiel::Position>(move))) throw IllegalMove(chess::uci(move) + " is not legal here");
    const belief::Blindfold judge({});
    chess::Position after = board;
    after.play(move);
    return {judge.losses(after, after.count_moves(), board.is_capture(move), chess::to_of(move)),
            judge.value(board, judge.root(board), move)};
}

const Binding belief_hybrid_binding([](nb::module_& m) {
    m.def("blindfold", &blindfold, "fen"_a, "move"_a);
    nb::class_<BoundHybrid>(m, "KriegspielHybrid")
        .def(
            "__init__",
            [](BoundHybrid* self, int boards, int pool, int tree, double lookahead, const Tuned& tuned,
               std::shared_ptr<belief::Network> network, std::shared_ptr<belief::OpponentModel> model) {
                Hybrid::Options options = options_of(boards, pool, tree, lookahead, tuned);
                options.mcts.network = std::move(network), options.mcts.model = std::move(model);
                new (self) BoundHybrid(options);
            },
            "boards"_a, "pool"_a, "tree"_a, "lookahead"_a, "tuned"_a = Tuned(),
            "network"_a.none() = std::shared_ptr<belief::Network>(),
            "model"_a.none() = std::shared_ptr<belief::OpponentModel>())
        .def("choose", &BoundHybrid::choose, "view"_a, "seconds"_a, "only"_a, "seed"_a)
        .def("forget", &BoundHybrid::forget)
        .def("stop", &BoundHybrid::stop);
});

}  // namespace
}  // namespace rookery
