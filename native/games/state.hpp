// The immutable state that Python holds: a position and the way that led to it.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "games/rules.hpp"

namespace rookery {

template <Rules P>
class State {
  public:
    explicit State(P position) : node_(std::make_shared<Node>(std::move(position), nullptr, -1, 0)) {}

    const P& position() const { return node_->position; }
    int ply() const { return node_->ply; }

    State play(Move move) const {
        if (!accepts(move))
            throw IllegalMove("move number " + std::to_string(move) + " is not among the moves of '" +
                              position().str() + "'");
        return after(move);
    }

    // The same for a move that is known to be one of moves(): not checked.
    State after(Move move) const {
        // Played where it will lie: a position may be some kilobytes, and is copied once.
        auto next = std::make_shared<Node>(position(), node_, move, node_->ply + 1);
        next->position.play(move);
        return State(std::move(next));
    }

    // Sorted; empty exactly when the game is over.
    std::vector<Move> moves() const {
        typename P::Moves list;
        if (look(list)) return {};
        return sorted(list);
    }

    // The same without regard to drawing rules: what perft walks.
    std::vector<Move> board_moves() const {
        typename P::Moves list;
        position().moves(list);
        return sorted(list);
    }

    std::optional<Outcome> outcome() const {
        typename P::Moves list;
        return look(list);
    }

    // How often this position has stood on the board in this game, this time included.
    int occurrences() const {
        int count = 1, back = std::min(position().reversible(), node_->ply);
        const std::uint64_t key = position().key();
        for (const Node* n = node_->parent.get(); n && back > 0; n = n->parent.get(), --back)
            count += n->position.key() == key;
        return count;
    }

    // The moves that led here from the state it was started with.
    std::vector<Move> history() const {
        std::vector<Move> moves;
        for (const Node* n = node_.get(); n->parent; n = n->parent.get()) moves.push_back(n->move);
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

    // The positions of this game from the first to this one.
    std::vector<const P*> positions() const {
        std::vector<const P*> all;
        for (const Node* n = node_.get(); n; n = n->parent.get()) all.push_back(&n->position);
        std::reverse(all.begin(), all.end());
        return all;
    }

    // The keys of those positions of this game that can still be repeated, oldest first, this one left out.
    std::vector<std::uint64_t> past() const {
        std::vector<std::uint64_t> keys;
        int back = position().reversible();
        for (const Node* n = node_->parent.get(); n && back > 0; n = n->parent.get(), --back)
            keys.push_back(n->position.key());
        std::reverse(keys.begin(), keys.end());
        return keys;
    }

    std::optional<State> previous() const {
        if (!node_->parent) return std::nullopt;
        return State(node_->parent);
    }

    // Two states are equal when their texts are: the way that led there does not count.
    bool operator==(const State& other) const {
        return node_ == other.node_ ||
               (position().key() == other.position().key() && position().str() == other.position().str());
    }

  private:
    std::optional<Outcome> look(typename P::Moves& list) const {
        position().moves(list);
        return position().outcome(list, occurrences());
    }

    bool accepts(Move move) const {
        typename P::Moves list;
        // A referee hears tries that are no moves, and answers them.
        if constexpr (requires(const P& p) {
                          { p.hears(move) } -> std::same_as<bool>;
                      })
            return position().hears(move) && !position().outcome(list, occurrences());
        // A position may know sooner than by its list whether a move is one of an unfinished game.
        else if constexpr (requires(const P& p) {
                               { p.allows(move) } -> std::same_as<bool>;
                           })
            return position().allows(move);
        else
            return !look(list) && std::find(list.begin(), list.end(), move) != list.end();
    }

    static std::vector<Move> sorted(typename P::Moves& list) {
        if (!std::is_sorted(list.begin(), list.end())) std::sort(list.begin(), list.end());
        return {list.begin(), list.end()};
    }

    struct Node {
        P position;
        std::shared_ptr<const Node> parent;
        Move move;  // that led here; -1 at the start
        int ply;

        // A long game is a long chain: let it go link by link, not by recursion down the stack.
        ~Node() {
            while (parent && parent.use_count() == 1) {
                auto up = std::move(const_cast<Node&>(*parent).parent);
                parent = std::move(up);
            }
        }
    };

    explicit State(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
    std::shared_ptr<const Node> node_;
};

}  // namespace rookery
