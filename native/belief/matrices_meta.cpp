// The matrices after the enemy's moves and what is heard of them.
#include "belief/matrices.hpp"

#include "belief/lines.hpp"
#include "belief/pawn_tries.hpp"

namespace rookery::belief {

void Matrices::meta(const Message& message, const Constants& constants, Kernel kernel, const OpponentModel* model,
                    Bitboard barred) {
    if (message.captured != '-')
        lose(message.square, constants);
    else
        spread(constants, kernel, model, barred);
    checks = message.checks;
    tries = message.tries;
    doubled = -1;
    exchange = message.captured != '-' ? message.square : static_cast<Square>(-1);
    // Kings are never side by side, and his pawns attack ours only in check.
    const Square home = king_square();
    king.clear(chess::king_attacks(home));
    if (!(checks & (long_check | short_check))) pawn.clear(chess::pawn_attacks(us, home));
    Bitboard sure = message.captured != '-' ? bit(message.square) : 0;
    if (checks) sure |= hear_checks(constants);
    if (tries != Message::unknown) hear_tries(constants);
    rescale(sure);
}

// Whoever gives check stands on the line, and nothing between. Gives the squares that this settles.
Bitboard Matrices::hear_checks(const Constants& constants) {
    const Square home = king_square();
    const Checkers checkers(*this, constants);
    Bitboard line = 0;
    for (int i = 0; i < checkers.size; ++i) {
        const Attackers& by = checkers.by[static_cast<std::size_t>(i)];
        for (std::size_t s = 0; s < 64; ++s) line |= static_cast<Bitboard>(by.share.at[s] > 0) << s;
        for (int d = 0; d < Lines::all; ++d) {
            float nearer = 0, ray = 0;
            for (const Square s : lines.from(home, d)) ray += by.share[s];
            if (ray <= 0 || checkers.direction[static_cast<std::size_t>(i)] == knight_check) continue;
            for (const Square s : lines.from(home, d)) {
                nearer += by.share[s];
                const float here = by.share[s], otherwise = std::max(0.0f, 1 - here - (ray - nearer));
                king[s] *= otherwise;
                pawn[s] = otherwise * pawn[s] + by.pawn_share[s];
                piece[s] = otherwise * piece[s] + here - by.pawn_share[s];
            }
        }
        if (checkers.direction[static_cast<std::size_t>(i)] == knight_check)
            for (const Square s : each(chess::knight_attacks(home))) {
                const float here = by.share[s];
                king[s] *= 1 - here, pawn[s] *= 1 - here;
                piece[s] = (1 - here) * piece[s] + here;
            }
    }
    return line;
}

void Matrices::hear_tries(const Constants& constants) {
    const Grid e = emptiness(*this);
    const PawnTries found = pawn_tries(*this, e, pins(*this, e, constants), Checkers(*this, constants), constants);
    for (const Square s : each(found.targets)) {
        const float now = pawn[s] + piece[s];
        if (now <= 0) continue;
        const float factor = std::clamp(now - found.before[s] + found.after[s], 0.0f, 1.0f) / now;
        pawn[s] *= factor;
        piece[s] *= factor;
    }
}

void Matrices::lose(Square s, const Constants& constants) {
    for (Bitboard& kind : own) kind &= ~bit(s);
    const Square home = us == chess::white ? 0 : 56;
    if (s == home) castling &= 1;
    if (s == home + 7) castling &= 2;
    ++turn;
    const Bitboard all = men(), from_above = chess::pawn_attacks(us, s);
    // In passing, the pawn comes from beside and goes behind ours.
    const Bitboard beside = s == doubled ? chess::king_attacks(s) & (chess::rank_1 << (s & 56)) : 0;
    float by_pawn = 0, passing = 0, by_king = 0, by_piece = 0;
    if (enemy_tries != 0) {
        for (const Square t : each(from_above)) by_pawn += pawn[t];
        for (const Square t : each(beside)) passing += pawn[t];
    }
    Grid reach;
    for (int d = 0; d < Lines::all; ++d) {
        float open = 1;
        for (const Square t : lines.from(s, d)) {
            if (all & bit(t)) break;
            by_piece += reach[t] = constants.line_share * open * piece[t];
            open *= empty(t);
        }
    }
    for (const Square t : each(chess::knight_attacks(s) & ~all))
        by_piece += reach[t] = constants.knight_share * piece[t];
    for (const Square t : each(chess::king_attacks(s))) by_king += king[t];
    // His King takes nothing that we protect for certain.
    bool protected_ = (chess::knight_attacks(s) & own[chess::knight]) || (chess::king_attacks(s) & own[chess::king]) ||
                      (chess::pawn_attacks(us == chess::white ? chess::black : chess::white, s) & own[chess::pawn]);
    for (int d = 0; d < Lines::all && !protected_; ++d)
        for (const Square t : lines.from(s, d)) {
            if (all & bit(t)) {
                const Bitboard riders = own[chess::queen] | own[d < Lines::rising ? chess::rook : chess::bishop];
                protected_ = riders & bit(t);
                break;
            }
            if (occupied(t) > 1e-4f) break;
        }
    const bool paper = constants.mode == Mode::paper;
    const auto likely = [&](float prior, float mass) {
        return mass <= little ? 0.0f : paper ? prior : prior * std::min(1.0f, mass);
    };
    float p = likely(constants.taker_pawn, by_pawn + passing), c = likely(constants.taker_piece, by_piece);
    float k = protected_ ? 0.0f : likely(constants.taker_king, by_king);
    if (p + c + k <= 0) c = 1;
    const float total = p + c + k;
    p /= total, c /= total, k /= total;
    float promoted = 0;
    if (p > 0) {
        const float factor = std::max(0.0f, 1 - p / (by_pawn + passing));
        for (const Square t : each(from_above | beside)) pawn[t] *= factor;
        const float here = p * by_pawn / (by_pawn + passing);
        if (bit(s) & (us == chess::white ? chess::rank_1 : chess::rank_8)) {  // there it has promoted
            promoted = here;
            pawns -= here, pieces += here;
        } else {
            pawn[s] = here;
        }
        if (passing > 0) {
            const Square behind = s - up();
            pawn[behind] = std::min(1.0f, pawn[behind] + p * passing / (by_pawn + passing));
        }
    }
    if (c > 0) {
        if (by_piece > 0)
            for (std::size_t t = 0; t < 64; ++t) piece.at[t] = std::max(0.0f, piece.at[t] - c * reach.at[t] / by_piece);
        piece[s] = c;
    }
    piece[s] += promoted;
    if (k > 0) {
        const float factor = std::max(0.0f, 1 - k / by_king);
        for (const Square t : each(chess::king_attacks(s))) king[t] *= factor;
        king[s] = k;
    }
    rescale(bit(s));
}

void Matrices::spread(const Constants& constants, Kernel kernel, const OpponentModel* model, Bitboard barred) {
    const Grid e = emptiness(*this);
    const Bitboard free = ~men();
    const chess::Colour him = us == chess::white ? chess::black : chess::white;
    const float rate = 1 / (pawns + pieces + 1);
    const float king_rate = std::min(1.0f, rate * constants.king_rate);
    const float pawn_rate = std::min(1.0f, rate * constants.pawn_rate);
    const auto likes = [&](OpponentModel::Group group) {
        Grid weight = e;
        if (model) {
            const Grid& f = model->attraction(him, group, turn);
            for (std::size_t s = 0; s < 64; ++s) weight.at[s] *= f.at[s];
        }
        return weight;
    };

    // The King: to a neighbour, whenever there is one that he can go to.
    Grid next_king = king;
    {
        Grid to = likes(OpponentModel::kings), ways, flow, arrives;
        to.clear(barred);
        add_kings(to, ways);
        for (std::size_t s = 0; s < 64; ++s) {
            const float leaves = ways.at[s] > little ? king_rate * king.at[s] : 0.0f;
            flow.at[s] = leaves / std::max(ways.at[s], little);
            next_king.at[s] -= leaves;
        }
        add_kings(flow, arrives);
        for (std::size_t s = 0; s < 64; ++s) next_king.at[s] += to.at[s] * arrives.at[s];
    }

    // Pawns: one square, or two from where they start; those that arrive at our first rank are pieces.
    Grid next_pawn = pawn, promoted;
    {
        const Grid f = model ? model->attraction(him, OpponentModel::pawns, turn) : Grid{};
        const int down = -up();
        const int start = us == chess::white ? 6 : 1, last = us == chess::white ? 0 : 7;
        for (int y = 0; y < 8; ++y) {
            const int to = y + down / 8, two = to + down / 8;
            if (to < 0 || to > 7) continue;
            for (int x = 0; x < 8; ++x) {
                const float there = pawn.row(y)[x], once = e.row(to)[x] * (model ? f.row(to)[x] : 1.0f);
                const float twice = y == start ? e.row(to)[x] * e.row(two)[x] * (model ? f.row(two)[x] : 1.0f) : 0.0f;
                const float ways = once + twice, leaves = pawn_rate * std::min(1.0f, ways) * there;
                const float flow = leaves / std::max(ways, little);
                next_pawn.row(y)[x] -= ways > little ? leaves : 0.0f;
                (to == last ? promoted : next_pawn).row(to)[x] += ways > little ? flow * once : 0.0f;
                if (y == start) next_pawn.row(two)[x] += ways > little ? flow * twice : 0.0f;
            }
        }
    }

    Grid next_piece;
    const float piece_rate =
        constants.mode == Mode::paper ? pieces * rate : std::min(1.0f, rate * constants.piece_rate);
    if (kernel == Kernel::gated) {
        const Grid to = likes(OpponentModel::pieces);
        Grid ways, flow, arrives;
        add_lines(to, e, ways);
        ways.scale(constants.line_share);
        add_knights(to, constants.knight_share, ways);
        next_piece = piece;
        for (std::size_t s = 0; s < 64; ++s) {
            const float leaves = ways.at[s] > little ? piece_rate * std::min(1.0f, ways.at[s]) * piece.at[s] : 0.0f;
            flow.at[s] = leaves / std::max(ways.at[s], little);
            next_piece.at[s] -= leaves;
        }
        add_lines(flow, e, arrives);
        arrives.scale(constants.line_share);
        add_knights(flow, constants.knight_share, arrives);
        for (std::size_t s = 0; s < 64; ++s) next_piece.at[s] += to.at[s] * arrives.at[s];
    } else {
        // Evenly over the run of squares without our men, along each of the four lines that has any.
        Grid open, runs, flow;
        for (std::size_t s = 0; s < 64; ++s) open.at[s] = static_cast<float>(free >> s & 1);
        std::array<Grid, 4> reach;
        const auto along = [](int line, const Grid& source, const Grid& pass, Grid& out) {
            if (line == 0) return add_ranks(source, pass, out);
            if (line == 1) return add_line<0, 1>(source, pass, out), add_line<0, -1>(source, pass, out);
            if (line == 2) return add_line<1, 1>(source, pass, out), add_line<-1, -1>(source, pass, out);
            add_line<-1, 1>(source, pass, out), add_line<1, -1>(source, pass, out);
        };
        for (int line = 0; line < 4; ++line) {
            Grid& r = reach[static_cast<std::size_t>(line)];
            along(line, open, open, r);
            for (std::size_t s = 0; s < 64; ++s) {
                runs.at[s] += r.at[s] > 0 ? 1.0f : 0.0f;
                r.at[s] = (free >> s & 1) ? 1 / std::max(r.at[s], 1.0f) : 0.0f;
            }
        }
        next_piece = piece;
        for (std::size_t s = 0; s < 64; ++s) {
            const float leaves = runs.at[s] > 0 ? piece_rate * piece.at[s] : 0.0f;
            flow.at[s] = leaves / std::max(runs.at[s], 1.0f);
            next_piece.at[s] -= leaves;
        }
        for (int line = 0; line < 4; ++line) {
            Grid arrives;
            along(line, flow, open, arrives);
            for (std::size_t s = 0; s < 64; ++s)
                next_piece.at[s] += arrives.at[s] * reach[static_cast<std::size_t>(line)].at[s];
        }
    }

    if (model) {  // castling
        const Square at = him == chess::white ? 4 : 60;
        for (const bool short_side : {true, false}) {
            const Square to = short_side ? at + 2 : at - 2, middle = short_side ? at + 1 : at - 1;
            const Square corner = short_side ? at + 3 : at - 4;
            const float chance =
                model->castles(him, short_side, turn) * e[to] * e[middle] * (short_side ? 1 : e[at - 3]);
            const float moved = std::min({chance * king[at], next_king[at], next_piece[corner]});
            next_king[at] -= moved, next_king[to] += moved;
            next_piece[corner] -= moved, next_piece[middle] += moved;
        }
    }
    const float promotes = promoted.sum();
    if (promotes > 0) {
        for (std::size_t s = 0; s < 64; ++s) next_piece.at[s] += promoted.at[s];
        pawns -= promotes;
        pieces += promotes;
    }
    king = next_king;
    pawn = next_pawn;
    piece = next_piece;
    ++turn;
}

}  // namespace rookery::belief
