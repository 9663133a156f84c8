#include "belief/matrices.hpp"

#include <cmath>

#include "belief/lines.hpp"
#include "belief/own_moves.hpp"

namespace rookery::belief {

float Constants::retake_again(float control) const {
    return mode == Mode::paper ? std::min(1.0f, control) : 1 - std::exp(-control);
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
        divide_evenly(m.pawn, free & ~last_ranks, m.pawns);
        divide_evenly(m.piece, free, m.pieces);
    }
    const bool ours = start.turn == us;
    m.tries = static_cast<std::int8_t>(ours ? start.tries : 0);
    m.enemy_tries = static_cast<std::int8_t>(ours ? 0 : start.tries);
    m.checks = ours ? checks_of(start.checks) : std::uint8_t{0};
    return m;
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
        bring(pawn, pawns, free & ~last_ranks);
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

// --- our own men

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
