// Control: how many enemy men are expected to attack a square, and who gives a check.
#include "belief/matrices.hpp"

#include "belief/lines.hpp"

namespace rookery::belief {

Grid emptiness(const Matrices& m) {
    Grid e;
    const Bitboard own = m.men();
    for (std::size_t s = 0; s < 64; ++s) {
        const float rest = std::clamp(1 - m.king.at[s] - m.pawn.at[s] - m.piece.at[s], 0.0f, 1.0f);
        e.at[s] = (own >> s & 1) ? 0.0f : rest;
    }
    return e;
}

Grid control(const Matrices& m, const Grid& e, const Constants& constants) {
    Grid total;
    add_lines(m.piece, e, total);
    total.scale(constants.line_share);
    add_knights(m.piece, constants.knight_share, total);
    add_kings(m.king, total);
    const int up = m.us == chess::white ? 1 : -1;
    for (int y = 0; y < 8; ++y) {
        if (y + up < 0 || y + up > 7) continue;
        const float* p = m.pawn.row(y + up);
        float* t = total.row(y);
        for (int x = 1; x < 8; ++x) t[x] += p[x - 1];
        for (int x = 0; x < 7; ++x) t[x] += p[x + 1];
    }
    return total;
}

float control_of(const Matrices& m, Square t, Bitboard own, const Constants& constants) {
    float line = 0, knights = 0, rest = 0;
    for (int d = 0; d < Lines::all; ++d) {
        float open = 1;
        for (const Square s : lines.from(t, d)) {
            if (own & bit(s)) break;
            line += open * m.piece[s];
            open *= m.empty(s);
        }
    }
    for (const Square s : each(chess::knight_attacks(t))) knights += m.piece[s];
    for (const Square s : each(chess::king_attacks(t))) rest += m.king[s];
    for (const Square s : each(chess::pawn_attacks(m.us, t))) rest += m.pawn[s];
    return constants.line_share * line + constants.knight_share * knights + rest;
}

Attackers attackers(const Matrices& m, Check direction, const Constants& constants) {
    Attackers found;
    const Square king = m.king_square();
    const Bitboard own = m.men();
    float total = 0;
    Bitboard line = 0;
    if (direction == knight_check) {
        line = chess::knight_attacks(king) & ~own;
        for (const Square s : each(line)) total += found.share[s] = constants.knight_share * m.piece[s];
    } else {
        for (int d = 0; d < Lines::all; ++d) {
            const Ray& ray = lines.from(king, d);
            if (!ray.size || check_direction(king, *ray.begin()) != direction) continue;
            float open = 1;
            for (const Square s : ray) {
                if (own & bit(s)) break;
                line |= bit(s);
                found.share[s] = constants.line_share * open * m.piece[s];
                if (chess::pawn_attacks(m.us, king) & bit(s)) {
                    found.share[s] += m.pawn[s];
                    found.pawn += found.pawn_share[s] = m.pawn[s];
                }
                total += found.share[s];
                open *= m.empty(s);
            }
        }
    }
    if (total > little) {
        found.share.scale(1 / total);
        found.pawn_share.scale(1 / total);
        found.pawn /= total;
    } else {
        divide_evenly(found.share, line, 1);
        found.pawn_share = {};
        found.pawn = 0;
    }
    return found;
}

}  // namespace rookery::belief
