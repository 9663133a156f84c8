#include "belief/pawn_tries.hpp"

#include "belief/exactly.hpp"
#include "belief/lines.hpp"

namespace rookery::belief {

Pins pins(const Matrices& m, const Grid& e, const Constants& constants) {
    Pins found;
    const Bitboard own = m.men();
    const Square king = m.king_square();
    for (int d = 0; d < Lines::all; ++d) {
        float open = 1, free = 1;
        Square shield = -1;
        for (const Square s : lines.from(king, d)) {
            if (own & bit(s)) {
                if (shield >= 0) break;
                shield = s;
            } else {
                if (shield >= 0) free *= 1 - constants.line_share * open * m.piece[s];
                open *= e[s];
            }
        }
        if (shield < 0) continue;
        found.shields |= bit(shield);
        found.chance[static_cast<std::size_t>(shield)] = 1 - free;
    }
    return found;
}

Checkers::Checkers(const Matrices& m, const Constants& constants) {
    for (const Check c : {rank_check, file_check, long_check, short_check, knight_check})
        if ((m.checks & c) && size < 2) {
            direction[static_cast<std::size_t>(size)] = c;
            by[static_cast<std::size_t>(size++)] = attackers(m, c, constants);
        }
}

float Checkers::ended_by(Square to, Square king) const {
    const Grid& share = by[0].share;
    float ends = share[to];
    if (direction[0] == knight_check) return ends;
    const int d = lines.towards(king, to);
    if (d < 0) return ends;
    bool beyond = false;
    for (const Square s : lines.from(king, d)) {
        if (beyond) ends += share[s];
        beyond |= s == to;
    }
    return std::min(ends, 1.0f);
}

PawnTries pawn_tries(const Matrices& m, const Grid& e, const Pins& pins, const Checkers& checkers,
                     const Constants& constants) {
    PawnTries found;
    if (m.tries == 0 && checkers.size > 1) return found;
    struct Target {
        Square square;
        std::array<int, 2> side;
        std::array<Square, 2> pawn;
        int pawns, thing;
    };
    std::array<Target, 16> targets;
    int size = 0;
    const Bitboard pawns = m.own[chess::pawn], own = m.men();
    const int up = m.up();
    const Bitboard fifth = m.us == chess::white ? chess::rank_1 << 32 : chess::rank_1 << 24;
    Exactly exactly;
    Bitboard seen = 0;
    for (const Square p : each(pawns))
        for (int side = 0; side < 2; ++side) {
            if (chess::file_of(p) == (side ? 7 : 0)) continue;
            const Square to = p + up + (side ? 1 : -1);
            if (own & bit(to)) continue;
            if (seen & bit(to)) {  // two pawns can take there: it is one target
                for (int i = 0; i < size; ++i)
                    if (targets[static_cast<std::size_t>(i)].square == to) {
                        targets[static_cast<std::size_t>(i)].pawn[1] = p;
                        targets[static_cast<std::size_t>(i)].side[1] = side;
                        targets[static_cast<std::size_t>(i)].pawns = 2;
                    }
                continue;
            }
            seen |= bit(to);
            targets[static_cast<std::size_t>(size++)] = {to, {side, 0}, {p, 0}, 1, -1};
            float q = checkers.size == 0   ? std::min(1.0f, m.pawn[to] + m.piece[to])
                      : checkers.size == 1 ? checkers.by[0].share[to]
                                           : 0.0f;
            if (checkers.size == 0 && (bit(p) & fifth))
                q = 1 - (1 - q) * (1 - constants.en_passant * m.pawn[to - up] * e[to]);
            found.before[to] = q;
        }
    found.targets = seen;
    const auto pinned = [&](const Target& t, int i) {
        const Square p = t.pawn[static_cast<std::size_t>(i)];
        const int line = lines.towards(m.king_square(), p);
        const bool stays = line >= 0 && (chess::line_through(m.king_square(), p) & bit(t.square));
        return stays ? 0.0f : pins.chance[static_cast<std::size_t>(p)];
    };
    for (int i = 0; i < size; ++i) {
        Target& t = targets[static_cast<std::size_t>(i)];
        const float q = found.before[t.square], a = pinned(t, 0), b = t.pawns > 1 ? pinned(t, 1) : 1.0f;
        t.thing = exactly.add(1 - q, q * a * b, q * (a * (1 - b) + b * (1 - a)), q * (1 - a) * (1 - b));
    }
    const bool known = m.tries != Message::unknown;
    if (known) exactly.count(m.tries);
    const float all = known ? exactly.all() : 0;
    float expected = 0;
    for (int i = 0; i < size; ++i) {
        const Target& t = targets[static_cast<std::size_t>(i)];
        const float q = found.before[t.square];
        for (int j = 0; j < t.pawns; ++j) {
            const auto pawn = static_cast<std::size_t>(t.pawn[static_cast<std::size_t>(j)]);
            const auto side = static_cast<std::size_t>(t.side[static_cast<std::size_t>(j)]);
            const float mine = q * (1 - pinned(t, j)), other = t.pawns > 1 ? pinned(t, 1 - j) : 1.0f;
            found.legal[side][pawn] =
                all > 1e-12f
                    ? mine * (other * exactly.others(t.thing, 1) + (1 - other) * exactly.others(t.thing, 2)) / all
                    : mine;
            expected += mine;
        }
        if (all > 1e-12f) {
            const float a = pinned(t, 0), b = t.pawns > 1 ? pinned(t, 1) : 1.0f;
            found.after[t.square] =
                q *
                (a * b * exactly.others(t.thing, 0) + (a * (1 - b) + b * (1 - a)) * exactly.others(t.thing, 1) +
                 (1 - a) * (1 - b) * exactly.others(t.thing, 2)) /
                all;
        } else {
            found.after[t.square] = known && m.tries == 0 ? 0 : q;
        }
    }
    if (known && !(all > 1e-12f))  // what was heard seemed impossible: keep the proportions
        for (auto& side : found.legal)
            for (float& chance : side)
                chance = expected > 0 ? std::min(1.0f, chance * static_cast<float>(m.tries) / expected) : 0.0f;
    return found;
}

}  // namespace rookery::belief
