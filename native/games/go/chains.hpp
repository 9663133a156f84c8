// The stones of a board of any size. Each chain is a ring of points with one of them as its head, and each
// head counts the pseudo-liberties of its chain: the pairs of a stone and an empty point next to each other.
// They are cheap to keep up, and enough to tell whether a chain has no liberty, or none but a given point.
#pragma once

#include <utility>

#include "games/go/grid.hpp"

namespace rookery::go {

template <int N>
class Chains {
  public:
    using G = Grid<N>;
    using Bits = typename G::Bits;

    Chains() { colour_.fill(nobody); }

    const Bits& stones(int side) const { return stones_[index(side)]; }
    Bits empty() const { return G::all & ~(stones_[0] | stones_[1]); }

    // Every point where a side may put a stone, ko aside.
    Bits legal(int side) const {
        const Bits open = empty();
        Bits points = open & G::neighbours(open);
        each(open & ~points, [&](int p) {
            if (breathes(p, side)) points |= G::bit(p);
        });
        return points;
    }

    // Where a stone of that side would take something, the ko point aside.
    Bits takes(int side) const {
        Bits points{};
        each(empty(), [&](int p) {
            if (captures(p, side)) points |= G::bit(p);
        });
        return points;
    }

    // What a stone of that side on an empty point takes.
    Bits captures(int point, int side) const {
        Bits captured{};
        for (const Point q : around(point))
            if (colour_[q] == 1 - side && !G::has(captured, q) && lives_on(q, point))
                for_chain(q, [&](Point p) { captured |= G::bit(p); });
        return captured;
    }

    // Puts a stone on an empty point and gives what it took; suicide gives false and changes nothing.
    bool play(int point, int side, Bits& captured) {
        if (!breathes(point, side)) return false;
        captured = Bits{};
        const Point stone = static_cast<Point>(point);
        int open = 0;
        for (const Point q : around(point)) {
            if (colour_[q] == nobody)
                ++open;
            else
                --pseudo_[head_[q]];
        }
        stones_[index(side)] |= G::bit(point);
        colour_[stone] = static_cast<std::uint8_t>(side);
        head_[stone] = next_[stone] = stone;
        pseudo_[stone] = static_cast<Count>(open);
        size_[stone] = 1;
        for (const Point q : around(point)) {
            if (colour_[q] == side)
                join(head_[stone], head_[q]);
            else if (colour_[q] != nobody && pseudo_[head_[q]] == 0)
                lift(q, captured);
        }
        stones_[index(1 - side)] ^= captured;
        return true;
    }

  private:
    using Point = std::conditional_t<(G::points <= 255), std::uint8_t, std::uint16_t>;
    using Count = std::conditional_t<(2 * N * (N - 1) <= 255), std::uint8_t, std::uint16_t>;  // to all pairs

    // The neighbours of a point, as a range.
    class Around {
      public:
        constexpr const Point* begin() const { return points.data(); }
        constexpr const Point* end() const { return points.data() + size; }
        std::array<Point, 4> points;
        std::uint8_t size;
    };

    // Whether a stone of that side on an empty point would have a liberty in the end.
    bool breathes(int point, int side) const {
        for (const Point q : around(point))
            if (colour_[q] == nobody || lives_on(q, point) != (colour_[q] == side)) return true;
        return false;
    }

    // Whether the chain of the stone q, next to an empty point, has no other liberty.
    bool lives_on(Point q, int point) const {
        int here = 0;
        for (const Point r : around(point)) here += colour_[r] != nobody && head_[r] == head_[q];
        return pseudo_[head_[q]] == here;
    }

    template <class F>
    void for_chain(Point q, F&& f) const {
        Point p = q;
        do f(p);
        while ((p = next_[p]) != q);
    }

    void join(Point a, Point b) {
        if (a == b) return;
        if (size_[a] < size_[b]) std::swap(a, b);
        pseudo_[a] = static_cast<Count>(pseudo_[a] + pseudo_[b]);
        size_[a] = static_cast<Count>(size_[a] + size_[b]);
        for_chain(b, [&](Point p) { head_[p] = a; });
        std::swap(next_[a], next_[b]);
    }

    // Takes off a chain without liberties: all its neighbours are stones, or points of its own, whose count
    // nobody will ask for again.
    void lift(Point q, Bits& captured) {
        for_chain(q, [&](Point p) {
            captured |= G::bit(p);
            colour_[p] = nobody;
            for (const Point r : around(p)) ++pseudo_[head_[r]];
        });
    }

    static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
    static const Around& around(int point) { return neighbours_[index(point)]; }

    static constexpr std::array<Around, G::points> neighbours_ = [] {
        std::array<Around, G::points> table{};
        for (int p = 0; p < G::points; ++p) {
            Around& a = table[index(p)];
            const auto add = [&](int q) { a.points[a.size++] = static_cast<Point>(q); };
            if (p >= N) add(p - N);
            if (p % N > 0) add(p - 1);
            if (p % N < N - 1) add(p + 1);
            if (p < N * (N - 1)) add(p + N);
        }
        return table;
    }();

    static constexpr std::uint8_t nobody = 2;
    std::array<Bits, 2> stones_{};
    std::array<std::uint8_t, G::points> colour_;
    std::array<Point, G::points> head_{}, next_{};    // of stones only
    std::array<Count, G::points> pseudo_{}, size_{};  // of heads only
};

}  // namespace rookery::go
