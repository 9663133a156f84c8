// A chess position from sets of men.
#pragma once

#include "games/kriegspiel/view.hpp"

namespace rookery::belief {

// castling and en_passant as chess::Position has them. BadPosition if no game can reach it.
inline chess::Position assemble(const kriegspiel::Pieces& white, const kriegspiel::Pieces& black, chess::Colour turn,
                                int castling, chess::Square en_passant, int number) {
    std::array<char, 64> marks{};
    const auto put = [&](const kriegspiel::Pieces& men, std::string_view letters) {
        for (std::size_t k = 0; k < 6; ++k)
            for (const chess::Square s : chess::each(men[k])) marks[static_cast<std::size_t>(s)] = letters[k];
    };
    put(white, "PNBRQK");
    put(black, "pnbrqk");
    std::string fen;
    fen.reserve(96);
    for (std::size_t rank = 8; rank-- > 0;) {
        for (std::size_t file = 0; file < 8; ++file) {
            const char mark = marks[rank * 8 + file];
            fen += mark ? mark : '1';
        }
        if (rank) fen += '/';
    }
    fen += turn == chess::white ? " w " : " b ";
    for (std::size_t i = 0; i < 4; ++i)
        if (castling >> i & 1) fen += "KQkq"[i];
    if (!castling) fen += '-';
    fen += ' ';
    fen += en_passant < 0 ? "-" : chess::square_name(en_passant);
    fen += " 0 ";
    fen += std::to_string(number);
    return chess::Position(fen);
}

}  // namespace rookery::belief
