// A lazy evaluator that keeps count of what a search asks of it. The tests hold searches to search/knowledge.hpp by it;
// nothing else uses it.
#include "bind/search.hpp"
#include "evaluators/chess.hpp"
#include "search/lazy.hpp"

namespace rookery {
namespace {

using chess::Position;

// The pieces' values, kept lazily. Counts are shared by all copies, and not by threads.
class Probe {
    using Pieces = search::Lazy<Position, evaluators::ChessPieces>;

  public:
    struct Counts {
        std::int64_t workspaces = 0, visited = 0, updated = 0, asked = 0;
        std::int64_t turned = 0;  // asked for with the other side to move than when the node was made: null moves
        std::int64_t wrong = 0;   // answers that are not those computed from nothing
    };
    struct Node {
        Pieces::Node node;
        int turn;
    };
    using Workspace = Pieces::Workspace;

    Workspace workspace() const {
        ++counts().workspaces;
        return pieces_.workspace();
    }
    Node root(Workspace& w, const Position& p) const { return {pieces_.root(w, p), p.turn()}; }
    Node after(Workspace& w, const Node& n, const Position& before, Move m, const Position& after) const {
        ++counts().visited;
        return {pieces_.after(w, n.node, before, m, after), after.turn()};
    }
    search::Value value(Workspace& w, const Position& p, const Node& n) const {
        const std::int64_t before = w.updates();
        const search::Value kept = pieces_.value(w, p, n.node);
        counts().updated += w.updates() - before;
        ++counts().asked;
        counts().turned += n.turn != p.turn();
        counts().wrong += kept != plain_.value(p, plain_.root(p));
        return kept;
    }

    Counts& counts() const { return *counts_; }

  private:
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
    Pieces pieces_;
    evaluators::ChessPieces plain_;
};

const Binding probe_binding([](nb::module_& m) {
    nb::class_<Probe::Counts>(m, "ProbeCounts")
        .def_ro("workspaces", &Probe::Counts::workspaces)
        .def_ro("visited", &Probe::Counts::visited)
        .def_ro("updated", &Probe::Counts::updated)
        .def_ro("asked", &Probe::Counts::asked)
        .def_ro("turned", &Probe::Counts::turned)
        .def_ro("wrong", &Probe::Counts::wrong);
    nb::class_<Probe>(m, "Probe").def(nb::init<>()).def_prop_ro("counts", [](const Probe& p) { return p.counts(); });
    bind_alphabeta<Position, Probe>();
});

}  // namespace
}  // namespace rookery
