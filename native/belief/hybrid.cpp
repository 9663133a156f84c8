#include "belief/hybrid.hpp"

#include "belief/readiness.hpp"
#include "belief/tries.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace rookery::belief {

using chess::Position;
using kriegspiel::Event;

namespace {

constexpr float illegal = std::numeric_limits<float>::quiet_NaN();

}  // namespace

Hybrid::Hybrid(Options options)
    : options_(options),
      blindfold_(options.habits),
      particles_({.size = options.pool,
                  .few = std::min(200, options.pool),
                  .least = std::min(options.boards, options.pool),
                  .refill = std::min(options.boards, options.pool),
                  .weighted = true,
                  .prior = readiness},
                 0),
      slot_(chess::policy_size, -1) {}

void Hybrid::forget() {
    seeded_ = false;
    belief_.reset();
    tree_.reset();
    begin_turn({});
}

void Hybrid::begin_turn(std::vector<Move> tries) {
    for (const Move m : tries_) slot_[static_cast<std::size_t>(m)] = -1;
    tries_ = std::move(tries);
    for (std::size_t i = 0; i < tries_.size(); ++i) slot_[static_cast<std::size_t>(tries_[i])] = static_cast<int>(i);
    boards_.clear(), weights_.clear(), values_.clear();
    tree_.reset();
}

bool Hybrid::continues(const kriegspiel::View& view) const {
    return seeded_ && belief_ && tree_ && particles_.continued_by(view) && particles_.followed() == heard_ &&
           std::all_of(view.log.begin() + static_cast<std::ptrdiff_t>(heard_), view.log.end(),
                       [](const Event& event) { return event.kind == Event::refused; });
}

void Hybrid::listen(const kriegspiel::View& view) {
    if (!particles_.continued_by(view) || !belief_) {
        belief_ = Belief::beginning(view, options_.mcts.constants, options_.mcts.model.get());
        believed_ = 0;
    }
    for (; believed_ < view.log.size(); ++believed_) belief_->follow(view.log[believed_]);
}

Belief Hybrid::informed() const {
    return options_.mcts.network ? belief_->corrected(*options_.mcts.network) : *belief_;
}

// Boards on which what was refused since the last try is not legal.
void Hybrid::hear_refusals(const kriegspiel::View& view) {
    const std::size_t width = tries_.size();
    std::size_t kept = 0;
    for (std::size_t b = 0; b < boards_.size(); ++b) {
        const bool fits = std::none_of(view.log.begin() + static_cast<std::ptrdiff_t>(heard_), view.log.end(),
                                       [&](const Event& event) { return boards_[b].legal(event.move); });
        if (!fits) continue;
        boards_[kept] = boards_[b];
        weights_[kept] = weights_[b];
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(b * width), width,
                    values_.begin() + static_cast<std::ptrdiff_t>(kept++ * width));
    }
    boards_.resize(kept, Position());
    weights_.resize(kept);
    values_.resize(kept * width);
}

void Hybrid::judge(const Position& board, float weight, int quiet) {
    const float late = std::min(1.0f, static_cast<float>(quiet) / 100.0f), left = 1 - late * late;
    const std::size_t row = values_.size();
    values_.resize(row + tries_.size(), illegal);
    boards_.push_back(board);
    weights_.push_back(weight);
    const Blindfold::Node node = blindfold_.root(board);
    Position::Moves list;
    board.moves(list);
    for (const Move m : list) {
        const int slot = slot_[static_cast<std::size_t>(m)];
        if (slot < 0) continue;
        float v = blindfold_.value(board, node, m);
        const bool stays = !board.is_capture(m) && chess::kind_of(board.at(chess::from_of(m))) != chess::pawn;
        if (stays && std::abs(v) < 1) v *= left;
        values_[row + static_cast<std::size_t>(slot)] = v;
    }
}

std::vector<Hybrid::Ranked> Hybrid::rank(const kriegspiel::View& view, const std::vector<Move>& tries) const {
    const Sampling::Past past(view);
    std::vector<Opinion> opinions(tries_.size());
    std::vector<std::uint8_t> known(tries_.size(), 0);
    for (const auto& edge : tree_->node(0).edges) {
        const int slot = slot_[static_cast<std::size_t>(edge.move)];
        if (slot < 0) continue;
        opinions[static_cast<std::size_t>(slot)] = {std::tanh(options_.gain * edge.stood), edge.legal};
        known[static_cast<std::size_t>(slot)] = 1;
    }
    const std::size_t n = boards_.size(), width = tries_.size();
    double all = 0;
    for (const float w : weights_) all += w;
    // The tree and the boards may differ on how the game stands: only what they say of moves beside each other counts.
    double offset = 0, weight = 0;
    std::vector<double> sums(width, 0), mass(width, 0);
    std::vector<int> seen(width, 0);
    for (std::size_t b = 0; b < n; ++b)
        for (std::size_t t = 0; t < width; ++t) {
            const float v = values_[b * width + t];
            if (std::isnan(v)) continue;
            sums[t] += weights_[b] * v, mass[t] += weights_[b];
            ++seen[t];
        }
    for (std::size_t t = 0; t < width; ++t)
        if (known[t] && mass[t] > 0) offset += sums[t] - mass[t] * opinions[t].value, weight += mass[t];
    offset = weight > 0 ? offset / weight : 0;
    std::vector<Ranked> ranked;
    for (const Move m : tries) {
        const auto t = static_cast<std::size_t>(slot_[static_cast<std::size_t>(m)]);
        const double share = all > 0 ? mass[t] / all : 0;
        const double opinion = known[t] ? opinions[t].value + offset : -1;
        const double prior = known[t] ? opinion : -0.5;
        const double mean =
            mass[t] > 0 ? (sums[t] / mass[t] * seen[t] + options_.doubt * prior) / (seen[t] + options_.doubt) : prior;
        const double left = std::max(0.0, 1 - 0.3 * past.returns(view.own, m));
        double score = known[t] ? (1 - options_.lookahead) * mean + options_.lookahead * opinion : mean;
        if (score > 0) score *= left;
        ranked.push_back({m, score - 0.01 * (1 - share), n ? share : (known[t] ? opinions[t].legal : 0.0)});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        const bool likely = a.share >= 0.03, other = b.share >= 0.03;
        if (likely != other) return likely;
        return likely || a.share == b.share ? a.score > b.score : a.share > b.share;
    });
    return ranked;
}

Hybrid::Choice Hybrid::choose(const kriegspiel::View& view, double seconds, const std::vector<Move>& only,
                              std::uint64_t seed, Poll& poll, const std::atomic<bool>& stop) {
    const auto began = std::chrono::steady_clock::now();
    const auto late = [&](double share = 1) {
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        return stop.load(std::memory_order_relaxed) || (seconds > 0 && took.count() >= share * seconds);
    };
    const std::vector<Move> tries = tries_of(view, only);

    Choice choice;
    choice.ranked = Sampling::hunt(endgame_, view, tries, seconds);
    if (!choice.ranked.empty()) return choice;

    const bool same_turn = continues(view) && std::all_of(tries.begin(), tries.end(), [&](Move m) {
                               return slot_[static_cast<std::size_t>(m)] >= 0;
                           });
    if (!std::exchange(seeded_, true)) particles_.forget(seed);
    if (!same_turn) begin_turn({});
    listen(view);
    const Belief informed = this->informed();
    const Belief::Kinds kinds = informed.kinds();
    particles_.follow(view, poll, &kinds, [&] { return late(0.25); });

    auto wanted = static_cast<std::size_t>(options_.boards);
    std::int64_t nodes = options_.tree;
    if (same_turn) {
        hear_refusals(view);
        for (std::size_t i = heard_; i < view.log.size(); ++i) tree_->reject(view.log[i].move, informed.matrices());
        wanted = boards_.size() < wanted / 4 ? wanted / 4 : 0;
        nodes /= 4;
    } else {
        begin_turn(tries);
        Possible::Moves list;
        belief_->possible().moves(list);
        std::vector<Move> likely;
        for (const Move m : tries)
            if (std::find(list.begin(), list.end(), m) != list.end()) likely.push_back(m);
        tree_ = std::make_unique<TreeC>(informed.matrices(), likely.empty() ? tries : likely, options_.mcts, seed);
    }
    heard_ = view.log.size();
    const std::int64_t most = tree_->nodes() + nodes;
    // Where time bounds it, boards are drawn anew for a quarter of it and the tree ends after half. Following the
    // boards of the pool is not bounded.
    while (tree_->nodes() < most && !late(0.5) && tree_->grow()) poll.step(64);

    const int quiet = Sampling::Past(view).quiet;
    const std::size_t pool = particles_.boards().size();
    if (wanted && pool) {
        // Evenly through the pool, from anywhere.
        Rng rng(seed);
        const auto boards = std::exchange(boards_, {});
        const auto weights = std::exchange(weights_, {});
        const auto values = std::exchange(values_, {});
        std::vector<std::uint32_t> order(pool);
        for (std::size_t i = 0; i < pool; ++i) order[i] = static_cast<std::uint32_t>(i);
        for (std::size_t i = 0; i < std::min(wanted, pool) && (boards_.empty() || !late()); ++i) {
            std::swap(order[i], order[i + rng.below(static_cast<std::uint32_t>(pool - i))]);
            poll.step(16);
            judge(particles_.boards()[order[i]], particles_.weights()[order[i]], quiet);
            ++choice.boards;
        }
        // Where time runs out, the boards of the turn's earlier tries are more to go by than a few new ones.
        if (boards_.size() < boards.size()) boards_ = boards, weights_ = weights, values_ = values;
    }
    choice.ranked = rank(view, tries);
    choice.kept = static_cast<std::int64_t>(boards_.size());
    choice.alive = particles_.whole();
    return choice;
}

}  // namespace rookery::belief
