#include "games/go/ownership.hpp"

#include <algorithm>
#include <array>

#include "core/rng.hpp"
#include "games/go/benson.hpp"

namespace rookery::go {
namespace {

constexpr std::uint8_t nobody = 2, border = 3;

// A board with a border. Each chain is a ring of stones with one of them as its head; a head counts the
// pseudo-liberties of its chain and keeps their sum and sum of squares, which tell whether all are one point.
class Yard {
  public:
    explicit Yard(const Diagram& d) : size_(d.size), width_(d.size + 1) {
        colour_.fill(border);
        for (int r = 0; r < size_; ++r)
            for (int c = 0; c < size_; ++c) {
                const int p = place(size_ * r + c);
                colour_[at(p)] = nobody;
                index_[at(p)] = static_cast<std::int16_t>(empties_count_);
                empties_[at(empties_count_++)] = static_cast<std::int16_t>(p);
            }
        for (int i = 0; i < size_ * size_; ++i)
            if (d.points[at(i)] != Diagram::none) put(place(i), d.points[at(i)]);
        ko_ = d.ko < 0 ? -1 : place(d.ko);
        for (int i = 0; i < size_ * size_; ++i) first_[at(place(i))] = colour_[at(place(i))] < nobody;
    }

    // One game to its end.
    void play_out(int side, Rng& rng) {
        const int longest = 3 * size_ * size_;
        int passes = 0, last = -1;
        for (int ply = 0; ply < longest && passes < 2; ++ply, side ^= 1) {
            int move = last >= 0 ? urgent(last, side, rng) : -1;
            if (move < 0) move = any(side, rng);
            if (move < 0) {
                ++passes;
                ko_ = -1;
            } else {
                passes = 0;
                put(move, side);
            }
            last = move;
        }
    }

    // Whose a point is at the end: its stone's, or that of the stones around it.
    int owner(int point) const {
        const int p = place(point);
        if (colour_[at(p)] != nobody) return colour_[at(p)];
        int found = nobody;
        for (const int q : around(p)) {
            const int c = colour_[at(q)];
            if (c >= nobody) continue;
            if (found != nobody && found != c) return nobody;
            found = c;
        }
        return found;
    }
    bool kept(int point) const { return first_[at(place(point))]; }

  private:
    static constexpr int room = 21 * 20 + 2;  // a border all round, shared by neighbouring rows
    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
    int place(int point) const { return width_ * (point / size_ + 1) + point % size_ + 1; }
    std::array<int, 4> around(int p) const { return {p - width_, p - 1, p + 1, p + width_}; }

    bool in_atari(int stone) const {
        const int h = head_[at(stone)];
        return libs_[at(h)] * squares_[at(h)] == sum_[at(h)] * sum_[at(h)];
    }
    int liberty(int stone) const {  // of a chain in atari
        const int h = head_[at(stone)];
        return static_cast<int>(sum_[at(h)] / libs_[at(h)]);
    }

    void gain(int stone, int p) {
        const auto h = at(head_[at(stone)]);
        ++libs_[h];
        sum_[h] += p;
        squares_[h] += std::int64_t{p} * p;
    }
    void lose(int stone, int p) {
        const auto h = at(head_[at(stone)]);
        --libs_[h];
        sum_[h] -= p;
        squares_[h] -= std::int64_t{p} * p;
    }

    // A stone on an empty point where it is legal.
    void put(int p, int side) {
        const int last = empties_[at(--empties_count_)], hole = index_[at(p)];
        empties_[at(hole)] = static_cast<std::int16_t>(last);
        index_[at(last)] = static_cast<std::int16_t>(hole);
        colour_[at(p)] = static_cast<std::uint8_t>(side);
        head_[at(p)] = next_[at(p)] = static_cast<std::int16_t>(p);
        count_[at(p)] = 1;
        libs_[at(p)] = 0;
        sum_[at(p)] = squares_[at(p)] = 0;
        for (const int q : around(p)) {
            if (colour_[at(q)] == nobody)
                gain(p, q);
            else if (colour_[at(q)] != border && q != p)
                lose(q, p);
        }
        for (const int q : around(p))
            if (colour_[at(q)] == side) join(p, q);
        int taken = 0, where = -1;
        for (const int q : around(p))
            if (colour_[at(q)] == 1 - side && libs_[at(head_[at(q)])] == 0) {
                taken += lift(q);
                where = q;
            }
        const int h = head_[at(p)];
        ko_ = taken == 1 && count_[at(h)] == 1 && libs_[at(h)] == 1 ? where : -1;
    }

    void join(int a, int b) {
        a = head_[at(a)];
        b = head_[at(b)];
        if (a == b) return;
        if (count_[at(a)] < count_[at(b)]) std::swap(a, b);
        libs_[at(a)] += libs_[at(b)];
        sum_[at(a)] += sum_[at(b)];
        squares_[at(a)] += squares_[at(b)];
        count_[at(a)] = static_cast<std::int16_t>(count_[at(a)] + count_[at(b)]);
        for (int p = b;;) {
            head_[at(p)] = static_cast<std::int16_t>(a);
            p = next_[at(p)];
            if (p == b) break;
        }
        std::swap(next_[at(a)], next_[at(b)]);
    }

    int lift(int stone) {
        int taken = 0;
        for (int p = stone;;) {
            colour_[at(p)] = nobody;
            first_[at(p)] = false;
            index_[at(p)] = static_cast<std::int16_t>(empties_count_);
            empties_[at(empties_count_++)] = static_cast<std::int16_t>(p);
            ++taken;
            for (const int q : around(p))
                if (colour_[at(q)] < nobody) gain(q, p);
            p = next_[at(p)];
            if (p == stone) break;
        }
        return taken;
    }

    // What the stone there, once put, would be: illegal, or how its chain would stand.
    struct Prospect {
        bool legal = false, captures = false;
        int liberties = 0;  // 2 stands for more
        int stones = 1;
    };
    Prospect look(int p, int side) const {
        Prospect found;
        if (p == ko_) return found;
        std::array<int, 2> seen{-1, -1};
        const auto add = [&](int q) {
            if (found.liberties < 2 && q != seen[0]) seen[at(found.liberties++)] = q;
        };
        std::array<int, 4> heads{};
        int chains = 0;
        for (const int q : around(p)) {
            const int c = colour_[at(q)];
            if (c == nobody)
                add(q);
            else if (c == border)
                continue;
            else if (c == 1 - side) {
                if (in_atari(q)) found.captures = found.legal = true;
            } else {
                const int h = head_[at(q)];
                if (std::find(heads.begin(), heads.begin() + chains, h) != heads.begin() + chains) continue;
                heads[at(chains++)] = h;
                found.stones += count_[at(h)];
                // The chain's liberties other than p: none, one point, or several.
                std::int64_t libs = libs_[at(h)], sum = sum_[at(h)], squares = squares_[at(h)];
                for (const int r : around(p))
                    if (colour_[at(r)] == side && head_[at(r)] == h) {
                        --libs;
                        sum -= p;
                        squares -= std::int64_t{p} * p;
                    }
                if (libs == 0) continue;
                if (libs * squares == sum * sum)
                    add(static_cast<int>(sum / libs));
                else
                    found.liberties = 2;
            }
        }
        found.legal = found.legal || found.liberties > 0;
        return found;
    }

    // All around are own stones, and the corners are too few for the other side to make it false.
    bool own_eye(int p, int side) const {
        for (const int q : around(p))
            if (colour_[at(q)] != side && colour_[at(q)] != border) return false;
        int others = 0, edge = 0;
        for (const int q : {p - width_ - 1, p - width_ + 1, p + width_ - 1, p + width_ + 1}) {
            others += colour_[at(q)] == 1 - side;
            edge |= colour_[at(q)] == border;
        }
        return others + edge < 2;
    }

    // Whether a chain that a stone on p completes would, once taken, leave a shape in which the taker cannot
    // make two eyes: three points or fewer, or a few shapes of four, five and six.
    bool kills(int p, int side, int stones) const {
        if (stones <= 3) return true;
        if (stones > 6) return false;
        std::array<int, 6> shape{p};
        int count = 1;
        for (int i = 0; i < count; ++i)
            for (const int q : around(shape[at(i)]))
                if (colour_[at(q)] == side &&
                    std::find(shape.begin(), shape.begin() + count, q) == shape.begin() + count) {
                    if (count == 6) return false;
                    shape[at(count++)] = q;
                }
        std::array<int, 5> degrees{};
        for (int i = 0; i < count; ++i) {
            int near = 0;
            for (const int q : around(shape[at(i)]))
                near += std::find(shape.begin(), shape.begin() + count, q) != shape.begin() + count;
            ++degrees[at(near)];
        }
        if (count == 4) return degrees[3] == 1 || degrees[2] == 4;
        if (count == 5) return degrees[4] == 1 || (degrees[3] == 1 && degrees[2] == 3);
        return degrees[4] == 1 && degrees[2] == 3;
    }

    bool sensible(int p, int side) const {
        if (own_eye(p, side)) return false;
        const Prospect to = look(p, side);
        if (!to.legal) return false;
        return to.captures || to.liberties > 1 || kills(p, side, to.stones);
    }

    // Takes what the last stone left in atari, or saves what it put there.
    int urgent(int last, int side, Rng& rng) const {
        if (colour_[at(last)] == 1 - side && in_atari(last)) {
            const int p = liberty(last);
            if (look(p, side).legal) return p;
        }
        for (const int q : around(last)) {
            if (colour_[at(q)] != side || !in_atari(q)) continue;
            if (rng.below(8) == 0) continue;
            const int p = liberty(q);
            const Prospect to = look(p, side);
            if (to.legal && (to.captures || to.liberties > 1)) return p;
        }
        return -1;
    }

    int any(int side, Rng& rng) const {
        if (empties_count_ == 0) return -1;
        const int begin = static_cast<int>(rng.below(static_cast<std::uint32_t>(empties_count_)));
        const bool down = rng.below(2) == 0;
        for (int i = 0, k = begin; i < empties_count_; ++i) {
            const int p = empties_[at(k)];
            if (sensible(p, side)) return p;
            if (down)
                k = k == 0 ? empties_count_ - 1 : k - 1;
            else
                k = k == empties_count_ - 1 ? 0 : k + 1;
        }
        return -1;
    }

    int size_, width_, empties_count_ = 0, ko_ = -1;
    std::array<std::uint8_t, room> colour_;
    std::array<bool, room> first_{};  // whether the stone of the first position still stands
    std::array<std::int16_t, room> head_{}, next_{}, count_{}, index_{}, empties_{};
    std::array<std::int64_t, room> libs_{}, sum_{}, squares_{};
};

template <int N>
Life life_on(const Diagram& d) {
    using G = Grid<N>;
    typename G::Bits stones[2]{};
    for (int p = 0; p < G::points; ++p) {
        const int side = d.points[static_cast<std::size_t>(p)];
        if (side != Diagram::none) stones[side] |= G::bit(p);
    }
    Life found;
    for (int side : {0, 1}) {
        Benson<N> benson(stones[side]);
        const auto secure = benson.secure(G::all & ~(stones[0] | stones[1]));
        each(secure, [&](int p) { found.secure[side].push_back(p); });
        each(benson.alive(), [&](int p) { found.alive[side].push_back(p); });
    }
    return found;
}

}  // namespace

Ownership ownership(const Diagram& diagram, int playouts, std::uint64_t seed, int first, Poll& poll) {
    const Yard start(diagram);
    const int points = diagram.size * diagram.size;
    const auto room = static_cast<std::size_t>(points);
    Ownership total{playouts, std::vector<int>(room), std::vector<int>(room), std::vector<int>(room)};
    const bool given = diagram.options.scoring == Scoring::area && diagram.options.dead == Dead::agreed;
    const int komi = diagram.options.komi + (given ? 2 * diagram.options.handicap : 0);
    std::int64_t sum = 0, halves = 0;
    for (int game = 0; game < playouts; ++game) {
        poll.step(64);
        Rng rng(mix(seed) + static_cast<std::uint64_t>(game));
        Yard yard = start;
        yard.play_out(first < 0 ? game & 1 : first, rng);
        int margin = -komi;
        for (int p = 0; p < points; ++p) {
            const auto i = static_cast<std::size_t>(p);
            const int owner = yard.owner(p);
            total.black[i] += owner == 0;
            total.white[i] += owner == 1;
            total.kept[i] += yard.kept(p);
            margin += owner == 0 ? 2 : owner == 1 ? -2 : 0;
        }
        sum += margin;
        halves += margin > 0 ? 2 : margin == 0;
    }
    total.black_wins = static_cast<int>(halves / 2);
    total.margin = playouts > 0 ? static_cast<double>(sum) / (2.0 * playouts) : 0.0;
    return total;
}

Life life(const Diagram& diagram) {
    switch (diagram.size) {
#define ROOKERY_GO_LIFE(N) \
    case N:                \
        return life_on<N>(diagram);
        ROOKERY_GO_SIZES(ROOKERY_GO_LIFE)
    }
    return {};
}

}  // namespace rookery::go
