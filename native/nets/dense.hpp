// Dense layers in whole numbers, for networks that a search asks millions of times a second.
//
// An activation is a number from 0 to `top` in 16 bits, a weight has 16 bits, sums have 32. A layer's output is
// (sum + half) >> shift, cut to that range: ReLU, and a ceiling well above what training saw. Scales differ by powers
// of two alone, so the same weights give the same numbers at every processor level. Scales are chosen such that no sum
// can leave its 32 bits, whatever the weights and activations are; so there is nothing to check while a search runs.
//
// Weights lie in blocks of outputs, and in a block by pairs of inputs: what one multiply-add takes. Pairs of inputs that
// are both 0 are passed over; after a ReLU these are many.
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
inline constexpr Activation top = 4095;
inline constexpr int widest = 1024;    // units of a layer
inline constexpr double usual = 2047;  // what the usual range of an activation is scaled to: half of the top

// Room for one layer's activations; what lies beyond its units is 0 up to a multiple of 32.
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

// Two activations as one number.
inline std::int32_t both(const Activation* pair) {
    std::int32_t found;
    std::memcpy(&found, pair, sizeof found);
    return found;
}

// --- vectors of sums ---------------------------------------------------------------------------------

// add(pair, weights) adds to each lane the products of a pair of activations, twice(pair), and a pair of weights.
#if defined(__AVX512BW__)
struct Sums {
    static constexpr int lanes = 16;
    __m512i v;
    static Sums load(const void* from) { return {_mm512_load_si512(from)}; }
    void store(std::int32_t* to) const { _mm512_store_si512(to, v); }
    static Sums twice(const Activation* pair) { return {_mm512_set1_epi32(both(pair))}; }
    void add(Sums pair, Sums weights) { v = _mm512_add_epi32(v, _mm512_madd_epi16(pair.v, weights.v)); }
    void add(Sums other) { v = _mm512_add_epi32(v, other.v); }
    void activate(int shift, Activation* to) const {
        // The masked forms, all lanes of them: GCC takes the plain ones for a use of what was never set.
        const __m512i moved = _mm512_maskz_sra_epi32(0xffff, v, _mm_cvtsi32_si128(shift));
        const __m256i cut = _mm512_maskz_cvtsepi32_epi16(0xffff, moved);
        const __m256i most = _mm256_set1_epi16(top);
        _mm256_store_si256(reinterpret_cast<__m256i*>(to),
                           _mm256_min_epi16(_mm256_max_epi16(cut, _mm256_setzero_si256()), most));
    }
    // Which of 16 pairs have a number other than 0.
    static unsigned occupied(const Activation* pairs) {
        // By halves, as they were stored: a load that spans two stores would wait for both.
        const auto part = [&](int i) {
            const __m256i eight = _mm256_load_si256(reinterpret_cast<const __m256i*>(pairs + 16 * i));
            return static_cast<unsigned>(_mm256_test_epi32_mask(eight, eight));
        };
        return part(0) | part(1) << 8;
    }
};
#elif defined(__AVX2__)
struct Sums {
    static constexpr int lanes = 8;
    __m256i v;
    static const __m256i* as(const void* p) { return static_cast<const __m256i*>(p); }
    static Sums load(const void* from) { return {_mm256_load_si256(as(from))}; }
    void store(std::int32_t* to) const { _mm256_store_si256(reinterpret_cast<__m256i*>(to), v); }
    static Sums twice(const Activation* pair) { return {_mm256_set1_epi32(both(pair))}; }
    void add(Sums pair, Sums weights) { v = _mm256_add_epi32(v, _mm256_madd_epi16(pair.v, weights.v)); }
    void add(Sums other) { v = _mm256_add_epi32(v, other.v); }
    void activate(int shift, Activation* to) const {
        const __m256i moved = _mm256_sra_epi32(v, _mm_cvtsi32_si128(shift));
        const __m128i cut = _mm_packs_epi32(_mm256_castsi256_si128(moved), _mm256_extracti128_si256(moved, 1));
        _mm_store_si128(reinterpret_cast<__m128i*>(to),
                        _mm_min_epi16(_mm_max_epi16(cut, _mm_setzero_si128()), _mm_set1_epi16(top)));
    }
    static unsigned occupied(const Activation* pairs) {
        const auto empty = [&](int i) {
            const __m256i none = _mm256_cmpeq_epi32(_mm256_load_si256(as(pairs + 16 * i)), _mm256_setzero_si256());
            return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(none)));
        };
        return 0xffff & ~(empty(0) | empty(1) << 8);
    }
};
#elif defined(__SSE2__)
struct Sums {
    static constexpr int lanes = 4;
    __m128i v;
    static const __m128i* as(const void* p) { return static_cast<const __m128i*>(p); }
    static Sums load(const void* from) { return {_mm_load_si128(as(from))}; }
    void store(std::int32_t* to) const { _mm_store_si128(reinterpret_cast<__m128i*>(to), v); }
    static Sums twice(const Activation* pair) { return {_mm_set1_epi32(both(pair))}; }
    void add(Sums pair, Sums weights) { v = _mm_add_epi32(v, _mm_madd_epi16(pair.v, weights.v)); }
    void add(Sums other) { v = _mm_add_epi32(v, other.v); }
    void activate(int shift, Activation* to) const {
        const __m128i moved = _mm_sra_epi32(v, _mm_cvtsi32_si128(shift));
        const __m128i cut = _mm_packs_epi32(moved, moved);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to),
                         _mm_min_epi16(_mm_max_epi16(cut, _mm_setzero_si128()), _mm_set1_epi16(top)));
    }
    static unsigned occupied(const Activation* pairs) {
        unsigned found = 0;
        for (int i = 0; i < 4; ++i) {
            const __m128i none = _mm_cmpeq_epi32(_mm_load_si128(as(pairs + 8 * i)), _mm_setzero_si128());
            found |= static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(none))) << (4 * i);
        }
        return 0xffff & ~found;
    }
};
#else
struct Sums {
    static constexpr int lanes = 1;
    std::int32_t v;
    static Sums load(const void* from) {
        Sums found;
        std::memcpy(&found.v, from, sizeof found.v);
        return found;
    }
    void store(std::int32_t* to) const { *to = v; }
    static Sums twice(const Activation* pair) { return load(pair); }
    void add(Sums pair, Sums weights) {
        std::int16_t a[2], w[2];
        std::memcpy(a, &pair.v, sizeof a);
        std::memcpy(w, &weights.v, sizeof w);
        v += a[0] * w[0] + a[1] * w[1];
    }
    void add(Sums other) { v += other.v; }
    void activate(int shift, Activation* to) const {
        *to = static_cast<Activation>(std::clamp<std::int32_t>(v >> shift, 0, top));
    }
    static unsigned occupied(const Activation* pairs) {
        unsigned found = 0;
        for (int i = 0; i < 16; ++i) found |= static_cast<unsigned>(pairs[2 * i] != 0 || pairs[2 * i + 1] != 0) << i;
        return found;
    }
};
#endif

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

// Outputs of some inputs of a layer: its matrix without bias and activation.
class Columns {
  public:
    Columns() = default;
    // The inputs from `first` on, so many.
    Columns(const FloatLayer& layer, int first, int inputs, double weight_scale)
        : outputs_(rounded_up(layer.outputs, 16)), pairs_((inputs + 1) / 2) {
        weights_ = Aligned<std::int16_t>(static_cast<std::size_t>(outputs_) * static_cast<std::size_t>(pairs_) * 2);
        for (int i = 0; i < blocks(); ++i) {
            const auto [begin, end] = block(i);
            for (int out = begin; out < std::min(end, layer.outputs); ++out)
                for (int in = 0; in < inputs; ++in) {
                    const int place = begin * pairs_ * 2 + in / 2 * (end - begin) * 2 + (out - begin) * 2 + in % 2;
                    weights_.data()[place] =
                        static_cast<std::int16_t>(whole(layer.weight(out, first + in) * weight_scale));
                }
        }
    }

    int outputs() const { return outputs_; }  // a multiple of 16

    // finish(sums + weights * in, which of the inputs, first output) for each vector of sums while it is in registers.
    // Several inputs share what it costs to load the weights.
    template <std::size_t Count, class Finish>
    void multiply(const std::array<const Activation*, Count>& in, const std::int32_t* sums, Finish finish) const {
        Occupied occupied;
        for (int word = 0; word < words(); ++word) {
            occupied[word] = 0;
            for (int part = 0; part < 4 && 64 * word + 16 * part < pairs_; ++part)
                for (const Activation* each : in)
                    occupied[word] |= static_cast<std::uint64_t>(Sums::occupied(each + 128 * word + 32 * part))
                                      << (16 * part);
        }
        const std::int16_t* weights = weights_.data();
        for (int i = 0; i < blocks(); ++i) {
            const auto [begin, end] = block(i);
            const auto run = [&]<int Vectors>() {
                multiply_block<Vectors>(weights, in, occupied, sums + begin,
                                        [&](const Sums& sum, std::size_t which, int vector) {
                                            finish(sum, which, begin + vector * Sums::lanes);
                                        });
            };
            switch ((end - begin) / Sums::lanes) {
                case 1:
                    run.template operator()<1>();
                    break;
                case 2:
                    run.template operator()<2>();
                    break;
                case 3:
                    run.template operator()<3>();
                    break;
                case 4:
                    run.template operator()<4>();
                    break;
                case 5:
                    run.template operator()<5>();
                    break;
                case 6:
                    run.template operator()<6>();
                    break;
                case 7:
                    run.template operator()<7>();
                    break;
                default:
                    run.template operator()<8>();
            }
            weights += (end - begin) * pairs_ * 2;
        }
    }

  private:
    using Occupied = std::uint64_t[widest / 128];  // a bit for each pair
    int words() const { return (pairs_ + 63) / 64; }

    // As few blocks as can be, of nearly the same size: what registers hold of sums for two inputs.
    static constexpr int most_vectors = Sums::lanes == 16 ? 8 : 6;
    int blocks() const { return (outputs_ / Sums::lanes + most_vectors - 1) / most_vectors; }
    std::pair<int, int> block(int i) const {  // outputs from, to
        const int vectors = outputs_ / Sums::lanes;
        return {vectors * i / blocks() * Sums::lanes, vectors * (i + 1) / blocks() * Sums::lanes};
    }

    template <int Vectors, std::size_t Count, class Finish>
    void multiply_block(const std::int16_t* weights, const std::array<const Activation*, Count>& in,
                        const Occupied& occupied, const std::int32_t* sums, Finish finish) const {
        constexpr int stride = Vectors * Sums::lanes * 2;
        Sums sum[Count][Vectors];
        for (std::size_t k = 0; k < Count; ++k)
            for (int i = 0; i < Vectors; ++i) sum[k][i] = Sums::load(sums + i * Sums::lanes);
        for (int word = 0; word < words(); ++word)
            for (std::uint64_t left = occupied[word]; left; left &= left - 1) {
                const int pair = 64 * word + std::countr_zero(left);
                const std::int16_t* row = weights + pair * stride;
                Sums times[Count];
                for (std::size_t k = 0; k < Count; ++k) times[k] = Sums::twice(in[k] + 2 * pair);
                for (int i = 0; i < Vectors; ++i) {
                    const Sums weight = Sums::load(row + i * Sums::lanes * 2);
                    for (std::size_t k = 0; k < Count; ++k) sum[k][i].add(times[k], weight);
                }
            }
        for (std::size_t k = 0; k < Count; ++k)
            for (int i = 0; i < Vectors; ++i) finish(sum[k][i], k, i);
    }

    int outputs_ = 0, pairs_ = 0;
    Aligned<std::int16_t> weights_;
};

// The bias of a layer as its sums begin with it: rounded, with the half that rounds their shift.
inline Aligned<std::int32_t> bias_of(const FloatLayer& layer, const Scale& scale) {
    Aligned<std::int32_t> found(static_cast<std::size_t>(rounded_up(layer.outputs, 16)));
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

// Writes zeros behind the activations of a layer, up to where the next one reads.
inline void pad(Activation* out, int units) {
    for (int i = units; i % 32 != 0; ++i) out[i] = 0;
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
        columns_.multiply<1>({in}, bias_.data(), [&](const Sums& sum, auto, int i) { sum.activate(shift, out + i); });
        pad(out, columns_.outputs());
    }
    // The same of two at once.
    void operator()(const Activation* in, const Activation* other_in, Activation* out, Activation* other_out) const {
        const int shift = scale_.shift;
        columns_.multiply<2>({in, other_in}, bias_.data(), [&](const Sums& sum, std::size_t which, int i) {
            sum.activate(shift, (which == 0 ? out : other_out) + i);
        });
        pad(out, columns_.outputs());
        pad(other_out, columns_.outputs());
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
          zero_(static_cast<std::size_t>(rounded_up(layer.outputs, 16))) {
        const int inputs = layer.inputs / 2;
        const double weight_scale = std::ldexp(scale_.out, scale_.shift) / in_scale;
        first_ = Columns(layer, 0, inputs, weight_scale);
        second_ = Columns(layer, inputs, inputs, weight_scale);
    }

    double scale() const { return scale_.out; }
    int outputs() const { return first_.outputs(); }
    // The sums of `in` as the first half, bias included, and as the second.
    void operator()(const Activation* in, std::int32_t* as_first, std::int32_t* as_second) const {
        first_.multiply<1>({in}, bias_.data(), [&](const Sums& sum, auto, int i) { sum.store(as_first + i); });
        second_.multiply<1>({in}, zero_.data(), [&](const Sums& sum, auto, int i) { sum.store(as_second + i); });
    }
    void join(const std::int32_t* first, const std::int32_t* second, Activation* out) const {
        const int count = outputs(), shift = scale_.shift;
        for (int i = 0; i < count; i += Sums::lanes) {
            Sums sum = Sums::load(first + i);
            sum.add(Sums::load(second + i));
            sum.activate(shift, out + i);
        }
        pad(out, count);
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
