// The small networks of Mayer's Go players: sigmoid hidden units, one linear output, and no bias unless asked for.
//
//   Shallow   board - hidden - 1             koten and katatsugi: 25-25-1 on 5x5
//   Deep      board - hidden - hidden - 1    roban: 10-20-20-1
//
// The first layer lies over the points of the board, whatever the representation: nets/go_td/encoding.hpp. What it
// makes of a board before the sigmoid can be kept: one more stone adds one row.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

#include "nets/go_td/encoding.hpp"

namespace rookery::nets {

struct Rates {
    float input;       // of the first layer, divided by Encoding::whole()
    float input_bias;  // of its bias
    float upper;       // of everything else
};

// A board that was reached, as Black sees it, and in whose view: 1 is Black's, -1 White's.
template <int N>
struct Seen {
    typename Encoding<N>::Points stones, gram;  // x, and E'E x times whole()
    float view;
};

// What both kinds begin and end with. `Layer` is a row of hidden units.
template <int N, int Hidden>
struct Frame {
    static constexpr int points = N * N, hidden = Hidden;
    using Layer = Row<padded(Hidden)>;
    using Points = typename Encoding<N>::Points;

    Layer board[points], board_bias;
    Layer output;
    float output_bias = 0;
    bool biased = false;

    Frame() {
        for (int i = 0; i < Hidden; ++i) units.set(i, 1);
    }

    Layer look(const Points& stones, float view) const {
        Layer sums;
        add_all<points>(sums, board, stones);
        return board_bias + sums * view;
    }

  protected:
    Layer units;  // 1 for those that there are, 0 for the padding, whose weights must stay 0

    // The gradient at hidden units whose values are s, given what reaches them from above.
    static Layer through(const Layer& s, Layer above) {
        for (int i = 0; i < Layer::parts; ++i) above.part[i] *= s.part[i] * (1.0f - s.part[i]);
        return above;
    }
    void learn_output(const Layer& s, float error, const Rates& rates) {
        output.add(s * units, rates.upper * error);
        if (biased) output_bias += rates.upper * error;
    }
    void learn_board(const Seen<N>& seen, const Layer& delta, const Rates& rates) {
        const Points by = seen.gram * (rates.input * seen.view);
#pragma GCC unroll 4
        for (int p = 0; p < points; ++p) board[p].add(delta, by[p]);
        if (biased) board_bias.add(delta, rates.input_bias);
    }

    // Whether every weight of what both have, and of these rows, is a number no further from 0 than `most`.
    template <class... Rows>
    bool all_within(float most, const Rows&... more) const {
        WholeVector inside = output.within(most) & board_bias.within(most);
        for (const Layer& row : board) inside &= row.within(most);
        const auto add = [&](const Layer& row) { inside &= row.within(most); };
        (std::for_each(std::begin(more), std::end(more), add), ...);
        bool all = output_bias <= most && output_bias >= -most;
        for (int i = 0; i < lanes; ++i) all &= inside[i] != 0;
        return all;
    }

    // f(name, rows, columns, get, set) for a layer that is one row.
    template <class F>
    static void visit_row(F& f, const char* name, Layer& row) {
        f(name, 1, Hidden, [&](int, int i) { return row[i]; }, [&](int, int i, float v) { row.set(i, v); });
    }
    template <class F>
    void visit_ends(F& f) {
        f(
            "board", Hidden, points, [&](int i, int p) { return board[p][i]; },
            [&](int i, int p, float v) { board[p].set(i, v); });
        visit_row(f, "output", output);
        if (!biased) return;
        visit_row(f, "board_bias", board_bias);
        f("output_bias", 1, 1, [&](int, int) { return output_bias; }, [&](int, int, float v) { output_bias = v; });
    }
};

template <int N, int Hidden>
struct Shallow : Frame<N, Hidden> {
    using typename Frame<N, Hidden>::Layer;
    static constexpr int middles = 0;

    // The value of what was looked at; less the bias and unsummed, so that many can be summed together.
    Vector weigh(const Layer& looked) const { return weigh_sigmoid(this->output, looked); }
    float value(const Layer& looked) const { return sum(weigh(looked)) + this->output_bias; }

    // One step of gradient descent on (target - V)^2 / 2; gives target - V.
    float learn(const Seen<N>& seen, float target, const Rates& rates) {
        const Layer s = sigmoid(this->look(seen.stones, seen.view));
        const float error = target - (dot(this->output, s) + this->output_bias);
        const Layer delta = this->through(s, this->output * error);
        this->learn_output(s, error, rates);
        this->learn_board(seen, delta, rates);
        return error;
    }

    bool within(float most) const { return this->all_within(most); }

    template <class F>
    void visit(F&& f) {
        this->visit_ends(f);
    }
};

template <int N, int Hidden>
struct Deep : Frame<N, Hidden> {
    using typename Frame<N, Hidden>::Layer;
    static constexpr int middles = 1;

    Layer middle[Hidden], middle_bias;  // by source
    Layer turned[Hidden];               // the same by target: equal to the last bit, for both take equal steps

    Vector weigh(const Layer& looked) const { return weigh_sigmoid(this->output, rise(sigmoid(looked))); }
    float value(const Layer& looked) const { return sum(weigh(looked)) + this->output_bias; }

    float learn(const Seen<N>& seen, float target, const Rates& rates) {
        const Layer first = sigmoid(this->look(seen.stones, seen.view));
        const Layer second = sigmoid(rise(first));
        const float error = target - (dot(this->output, second) + this->output_bias);
        const Layer delta = this->through(second, this->output * error);
        Layer below;
        add_all<Hidden>(below, turned, delta);
        below = this->through(first, below);

        this->learn_output(second, error, rates);
        const Layer by = first * this->units * rates.upper;
        for (int j = 0; j < Hidden; ++j) {
            middle[j].add(delta, by[j]);
            turned[j].add(by, delta[j]);
        }
        if (this->biased) middle_bias.add(delta, rates.upper);
        this->learn_board(seen, below, rates);
        return error;
    }

    bool within(float most) const { return this->all_within(most, middle, std::span(&middle_bias, 1)); }

    template <class F>
    void visit(F&& f) {
        this->visit_ends(f);
        f(
            "middle", Hidden, Hidden, [&](int i, int j) { return middle[j][i]; },
            [&](int i, int j, float v) {
                middle[j].set(i, v);
                turned[i].set(j, v);
            });
        if (this->biased) this->visit_row(f, "middle_bias", middle_bias);
    }

  private:
    Layer rise(const Layer& first) const {
        Layer sums = middle_bias;
        add_all<Hidden>(sums, middle, first);
        return sums;
    }
};

}  // namespace rookery::nets
