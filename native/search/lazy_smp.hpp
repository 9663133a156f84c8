// One search on several threads: each searches the whole tree, and they meet in the transposition table.
//
// With one thread and bounds of depth or nodes the result is the same every time; with more it is not.
#pragma once

#include <memory>

#include "core/pool.hpp"
#include "search/alphabeta.hpp"

namespace rookery::search {

template <Rules P, Knowledge<P> E>
class LazySmp {
  public:
    LazySmp(E knowledge, Options options, std::size_t megabytes, int threads)
        : knowledge_(std::move(knowledge)), pool_(threads) {
        if (megabytes > 0) table_ = std::make_unique<Table>(megabytes);
        for (int i = 0; i < pool_.size(); ++i)
            members_.push_back(std::make_unique<AlphaBeta<P, E>>(knowledge_, options, table_.get()));
    }

    Report search(const P& root, const std::vector<std::uint64_t>& past, const Limits& limits,
                  const Listener& listener) {
        stop_ = false;
        std::atomic<bool> done{false};
        std::atomic<std::int64_t> others{0};
        Limits open = limits;
        open.nodes = 0, open.seconds = 0, open.lines = 1, open.poll = nullptr;
        Report report;
        // Knowledge may fail, on any thread: then all must end before the failure can be told.
        pool_.run(pool_.size(), [&](int i) {
            AlphaBeta<P, E>& member = *members_[static_cast<std::size_t>(i)];
            try {
                if (i == 0)
                    report = member.search(root, past, limits, stop_, listener, &others);
                else if (!done)
                    member.search(root, past, open, done, {}, &others, true);
            } catch (...) {
                stop_ = done = true;
                throw;
            }
            if (i == 0) done = true;
        });
        return report;
    }

    void stop() { stop_ = true; }
    // Before a new game: nothing learnt in the last one may change the moves of this one.
    void forget() {
        if (table_) table_->clear();
        for (auto& member : members_) member->forget();
    }

  private:
    E knowledge_;
    std::unique_ptr<Table> table_;
    std::vector<std::unique_ptr<AlphaBeta<P, E>>> members_;
    Pool pool_;
    std::atomic<bool> stop_{false};
};

}  // namespace rookery::search
