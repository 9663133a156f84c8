// Which move to look at first: the one remembered, then by what it takes, killers, and history.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "search/table.hpp"

namespace rookery::search {

template <Rules P>
class Ordering {
  public:
    // The moves of one node with what ordering thinks of them; picked one by one, since most are never reached.
    class Order {
      public:
        Move pick(typename P::Moves& list, int i) {
            int best = i;
            for (int j = i + 1; j < list.size(); ++j)
                if (merit_[static_cast<std::size_t>(j)] > merit_[static_cast<std::size_t>(best)]) best = j;
            std::swap(merit_[static_cast<std::size_t>(i)], merit_[static_cast<std::size_t>(best)]);
            std::swap(list.begin()[i], list.begin()[best]);
            return list[i];
        }

      private:
        friend class Ordering;
        std::array<int, P::Moves::capacity> merit_;  // left unset beyond the list
    };

    Order start(const P& p, const typename P::Moves& list, Move remembered, int ply, int killers, bool history) const {
        Order order;
        const auto& killer = killers_[static_cast<std::size_t>(ply)];
        for (int i = 0; i < list.size(); ++i) {
            const Move m = list[i];
            int merit = 0;
            if (m == remembered)
                merit = 1 << 30;
            else if (const int gain = gain_of(p, m); gain > 0)
                merit = (1 << 28) + gain;
            else if (killers > 0 && m == killer[0])
                merit = (1 << 27) + 1;
            else if (killers > 1 && m == killer[1])
                merit = 1 << 27;
            else if (history)
                merit = history_[slot(p, m)];
            order.merit_[static_cast<std::size_t>(i)] = merit;
        }
        return order;
    }

    // A quiet move refuted the node: look at it earlier next time, and later at those tried in vain before it.
    void cut(const P& p, Move m, const typename P::Moves& list, int tried, int depth, int ply) {
        auto& killer = killers_[static_cast<std::size_t>(ply)];
        if (killer[0] != m) killer = {m, killer[0]};
        credit(p, m, depth * depth);
        for (int i = 0; i < tried; ++i)
            if (gain_of(p, list[i]) <= 0) credit(p, list[i], -depth * depth);
    }

    // Before each search: killers are those of this root, and history counts for less.
    void begin(const P& root) {
        for (auto& killer : killers_) killer = {-1, -1};
        for (auto& h : history_) h /= 8;
        if (const std::size_t wanted = 2 * moves_of(root); history_.size() < wanted) history_.resize(wanted);
    }
    // Forgets history.
    void clear() { std::fill(history_.begin(), history_.end(), 0); }

  private:
    // Above 0 for moves that win something at once.
    static int gain_of(const P& p, Move m) {
        if constexpr (requires {
                          { p.gain(m) } -> std::same_as<int>;
                      })
            return p.gain(m);
        return 0;
    }
    // How many numbers the moves of the root's game have. A position of any game knows only when asked.
    static std::size_t moves_of(const P& root) {
        if constexpr (requires { std::integral_constant<Move, P::policy_size>(); }) {
            static_assert(P::policy_size > 0 && P::policy_size <= Table::most_moves, "the table cannot hold its moves");
            return static_cast<std::size_t>(P::policy_size);
        } else {
            return static_cast<std::size_t>(root.policy_size());
        }
    }
    static std::size_t slot(const P& p, Move m) {
        return static_cast<std::size_t>(m) * 2 + static_cast<std::size_t>(p.side());
    }
    void credit(const P& p, Move m, int by) {
        int& h = history_[slot(p, m)];
        h += by - h * std::abs(by) / 16384;
    }

    std::array<std::array<Move, 2>, longest> killers_;
    std::vector<int> history_;  // [move][side]
};

}  // namespace rookery::search
