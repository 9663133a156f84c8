#include "belief/sampling.hpp"

#include "belief/tries.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

namespace rookery::belief {

using chess::Position;
using kriegspiel::Event;

namespace {

constexpr float illegal = std::numeric_limits<float>::quiet_NaN();

constexpr Judge::Value sure = 1500;  // centipawns: beyond, a value is as good as 1

// A chess search's number as a value in [-1, 1]: twice the win probability less 1.
float worth(Judge::Value centipawns) {
    if (std::abs(centipawns) >= sure) return centipawns > 0 ? 1.0f : -1.0f;
    return std::tanh(centipawns / 360.0f);
}

}  // namespace

namespace {

// The own men after a move that stood.
void play(kriegspiel::Pieces& own, Move m) {
    const chess::Square from = chess::from_of(m), to = chess::to_of(m);
    const auto kind = static_cast<std::size_t>(
        std::find_if(own.begin(), own.end(), [&](chess::Bitboard b) { return b & chess::bit(from); }) - own.begin());
    if (kind == own.size()) return;  // no such man: a senseless try, which never stands
    own[kind] ^= chess::bit(from);
    own[chess::promotion_of(m) ? static_cast<std::size_t>(chess::promotion_of(m)) : kind] |= chess::bit(to);
    if (kind != chess::king || std::abs(from - to) != 2) return;
    const chess::Square rook = to > from ? to + 1 : to - 2;
    own[chess::rook] ^= chess::bit(rook) | chess::bit((from + to) / 2);
}

}  // namespace

Sampling::Past::Past(const kriegspiel::View& view) {
    kriegspiel::Pieces now = view.start.own;
    for (const Event& event : view.log) {
        if (event.kind == Event::refused) continue;
        const bool pawn = event.kind == Event::moved && (now[chess::pawn] & chess::bit(chess::from_of(event.move)));
        if (event.kind == Event::moved) play(now, event.move);
        if (event.kind == Event::answered && event.said.captured != '-')
            for (chess::Bitboard& men : now) men &= ~chess::bit(event.said.square);
        ++quiet;
        if (pawn || event.said.captured != '-') own.clear(), quiet = 0;
        if (event.kind == Event::moved) own.push_back(now);
    }
}

int Sampling::Past::returns(const kriegspiel::Pieces& now, Move m) const {
    kriegspiel::Pieces then = now;
    play(then, m);
    return static_cast<int>(std::count(own.begin(), own.end(), then));
}

class Sampling::Source {
  public:
    // share: how many of the boards come from the pool, as long as it has some.
    Source(const Particles& particles, const kriegspiel::View& view, double share, Rng& rng, Poll& poll)
        : pool_(particles.boards()),
          last_(view, particles.possible()),
          share_(pool_.empty() ? 0 : share),
          rng_(rng),
          poll_(poll),
          order_(pool_.size()) {
        std::iota(order_.begin(), order_.end(), 0u);
    }

    std::optional<Position> next() {
        if (share_ > 0 && used_ < pool_.size() && (share_ == 1 || rng_.uniform() < share_)) return from_pool();
        if (share_ == 1) return std::nullopt;
        for (int draws = 0; draws < 20; ++draws) {
            poll_.step(16);
            if (const auto board = last_.draw(rng_)) return board;
        }
        return share_ > 0 && used_ < pool_.size() ? std::optional(from_pool()) : std::nullopt;
    }

  private:
    // Each board of the pool once, any as likely as the next.
    const Position& from_pool() {
        const std::size_t left = pool_.size() - used_;
        std::swap(order_[used_], order_[used_ + rng_.below(static_cast<std::uint32_t>(left))]);
        return pool_[order_[used_++]];
    }

    std::span<const Position> pool_;
    LastObservation last_;
    double share_;
    Rng& rng_;
    Poll& poll_;
    std::vector<std::uint32_t> order_;
    std::size_t used_ = 0;
};

Sampling::Sampling(Options options)
    : options_(options),
      // LOS keeps no pool. The others make up for one only where nothing is left of it.
      particles_({.size = options.method == Method::last ? 0 : options.pool, .least = 1}, 0),
      slot_(chess::policy_size, -1) {}

void Sampling::forget() {
    seeded_ = false;
    begin_turn({});
}

// HS: for ten moves all boards fit all observations; then ever fewer, down to three in five at move 30. A mixture that
// went on to one in five at move 50 was no stronger than AOSP.
double Sampling::pool_share(const kriegspiel::View& view) const {
    if (options_.method == Method::last) return 0;
    if (options_.method == Method::all) return 1;
    const auto moved =
        std::count_if(view.log.begin(), view.log.end(), [](const Event& event) { return event.kind == Event::moved; });
    return std::clamp(1 - 0.8 * static_cast<double>(moved - 9) / 40, 0.6, 1.0);
}

void Sampling::begin_turn(std::vector<Move> tries) {
    for (const Move m : tries_) slot_[static_cast<std::size_t>(m)] = -1;
    tries_ = std::move(tries);
    for (std::size_t i = 0; i < tries_.size(); ++i) slot_[static_cast<std::size_t>(tries_[i])] = static_cast<int>(i);
    boards_.clear();
    values_.clear();
}

// The boards on which what was refused since the last try is not legal.
void Sampling::hear_refusals(const kriegspiel::View& view) {
    const std::size_t width = tries_.size();
    std::size_t kept = 0;
    for (std::size_t b = 0; b < boards_.size(); ++b) {
        const bool fits = std::none_of(view.log.begin() + static_cast<std::ptrdiff_t>(heard_), view.log.end(),
                                       [&](const Event& event) { return boards_[b].legal(event.move); });
        if (!fits) continue;
        boards_[kept] = boards_[b];
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(b * width), width,
                    values_.begin() + static_cast<std::ptrdiff_t>(kept++ * width));
    }
    boards_.resize(kept, Position());
    values_.resize(kept * width);
}

std::vector<Sampling::Ranked> Sampling::hunt(Endgame& endgame, const kriegspiel::View& view,
                                             const std::vector<Move>& tries, double seconds) {
    std::vector<Ranked> ranked;
    const auto known = LoneKing::of(view);
    if (!known || !known->army.can_mate()) return ranked;
    for (const auto& found : endgame.choose(*known, Endgame::nodes_in(seconds)))
        if (std::find(tries.begin(), tries.end(), found.move) != tries.end()) ranked.push_back({found.move, 1.0, 1.0});
    return ranked;
}

void Sampling::value(const Position& board, int quiet) {
    // Of what is won in a hundred quiet plies nothing is left.
    const float late = std::min(1.0f, static_cast<float>(quiet) / 100.0f), left = 1 - late * late;
    const std::size_t row = values_.size();
    values_.resize(row + tries_.size(), illegal);
    boards_.push_back(board);
    Position::Moves list;
    board.moves(list);
    for (const Move m : list) {
        const int slot = slot_[static_cast<std::size_t>(m)];
        if (slot < 0) continue;
        Position after = board;
        after.play(m);
        const float v = -worth(judge_.value(after, options_.depth - 1, -sure, sure));
        const bool stays = after.clock() > 0 && std::abs(v) < 1;
        values_[row + static_cast<std::size_t>(slot)] = stays ? left * v : v;
    }
}

std::vector<Sampling::Ranked> Sampling::rank(const kriegspiel::View& view, const std::vector<Move>& tries,
                                             Rng& rng) const {
    const Past past(view);
    const std::size_t n = boards_.size(), width = tries_.size();
    std::vector<Ranked> ranked;
    for (const Move m : tries) {
        const auto t = static_cast<std::size_t>(slot_[static_cast<std::size_t>(m)]);
        double sum = 0;
        std::size_t legal = 0;
        for (std::size_t b = 0; b < n; ++b) {
            const float v = values_[b * width + t];
            if (!std::isnan(v)) sum += v, ++legal;
        }
        const double share = n ? static_cast<double>(legal) / static_cast<double>(n) : 0;
        // The enemy's men may have moved meanwhile: a return is not yet a repetition.
        const double left = std::max(0.0, 1 - 0.3 * past.returns(view.own, m));
        const double mean = legal ? left * sum / static_cast<double>(legal) : -1.0;
        ranked.push_back({m, mean - illegal_cost * (1 - share), share});
    }
    // Nothing tells equal moves apart, such as all of them where no board was found: any may come first.
    for (std::size_t i = 0; i + 1 < ranked.size(); ++i)
        std::swap(ranked[i], ranked[i + rng.below(static_cast<std::uint32_t>(ranked.size() - i))]);
    // Those that too few boards judge come last, the more likely ones first.
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        const bool judged = a.share >= least_share, other = b.share >= least_share;
        if (judged != other) return judged;
        return judged || a.share == b.share ? a.score > b.score : a.share > b.share;
    });
    return ranked;
}

Sampling::Choice Sampling::choose(const kriegspiel::View& view, const Bounds& bounds, std::uint64_t seed, Poll& poll,
                                  const std::atomic<bool>& stop) {
    const auto began = std::chrono::steady_clock::now();
    const auto late = [&] {
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        return stop.load(std::memory_order_relaxed) || (bounds.seconds > 0 && took.count() >= bounds.seconds);
    };
    const std::vector<Move> tries = tries_of(view, bounds.only);

    Choice choice;
    choice.ranked = hunt(endgame_, view, tries, bounds.seconds);
    if (!choice.ranked.empty()) return choice;

    const bool same_turn =
        seeded_ && !boards_.empty() && particles_.continued_by(view) && particles_.followed() == heard_ &&
        std::all_of(view.log.begin() + static_cast<std::ptrdiff_t>(heard_), view.log.end(),
                    [](const Event& event) { return event.kind == Event::refused; }) &&
        std::all_of(tries.begin(), tries.end(), [&](Move m) { return slot_[static_cast<std::size_t>(m)] >= 0; });
    if (!std::exchange(seeded_, true)) particles_.forget(seed);
    particles_.follow(view, poll);

    Rng rng(seed);
    auto wanted = static_cast<std::size_t>(bounds.boards > 0 ? bounds.boards : options_.boards);
    if (same_turn) {
        hear_refusals(view);
        // What the earlier tries of the turn have left will do, unless it is little.
        wanted = boards_.size() < wanted / 4 ? wanted / 4 : 0;
    } else {
        begin_turn(tries);
    }
    heard_ = view.log.size();
    const int quiet = Past(view).quiet;
    Source source(particles_, view, pool_share(view), rng, poll);
    for (std::size_t i = 0; i < wanted && (boards_.empty() || !late()); ++i) {
        poll.look();
        const auto board = source.next();
        if (!board) break;
        value(*board, quiet);
        ++choice.boards;
    }
    choice.ranked = rank(view, tries, rng);
    choice.kept = static_cast<std::int64_t>(boards_.size());
    choice.alive = particles_.whole();
    return choice;
}

std::vector<float> Sampling::frequencies(const kriegspiel::View& view, Poll& poll) {
    if (!std::exchange(seeded_, true)) particles_.forget(0);
    particles_.follow(view, poll);
    std::vector<float> shares(64 * 6, 0.0f);
    const auto add = [&](const Position& board, float weight) {
        for (const chess::Square s : chess::each(board.men(~view.us)))
            shares[static_cast<std::size_t>(s * 6 + chess::kind_of(board.at(s)))] += weight;
    };
    const auto pool = particles_.boards();
    for (std::size_t i = 0; i < pool.size(); ++i) add(pool[i], particles_.weights()[i]);
    if (!pool.empty()) return shares;
    std::vector<Position> drawn;
    if (view.turn == view.us) {
        Rng rng(view.log.size());
        const LastObservation last(view, particles_.possible());
        for (int i = 0; i < options_.boards; ++i) {
            poll.step(16);
            if (const auto board = last.draw(rng)) drawn.push_back(*board);
        }
    }
    for (const Position& board : drawn) add(board, 1.0f / static_cast<float>(drawn.size()));
    return drawn.empty() ? std::vector<float>() : shares;
}

}  // namespace rookery::belief
