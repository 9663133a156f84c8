// Kriegspiel by whole boards and a tree of messages together.
#include "belief/hybrid.hpp"

#include "bind/belief_tries.hpp"

namespace rookery {
namespace {

using belief::Hybrid;
using kriegspiel::View;

// Serves one thread at a time, without the interpreter's lock.
class BoundHybrid {
  public:
    explicit BoundHybrid(const Hybrid::Options& options) : hybrid_(options) {}

    Hybrid::Choice choose(const View& view, std::int64_t boards, double seconds, std::vector<Move> only,
                          std::uint64_t seed) {
        const Turn turn(this);
        require_tries(view, only);
        const Hybrid::Bounds bounds{not_below("boards", boards, 0), not_below("seconds", seconds, 0), std::move(only)};
        const Unlocked unlocked;
        Poll poll = signals();
        stop_ = false;
        return hybrid_.choose(view, bounds, seed, poll, stop_);
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

Hybrid::Options options_of(int boards, int pool, int tree, double lookahead,
                           const std::vector<std::pair<std::string, float>>& tuned) {
    Hybrid::Options o;
    o.boards = within("boards", boards, 1, 1'000'000);
    o.pool = within("pool", pool, 1, 1'000'000);
    o.tree = within("tree", tree, 1, 100'000'000);
    o.lookahead = static_cast<float>(within("lookahead", finite("lookahead", lookahead), 0, 1));
    const std::pair<const char*, float*> all[] = {{"doubt", &o.doubt},
                                                  {"gain", &o.gain},
                                                  {"retake", &o.habits.retake},
                                                  {"pawn_retake", &o.habits.pawn_retake},
                                                  {"use_pawn_try", &o.habits.use_pawn_try},
                                                  {"take_checker", &o.habits.take_checker},
                                                  {"accident", &o.habits.accident},
                                                  {"patience", &o.habits.patience},
                                                  {"scale", &o.habits.scale},
                                                  {"c", &o.mcts.c},
                                                  {"foresight", &o.mcts.foresight},
                                                  {"tree_patience", &o.mcts.reactions.patience}};
    for (const auto& [name, value] : tuned) {
        const auto found = std::find_if(std::begin(all), std::end(all), [&](const auto& k) { return name == k.first; });
        if (found == std::end(all)) throw BadOption("no constant is called " + quote(name));
        *found->second = static_cast<float>(finite(found->first, value));
    }
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
            [](BoundHybrid* self, int boards, int pool, int tree, double lookahead,
               const std::vector<std::pair<std::string, float>>& tuned) {
                new (self) BoundHybrid(options_of(boards, pool, tree, lookahead, tuned));
            },
            "boards"_a, "pool"_a, "tree"_a, "lookahead"_a, "tuned"_a = std::vector<std::pair<std::string, float>>())
        .def("choose", &BoundHybrid::choose, "view"_a, "boards"_a, "seconds"_a, "only"_a, "seed"_a)
        .def("forget", &BoundHybrid::forget)
        .def("stop", &BoundHybrid::stop);
});

}  // namespace
}  // namespace rookery
