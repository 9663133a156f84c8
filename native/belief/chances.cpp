#include "belief/chances.hpp"

#include <cmath>

#include "belief/lines.hpp"

namespace rookery::belief {

Chances::Chances(const Matrices& matrices, const Constants& constants)
    : m_(matrices),
      c_(constants),
      own_(matrices.men()),
      king_(matrices.king_square()),
      empty_(emptiness(matrices)),
      control_(belief::control(matrices, empty_, constants)),
      pins_(belief::pins(matrices, empty_, constants)),
      checkers_(matrices, constants) {
    for (std::size_t s = 0; s < 64; ++s)
        clear_.at[s] = (own_ >> s & 1) ? 0.0f : std::clamp(1 - matrices.pawn.at[s] - matrices.piece.at[s], 0.0f, 1.0f);
    Grid lifted = empty_;
    lifted[king_] = 1;
    lifted_ = belief::control(matrices, lifted, constants);
    if (matrices.tries != 0) tries_ = pawn_tries(matrices, empty_, pins_, checkers_, constants);
}

float Chances::king_legal(Square to) const {
    float attacked = lifted_[to];
    float survives = 1;
    for (int i = 0; i < checkers_.size; ++i) {
        const Check direction = checkers_.direction[static_cast<std::size_t>(i)];
        if (direction == knight_check || check_direction(king_, to) != direction) continue;
        // On the line of the check only the checker's own square helps, unless it is a pawn.
        const Attackers& by = checkers_.by[static_cast<std::size_t>(i)];
        const float pawn = std::max(0.0f, by.pawn - by.pawn_share[to]);
        survives *= std::min(1.0f, by.share[to] + pawn);
        attacked = std::max(0.0f, attacked - 1);
    }
    return survives * (c_.mode == Mode::paper ? 1 - attacked : std::exp(-attacked));
}

float Chances::legal(Move move) const {
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const int kind = m_.kind_at(from);
    float chance = 1;
    const auto clamped = [&](float x) { return std::clamp(x, c_.least_legal, c_.most_legal); };
    if (kind == chess::king) {
        const int step = to - from;
        if ((step == 2 || step == -2) && chess::rank_of(from) == chess::rank_of(to)) {
            if (checkers_.size) return 0;
            for (const Square s : lines.from(from, step > 0 ? Lines::east : Lines::west))
                if (chess::file_of(s) != 0 && chess::file_of(s) != 7) chance *= empty_[s];
            return clamped(chance * std::exp(-lifted_[(from + to) / 2] - lifted_[to]));
        }
        return clamped(king_legal(to));
    }
    if (checkers_.size > 1) return 0;
    if (kind == chess::pawn && chess::file_of(from) != chess::file_of(to)) return pawn_capture(from, to);
    if (kind != chess::knight)
        for (const Square s : each(chess::between(from, to))) chance *= empty_[s];
    if (kind == chess::pawn) chance *= empty_[to];
    if (checkers_.size) {
        const float ends = checkers_.ended_by(to, king_);
        if (ends <= 0) return 0;
        chance *= ends;
    }
    if ((pins_.shields & bit(from)) && !(chess::line_through(king_, from) & bit(to))) {
        if (c_.mode == Mode::paper)
            chance -= control_[from];
        else
            chance *= 1 - pins_.chance[static_cast<std::size_t>(from)];
    }
    return clamped(chance);
}

Chance Chances::of(Move move) const {
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const int kind = m_.kind_at(from), promotion = chess::promotion_of(move);
    Chance found;
    found.legal = legal(move);
    const bool diagonal = kind == chess::pawn && chess::file_of(from) != chess::file_of(to);
    found.pawn = std::min(1.0f, m_.pawn[to]);
    found.piece = std::min(1.0f, m_.piece[to]);
    const float both = found.pawn + found.piece;
    if (kind == chess::pawn && !diagonal) {
        found.pawn = found.piece = 0;
    } else if (diagonal || both > 1 || (checkers_.size == 1 && kind != chess::king)) {
        // A pawn that moves so takes something; in check, what is taken is the checker.
        float takes = 1;
        if (checkers_.size == 1 && !diagonal) {
            const float ends = checkers_.ended_by(to, king_);
            takes = ends > 0 ? checkers_.by[0].share[to] / ends : 0.0f;
        }
        found.pawn = both > 0 ? found.pawn / both * takes : takes;  // nothing believed there: en passant
        found.piece = both > 0 ? found.piece / both * takes : 0.0f;
    }
    const Bitboard after = (own_ ^ bit(from)) | bit(to);
    found.check = check_from(to, promotion ? promotion : kind, after) + discovered(from, to, after);
    if (kind == chess::king && (to - from == 2 || from - to == 2) && chess::rank_of(from) == chess::rank_of(to))
        found.check += check_from((from + to) / 2, chess::rook, after);
    found.check = std::min(found.check, 1.0f);
    const Square above = to + m_.up();
    if (above >= 0 && above < 64 && kind != chess::king) {
        const float west = chess::file_of(to) > 0 ? m_.pawn[above - 1] : 0.0f;
        const float east = chess::file_of(to) < 7 ? m_.pawn[above + 1] : 0.0f;
        found.pawn_try = 1 - (1 - std::min(1.0f, west)) * (1 - std::min(1.0f, east));
    }
    return found;
}

float Chances::check_from(Square s, int kind, Bitboard own) const {
    float total = 0;
    if (kind == chess::knight || kind == chess::pawn) {
        const Bitboard to = kind == chess::knight ? chess::knight_attacks(s) : chess::pawn_attacks(m_.us, s);
        for (const Square t : each(to & ~own)) total += m_.king[t];
        return total;
    }
    for (int d = first_direction(kind); d < end_direction(kind); ++d) {
        float open = 1;
        for (const Square t : lines.from(s, d)) {
            if (own & bit(t)) break;
            total += open * m_.king[t];
            open *= (own_ & bit(t)) ? 1.0f : clear_[t];  // the square that the man has left
        }
    }
    return total;
}

// What riders behind the man that moves come to see.
float Chances::discovered(Square from, Square to, Bitboard own) const {
    const Bitboard straight = m_.own[chess::rook] | m_.own[chess::queen];
    const Bitboard slanting = m_.own[chess::bishop] | m_.own[chess::queen];
    const Bitboard behind =
        (chess::rook_attacks(from, own_) & straight) | (chess::bishop_attacks(from, own_) & slanting);
    float total = 0;
    for (const Square rider : each(behind)) {
        if (chess::line_through(rider, from) & bit(to)) continue;
        float open = 1;
        for (const Square t : each(chess::between(rider, from))) open *= clear_[t];
        for (const Square t : lines.from(from, lines.towards(rider, from))) {
            if (own & bit(t)) break;
            total += open * m_.king[t];
            open *= clear_[t];
        }
    }
    return total;
}

}  // namespace rookery::belief
