// Boards filled at random by what is believed (approach A, Ciancarini and Favini 2010, section 5.1): the enemy's men are
// drawn from the matrices without replacement, within the exact masks, so that the board does not contradict what was
// heard last. Nothing is known of which men stand together: the paper names that as the main fault of it.
#pragma once

#include <string>

#include "belief/belief.hpp"
#include "belief/mcts.hpp"

namespace rookery::belief {

class RandomBoard {
  public:
    // At a view whose seat is to move.
    RandomBoard(const kriegspiel::View& view, const Belief& belief)
        : view_(view), possible_(belief.possible()), kinds_(belief.kinds()) {
        for (auto event = view.log.rbegin(); event != view.log.rend(); ++event) {
            if (event->kind == kriegspiel::Event::refused) continue;
            if (event->kind == kriegspiel::Event::answered && event->said.captured != '-') taken_ = event->said.square;
            break;
        }
    }

    chess::Colour us() const { return view_.us; }

    // A legal board; nothing if too many were drawn that are none. After half of the attempts what was refused and the
    // number of pawn tries no longer count, and at last checks do not either.
    std::optional<kriegspiel::Position> draw_board(Rng& rng) const {
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            const std::string fen = place(rng);
            if (fen.empty()) continue;
            try {
                const kriegspiel::Position board(fen);
                if (attempt < most_attempts / 2 && !fits_tries(board)) continue;
                if (attempt < most_attempts - 10 && kriegspiel::check_directions(board.board()) != view_.checks)
                    continue;
                return board;
            } catch (const BadPosition&) {
                continue;  // most often: his King could be taken
            }
        }
        return std::nullopt;
    }

  private:
    static constexpr int most_attempts = 50;

    bool fits_tries(const kriegspiel::Position& board) const {
        return board.tries() == view_.tries &&
               std::none_of(view_.refused.begin(), view_.refused.end(), [&](Move m) { return board.accepts(m); });
    }

    // The FEN of a board; empty: there was no place for somebody.
    std::string place(Rng& rng) const {
        std::array<char, 64> board;
        board.fill(0);
        const bool white = view_.us == chess::white;
        const auto put = [&](Square s, std::size_t kind, bool ours) {
            board[static_cast<std::size_t>(s)] = (ours == white ? "PNBRQK" : "pnbrqk")[kind];
        };
        for (std::size_t k = 0; k < 6; ++k)
            for (const Square s : each(view_.own[k])) put(s, k, true);
        const auto drawn = [&](std::size_t kind) -> Square {
            const auto share = [&](std::size_t s) { return board[s] ? 0.0f : kinds_[s][kind]; };
            float all = 0;
            for (std::size_t s = 0; s < 64; ++s) all += share(s);
            return all > 0 ? static_cast<Square>(draw(share, 64, rng)) : -1;
        };
        const Square king = drawn(chess::king);
        if (king < 0) return {};
        put(king, chess::king, false);

        int pawns = possible_.pawns_left(), pieces = possible_.pieces_left();
        if (taken_ >= 0 && !board[static_cast<std::size_t>(taken_)]) {  // somebody must stand there
            const auto share = [&](std::size_t k) {
                return k == chess::pawn ? (pawns ? kinds_[static_cast<std::size_t>(taken_)][k] : 0.0f)
                                        : (pieces ? kinds_[static_cast<std::size_t>(taken_)][k] : 0.0f);
            };
            const std::size_t kind = draw(share, 5, rng);
            put(taken_, kind, false);
            --(kind == chess::pawn ? pawns : pieces);
        }
        std::array<int, 8> files{};
        for (int left = pawns, attempts = 0; left > 0 && attempts < 64; ++attempts) {
            const Square s = drawn(chess::pawn);
            if (s < 0) break;
            const auto file = static_cast<std::size_t>(chess::file_of(s));
            if (files[file] >= possible_.most_pawns(chess::file_of(s))) continue;
            ++files[file], --left;
            put(s, chess::pawn, false);
        }
        // The kinds of his pieces are not known: of the starting set what is left, then anything.
        std::array<int, 5> stock = {0, 2, 2, 2, 1};
        for (int left = pieces; left > 0; --left) {
            const auto in_stock = [&](std::size_t k) { return static_cast<float>(stock[k]); };
            const bool some = stock[1] + stock[2] + stock[3] + stock[4] > 0;
            const std::size_t kind = some ? draw(in_stock, 5, rng) : std::size_t{chess::queen};
            const Square s = drawn(kind);
            if (stock[kind] > 0) --stock[kind];
            if (s >= 0) put(s, kind, false);
        }
        return fen_of(board);
    }

    std::string fen_of(const std::array<char, 64>& board) const {
        std::string fen;
        for (int rank = 7; rank >= 0; --rank) {
            int gap = 0;
            for (int file = 0; file < 8; ++file) {
                const char man = board[static_cast<std::size_t>(8 * rank + file)];
                if (!man) {
                    ++gap;
                    continue;
                }
                if (gap) fen += static_cast<char>('0' + gap);
                gap = 0;
                fen += man;
            }
            if (gap) fen += static_cast<char>('0' + gap);
            if (rank) fen += '/';
        }
        fen += view_.us == chess::white ? " w " : " b ";
        std::string rights;
        for (int i = 0; i < 4; ++i)
            if (view_.castling >> i & 1) rights += "KQkq"[i];
        return fen + (rights.empty() ? "-" : rights) + " - 0 1";
    }

    kriegspiel::View view_;
    Possible possible_;
    Belief::Kinds kinds_;
    Square taken_ = -1;  // where he has just taken something; -1: nowhere
};

}  // namespace rookery::belief
