// What our tries lead to and what that is worth: approach C of Ciancarini and Favini (2010, section 5.3), where every
// edge of the tree is evaluated once, as an expectation over the referee's messages.
#pragma once

#include "belief/chances.hpp"
#include "belief/exchange.hpp"

namespace rookery::belief {

// How the enemy answers our moves, as far as approach C's values go.
//
// The paper takes constants: a man of ours that has taken is retaken with one chance, a checking one taken with
// another, and an ordinary move of his takes something with a third, whatever stands where. In games, though, all three
// depend on how many of his men are believed to attack the square (control). `by_control` reads them from it:
//
//   retake = 1 - exp(-retake_rate * control ^ retake_power)        checker = 1 - exp(-checker_rate * control)
//   a man that stands = capture_rate * control ^ capture_power, of each man by itself
//
// and a man that is taken is worth what taking back regains. The rates were fitted to games against
// kriegspiel-minimax (docs/kriegspiel-players.md).
struct Reactions {
    bool by_control = true;
    float retake_rate = 1.05f, retake_power = 1.4f;
    float checker_rate = 0.38f;
    float capture_rate = 0.035f, capture_power = 1.6f;
    float patience = 1;  // how many of his moves a man that stands attacked is charged for

    // Of a man that has taken; `again`: in an exchange that the enemy has begun or gone on with.
    float retake(float control, const Constants& c, bool again) const {
        if (by_control) return 1 - std::exp(-retake_rate * std::pow(std::max(0.0f, control), retake_power));
        return again ? c.retake_again(control) : c.retake;
    }
    float checker(float control, const Constants& c) const {
        return by_control ? 1 - std::exp(-checker_rate * control) : c.take_checker;
    }
    float capture(float control) const {
        return std::min(0.5f, capture_rate * std::pow(std::max(0.0f, control), capture_power));
    }
};

// Of one try: how likely each outcome is, and the value after it.
struct Prospect {
    Chance chance;
    float retaken = 0, checker_taken = 0;  // how likely he takes the man that took, or that gives check
    float take_pawn = 0, take_piece = 0, checks = 0, exposed = 0, quiet = 0;

    // The expectation, given that it is legal.
    float stood() const {
        const float takes = chance.pawn + chance.piece;
        const float silent = chance.pawn_try * exposed + (1 - chance.pawn_try) * quiet;
        return chance.pawn * take_pawn + chance.piece * take_piece +
               (1 - takes) * (chance.check * checks + (1 - chance.check) * silent);
    }
};

inline float balance(const Matrices& m, const Worth& worth) {
    float sum = -(m.pawns * worth.pawn + m.pieces * worth.piece);
    for (std::size_t k = 0; k < 5; ++k) sum += static_cast<float>(chess::count(m.own[k])) * worth.own[k];
    return sum;
}

// All tries that may be legal: slides pass through squares that may be empty, pawns take only while tries are
// announced and promote to a Queen.
inline void likely_moves(const Matrices& m, const Grid& empty, MoveList<512>& list) {
    constexpr float least = 1e-3f;  // of emptiness: below it a line is taken to be blocked
    const Bitboard own = m.men();
    Bitboard blocked = own;
    for (Square s = 0; s < 64; ++s)
        if (empty[s] < least) blocked |= bit(s);
    const int up = m.up();
    const Bitboard last = m.us == chess::white ? chess::rank_8 : chess::rank_1;
    const Bitboard home = m.us == chess::white ? chess::rank_1 << 8 : chess::rank_8 >> 8;
    const auto push = [&](Square from, Square to) {
        list.push(chess::make_move(from, to, bit(to) & last ? static_cast<int>(chess::queen) : 0));
    };
    for (const Square s : each(m.own[chess::pawn])) {
        if (m.tries != 0)
            for (const Square to : each(chess::pawn_attacks(m.us, s) & ~own)) push(s, to);
        if (blocked & bit(s + up)) continue;
        push(s, s + up);
        if ((bit(s) & home) && !(blocked & bit(s + 2 * up))) push(s, s + 2 * up);
    }
    for (int k = chess::knight; k <= chess::king; ++k)
        for (const Square s : each(m.own[static_cast<std::size_t>(k)]))
            for (const Square to : each(chess::piece_attacks(static_cast<Kind>(k), s, blocked) & ~own))
                list.push(chess::make_move(s, to));
    if (!m.castling || m.checks) return;
    const Square king = m.king_square();
    const int base = m.us == chess::white ? 0 : 56;
    if ((m.castling & 1) && !(blocked & (0x60ull << base))) list.push(chess::make_move(king, king + 2));
    if ((m.castling & 2) && !(blocked & (0x0eull << base))) list.push(chess::make_move(king, king - 2));
}

inline float pawn_control(const Matrices& m, Square s) {
    float sum = 0;
    for (const Square p : each(chess::pawn_attacks(m.us, s))) sum += m.pawn[p];
    return sum;
}

// That a man of ours is taken where it stands, by an ordinary move, and what that costs: itself, less what we take back.
struct Peril {
    float chance = 0, loss = 0;
};
// A man of this worth on `s`, who comes from `from`.
inline Peril peril_of(const Matrices& m, const Grid& control, Square s, Square from, float worth, const Worth& values,
                      const Reactions& reactions) {
    const float lambda = control[s];
    if (lambda < 1e-3f) return {};
    const float share = std::min(1.0f, pawn_control(m, s) / lambda);
    const float taker = share * values.pawn + (1 - share) * values.piece;
    const float back = regain(attack(m, s, bit(from) | bit(s), values), taker, taker, lambda);
    return {reactions.capture(lambda), std::max(0.0f, worth - back)};
}

class Appraiser {
  public:
    // beyond: what the position is worth besides the balance of men.
    Appraiser(const Matrices& m, const Constants& constants, const Worth& worth, const Reactions& reactions,
              float beyond = 0)
        : m_(m),
          c_(constants),
          worth_(worth),
          reactions_(reactions),
          chances_(m, constants),
          balance_(balance(m, worth) + beyond) {
        for (std::size_t k = 0; k < 5; ++k)
            for (const Square s : each(m.own[k])) {
                if (reactions.by_control) {
                    feared_ += fear_[s] = fear(s, s, worth.own[k]);
                    continue;
                }
                exposure_ += control(s);
                exposed_worth_ += control(s) * worth.own[k];
            }
    }

    const Chances& chances() const { return chances_; }
    float balance_now() const { return balance_; }
    float control(Square s) const { return chances_.control()[s]; }

    Prospect of(Move move) const {
        const Square from = chess::from_of(move), to = chess::to_of(move);
        const auto kind = static_cast<std::size_t>(m_.kind_at(from));
        const bool promotes = chess::promotion_of(move) != 0;
        const float mover = promotes ? worth_.own[chess::queen] : worth_.own[kind];
        const bool king = kind == chess::king;
        Prospect o;
        o.chance = chances_.of(move);
        const float now = balance_ + (promotes ? worth_.own[chess::queen] - worth_.own[chess::pawn] : 0.0f);

        if (reactions_.by_control) {
            o.quiet = now - (feared_ - fear_[from] + (king ? 0.0f : fear(to, from, mover)));
        } else {
            // An ordinary move of his takes something of ours with a fixed chance, the more exposed the likelier.
            const float here = king ? 0.0f : control(from), there = king ? 0.0f : control(to);
            const float exposure = exposure_ - here + there;
            const float worth = exposed_worth_ - here * worth_.own[kind] + there * mover;
            o.quiet = now - (exposure > 1e-6f ? c_.suffer * worth / exposure : 0.0f);
        }

        const float takes = o.chance.pawn + o.chance.piece;
        o.take_pawn = now + worth_.pawn, o.take_piece = now + worth_.piece;
        o.checks = o.exposed = now;
        const float lambda = control(to);
        o.retaken = reactions_.retake(lambda, c_, to == m_.exchange);
        o.checker_taken = reactions_.checker(lambda, c_);
        if (king || takes + o.chance.check + o.chance.pawn_try < 1e-4f) return o;  // nobody takes a King
        const float by_pawn = pawn_control(m_, to);
        const float share = lambda > 1e-6f ? std::min(1.0f, by_pawn / lambda) : 0.0f;
        const float taker = share * worth_.pawn + (1 - share) * worth_.piece;
        const Attack ours = attack(m_, to, bit(from), worth_);
        const float loss = mover - regain(ours, taker, taker, lambda);
        o.take_pawn -= o.retaken * loss, o.take_piece -= o.retaken * loss;
        o.checks -= o.checker_taken * loss;
        o.exposed -= c_.use_pawn_try * (mover - regain(ours, worth_.pawn, taker, lambda));
        return o;
    }

  private:
    float fear(Square s, Square from, float worth) const {
        const Peril peril = peril_of(m_, chances_.control(), s, from, worth, worth_, reactions_);
        return reactions_.patience * peril.chance * peril.loss;
    }

    const Matrices& m_;
    const Constants& c_;
    const Worth& worth_;
    const Reactions& reactions_;
    Chances chances_;
    float balance_, exposure_ = 0, exposed_worth_ = 0, feared_ = 0;
    Grid fear_{};
};

}  // namespace rookery::belief
