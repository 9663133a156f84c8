// The moves of a position with what a network thinks of the boards that they lead to, in the view of the seat
// that moves (Mayer: the value of an action). A pass leaves the board as it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/errors.hpp"
#include "core/rng.hpp"
#include "games/go/position.hpp"
#include "nets/go_td/perceptron.hpp"

namespace rookery::nets {

// The board as networks read it: kept up along a game, stone by stone.
template <int N>
class Reading {
  public:
    using Bits = typename go::Grid<N>::Bits;
    using Points = typename Encoding<N>::Points;

    Reading(const Encoding<N>& encoding, const go::Position<N>& position) : encoding_(encoding) {
        for (int side : {0, 1}) go::each(position.stones(side), [&](int p) { add(p, view_of(side)); });
    }

    static constexpr float view_of(int seat) { return seat == 0 ? 1.0f : -1.0f; }

    // A stone of a seat comes and others go: both speak for that seat.
    void play(Move m, const Bits& captured, int seat) {
        add(m, view_of(seat));
        go::each(captured, [&](int p) { add(p, view_of(seat)); });
    }

    const Points& stones() const { return stones_; }
    const Points& gram() const { return gram_; }

  private:
    void add(int point, float by) {
        stones_.add(encoding_.unit(point), by);
        gram_.add(encoding_.gram(point), by);
    }

    const Encoding<N>& encoding_;
    Points stones_, gram_;
};

template <int N>
class Candidates {
  public:
    using Position = go::Position<N>;
    using Bits = typename Position::Bits;

    // Position must not be over; `stones` is its board as Black sees it.
    template <class Net>
    Candidates(const Net& net, const Position& position, const typename Encoding<N>::Points& stones)
        : takes_(position.takes()), legal_(position.legal()) {
        const auto base = net.look(stones, Reading<N>::view_of(position.seat()));
        // All are weighed first and summed together: a sum by itself would cost as much as the weighing.
        Vector weighed[most];
        go::each(legal_, [&](int p) {
            auto looked = base + net.board[p];
            if (go::Grid<N>::has(takes_, p)) go::each(position.captures(p), [&](int q) { looked += net.board[q]; });
            weighed[size_++] = net.weigh(looked);
        });
        weighed[size_++] = net.weigh(base);
        const int full = (size_ + lanes - 1) / lanes * lanes;
        for (int i = size_; i < full; ++i) weighed[i] = Vector{};
        for (int i = 0; i < full; i += lanes) {
            const Vector values = sums(weighed + i) + net.output_bias;
            std::memcpy(values_ + i, &values, sizeof values);
        }
        for (int i = size_; i < most; ++i) values_[i] = -std::numeric_limits<float>::infinity();
    }

    int size() const { return size_; }
    Move move(int i) const { return i + 1 < size_ ? go::nth(legal_, i) : Position::pass; }
    float value(int i) const { return values_[i]; }
    // Where a move stands, or -1.
    int place(Move m) const {
        for (int i = 0; i < size_; ++i)
            if (move(i) == m) return i;
        return -1;
    }
    // What a move takes, found at no cost for those that take nothing.
    Bits captured(const Position& position, Move m) const {
        return m != Position::pass && go::Grid<N>::has(takes_, m) ? position.captures(m) : Bits{};
    }

    // The highest value. Networks whose values are no numbers, or infinite, cannot choose.
    float best() const {
        const float found = *std::max_element(values_, values_ + size_);
        if (!std::isfinite(found)) throw Diverged("the network's values are not finite");
        return found;
    }
    // Whether every value is a number.
    bool finite() const {
        return std::all_of(values_, values_ + size_, [](float v) { return std::isfinite(v); });
    }

    // Any of those that are worth at least so much, each as likely; `least` must not be above best().
    int any_from(float least, Rng& rng) const {
        std::uint32_t near[most / 32];
        int count = 0;
        for (int word = 0; word < most / 32; ++word) {
            near[word] = 0;
            for (int i = 0; i < 32; ++i) near[word] |= static_cast<std::uint32_t>(values_[32 * word + i] >= least) << i;
            count += std::popcount(near[word]);
        }
        int k = count == 1 ? 0 : static_cast<int>(rng.below(static_cast<std::uint32_t>(count)));
        int word = 0;
        for (; k >= std::popcount(near[word]); ++word) k -= std::popcount(near[word]);
        return 32 * word + go::nth(std::uint64_t{near[word]}, k);
    }
    int any(Rng& rng) const { return static_cast<int>(rng.below(static_cast<std::uint32_t>(size_))); }

  private:
    static constexpr int most = (N * N + 1 + 31) / 32 * 32;

    Bits takes_, legal_;
    int size_ = 0;
    alignas(64) float values_[most];  // below all others where there is no candidate
};

}  // namespace rookery::nets
