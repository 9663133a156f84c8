// Independent things, each there or not, of which exactly so many were counted: what does that say of each?
//
// The probabilities of the count are the coefficients of a product of small polynomials: elementary symmetric
// polynomials, where each thing counts once.
#pragma once

#include <algorithm>
#include <array>

namespace rookery::belief {

class Exactly {
  public:
    static constexpr int most_things = 40, most_count = 20;

    // Something that is absent with a probability, or there, and then counts 0, 1 or 2. Gives its number; things
    // beyond the most are left out of account.
    int add(float absent, float none, float once, float twice) {
        if (size_ == most_things) return -1;
        things_[static_cast<std::size_t>(size_)] = {absent + none, once, twice};
        return size_++;
    }
    // Afterwards, what is said below counts `n`.
    void count(int n) {
        n_ = std::min(n, most_count);
        before_[0] = after_[static_cast<std::size_t>(size_)] = {1};
        for (int i = 0; i < size_; ++i) before_[at(i + 1)] = times(before_[at(i)], things_[at(i)]);
        for (int i = size_; i-- > 0;) after_[at(i)] = times(after_[at(i + 1)], things_[at(i)]);
    }
    // That exactly n are counted.
    float all() const { return after_[0][at(n_)]; }
    // That the others than thing i count n - own.
    float others(int i, int own) const {
        float total = 0;
        for (int k = 0; k <= n_ - own; ++k) total += before_[at(i)][at(k)] * after_[at(i + 1)][at(n_ - own - k)];
        return total;
    }

  private:
    using Polynomial = std::array<float, most_count + 1>;
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    Polynomial times(const Polynomial& p, const std::array<float, 3>& thing) const {
        Polynomial product{};
        for (int k = 0; k <= n_; ++k)
            product[at(k)] =
                p[at(k)] * thing[0] + (k >= 1 ? p[at(k - 1)] * thing[1] : 0) + (k >= 2 ? p[at(k - 2)] * thing[2] : 0);
        return product;
    }

    int size_ = 0, n_ = 0;
    std::array<std::array<float, 3>, most_things> things_;
    std::array<Polynomial, most_things + 1> before_, after_;
};

}  // namespace rookery::belief
