// One search on several threads: each searches the whole tree, and they meet in the transposition table.
//
// With one thread and bounds of depth or nodes the result is the same every time; with more it is not.
#pragma once

#include <memory>
#include <thread>

#include "search/alphabeta.hpp"

namespace rookery::search {

template <Rules P, Knowledge<P> E>
class Crew {
  public:
    Crew(E knowledge, Options options, std::size_t megabytes, int threads) : knowledge_(std::move(knowledge)) {
        if (megabytes > 0) table_ = std::make_unique<Table>(megabytes);
        for (int i = 0; i < std::max(1, threads); ++i)
            members_.push_back(std::make_unique<AlphaBeta<P, E>>(knowledge_, options, table_.get()));
    }

    Report search(const P& root, const std::vector<std::uint64_t>& past, const Limits& limits, const Listener& listener) {
        stop_ = false;
        std::atomic<bool> done{false};
        std::atomic<std::int64_t> others{0};
        Limits open = limits;
        open.nodes = 0, open.seconds = 0, open.lines = 1;
        std::vector<std::thread> helpers;
        // Knowledge may fail, on any thread: all must end before the failure can be told.
        std::vector<std::exception_ptr> failures(members_.size());
        const auto guarded = [&](std::size_t i, auto work) {
            try {
                work();
            } catch (...) {
                failures[i] = std::current_exception();
                stop_ = true;
            }
        };
        for (std::size_t i = 1; i < members_.size(); ++i)
            helpers.emplace_back([&, i] {
                guarded(i, [&] { members_[i]->search(root, past, open, done, {}, &others, true); });
            });
        Report report;
        guarded(0, [&] { report = members_[0]->search(root, past, limits, stop_, listener, &others); });
        done = true;
        for (auto& helper : helpers) helper.join();
        for (const auto& failure : failures)
            if (failure) std::rethrow_exception(failure);
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
    std::atomic<bool> stop_{false};
};

}  // namespace rookery::search
