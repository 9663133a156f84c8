#include "belief/matrices.hpp"

#include <cmath>

#include "belief/exactly.hpp"
#include "belief/lines.hpp"
#include "belief/pawn_tries.hpp"

namespace rookery::belief {

namespace {

constexpr Bitboard ends = chess::rank_1 | chess::rank_8;
constexpr float little = 1e-6f;

bool castles(int kind, Square from, Square to) {
    return kind == chess::king && (to - from == 2 || from - to == 2);
}

// The squares that a move of ours passes over.
Bitboard path(int kind, Square from, Square to) {
    if (kind == chess::knight) return 0;
    if (castles(kind, from, to)) return chess::between(from, to > from ? from + 3 : from - 4);
    return chess::between(from, to);
}

// Whether a try could be legal on some board: what is not is refused whatever stands there.
bool sensible(const Matrices& m, int kind, Move move) {
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const Bitboard all = m.men();
    if (kind < 0 || (all & bit(to))) return false;
    if ((chess::promotion_of(move) != 0) != (kind == chess::pawn && (ends & bit(to)))) return false;
    if (kind == chess::pawn) {
        const bool home = chess::rank_of(from) == (m.us == chess::white ? 1 : 6);
        if (chess::pawn_attacks(m.us, from) & bit(to)) return m.tries != 0;
        return to == from + m.up() || (home && to == from + 2 * m.up() && !(all & bit(from + m.up())));
    }
    if (castles(kind, from, to))
        return chess::rank_of(from) == chess::rank_of(to) && (m.castling & (to > from ? 1 : 2)) &&
               !(path(kind, from, to) & all);
    return chess::piece_attacks(static_cast<chess::Kind>(kind), from, all) & bit(to);
}

void divide_evenly(Grid& grid, Bitboard squares, float total) {
    const float each_one = squares ? total / static_cast<float>(chess::count(squares)) : 0.0f;
    for (std::size_t s = 0; s < 64; ++s) grid.at[s] = (squares >> s & 1) ? each_one : 0.0f;
}

}  // namespace

float Constants::retake_again(float control) const {
    return 1 - std::exp(-std::max(0.0f, control - 1));
}

int Matrices::kind_at(Square s) const {
    for (int kind = 0; kind < 6; ++kind)
        if (own[static_cast<std::size_t>(kind)] & bit(s)) return kind;
    return -1;
}

Matrices Matrices::of(const kriegspiel::Start& start, chess::Colour us) {
    Matrices m;
    m.us = us;
    m.own = start.own;
    m.castling = static_cast<std::uint8_t>((us == chess::white ? start.castling : start.castling >> 2) & 3);
    m.pawns = static_cast<float>(start.pawns);
    m.pieces = static_cast<float>(start.pieces);
    if (start.board) {
        for (std::size_t s = 0; s < 64; ++s) {
            m.pawn.at[s] = static_cast<float>(start.enemy[chess::pawn] >> s & 1);
            m.king.at[s] = static_cast<float>(start.enemy[chess::king] >> s & 1);
            for (const int kind : {chess::knight, chess::bishop, chess::rook, chess::queen})
                m.piece.at[s] += static_cast<float>(start.enemy[static_cast<std::size_t>(kind)] >> s & 1);
        }
    } else {
        const Bitboard free = ~m.men();
        divide_evenly(m.king, free & ~chess::king_attacks(m.king_square()), 1);
        divide_evenly(m.pawn, free & ~ends, m.pawns);
        divide_evenly(m.piece, free, m.pieces);
    }
    const bool ours = start.turn == us;
    m.tries = static_cast<std::int8_t>(ours ? start.tries : 0);
    m.enemy_tries = static_cast<std::int8_t>(ours ? 0 : start.tries);
    m.checks = ours ? checks_of(start.checks) : std::uint8_t{0};
    return m;
}

// --- pure functions

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

Check check_direction(Square king, Square from) {
    const int x = chess::file_of(king), y = chess::rank_of(king);
    const int dx = chess::file_of(from) - x, dy = chess::rank_of(from) - y;
    if (dy == 0) return rank_check;
    if (dx == 0) return file_check;
    if (dx != dy && dx != -dy) return knight_check;
    return (dx == dy) == ((x < 4) == (y < 4)) ? long_check : short_check;
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

// --- sums

void Matrices::rescale(Bitboard sure) {
    const Bitboard free = ~men();
    const auto bring = [&](Grid& grid, float total, Bitboard fallback) {
        float fixed = 0;
        for (const Square s : each(sure)) fixed += grid[s];
        const float rest = grid.sum() - fixed;
        // However sure some squares are, what was thought possible elsewhere stays so.
        const bool elsewhere = rest > little;
        const float wanted = elsewhere ? std::max(total - fixed, 0.01f * total) : std::max(total - fixed, 0.0f);
        const float others = elsewhere ? wanted / rest : 0.0f;
        const float ours = fixed > little ? (total - wanted) / fixed : 0.0f;
        if (!elsewhere && wanted > little && (fallback & ~sure)) {  // nothing is believed of where it is
            const float each_one = wanted / static_cast<float>(chess::count(fallback & ~sure));
            for (const Square s : each(fallback & ~sure)) grid[s] = each_one;
            return;
        }
        for (std::size_t s = 0; s < 64; ++s) grid.at[s] *= (sure >> s & 1) ? ours : others;
    };
    for (int round = 0;; ++round) {
        bring(king, 1, free);
        bring(pawn, pawns, free & ~ends);
        bring(piece, pieces, free);
        if (round == 3) return;
        // No square holds more than one man: what is too much goes elsewhere.
        Bitboard full = 0;
        for (std::size_t s = 0; s < 64; ++s)
            full |= static_cast<Bitboard>(king.at[s] + pawn.at[s] + piece.at[s] > 1.0001f) << s;
        full &= ~sure;
        if (!full) return;
        for (const Square s : each(full)) {
            const float factor = 1 / occupied(s);
            king[s] *= factor, pawn[s] *= factor, piece[s] *= factor;
        }
        sure |= full;
    }
}

void Matrices::empty_out(Bitboard squares) {
    king.clear(squares);
    pawn.clear(squares);
    piece.clear(squares);
}

// --- our own tries

void Matrices::move_own(Move move) {
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const int kind = kind_at(from);
    if (kind < 0) return;
    const Square home = us == chess::white ? 0 : 56;
    doubled = kind == chess::pawn && (to - from == 16 || from - to == 16) ? to : -1;
    own[static_cast<std::size_t>(kind)] ^= bit(from);
    own[static_cast<std::size_t>(chess::promotion_of(move) ? chess::promotion_of(move) : kind)] |= bit(to);
    if (castles(kind, from, to)) {
        const Square rook = to > from ? home + 7 : home, beside = (from + to) / 2;
        own[chess::rook] = (own[chess::rook] & ~bit(rook)) | bit(beside);
    }
    if (kind == chess::king) castling = 0;
    if (from == home) castling &= 1;
    if (from == home + 7) castling &= 2;
}

void Matrices::stood(Move move, const Message& message, const Constants& constants) {
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const int kind = kind_at(from);
    empty_out(path(kind, from, to) | bit(to));
    if (message.captured != '-') {
        empty_out(bit(message.square));
        // A piece taken where none was left had been a pawn.
        float& most = message.captured == 'p' ? pawns : pieces;
        float& other = message.captured == 'p' ? pieces : pawns;
        const float taken = std::min(most, 1.0f);
        most -= taken;
        other = std::max(0.0f, other - (1 - taken));
    }
    if (kind == chess::king) {  // where it stands now is not attacked
        king.clear(chess::king_attacks(to));
        pawn.clear(chess::pawn_attacks(us, to));
    }
    move_own(move);
    if (message.checks)
        hear_check(move, message.checks, message.captured != '-' && message.square != to ? message.square : -1);
    else
        hear_no_check();
    enemy_tries = message.tries;
    tries = Message::unknown;
    checks = 0;
    if (!message.checks && message.tries != Message::unknown && constants.mode == Mode::corrected)
        hear_enemy_tries(constants);
    rescale();
}

void Matrices::hear_no_check() {
    const Bitboard all = men();
    for (const Square s : each(own[chess::knight])) king.clear(chess::knight_attacks(s));
    for (const Square s : each(own[chess::pawn])) king.clear(chess::pawn_attacks(us, s));
    king.clear(chess::king_attacks(king_square()));
    for (const int kind : {chess::bishop, chess::rook, chess::queen})
        for (const Square rider : each(own[static_cast<std::size_t>(kind)]))
            for (int d = first_direction(kind); d < end_direction(kind); ++d) {
                float open = 1;
                for (const Square s : lines.from(rider, d)) {
                    if ((all & bit(s)) || open < little) break;
                    king[s] *= 1 - open;
                    open *= std::clamp(1 - pawn[s] - piece[s], 0.0f, 1.0f);
                }
            }
}

void Matrices::hear_check(Move move, std::uint8_t directions, Square opened) {
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const Bitboard all = men();
    Bitboard movers = bit(to);
    if (castles(kind_at(to), from, to)) movers |= bit((from + to) / 2);
    for (const Check c : {rank_check, file_check, long_check, short_check, knight_check}) {
        if (!(directions & c)) continue;
        Grid fits;
        const auto mark = [&](Square s, Square checker, float weight) {
            if (check_direction(s, checker) == c) fits[s] = std::max(fits[s], weight);
        };
        for (const Square s : each(all)) {
            const int kind = kind_at(s);
            const bool moved = movers & bit(s);
            if (moved && kind == chess::knight)
                for (const Square t : each(chess::knight_attacks(s) & ~all)) mark(t, s, 1);
            if (moved && kind == chess::pawn)
                for (const Square t : each(chess::pawn_attacks(us, s) & ~all)) mark(t, s, 1);
            for (int d = first_direction(kind); d < end_direction(kind); ++d) {
                float open = 1;
                bool sees = moved;  // or a square that the move has opened
                for (const Square t : lines.from(s, d)) {
                    if (all & bit(t)) break;
                    if (sees) mark(t, s, open);
                    sees |= t == from || t == opened;
                    open *= std::clamp(1 - pawn[t] - piece[t], 0.0f, 1.0f);
                }
            }
        }
        // Where no line was believed open, any that geometry allows will do.
        for (std::size_t s = 0; s < 64; ++s) king.at[s] *= fits.at[s];
    }
}

// His pawns that could take our men are as many as were announced. A pawn that attacks two counts twice.
void Matrices::hear_enemy_tries(const Constants& constants) {
    Exactly exactly;
    std::array<Square, Exactly::most_things> squares;
    int size = 0;
    const Bitboard all = men() & ~own[chess::king];
    const int theirs = us == chess::white ? chess::black : chess::white;
    const Bitboard passing = doubled >= 0 ? bit(doubled) : 0;
    for (const Square s : each(~men())) {
        if (pawn[s] <= 0 || size == Exactly::most_things) continue;
        int takes = chess::count(chess::pawn_attacks(static_cast<chess::Colour>(theirs), s) & all);
        const Bitboard beside = (chess::king_attacks(s) & (chess::rank_1 << (s & 56)));
        takes += (beside & passing) != 0;
        if (!takes) continue;
        const float q = std::min(pawn[s], 1.0f), pinned = constants.pinned_pawn;
        exactly.add(1 - q, q * pinned, takes == 1 ? q * (1 - pinned) : 0, takes > 1 ? q * (1 - pinned) : 0);
        squares[static_cast<std::size_t>(size++)] = s;
    }
    exactly.count(enemy_tries);
    const float sum = exactly.all();
    if (sum < 1e-12f) return;
    for (int i = 0; i < size; ++i) {
        const Square s = squares[static_cast<std::size_t>(i)];
        const bool two = chess::count(chess::pawn_attacks(static_cast<chess::Colour>(theirs), s) & all) +
                             ((chess::king_attacks(s) & (chess::rank_1 << (s & 56)) & passing) != 0) >
                         1;
        const float pinned = constants.pinned_pawn;
        const float factor = (pinned * exactly.others(i, 0) + (1 - pinned) * exactly.others(i, two ? 2 : 1)) / sum;
        pawn[s] = std::min(1.0f, std::min(pawn[s], 1.0f) * factor);
    }
}

void Matrices::refused(Move move, const Constants& constants) {
    if (checks) return;  // too many reasons
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const int kind = kind_at(from);
    if (!sensible(*this, kind, move)) return;
    const Bitboard all = men();
    const Grid e = emptiness(*this);
    const auto raise = [&](Square s, float factor) {
        const float now = occupied(s);
        if (now <= 0) return;
        factor = std::min(factor, 1 / now);
        king[s] *= factor, pawn[s] *= factor, piece[s] *= factor;
    };
    if (kind == chess::king && !castles(kind, from, to)) {  // the square is attacked
        const Bitboard rest = all & ~bit(from);
        const float total = control_of(*this, to, rest, constants);
        if (total < little) return;
        const float gain = 1 / (1 - std::exp(-total)) - 1;
        const auto scaled = [&](Grid& grid, Square s, float part) {
            grid[s] = std::min(1.0f, grid[s] * (1 + part / total * gain));
        };
        Grid lines_to;
        for (int d = 0; d < Lines::all; ++d) {
            float open = 1;
            for (const Square s : lines.from(to, d)) {
                if (rest & bit(s)) break;
                lines_to[s] = constants.line_share * open * piece[s];
                open *= empty(s);
            }
        }
        for (const Square s : each(chess::knight_attacks(to))) lines_to[s] = constants.knight_share * piece[s];
        for (const Square s : each(~all)) scaled(piece, s, lines_to[s]);
        for (const Square s : each(chess::king_attacks(to))) scaled(king, s, king[s]);
        for (const Square s : each(chess::pawn_attacks(us, to))) scaled(pawn, s, pawn[s]);
        rescale();
        return;
    }
    const Pins pinned = pins(*this, e, constants);
    const Square king_at = king_square();
    const bool shields = (pinned.shields & bit(from)) && !(chess::line_through(king_at, from) & bit(to));
    const float pin = shields ? pinned.chance[static_cast<std::size_t>(from)] : 0.0f;
    if (kind == chess::pawn && chess::file_of(from) != chess::file_of(to)) {  // nothing to take, or a pin
        const float q = std::min(1.0f, pawn[to] + piece[to]), left = 1 - q * (1 - pin);
        const float factor = left > little ? pin / left : 0.0f;
        pawn[to] *= factor, piece[to] *= factor;
        rescale();
        return;
    }
    Bitboard way = path(kind, from, to);
    if (kind == chess::pawn) way |= bit(to);
    float open = 1, attacked = 0;
    for (const Square s : each(way)) open *= e[s];
    if (castles(kind, from, to))
        for (const Square s : {(from + to) / 2, to}) attacked += control_of(*this, s, all & ~bit(from), constants);
    const float illegal = 1 - open * (1 - pin) * std::exp(-attacked);
    if (illegal < 1e-3f) {  // it was believed impossible: something must stand there
        for (const Square s : each(way)) piece[s] += (1 - occupied(s)) / static_cast<float>(chess::count(way));
    } else {
        for (const Square s : each(way)) raise(s, 1 / illegal);
        if (pin > 0) {
            const int d = lines.towards(king_at, from);
            float clear = 1;
            bool beyond = false;
            for (const Square s : lines.from(king_at, d)) {
                if (s == from) {
                    beyond = true;
                } else if (all & bit(s)) {
                    break;
                } else {
                    const float gain = constants.line_share * clear * piece[s] * (1 / illegal - 1);
                    clear *= e[s];
                    if (beyond) piece[s] = std::min(1.0f, piece[s] + gain);
                }
            }
        }
    }
    rescale(chess::count(way) == 1 && pin <= 0 && !castles(kind, from, to) ? way : 0);
}

// --- the enemy's moves

void Matrices::meta(const Message& message, const Constants& constants, Kernel kernel, const OpponentModel* model,
                    Bitboard barred) {
    if (message.captured != '-')
        lose(message.square, constants);
    else
        spread(constants, kernel, model, barred);
    checks = message.checks;
    tries = message.tries;
    doubled = -1;
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
    if (p > 0) {
        const float factor = std::max(0.0f, 1 - p / (by_pawn + passing));
        for (const Square t : each(from_above | beside)) pawn[t] *= factor;
        pawn[s] = p * by_pawn / (by_pawn + passing);
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

// --- what is exactly known

void Matrices::fit(const Possible& possible, const Constants& constants) {
    const auto left = static_cast<float>(possible.men_left()), most = static_cast<float>(possible.pawns_left());
    int on_files = 0;
    for (int x = 0; x < 8; ++x) on_files += possible.least_pawns(x);
    // How many pawns were promoted is never believed quite surely, as long as it is not known.
    const auto least = static_cast<float>(
        std::min(possible.pawns_left(), std::max(possible.pawns_left() - possible.promotable(), on_files)));
    const float margin = 0.02f * (most - least);
    pawns = std::clamp(pawns, least + margin, most - margin);
    pieces = left - pawns;
    const Bitboard pawn_squares = possible.possible(chess::pawn), kings = possible.kings();
    const Bitboard piece_squares = possible.possible(chess::knight) | possible.possible(chess::bishop) |
                                   possible.possible(chess::rook) | possible.possible(chess::queen);
    const auto within = [&](Grid& grid, Bitboard squares, float total) {
        if (!squares) return;
        const float own_part = 1 - constants.doubt;
        const float even = constants.doubt * total / static_cast<float>(chess::count(squares));
        for (std::size_t s = 0; s < 64; ++s) grid.at[s] = (squares >> s & 1) ? own_part * grid.at[s] + even : 0.0f;
    };
    within(king, kings, 1);
    within(pawn, pawn_squares, pawns);
    within(piece, piece_squares, pieces);

    // A file has its least number of pawns, and of those that may be anywhere a share, up to its most.
    std::array<float, 8> file{}, spare{};
    float sure_pawns = 0, loose = 0;
    for (int y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 8; ++x) file[x] += pawn.row(y)[x];
    for (int x = 0; x < 8; ++x) {
        const auto i = static_cast<std::size_t>(x);
        const auto at_least = static_cast<float>(possible.least_pawns(x));
        const float room = std::max(0.0f, static_cast<float>(possible.most_pawns(x)) - at_least);
        spare[i] = std::clamp(file[i] - at_least, 0.01f * room, room);
        sure_pawns += at_least;
        loose += spare[i];
    }
    const float free_pawns = std::max(0.0f, pawns - sure_pawns);
    for (int x = 0; x < 8; ++x) {
        const auto i = static_cast<std::size_t>(x);
        if (file[i] <= little) continue;
        const float share = loose > little ? free_pawns * spare[i] / loose : 0.0f;
        const float wanted =
            std::min(static_cast<float>(possible.least_pawns(x)) + share, static_cast<float>(possible.most_pawns(x)));
        const float factor = wanted / file[i];
        for (int y = 0; y < 8; ++y) pawn.row(y)[x] *= factor;
    }

    const Bitboard sure = possible.sure_occupied();
    for (const Square s : each(sure)) {
        const float now = occupied(s);
        if (now > little) {
            king[s] /= now, pawn[s] /= now, piece[s] /= now;
        } else if (pawn_squares & bit(s)) {
            pawn[s] = 1;
        } else if (piece_squares & bit(s)) {
            piece[s] = 1;
        } else {
            king[s] = 1;
        }
    }
    rescale(sure);
}

}  // namespace rookery::belief
