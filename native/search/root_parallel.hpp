// Root parallelism (Cazenave and Jouandeau 2007): every thread grows a tree of its own from a seed of its
// own, and the visits to the moves of the root are summed. Nothing is shared, so under a bound of nodes the
// result is the same every time, whatever the number of threads; each number of threads has its own.
#pragma once

#include <memory>

#include "core/pool.hpp"
#include "search/uct.hpp"

namespace rookery::search {

struct UctOptions {
    double c;
    int threads;
    std::uint64_t seed;
    std::size_t room = std::size_t{1} << 24;  // nodes of all trees together
};

template <Rules P>
class RootParallelUct {
  public:
    RootParallelUct(const P& root, const std::vector<std::uint64_t>& past, const std::vector<Move>& only,
                    const UctOptions& options)
        : pool_(options.threads), trees_(static_cast<std::size_t>(pool_.size())) {
        // Each where it will grow: an allocator gives threads memory far from each other's.
        run([&](std::size_t i) {
            trees_[i] = std::make_unique<UctTree<P>>(root, past, only, options.c, mix(options.seed) + i,
                                                     options.room / trees_.size());
        });
    }

    // Grows in rounds; after each the listener hears of it.
    TreeReport grow(const Limits& limits, const std::atomic<bool>& stop, const TreeListener& listener) {
        const auto began = std::chrono::steady_clock::now();
        const auto seconds = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        };
        const auto ended = [&] {
            return stop.load(std::memory_order_relaxed) || (limits.seconds > 0 && seconds() >= limits.seconds);
        };
        constexpr std::int64_t first_round = 256, longest_round = 1 << 16;
        std::int64_t target = 0;
        for (std::int64_t round = first_round;; round = std::min(2 * round, longest_round)) {
            target += round;
            run(
                [&](std::size_t i) {
                    std::int64_t most = limits.nodes > 0 ? std::min(target, share(limits.nodes, i)) : target;
                    most = std::min(most, UctTree<P>::most_simulations);
                    while (trees_[i]->simulations() < most) {
                        trees_[i]->simulate();
                        if (i == 0 && limits.poll) limits.poll->step(64);
                        if (ended() || pool_.broken()) break;
                    }
                },
                [&] {
                    if (limits.poll) limits.poll->look();
                });
            TreeReport report;
            for (const auto& tree : trees_) tree->add_to(report);
            report.sort();
            report.seconds = seconds();
            const bool full = target >= UctTree<P>::most_simulations;
            const bool reached = limits.nodes > 0 && report.nodes >= limits.nodes;
            if (ended() || full || reached || forced(report.moves.size(), limits)) return report;
            if (listener) listener(report);
        }
    }

  private:
    std::int64_t share(std::int64_t nodes, std::size_t i) const {
        const auto threads = static_cast<std::int64_t>(trees_.size());
        return nodes / threads + (static_cast<std::int64_t>(i) < nodes % threads);
    }

    // Calls work(i) for each tree, side by side.
    template <class Work>
    void run(const Work& work, const Poll::Ask& poll = {}) {
        pool_.run(pool_.size(), [&](int i) { work(static_cast<std::size_t>(i)); }, poll);
    }

    Pool pool_;
    std::vector<std::unique_ptr<UctTree<P>>> trees_;
};

}  // namespace rookery::search
