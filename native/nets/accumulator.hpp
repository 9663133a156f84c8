// The first layer of a network whose inputs are bits, few of them set: a sum of rows of weights, in 16 bits, that a
// move changes by a few rows. Whole numbers, so that a sum kept along a line is the one computed from nothing.
#pragma once

#include <array>

#include "nets/dense.hpp"

namespace rookery::nets {

class Accumulator {
  public:
    typedef std::uint16_t Part __attribute__((vector_size(32)));  // without signs: what is added first may wrap
    static constexpr int lanes = 16;

    // `most(row of magnitudes)`: the largest sum of magnitudes that inputs set together can come to.
    template <class Most>
    Accumulator(const FloatLayer& layer, double range, Most most) : parts_(rounded_up(layer.outputs, 32) / lanes) {
        std::vector<std::vector<double>> magnitudes(static_cast<std::size_t>(layer.outputs));
        std::vector<double> largest;
        for (int out = 0; out < layer.outputs; ++out) {
            auto& row = magnitudes[static_cast<std::size_t>(out)];
            for (int in = 0; in < layer.inputs; ++in) row.push_back(std::abs(layer.weight(out, in)));
            largest.push_back(most(row));
        }
        scale_ = Scale::finest(scale_for(range), [&](double sum_scale, int shift) {
            for (int out = 0; out < layer.outputs; ++out) {
                const auto i = static_cast<std::size_t>(out);
                // Each of the rows that are added, the bias among them, may be rounded up.
                const double sum = (largest[i] + std::abs(layer.bias[i])) * sum_scale + 64 + (1 << shift);
                if (!(sum < 32767)) return false;
            }
            return true;
        });
        rows_ = Aligned<Activation>(static_cast<std::size_t>(layer.inputs + 1) * static_cast<std::size_t>(size()));
        const double scale = std::ldexp(scale_.out, scale_.shift);
        for (int out = 0; out < layer.outputs; ++out) {
            for (int in = 0; in < layer.inputs; ++in)
                at(in)[out] = static_cast<Activation>(whole(layer.weight(out, in) * scale));
            at(layer.inputs)[out] =
                static_cast<Activation>(whole(layer.bias[static_cast<std::size_t>(out)] * scale) + scale_.half());
        }
        bias_ = layer.inputs;
    }

    int size() const { return parts_ * lanes; }  // numbers in a sum
    double scale() const { return scale_.out; }

    void begin(Activation* sum) const { std::copy_n(row(bias_), size(), sum); }
    void add(Activation* sum, int input) const {
        for (int i = 0; i < parts_; ++i) part(sum, i) += part(row(input), i);
    }
    // to = from + rows - rows: what one move changes.
    struct Change {
        std::array<int, 8> added, removed;
        int adds = 0, removes = 0;
        void add(int input) { added[static_cast<std::size_t>(adds++)] = input; }
        void remove(int input) { removed[static_cast<std::size_t>(removes++)] = input; }
    };
    void apply(const Change& change, const Activation* from, Activation* to) const {
        // Nearly every move: a man leaves a square and appears on another, perhaps where one was taken.
        if (change.adds == 1 && change.removes == 1) {
            const Activation *plus = row(change.added[0]), *minus = row(change.removed[0]);
            for (int i = 0; i < parts_; ++i) part(to, i) = part(from, i) + part(plus, i) - part(minus, i);
            return;
        }
        if (change.adds == 1 && change.removes == 2) {
            const Activation *plus = row(change.added[0]), *minus = row(change.removed[0]),
                             *taken = row(change.removed[1]);
            for (int i = 0; i < parts_; ++i)
                part(to, i) = part(from, i) + part(plus, i) - part(minus, i) - part(taken, i);
            return;
        }
        std::copy_n(from, size(), to);
        for (int k = 0; k < change.adds; ++k) add(to, change.added[static_cast<std::size_t>(k)]);
        for (int k = 0; k < change.removes; ++k) {
            const Activation* minus = row(change.removed[static_cast<std::size_t>(k)]);
            for (int i = 0; i < parts_; ++i) part(to, i) -= part(minus, i);
        }
    }

    // The layer's activations, of the sum and one input more, or none (below 0).
    void activate(const Activation* sum, int more, Activation* out) const {
        const int shift = scale_.shift;
        const auto cut = [&](Part x, int i) {
            const Signed moved = reinterpret_cast<Signed>(x) >> shift;
            const Signed positive = moved > 0 ? moved : Signed{};
            part(out, i) = reinterpret_cast<Part>(positive < top ? positive : Signed{} + top);
        };
        if (more >= 0)
            for (int i = 0; i < parts_; ++i) cut(part(sum, i) + part(row(more), i), i);
        else
            for (int i = 0; i < parts_; ++i) cut(part(sum, i), i);
    }

  private:
    typedef std::int16_t Signed __attribute__((vector_size(32)));
    typedef Part AnyPart __attribute__((may_alias));
    static AnyPart& part(Activation* row, int i) { return reinterpret_cast<AnyPart*>(row)[i]; }
    static const AnyPart& part(const Activation* row, int i) { return reinterpret_cast<const AnyPart*>(row)[i]; }
    const Activation* row(int input) const { return rows_.data() + static_cast<std::ptrdiff_t>(input) * size(); }
    Activation* at(int input) { return rows_.data() + static_cast<std::ptrdiff_t>(input) * size(); }

    int parts_, bias_;
    Scale scale_;
    Aligned<Activation> rows_;
};

}  // namespace rookery::nets
