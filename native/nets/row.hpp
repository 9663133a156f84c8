// Rows of floats as the units of the processor take them: a layer of a small network is one row.
//
// Rows are padded; what lies in the padding never reaches a result. Sums run in the order of the lanes, so
// results are the same on every machine of one processor level, and differ in the last bits between levels.
#pragma once

#include <cstdint>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rookery::nets {

#if defined(__AVX512F__)
inline constexpr int lanes = 16;
#elif defined(__AVX__)
inline constexpr int lanes = 8;
#else
inline constexpr int lanes = 4;
#endif

template <int Count>
struct VectorOf {
    typedef float Floats __attribute__((vector_size(Count * sizeof(float))));
    typedef std::int32_t Whole __attribute__((vector_size(Count * sizeof(float))));
};
using Vector = typename VectorOf<lanes>::Floats;
using WholeVector = typename VectorOf<lanes>::Whole;

constexpr int padded(int count) {
    return (count + 15) / 16 * 16;
}

// Each lane of x, brought between two bounds. Compilers make a compare and a blend of the portable form.
inline Vector clamp(Vector x, float low, float high) {
    const Vector least = Vector{} + low, most = Vector{} + high;
#if defined(__AVX512F__)
    return _mm512_maskz_min_ps(0xffff, _mm512_maskz_max_ps(0xffff, x, least), most);
#elif defined(__AVX__)
    return _mm256_min_ps(_mm256_max_ps(x, least), most);
#elif defined(__SSE2__)
    return _mm_min_ps(_mm_max_ps(x, least), most);
#else
    x = x > least ? x : least;
    return x < most ? x : most;
#endif
}

// a / b, to about 1e-7 of itself, for b from 1 to 1e37: where there is a good first guess, it and one step of
// Newton's are quicker than to divide.
inline Vector divide(Vector a, Vector b) {
#if defined(__AVX512F__)
    const Vector guess = _mm512_maskz_rcp14_ps(0xffff, b);
    return a * (guess * (2.0f - b * guess));
#else
    return a / b;
#endif
}

// Of two vectors in groups of lanes, the sums of the first and the second half of each group: half as many lanes a
// group, twice as many groups.
template <int Group, int... I>
inline Vector halve(Vector a, Vector b, std::integer_sequence<int, I...>) {
    constexpr int half = Group / 2;
    return __builtin_shufflevector(a, b, (I / half * Group + I % half)...) +
           __builtin_shufflevector(a, b, (I / half * Group + half + I % half)...);
}

// The sums of as many vectors as a vector has lanes, in their order.
template <int Count = lanes>
inline Vector sums(const Vector* v) {
    if constexpr (Count == 1) {
        return *v;
    } else {
        constexpr int group = 2 * lanes / Count;
        return halve<group>(sums<Count / 2>(v), sums<Count / 2>(v + Count / 2),
                            std::make_integer_sequence<int, lanes>{});
    }
}

// The sum of all lanes.
template <int Group = lanes>
inline float sum(Vector v) {
    if constexpr (Group == 1)
        return v[0];
    else
        return sum<Group / 2>(halve<Group>(v, v, std::make_integer_sequence<int, lanes>{}));
}

// exp(-x), to about 1e-7 of itself; x is held within 40 of 0, where products of two still fit a float.
[[gnu::always_inline]] inline Vector exp_minus(Vector x) {
    constexpr float bound = 40, log2_e = 1.44269504f;
    constexpr float round = 12582912.0f;  // 1.5 * 2^23: a float this large has no room for a fraction
    const Vector t = clamp(x, -bound, bound) * -log2_e;
    const Vector shifted = t + round;
    const Vector f = t - (shifted - round);
    // 2^f for f in [-1/2, 1/2]: minimax, relative error 7.5e-8.
    Vector p = f * 0.00132764701f + 0.00967554096f;
    p = p * f + 0.0555071346f;
    p = p * f + 0.240221202f;
    p = p * f + 0.693146944f;
    p = p * f + 1.00000012f;
    // The whole part goes straight into the exponent.
    const WholeVector power = reinterpret_cast<WholeVector>(shifted) << 23;
    return reinterpret_cast<Vector>(reinterpret_cast<WholeVector>(p) + power);
}

template <int Size>
struct Row {
    static_assert(Size % 16 == 0);
    typedef float Lane __attribute__((may_alias));
    static constexpr int size = Size, parts = Size / lanes;
    Vector part[parts] = {};

    float operator[](int i) const { return reinterpret_cast<const Lane*>(part)[i]; }
    void set(int i, float value) { reinterpret_cast<Lane*>(part)[i] = value; }

    Row& operator+=(const Row& other) {
        for (int i = 0; i < parts; ++i) part[i] += other.part[i];
        return *this;
    }
    // Adds a multiple of another row.
    void add(const Row& other, float times) {
        for (int i = 0; i < parts; ++i) part[i] += other.part[i] * times;
    }
    // All bits in the lanes where every part is a number no further from 0 than `most`.
    WholeVector within(float most) const {
        WholeVector inside = ~WholeVector{};
        for (const Vector& v : part) inside &= (v <= most) & (v >= -most);
        return inside;
    }
    friend Row operator+(Row a, const Row& b) { return a += b; }
    friend Row operator*(Row a, const Row& b) {
        for (int i = 0; i < parts; ++i) a.part[i] *= b.part[i];
        return a;
    }
    friend Row operator*(Row a, float times) {
        for (int i = 0; i < parts; ++i) a.part[i] *= times;
        return a;
    }
};

template <int Size>
float dot(const Row<Size>& a, const Row<Size>& b) {
    Vector total = a.part[0] * b.part[0];
    for (int i = 1; i < Row<Size>::parts; ++i) total += a.part[i] * b.part[i];
    return sum(total);
}

// The logistic function of each.
template <int Size>
Row<Size> sigmoid(Row<Size> row) {
    for (auto& v : row.part) v = divide(Vector{} + 1.0f, 1.0f + exp_minus(v));
    return row;
}

// dot(weights, sigmoid(row)), two lanes by one division, which is what a sigmoid costs most:
// a / p + b / q = (a q + b p) / (p q). Left unsummed, so that many can be summed together.
template <int Size>
[[gnu::always_inline]] inline Vector weigh_sigmoid(const Row<Size>& weights, const Row<Size>& row) {
    const auto pair = [&](int i) {
        const Vector p = 1.0f + exp_minus(row.part[i]), q = 1.0f + exp_minus(row.part[i + 1]);
        return divide(weights.part[i] * q + weights.part[i + 1] * p, p * q);
    };
    Vector total = pair(0);
    for (int i = 2; i < Row<Size>::parts; i += 2) total += pair(i);
    return total;
}

// row += sum over the first Count of factors[i] * rows[i], by four chains, for each must wait for its last.
template <int Count, int Size, int Factors>
[[gnu::always_inline]] inline void add_all(Row<Size>& row, const Row<Size>* rows, const Row<Factors>& factors) {
    Row<Size> a, b, c;
    int i = 0;
#pragma GCC unroll 16
    for (; i + 4 <= Count; i += 4) {
        row.add(rows[i], factors[i]);
        a.add(rows[i + 1], factors[i + 1]);
        b.add(rows[i + 2], factors[i + 2]);
        c.add(rows[i + 3], factors[i + 3]);
    }
    for (; i < Count; ++i) row.add(rows[i], factors[i]);
    row = (row + a) + (b + c);
}

}  // namespace rookery::nets
