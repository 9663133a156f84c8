// The matrices after our own tries and what the referee answers.
#include "belief/matrices.hpp"

#include <cmath>

#include "belief/exactly.hpp"
#include "belief/lines.hpp"
#include "belief/own_moves.hpp"
#include "belief/pawn_tries.hpp"

namespace rookery::belief {

namespace {

// Whether a try could be legal on some board: what is not is refused whatever stands there.
bool sensible(const Matrices& m, int kind, Move move) {
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const Bitboard all = m.men();
    if (kind < 0 || (all & bit(to))) return false;
    if ((chess::promotion_of(move) != 0) != (kind == chess::pawn && (last_ranks & bit(to)))) return false;
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

}  // namespace

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

}  // namespace rookery::belief
