// A player by Monte Carlo tree search over the tries of its turns: what it believes is followed through the game, and
// the trees of a turn are kept while its tries are refused.
#pragma once

#include <variant>

#include "belief/belief.hpp"
#include "belief/endgame.hpp"
#include "belief/mcts_a.hpp"
#include "belief/mcts_b.hpp"
#include "belief/mcts_c.hpp"

namespace rookery::belief {

class Mcts {
  public:
    enum class Approach : std::uint8_t { a, b, c };

    Mcts(Approach approach, const MctsOptions& options, int threads)
        : approach_(approach), options_(options), threads_(threads) {}

    // Whether this view continues the turn whose trees are kept.
    bool continues(const kriegspiel::View& view) const {
        if (!belief_ || trees_.index() == 0 || !follows(view)) return false;
        return std::all_of(view.log.begin() + static_cast<std::ptrdiff_t>(heard_), view.log.end(),
                           [](const kriegspiel::Event& e) { return e.kind == kriegspiel::Event::refused; });
    }

    // The moves of a view whose seat is to move, the best first.
    search::TreeReport think(const kriegspiel::View& view, const search::Limits& limits, std::uint64_t seed,
                             const std::atomic<bool>& stop, const search::TreeListener& listener) {
        if (options_.endgame && Endgame::applies(view)) {
            search::TreeReport report = hunt(view, limits);
            if (!report.moves.empty()) return report;
        }
        if (!continues(view) || !limits.only.empty()) trees_ = {};
        listen(view);
        if (trees_.index() == 0 || !has_moves()) plant(view, limits.only, seed);
        return std::visit(
            [&](auto& trees) {
                if constexpr (std::is_same_v<std::decay_t<decltype(trees)>, std::monostate>)
                    return search::TreeReport{};
                else
                    return trees->grow(limits, stop, listener);
            },
            trees_);
    }

    void forget() {
        belief_.reset();
        trees_ = {};
    }

    // What is believed at a view; it is followed there.
    const Belief& believe(const kriegspiel::View& view) {
        if (!continues(view)) trees_ = {};
        listen(view);
        return *belief_;
    }

  private:
    template <class Tree>
    using Kept = std::unique_ptr<Trees<Tree>>;

    // Whether what was heard so far begins what the view has heard.
    bool follows(const kriegspiel::View& view) const {
        return view.us == us_ && view.start == start_ && heard_ <= view.log.size() &&
               (heard_ == 0 || view.log[heard_ - 1] == last_);
    }

    void listen(const kriegspiel::View& view) {
        if (!belief_ || !follows(view)) {
            trees_ = {};
            belief_ = Belief::of(view, options_.constants, options_.model.get());
            us_ = view.us, start_ = view.start, heard_ = view.log.size();
            if (heard_) last_ = view.log.back();
        }
        for (; heard_ < view.log.size(); ++heard_) {
            const kriegspiel::Event& event = view.log[heard_];
            belief_->follow(event);
            if (event.kind == kriegspiel::Event::refused) reject(view, event.move);
            last_ = event;
        }
    }

    // The tries that the endgame module ranks, as a report; its values are no shares of a game, but the win is sure.
    static search::TreeReport hunt(const kriegspiel::View& view, const search::Limits& limits) {
        const auto began = std::chrono::steady_clock::now();
        std::int64_t nodes = Endgame::nodes_in(limits.seconds);
        if (limits.nodes > 0) nodes = std::min(nodes, limits.nodes);
        Endgame endgame;
        search::TreeReport report;
        if (const auto known = LoneKing::of(view))
            for (const Ranked& tried : endgame.choose(*known, nodes))
                if (search::allowed(tried.move, limits.only) &&
                    std::find(view.moves.begin(), view.moves.end(), tried.move) != view.moves.end())
                    report.moves.push_back({tried.move, 0, 1, {tried.move}});
        report.nodes = endgame.nodes();
        report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        return report;
    }

    void reject(const kriegspiel::View& view, Move move) {
        if (auto* a = std::get_if<Kept<TreeA>>(&trees_)) (*a)->reject(move, RandomBoard(view, *belief_));
        if (auto* b = std::get_if<Kept<TreeB>>(&trees_)) (*b)->reject(move, root());
        if (auto* c = std::get_if<Kept<TreeC>>(&trees_)) (*c)->reject(move, root());
        std::erase(moves_, move);
    }
    // What trees begin with.
    Matrices root() const {
        return options_.network ? belief_->corrected(*options_.network).matrices() : belief_->matrices();
    }
    bool has_moves() const { return !moves_.empty(); }

    void plant(const kriegspiel::View& view, const std::vector<Move>& only, std::uint64_t seed) {
        moves_ = candidates(view, only);
        switch (approach_) {
            case Approach::a:
                trees_ = std::make_unique<Trees<TreeA>>(RandomBoard(view, *belief_), moves_, options_, threads_, seed);
                break;
            case Approach::b:
                trees_ = std::make_unique<Trees<TreeB>>(root(), moves_, options_, threads_, seed);
                break;
            case Approach::c:
                trees_ = std::make_unique<Trees<TreeC>>(root(), moves_, options_, threads_, seed);
                break;
        }
    }

    // Of the tries that are left those that may be legal, promotions to a Queen alone; all of them, if none may.
    std::vector<Move> candidates(const kriegspiel::View& view, const std::vector<Move>& only) const {
        std::vector<Move> asked;
        for (const Move m : view.moves)
            if (search::allowed(m, only)) asked.push_back(m);
        Possible::Moves list;
        belief_->possible().moves(list);
        std::vector<Move> likely;
        for (const Move m : asked)
            if (std::find(list.begin(), list.end(), m) != list.end()) likely.push_back(m);
        return likely.empty() ? asked : likely;
    }

    Approach approach_;
    MctsOptions options_;
    int threads_;
    std::optional<Belief> belief_;
    chess::Colour us_ = chess::white;
    kriegspiel::Start start_;
    std::size_t heard_ = 0;  // events of the log that the belief has followed
    kriegspiel::Event last_;
    std::vector<Move> moves_;  // of the roots
    std::variant<std::monostate, Kept<TreeA>, Kept<TreeB>, Kept<TreeC>> trees_;
};

}  // namespace rookery::belief
