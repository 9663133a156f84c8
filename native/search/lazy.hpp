// Knowledge by value made lazy: a move is noted when it is made, and its node is brought up to date when its value, or
// that of a position below it, is asked for. Worth it where an update costs more than a note: large sums, networks.
#pragma once

#include <vector>

#include "search/knowledge.hpp"

namespace rookery::search {

template <Rules P, ByValue<P> E>
class Lazy {
  public:
    using Node = int;  // plies from the root

    class Workspace {
      public:
        Workspace() : slots_(longest + 1) {}
        std::int64_t updates() const { return updates_; }  // nodes that were brought up to date

      private:
        friend class Lazy;
        struct Slot {
            const P* before = nullptr;
            const P* after = nullptr;
            Move move = -1;
            bool current = false;  // whether `node` is that of `after`
            typename E::Node node;
        };
        std::vector<Slot> slots_;
        std::int64_t updates_ = 0;
    };

    template <class... Args>
    explicit Lazy(Args&&... args) : knowledge_(std::forward<Args>(args)...) {}

    Workspace workspace() const { return {}; }

    Node root(Workspace& w, const P& p) const {
        w.slots_[0].node = knowledge_.root(p);
        w.slots_[0].current = true;
        return 0;
    }
    Node after(Workspace& w, Node n, const P& before, Move m, const P& after) const {
        auto& slot = w.slots_[index(n + 1)];
        slot.before = &before, slot.after = &after, slot.move = m, slot.current = false;
        return n + 1;
    }
    Value value(Workspace& w, const P& p, Node n) const {
        Node from = n;
        while (!w.slots_[index(from)].current) --from;
        while (from < n) {
            const auto& last = w.slots_[index(from++)];
            auto& next = w.slots_[index(from)];
            next.node = knowledge_.after(last.node, *next.before, next.move, *next.after);
            next.current = true;
            ++w.updates_;
        }
        return knowledge_.value(p, w.slots_[index(n)].node);
    }

  private:
    static std::size_t index(Node n) { return static_cast<std::size_t>(n); }

    E knowledge_;
};

}  // namespace rookery::search
