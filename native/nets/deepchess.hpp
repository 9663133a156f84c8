// The networks of DeepChess (David, Netanyahu and Wolf 2016) in whole numbers: an embedding of a position, a head that
// compares two embeddings, and perhaps one that gives a single number (Bradley-Terry). Sizes are known when it runs.
//
//   d(a, b) = logit 0 - logit 1 of the head, s(a, b) = d(a, b) - d(b, a): above 0, a is better for White.
// So s is antisymmetric whatever the weights are, to the last bit, and s(a, a) is 0.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "encoders/chess_bits.hpp"
#include "nets/accumulator.hpp"
#include "nets/dense.hpp"

namespace rookery::nets {

struct DeepChessWeights {
    std::vector<FloatLayer> embed, compare, scalar;                  // scalar may be empty
    std::vector<float> embed_ranges, compare_ranges, scalar_ranges;  // the usual range of each layer with a ReLU
};

class DeepChessNet {
  public:
    explicit DeepChessNet(const DeepChessWeights& w)
        : first_((check(w), w.embed[0]), w.embed_ranges[0], most_set), embedding_(w.embed.back().outputs) {
        double scale = add_layers(embed_, w.embed, w.embed_ranges, 1, w.embed.size(), first_.scale());
        const double embedded = scale;
        halves_.emplace(w.compare[0], embedded, w.compare_ranges[0]);
        const std::size_t last = w.compare.size() - 1;
        scale = add_layers(compare_, w.compare, w.compare_ranges, 1, last, halves_->scale());
        // The two logits meet in their difference alone; the biases go as d(b, a) is taken from d(a, b).
        std::vector<double> lead;
        for (int i = 0; i < w.compare[last].inputs; ++i)
            lead.push_back(w.compare[last].weight(0, i) - w.compare[last].weight(1, i));
        lead_.emplace(lead, 0, scale);
        lead_unit_ = unit(*lead_);
        if (w.scalar.empty()) return;
        const FloatLayer& worth = w.scalar.back();
        scale = add_layers(scalar_, w.scalar, w.scalar_ranges, 0, w.scalar.size() - 1, embedded);
        worth_.emplace(std::vector<double>(worth.weights.begin(), worth.weights.end()), worth.bias[0], scale);
        worth_unit_ = unit(*worth_);
    }

    const Accumulator& first() const { return first_; }
    int embedding() const { return rounded_up(embedding_, 32); }  // numbers to keep of one, zeros at its end included
    int half() const { return halves_->outputs(); }               // numbers to keep of each half
    bool has_scalar() const { return worth_.has_value(); }

    // From the activations of the first layer, which may be overwritten.
    void embed(Activations& from, Activation* out) const {
        Activations other;
        Activation *in = from.at, *to = other.at;
        for (std::size_t i = 0; i < embed_.size(); ++i) {
            embed_[i](in, i + 1 == embed_.size() ? out : to);
            std::swap(in, to);
        }
        if (embed_.empty()) std::copy_n(from.at, embedding(), out);
    }
    void halves(const Activation* embedding, std::int32_t* as_first, std::int32_t* as_second) const {
        (*halves_)(embedding, as_first, as_second);
    }

    // s(a, b) in units of its own, from the halves of both.
    std::int32_t lead(const std::int32_t* a_first, const std::int32_t* a_second, const std::int32_t* b_first,
                      const std::int32_t* b_second) const {
        Activations forth[2], back[2];
        halves_->join(a_first, b_second, forth[0].at);
        halves_->join(b_first, a_second, back[0].at);
        int now = 0;
        for (const Dense& layer : compare_) {
            layer(forth[now].at, back[now].at, forth[1 - now].at, back[1 - now].at);
            now = 1 - now;
        }
        Activation* const difference = forth[now].at;
        for (int i = 0; i < lead_->size(); ++i)
            difference[i] = static_cast<Activation>(difference[i] - back[now].at[i]);
        return (*lead_)(difference);
    }
    float lead_unit() const { return lead_unit_; }

    // The single number, in units of its own; has_scalar() only.
    std::int64_t worth(const Activation* embedding) const {
        Activations room[2];
        const Activation* in = embedding;
        int now = 0;
        for (const Dense& layer : scalar_) {
            layer(in, room[now].at);
            in = room[now].at;
            now = 1 - now;
        }
        return std::int64_t{(*worth_)(in)} + worth_->bias();
    }
    float worth_unit() const { return worth_unit_; }

  private:
    // The most that the bits of one position can come to: a man on each of 32 squares, and all flags.
    static double most_set(const std::vector<double>& magnitudes) {
        std::array<double, 64> square{};
        double total = 0;
        for (int i = 0; i < encoders::chess_bits; ++i) {
            const double m = magnitudes[static_cast<std::size_t>(i)];
            if (i >= encoders::white_moves_bit)
                total += m;
            else
                square[static_cast<std::size_t>(i % 64)] = std::max(square[static_cast<std::size_t>(i % 64)], m);
        }
        std::sort(square.begin(), square.end(), std::greater<>());
        for (std::size_t i = 0; i < 32; ++i) total += square[i];
        return total;
    }

    // What one of its whole numbers is of a logit; 2^31 of them must still be a number.
    static float unit(const Dot& last) {
        if (!(last.scale() > 1e-25)) throw BadOption("the weights are too large: their logits mean nothing");
        return static_cast<float>(1 / last.scale());
    }

    static double add_layers(std::vector<Dense>& to, const std::vector<FloatLayer>& layers,
                             const std::vector<float>& ranges, std::size_t from, std::size_t end, double scale) {
        for (std::size_t i = from; i < end; ++i) {
            to.emplace_back(layers[i], scale, ranges[i]);
            scale = to.back().scale();
        }
        return scale;
    }

    static void check(const DeepChessWeights& w) {
        if (w.embed.empty()) throw BadOption("embed must have a layer");
        const int embedding = w.embed.back().outputs;
        check("embed", w.embed, encoders::chess_bits, embedding, w.embed_ranges, w.embed.size());
        if (w.compare.size() < 2) throw BadOption("compare must have a hidden layer");
        check("compare", w.compare, 2 * embedding, 2, w.compare_ranges, w.compare.size() - 1);
        if (!w.scalar.empty()) check("scalar", w.scalar, embedding, 1, w.scalar_ranges, w.scalar.size() - 1);
    }
    static void check(const std::string& name, const std::vector<FloatLayer>& layers, int inputs, int outputs,
                      const std::vector<float>& ranges, std::size_t hidden) {
        constexpr std::size_t most_layers = 8;
        if (layers.size() > most_layers)
            throw BadOption(name + " must have at most 8 layers (got " + std::to_string(layers.size()) + ")");
        for (const FloatLayer& layer : layers) {
            if (layer.inputs != inputs)
                throw BadOption("a layer of " + name + " must have " + std::to_string(inputs) + " inputs (got " +
                                std::to_string(layer.inputs) + ")");
            if (layer.outputs < 1 || layer.outputs > widest)
                throw BadOption("a layer of " + name + " must have 1 to " + std::to_string(widest) + " units (got " +
                                std::to_string(layer.outputs) + ")");
            inputs = layer.outputs;
        }
        if (layers.back().outputs != outputs)
            throw BadOption(name + " must end in " + std::to_string(outputs) + " units (got " +
                            std::to_string(layers.back().outputs) + ")");
        if (ranges.size() != hidden)
            throw BadOption(name + ".ranges must have " + std::to_string(hidden) + " numbers (got " +
                            std::to_string(ranges.size()) + ")");
        for (const float range : ranges)
            if (!(range >= 0)) throw BadOption(name + ".ranges must be 0 or more (got " + std::to_string(range) + ")");
    }

    Accumulator first_;
    int embedding_;
    std::vector<Dense> embed_, compare_, scalar_;  // without the first of embed and compare, and the last of the heads
    std::optional<Halves> halves_;
    std::optional<Dot> lead_, worth_;
    float lead_unit_ = 1, worth_unit_ = 1;
};

}  // namespace rookery::nets
