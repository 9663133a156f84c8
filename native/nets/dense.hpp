// Dense layers in whole numbers, for networks that a search asks millions of times a second.
//
// An activation is a number from 0 to `top` in 16 bits, a weight has 16 bits, sums have 32. A layer's output is
// (sum + half) >> shift, cut to that range: ReLU, and a ceiling far above what training saw, since searches see more.
// Scales differ by powers of two alone, so the same weights give the same numbers at every processor level. They are
// chosen such that no sum can leave its 32 bits, whatever the weights and activations are; so there is nothing to check
// while a search runs.
//
// Inputs that are 0, after a ReLU half of them or more, are passed over. Of the others two at a time are multiplied, as
// the instruction wants it, their rows of weights interleaved as they are loaded: loading them is what costs most.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/errors.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rookery::nets {

using Activation = std::int16_t;
inline constexpr Activation top = 16383;
inline constexpr int widest = 1024;    // units of a layer
inline constexpr double usual = 2047;  // what the usual range of an activation is scaled to: an eighth of the top

// Room for one layer's activations. Layers write a multiple of 32, the last of them 0.
struct Activations {
    alignas(64) Activation at[widest];
};

constexpr int rounded_up(int count, int to) {
    return (count + to - 1) / to * to;
}

// A layer as it was trained: weights are [outputs][inputs].
struct FloatLayer {
    int inputs = 0, outputs = 0;
    std::vector<float> weights, bias;
    double weight(int out, int in) const {
        return weights[static_cast<std::size_t>(out) * static_cast<std::size_t>(inputs) + static_cast<std::size_t>(in)];
    }
};

// Numbers that begin at a line of the cache.
template <class T>
class Aligned {
  public:
    Aligned() = default;
    explicit Aligned(std::size_t count) : lines_((count * sizeof(T) + 63) / 64) {}
    T* data() { return reinterpret_cast<T*>(lines_.data()); }
    const T* data() const { return reinterpret_cast<const T*>(lines_.data()); }

  private:
    struct alignas(64) Line {
        std::byte bytes[64]{};
    };
    std::vector<Line> lines_;
};

// --- vectors -----------------------------------------------------------------------------------------

// A vector of 32-bit sums, or of pairs of 16-bit numbers. `interleave` makes two vectors of pairs from two rows of 16-bit
// weights, in the order of Columns::place; `add` adds to each sum the products of two pairs.
#if defined(__AVX512BW__)
struct Vector32 {
    static constexpr int lanes = 16;
    __m512i v;
    static Vector32 load(const void* from) { return {_mm512_load_si512(from)}; }
    void store(std::int32_t* to) const { _mm512_store_si512(to, v); }
    static Vector32 all(std::int32_t pair) { return {_mm512_set1_epi32(pair)}; }
    static std::array<Vector32, 2> interleave(Vector32 a, Vector32 b) {
        constexpr __mmask32 every = 0xffffffff;  // GCC takes the plain forms for a use of what was never set
        return {Vector32{_mm512_maskz_unpacklo_epi16(every, a.v, b.v)},
                Vector32{_mm512_maskz_unpackhi_epi16(every, a.v, b.v)}};
    }
    void add(Vector32 a, Vector32 b) { v = _mm512_add_epi32(v, _mm512_madd_epi16(a.v, b.v)); }
    void add(Vector32 other) { v = _mm512_add_epi32(v, other.v); }
    void activate(int shift, Activation* to) const {
        const __m512i moved = _mm512_maskz_sra_epi32(0xffff, v, _mm_cvtsi32_si128(shift));
        const __m256i cut = _mm512_maskz_cvtsepi32_epi16(0xffff, moved);
        _mm256_store_si256(reinterpret_cast<__m256i*>(to),
                           _mm256_min_epi16(_mm256_max_epi16(cut, _mm256_setzero_si256()), _mm256_set1_epi16(top)));
    }
};
#elif defined(__AVX2__)
struct Vector32 {
    static constexpr int lanes = 8;
    __m256i v;
    static Vector32 load(const void* from) { return {_mm256_load_si256(static_cast<const __m256i*>(from))}; }
    void store(std::int32_t* to) const { _mm256_store_si256(reinterpret_cast<__m256i*>(to), v); }
    static Vector32 all(std::int32_t pair) { return {_mm256_set1_epi32(pair)}; }
    static std::array<Vector32, 2> interleave(Vector32 a, Vector32 b) {
        return {Vector32{_mm256_unpacklo_epi16(a.v, b.v)}, Vector32{_mm256_unpackhi_epi16(a.v, b.v)}};
    }
    void add(Vector32 a, Vector32 b) { v = _mm256_add_epi32(v, _mm256_madd_epi16(a.v, b.v)); }
    void add(Vector32 other) { v = _mm256_add_epi32(v, other.v); }
    void activate(int shift, Activation* to) const {
        const __m256i moved = _mm256_sra_epi32(v, _mm_cvtsi32_si128(shift));
        const __m128i cut = _mm_packs_epi32(_mm256_castsi256_si128(moved), _mm256_extracti128_si256(moved, 1));
        _mm_store_si128(reinterpret_cast<__m128i*>(to),
                        _mm_min_epi16(_mm_max_epi16(cut, _mm_setzero_si128()), _mm_set1_epi16(top)));
    }
};
#elif defined(__SSE2__)
struct Vector32 {
    static constexpr int lanes = 4;
    __m128i v;
    static Vector32 load(const void* from) { return {_mm_load_si128(static_cast<const __m128i*>(from))}; }
    void store(std::int32_t* to) const { _mm_store_si128(reinterpret_cast<__m128i*>(to), v); }
    static Vector32 all(std::int32_t pair) { return {_mm_set1_epi32(pair)}; }
    static std::array<Vector32, 2> interleave(Vector32 a, Vector32 b) {
        return {Vector32{_mm_unpacklo_epi16(a.v, b.v)}, Vector32{_mm_unpackhi_epi16(a.v, b.v)}};
    }
    void add(Vector32 a, Vector32 b) { v = _mm_add_epi32(v, _mm_madd_epi16(a.v, b.v)); }
    void add(Vector32 other) { v = _mm_add_epi32(v, other.v); }
    void activate(int shift, Activation* to) const {
        const __m128i moved = _mm_sra_epi32(v, _mm_cvtsi32_si128(shift));
        const __m128i cut = _mm_packs_epi32(moved, moved);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to),
                         _mm_min_epi16(_mm_max_epi16(cut, _mm_setzero_si128()), _mm_set1_epi16(top)));
    }
};
#else
struct Vector32 {
    static constexpr int lanes = 4;
    std::array<std::int32_t, 4> v;
    using Halves = std::array<std::int16_t, 8>;
    static Vector32 load(const void* from) {
        Vector32 found;
        std::memcpy(found.v.data(), from, sizeof found.v);
        return found;
    }
    void store(std::int32_t* to) const { std::memcpy(to, v.data(), sizeof v); }
    static Vector32 all(std::int32_t pair) { return {{pair, pair, pair, pair}}; }
    static std::array<Vector32, 2> interleave(Vector32 a, Vector32 b) {
        const auto x = std::bit_cast<Halves>(a.v), y = std::bit_cast<Halves>(b.v);
        return {Vector32{
                    std::bit_cast<std::array<std::int32_t, 4>>(Halves{x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3]})},
                Vector32{std::bit_cast<std::array<std::int32_t, 4>>(
                    Halves{x[4], y[4], x[5], y[5], x[6], y[6], x[7], y[7]})}};
    }
    void add(Vector32 a, Vector32 b) {
        const auto x = std::bit_cast<Halves>(a.v), y = std::bit_cast<Halves>(b.v);
        for (std::size_t i = 0; i < 4; ++i) v[i] += x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
    }
    void add(Vector32 other) {
        for (std::size_t i = 0; i < 4; ++i) v[i] += other.v[i];
    }
    void activate(int shift, Activation* to) const {
        for (std::size_t i = 0; i < 4; ++i)
            to[i] = static_cast<Activation>(std::clamp<std::int32_t>(v[i] >> shift, 0, top));
    }
};
#endif

// Which of 16 activations are not 0.
inline unsigned occupied(const Activation* of) {
#if defined(__AVX512BW__)
    const __m256i some = _mm256_load_si256(reinterpret_cast<const __m256i*>(of));
    return _mm256_test_epi16_mask(some, some);
#elif defined(__SSE2__)
    const auto empty = [&](int i) {
        return _mm_cmpeq_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(of + i)), _mm_setzero_si128());
    };
    return 0xffff & ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(empty(0), empty(8))));
#else
    unsigned found = 0;
    for (int i = 0; i < 16; ++i) found |= static_cast<unsigned>(of[i] != 0) << i;
    return found;
#endif
}

// --- layers ------------------------------------------------------------------------------------------

// A power of two by which sums may be finer than the activations that come of them, and what these are scaled by. The
// finest that fits: `fits(sums' scale, shift)`. Where none does, activations are made coarser until one does.
struct Scale {
    double out = 1;
    int shift = 0;

    template <class Fits>
    static Scale finest(double wanted, Fits fits) {
        Scale found{wanted, 0};
        while (!fits(found.out, 0))
            if ((found.out /= 2) < 1e-200) throw BadOption("the weights are too large to be made whole numbers");
        while (found.shift < 20 && fits(std::ldexp(found.out, found.shift + 1), found.shift + 1)) ++found.shift;
        return found;
    }
    std::int32_t half() const { return shift > 0 ? 1 << (shift - 1) : 0; }
};

// What activations with this usual range are multiplied by. A layer that was never active has the range 0.
inline double scale_for(double range) {
    return usual / (range > 0 ? range : 1);
}

inline std::int64_t whole(double x) {
    return static_cast<std::int64_t>(std::nearbyint(x));
}

// Whether a row of sums fits: no weight beyond 16 bits, no sum beyond 32, for activations from -most to most.
inline bool fits(const FloatLayer& layer, int row, double in_scale, double sum_scale, std::int64_t extra) {
    const double weight_scale = sum_scale / in_scale;
    double total = std::abs(layer.bias[static_cast<std::size_t>(row)]) * sum_scale + 1 + static_cast<double>(extra);
    for (int i = 0; i < layer.inputs; ++i) {
        const double w = std::abs(layer.weight(row, i)) * weight_scale;
        if (!(w <= 32766)) return false;
        total += (w + 1) * top;
    }
    return total < 2147483647.0;
}

// The matrix of some inputs of a layer, without bias and activation.
class Columns {
  public:
    Columns() = default;
    // The inputs from `first` on, so many.
    Columns(const FloatLayer& layer, int first, int inputs, double weight_scale)
        : inputs_(inputs), outputs_(units(layer)) {
        weights_ = Aligned<std::int16_t>(static_cast<std::size_t>(outputs_) * static_cast<std::size_t>(inputs));
        for (int in = 0; in < inputs; ++in)
            for (int out = 0; out < layer.outputs; ++out)
                weights_.data()[place(in, out)] =
                    static_cast<std::int16_t>(whole(layer.weight(out, first + in) * weight_scale));
    }

    int outputs() const { return outputs_; }
    static int units(const FloatLayer& layer) { return rounded_up(layer.outputs, 32); }

    // finish(sums + weights * in, which of the inputs, first output) for each vector of sums while it is in registers.
    // Several inputs share what it costs to load the weights.
    template <std::size_t Count, class Finish>
    void multiply(const std::array<const Activation*, Count>& in, const std::int32_t* sums, Finish finish) const {
        Occupied set;
        for (int word = 0; word < words(); ++word) {
            set[word] = 0;
            for (int at = 0; at < 64 && 64 * word + at < inputs_; at += 16)
                for (const Activation* each : in)
                    set[word] |= static_cast<std::uint64_t>(occupied(each + 64 * word + at)) << at;
        }
        for (int i = 0; i < blocks(); ++i) {
            const auto [begin, end] = block(i);
            const auto run = [&]<int Rows>() {
                multiply_block<Rows>(weights_.data() + begin * inputs_, in, set, sums + begin,
                                     [&](const Vector32& sum, std::size_t which, int vector) {
                                         finish(sum, which, begin + vector * lanes);
                                     });
            };
            switch ((end - begin) / row) {
                case 1:
                    run.template operator()<1>();
                    break;
                case 2:
                    run.template operator()<2>();
                    break;
                case 3:
                    run.template operator()<3>();
                    break;
                default:
                    run.template operator()<4>();
            }
        }
    }

  private:
    static constexpr int lanes = Vector32::lanes, row = 2 * lanes;  // a vector of weights makes two of pairs
    using Occupied = std::uint64_t[widest / 64];                    // a bit for each input
    int words() const { return (inputs_ + 63) / 64; }

    // As few blocks as can be, of nearly the same size: what registers hold of sums for two inputs.
    static constexpr int most_rows = lanes == 16 ? 4 : 3;
    int blocks() const { return (outputs_ / row + most_rows - 1) / most_rows; }
    std::pair<int, int> block(int i) const {  // outputs from, to
        const int rows = outputs_ / row;
        return {rows * i / blocks() * row, rows * (i + 1) / blocks() * row};
    }
    // In a block input by input. In a row such that interleaving two of them, which 128 bits do by themselves, puts the
    // outputs in their order.
    int place(int in, int out) const {
        int i = 0;
        while (block(i).second <= out) ++i;
        const auto [begin, end] = block(i);
        const int within = (out - begin) % row, half = within / lanes, lane = within % lanes;
        return begin * inputs_ + in * (end - begin) + (out - begin) / row * row + lane / 4 * 8 + half * 4 + lane % 4;
    }

    template <int Rows, std::size_t Count, class Finish>
    void multiply_block(const std::int16_t* weights, const std::array<const Activation*, Count>& in,
                        const Occupied& set, const std::int32_t* sums, Finish finish) const {
        constexpr int stride = Rows * row;
        Vector32 sum[Count][2 * Rows];
        for (std::size_t k = 0; k < Count; ++k)
            for (int i = 0; i < 2 * Rows; ++i) sum[k][i] = Vector32::load(sums + i * lanes);
        for (int word = 0; word < words(); ++word)
            for (std::uint64_t left = set[word]; left; left &= left - 1) {
                // Two at a time; the last one with itself and a 0 where their number is odd.
                const int a = 64 * word + std::countr_zero(left);
                const bool two = (left & (left - 1)) != 0;
                if (two) left &= left - 1;
                const int b = 64 * word + std::countr_zero(left);
                Vector32 times[Count];
                for (std::size_t k = 0; k < Count; ++k)
                    times[k] = Vector32::all(in[k][a] | (two ? static_cast<std::int32_t>(in[k][b]) << 16 : 0));
                for (int i = 0; i < Rows; ++i) {
                    const auto pairs = Vector32::interleave(Vector32::load(weights + a * stride + i * row),
                                                            Vector32::load(weights + b * stride + i * row));
                    for (std::size_t k = 0; k < Count; ++k) {
                        sum[k][2 * i].add(times[k], pairs[0]);
                        sum[k][2 * i + 1].add(times[k], pairs[1]);
                    }
                }
            }
        for (std::size_t k = 0; k < Count; ++k)
            for (int i = 0; i < 2 * Rows; ++i) finish(sum[k][i], k, i);
    }

    int inputs_ = 0, outputs_ = 0;
    Aligned<std::int16_t> weights_;
};

// The bias of a layer as its sums begin with it: rounded, with the half that rounds their shift.
inline Aligned<std::int32_t> bias_of(const FloatLayer& layer, const Scale& scale) {
    Aligned<std::int32_t> found(static_cast<std::size_t>(Columns::units(layer)));
    for (int i = 0; i < layer.outputs; ++i)
        found.data()[i] = static_cast<std::int32_t>(
            whole(layer.bias[static_cast<std::size_t>(i)] * std::ldexp(scale.out, scale.shift)) + scale.half());
    return found;
}

inline Scale scale_of(const FloatLayer& layer, double in_scale, double range) {
    return Scale::finest(scale_for(range), [&](double sum_scale, int shift) {
        for (int row = 0; row < layer.outputs; ++row)
            if (!fits(layer, row, in_scale, sum_scale, 1ll << shift)) return false;
        return true;
    });
}

// A layer with its ReLU.
class Dense {
  public:
    Dense(const FloatLayer& layer, double in_scale, double range)
        : scale_(scale_of(layer, in_scale, range)),
          bias_(bias_of(layer, scale_)),
          columns_(layer, 0, layer.inputs, std::ldexp(scale_.out, scale_.shift) / in_scale) {}

    double scale() const { return scale_.out; }
    void operator()(const Activation* in, Activation* out) const {
        const int shift = scale_.shift;
        columns_.multiply<1>({in}, bias_.data(),
                             [&](const Vector32& sum, auto, int i) { sum.activate(shift, out + i); });
    }
    // The same of two at once.
    void operator()(const Activation* in, const Activation* other_in, Activation* out, Activation* other_out) const {
        const int shift = scale_.shift;
        columns_.multiply<2>({in, other_in}, bias_.data(), [&](const Vector32& sum, std::size_t which, int i) {
            sum.activate(shift, (which == 0 ? out : other_out) + i);
        });
    }

  private:
    Scale scale_;
    Aligned<std::int32_t> bias_;
    Columns columns_;
};

// A layer of two halves, each with inputs of its own, whose sums can be kept: of many pairs that share one half, it is
// multiplied once.
class Halves {
  public:
    Halves(const FloatLayer& layer, double in_scale, double range)
        : scale_(scale_of(layer, in_scale, range)),
          bias_(bias_of(layer, scale_)),
          zero_(static_cast<std::size_t>(Columns::units(layer))) {
        const int inputs = layer.inputs / 2;
        const double weight_scale = std::ldexp(scale_.out, scale_.shift) / in_scale;
        first_ = Columns(layer, 0, inputs, weight_scale);
        second_ = Columns(layer, inputs, inputs, weight_scale);
    }

    double scale() const { return scale_.out; }
    int outputs() const { return first_.outputs(); }
    // The sums of `in` as the first half, bias included, and as the second.
    void operator()(const Activation* in, std::int32_t* as_first, std::int32_t* as_second) const {
        first_.multiply<1>({in}, bias_.data(), [&](const Vector32& sum, auto, int i) { sum.store(as_first + i); });
        second_.multiply<1>({in}, zero_.data(), [&](const Vector32& sum, auto, int i) { sum.store(as_second + i); });
    }
    void join(const std::int32_t* first, const std::int32_t* second, Activation* out) const {
        const int count = outputs(), shift = scale_.shift;
        for (int i = 0; i < count; i += Vector32::lanes) {
            Vector32 sum = Vector32::load(first + i);
            sum.add(Vector32::load(second + i));
            sum.activate(shift, out + i);
        }
    }

  private:
    Scale scale_;
    Aligned<std::int32_t> bias_, zero_;
    Columns first_, second_;
};

// The last layer where one number comes of it: a weighted sum, in units of 1 / scale.
class Dot {
  public:
    Dot(const std::vector<double>& weights, double bias, double in_scale)
        : size_(rounded_up(static_cast<int>(weights.size()), 32)), weights_(static_cast<std::size_t>(size_)) {
        double largest = 0, total = std::abs(bias) * in_scale;
        for (const double w : weights) {
            largest = std::max(largest, std::abs(w));
            total += std::abs(w) * top;
        }
        // Half of what fits, which leaves room for rounding. Weights of 0 are whole numbers in any unit.
        double weight_scale = 1;
        if (largest > 0 || total > 0)
            weight_scale = std::min(largest > 0 ? 32766 / largest : 1e300, (2147483647.0 / 2) / total);
        scale_ = weight_scale * in_scale;
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights_.data()[i] = static_cast<std::int16_t>(whole(weights[i] * weight_scale));
        bias_ = static_cast<std::int32_t>(whole(bias * scale_));
    }

    int size() const { return size_; }  // activations that it reads, a multiple of 32
    double scale() const { return scale_; }
    std::int32_t bias() const { return bias_; }
    // Without the bias; activations may be below 0 here.
    std::int32_t operator()(const Activation* in) const {
        const std::int16_t* weights = weights_.data();
        std::int32_t sum = 0;
        for (int i = 0; i < size_; ++i) sum += in[i] * weights[i];
        return sum;
    }

  private:
    int size_;
    Aligned<std::int16_t> weights_;
    std::int32_t bias_ = 0;
    double scale_ = 1;
};

}  // namespace rookery::nets
