// What our tries lead to and what that is worth: approach C of Ciancarini and Favini (2010, section 5.3), where every
// edge of the tree is evaluated once, as an expectation over the referee's messages.
#pragma once

#include "belief/chances.hpp"
#include "belief/exchange.hpp"

namespace rookery::belief {

// Of one try: how likely each outcome is, and the value after it.
struct Prospect {
    Chance chance;
    float take_pawn = 0, take_piece = 0, checks = 0, exposed = 0, quiet = 0;
    float bonus = 0;  // part of all of them: what counts beside material

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

class Appraiser {
  public:
    Appraiser(const Matrices& m, const Constants& constants, const Worth& worth)
        : m_(m), c_(constants), worth_(worth), chances_(m, constants), balance_(balance(m, worth)) {
        for (std::size_t k = 0; k < 5; ++k)
            for (const Square s : each(m.own[k])) {
                exposure_ += control(s);
                exposed_worth_ += control(s) * worth.own[k];
            }
        hunting_ = balance(m, Worth::weighted()) >= far_ahead;
        if (hunting_) approach();
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
        o.bonus = hunting_ ? progress(kind, from, to) : 0.0f;
        const float now = balance_ + (promotes ? worth_.own[chess::queen] - worth_.own[chess::pawn] : 0.0f) + o.bonus;

        // An ordinary move of his takes something of ours with a fixed chance, the more exposed the likelier.
        const float here = king ? 0.0f : control(from), there = king ? 0.0f : control(to);
        const float exposure = exposure_ - here + there;
        const float worth = exposed_worth_ - here * worth_.own[kind] + there * mover;
        o.quiet = now - (exposure > 1e-6f ? c_.suffer * worth / exposure : 0.0f);

        const float takes = o.chance.pawn + o.chance.piece;
        o.take_pawn = now + worth_.pawn, o.take_piece = now + worth_.piece;
        o.checks = o.exposed = now;
        if (king || takes + o.chance.check + o.chance.pawn_try < 1e-4f) return o;  // nobody takes a King
        const float lambda = control(to), by_pawn = pawn_control(to);
        const float share = lambda > 1e-6f ? std::min(1.0f, by_pawn / lambda) : 0.0f;
        const float taker = share * worth_.pawn + (1 - share) * worth_.piece;
        const Attack ours = attack(m_, to, bit(from), worth_);
        const float loss = mover - regain(ours, taker, taker, lambda);
        o.take_pawn -= c_.retake * loss, o.take_piece -= c_.retake * loss;
        o.checks -= c_.take_checker * loss;
        o.exposed -= c_.use_pawn_try * (mover - regain(ours, worth_.pawn, taker, lambda));
        return o;
    }

  private:
    static constexpr float far_ahead = 0.5f;  // five points
    static constexpr float progress_weight = 0.02f;

    float pawn_control(Square s) const {
        float sum = 0;
        for (const Square p : each(chess::pawn_attacks(m_.us, s))) sum += m_.pawn[p];
        return sum;
    }

    // How near each square is to his King, as believed: 0 to 1.
    void approach() {
        for (Square k = 0; k < 64; ++k) {
            const float here = m_.king[k];
            if (here < 1e-3f) continue;
            for (Square s = 0; s < 64; ++s) {
                const int files = std::abs(chess::file_of(s) - chess::file_of(k));
                const int ranks = std::abs(chess::rank_of(s) - chess::rank_of(k));
                near_[s] += here * static_cast<float>(7 - std::max(files, ranks)) / 7;
            }
        }
    }
    // Far ahead, what counts beside material: pawns that advance, men that draw near his King.
    float progress(std::size_t kind, Square from, Square to) const {
        const int rank = chess::rank_of(to), steps = m_.us == chess::white ? rank : 7 - rank;
        if (kind == chess::pawn) return progress_weight * static_cast<float>(steps) / 6;
        return progress_weight * (near_[to] - near_[from]);
    }

    const Matrices& m_;
    const Constants& c_;
    const Worth& worth_;
    Chances chances_;
    float balance_, exposure_ = 0, exposed_worth_ = 0;
    bool hunting_ = false;
    Grid near_{};
};

}  // namespace rookery::belief
