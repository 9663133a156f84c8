#include "evaluators/duchess.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace rookery::duchess {
namespace {

template <int Players>
using Distances = std::array<std::array<std::uint8_t, Board<Players>::squares>, Board<Players>::squares>;

template <int Players>
Distances<Players> measure() {
    Distances<Players> steps{};
    for (Square from = 0; from < Board<Players>::squares; ++from) {
        auto seen = Board<Players>::Set::of(from), edge = seen;
        for (std::uint8_t n = 1; edge; ++n) {
            auto next = typename Board<Players>::Set();
            edge.each([&](Square s) { next |= board<Players>().from(s).beside; });
            edge = next - seen;
            seen |= edge;
            edge.each([&](Square s) { steps[static_cast<std::size_t>(from)][static_cast<std::size_t>(s)] = n; });
        }
    }
    return steps;
}

template <int Players>
const Distances<Players> distances = measure<Players>();

}  // namespace

template <int Players>
int steps_between(Square a, Square b) {
    return distances<Players>[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}
template int steps_between<4>(Square, Square);
template int steps_between<6>(Square, Square);

}  // namespace rookery::duchess

namespace rookery::evaluators {

using namespace duchess;

namespace {

constexpr std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}
constexpr int code(Man m) {
    return seat_of(m) * kinds + kind_of(m);
}

}  // namespace

// Rows added and taken away. The sum lies in a register until the end.
template <int Players>
class DuchessLinear<Players>::Tally {
  public:
    Tally(const Phase& phase, const Node& node) : phase_(phase) { std::memcpy(&sum_, node.sum.data(), sizeof sum_); }
    void keep(Node& node) const { std::memcpy(node.sum.data(), &sum_, sizeof sum_); }

    template <int Sign>
    void stand(Man m, Square s) {
        add<Sign>(phase_.stands[at(code(m) * Board<Players>::squares + s)]);
    }
    template <int Sign>
    void attack(Man m, Mode mode, Man target) {
        add<Sign>(phase_.attacks[at((seat_of(m) * modes + mode) * Players * kinds + code(target))]);
    }

    // Adds or takes away all attacks from and on a man. `Through`: what attacks through its square comes (1) or
    // goes (-1), because the square is emptied or filled; 0 where somebody else stands there.
    template <int Sign, int Through>
    void meet(const Position& p, Square s, Man man) {
        const auto& b = board<Players>();
        const auto& r = b.from(s);
        const Kind kind = kind_of(man);
        const typename Position::Set all = p.occupied();
        if (const Mode mode = near_mode[kind]; mode != no_mode) {
            const auto& near = kind == pawn ? r.corners : kind == king || kind == wizard ? r.beside : r.leaps;
            (near & all).each([&](Square t) { attack<Sign>(man, mode, p.at(t)); });
        }
        const auto attackers =
            (r.beside & p.movers(steps)) | (r.corners & p.movers(pawn_steps)) | (r.leaps & p.movers(leaps));
        attackers.each([&](Square t) { attack<Sign>(p.at(t), near_mode[kind_of(p.at(t))], man); });
        for (const Crossing c : b.straights(s)) along<Sign, Through>(p, c, man, straight_mode);
        for (const Crossing c : b.slants(s)) along<Sign, Through>(p, c, man, slant_mode);
    }

  private:
    template <int Sign, int Through>
    void along(const Position& p, Crossing c, Man man, const std::array<Mode, kinds>& mode_of) {
        const auto [before, behind] = p.neighbours(c);
        const Mode own = mode_of[kind_of(man)];
        Mode first = no_mode, last = no_mode;
        if (before != nowhere) {
            const Man other = p.at(before);
            first = mode_of[kind_of(other)];
            if (own != no_mode) attack<Sign>(man, own, other);
            if (first != no_mode) attack<Sign>(other, first, man);
        }
        if (behind != nowhere) {
            const Man other = p.at(behind);
            last = mode_of[kind_of(other)];
            if (own != no_mode) attack<Sign>(man, own, other);
            if (last != no_mode) attack<Sign>(other, last, man);
        }
        if constexpr (Through != 0)
            if (before != nowhere && behind != nowhere) {
                if (first != no_mode) attack<Through>(p.at(before), first, p.at(behind));
                if (last != no_mode) attack<Through>(p.at(behind), last, p.at(before));
            }
    }

    using Lanes __attribute__((vector_size(4 * lanes))) = std::uint32_t;
    template <int Sign>
    void add(const Row& row) {
        Lanes lanes_;
        std::memcpy(&lanes_, row.data(), sizeof lanes_);
        if constexpr (Sign > 0)
            sum_ += lanes_;
        else
            sum_ -= lanes_;
    }

    const Phase& phase_;
    Lanes sum_;
};

template <int Players>
DuchessLinear<Players>::DuchessLinear(std::vector<float> weights) : weights_(std::move(weights)) {
    const std::size_t one = 2 * at(Features::count);
    if (weights_.size() != one && weights_.size() != 3 * one)
        throw std::invalid_argument("the number of weights must be " + std::to_string(one) + " or " +
                                    std::to_string(3 * one) + " (got " + std::to_string(weights_.size()) + ")");
    phases_.resize(weights_.size() / one);
    refresh();
}

template <int Players>
void DuchessLinear<Players>::refresh() {
    for (std::size_t i = 0; i < phases_.size(); ++i) {
        const float* const odd = weights_.data() + 2 * i * at(Features::count);
        const float* const sets[2] = {odd, odd + Features::count};
        fill(phases_[i], sets);
    }
}

template <int Players>
void DuchessLinear<Players>::fill(Phase& phase, const float* const sets[2]) const {
    // The bound keeps every sum within 32 bits: 90 men, and less than 40 attacks on each.
    const auto whole = [](float w) {
        return static_cast<std::int32_t>(std::lround(std::clamp(w, -16.0f, 16.0f) * unit));
    };
    phase.stands.resize(at(Players * kinds * Board<Players>::squares));
    phase.attacks.resize(at(Players * modes * Players * kinds));
    for (int seat = 0; seat < Players; ++seat)
        for (int k = 0; k < kinds; ++k) {
            const Kind kind = static_cast<Kind>(k);
            for (Square s = 0; s < Board<Players>::squares; ++s) {
                Row& row = phase.stands[at((seat * kinds + k) * Board<Players>::squares + s)];
                for (int looking = 0; looking < Players; ++looking) {
                    const float* w = sets[looking & 1];
                    const int who = Features::player(seat, looking);
                    row[at(looking)] = (who % 2 == 0 ? 1 : -1) * whole(w[Features::material + k]) +
                                       whole(w[Features::square_of(who, kind, board<Players>().seen_by(looking, s))]);
                }
            }
        }
    for (int seat = 0; seat < Players; ++seat)
        for (int m = 0; m < modes; ++m)
            for (int target = 0; target < Players; ++target)
                for (int t = 0; t < kinds; ++t) {
                    Row& row = phase.attacks[at(((seat * modes + m) * Players + target) * kinds + t)];
                    const int split = split_of(static_cast<Mode>(m));
                    for (int looking = 0; looking < Players; ++looking) {
                        const float* w = sets[looking & 1];
                        const int who = Features::player(seat, looking), other = Features::player(target, looking);
                        row[at(looking)] =
                            whole(w[Features::attack_of(who, kind_of_mode[at(m)], other, static_cast<Kind>(t))]) +
                            (split < 0 ? 0 : whole(w[Features::mode_of(who, split, other, static_cast<Kind>(t))]));
                    }
                    row[at(Players + target)] = t == king && side_of(seat) != side_of(target);
                }
    phase.near_king.clear();
    phase.sees_kings = false;
    for (int side = 0; side < 2; ++side) {
        const float* w = sets[side];
        phase.bias[at(side)] = whole(w[Features::bias]);
        for (int n = 0; n <= Players / 2; ++n) {
            phase.wizards[at(side)][at(n)] = 0;
            for (int i = 2; i <= n; ++i) phase.wizards[at(side)][at(n)] += whole(w[Features::wizards + i - 2]);
        }
        for (int who = 0; who < Players; ++who) {
            phase.check[at(side)][at(who)] = whole(w[Features::check + who]);
            phase.mate[at(side)][at(who)] = whole(w[Features::mate + who]);
        }
        for (int i = Features::near_king; i < Features::count; ++i) {
            phase.near_king.push_back(whole(w[i]));
            phase.sees_kings |= phase.near_king.back() != 0;
        }
    }
}

template <int Players>
auto DuchessLinear<Players>::root(const Position& p) const -> Node {
    Node node;
    node.men = p.occupied().count();
    Tally tally(phases_[at(phase(node.men))], node);
    p.occupied().each([&](Square s) {
        tally.template stand<1>(p.at(s), s);
        Features::each_attacked(p, s, [&](Mode mode, Square t) { tally.template attack<1>(p.at(s), mode, p.at(t)); });
    });
    tally.keep(node);
    return node;
}

// The paper's six steps. The sixth, to begin again from nothing when a King is attacked, is not needed: rows count
// the attackers of Kings as they sum up all else.
template <int Players>
auto DuchessLinear<Players>::after(const Node& node, const Position& before, Move m, const Position& after) const
    -> Node {
    if (m == Position::pass) return node;
    const Square from = Position::Moving::from(m), to = Position::Moving::to(m);
    const Man man = before.at(from), taken = before.at(to), put = after.at(to);
    Node next;
    next.men = node.men - (taken != empty);
    const int now = phase(next.men);
    if (now != phase(node.men)) return root(after);
    Tally tally(phases_[at(now)], node);
    tally.template stand<-1>(man, from);
    tally.template stand<1>(put, to);
    tally.template meet<-1, 1>(before, from, man);
    if (taken != empty) {
        tally.template stand<-1>(taken, to);
        tally.template meet<-1, 0>(after, to, taken);
        tally.template meet<1, 0>(after, to, put);
    } else {
        tally.template meet<1, -1>(after, to, put);
    }
    tally.keep(next);
    return next;
}

template <int Players>
search::Value DuchessLinear<Players>::value(const Position& p, const Node& node) const {
    const Phase& now = phases_[at(phase(node.men))];
    const int mover = p.seat(), side = side_of(mover);
    std::int32_t sum = node.sum[at(mover)] + now.bias[at(side)] +
                       now.wizards[at(side)][at(Features::wizards_of(p, side))] -
                       now.wizards[at(side)][at(Features::wizards_of(p, 1 - side))];
    for (int seat = 0; seat < Players; ++seat)
        if (node.sum[at(Players + seat)] != 0) {
            const auto who = at(Features::player(seat, mover));
            sum += now.check[at(side)][who];
            if (!p.can_move(seat)) sum += now.mate[at(side)][who];
        }
    if (now.sees_kings && Features::is_ending(node.men))
        p.occupied().each([&](Square s) {
            const Man man = p.at(s);
            for (int seat = 1 - side_of(seat_of(man)); seat < Players; seat += 2)
                sum += now.near_king[at(side * (Features::count - Features::near_king) - Features::near_king +
                                        Features::near_king_of(Features::player(seat_of(man), mover), kind_of(man),
                                                               Features::player(seat, mover),
                                                               steps_between<Players>(s, p.king_square(seat))))];
        });
    return static_cast<search::Value>(sum) / unit;
}

template class DuchessLinear<4>;
template class DuchessLinear<6>;

}  // namespace rookery::evaluators
