#include "records/policy_rows.hpp"

#include <algorithm>
#include <cstring>

#include "core/errors.hpp"
#include "encoders/chess_actions.hpp"

namespace rookery::records {

namespace {

using chess::Position;

constexpr std::size_t usual_moves = 36;  // of a position, on the high side

void append_legal(const Position& p, std::vector<std::uint16_t>& legal) {
    Position::Moves list;
    p.moves(list);
    for (const Move m : list) legal.push_back(static_cast<std::uint16_t>(encoders::chess_action(m)));
}

}  // namespace

void write_board(const Position& p, std::uint8_t* out) {
    for (chess::Square s = 0; s < 64; s += 2) *out++ = static_cast<std::uint8_t>(p.at(s) | p.at(s + 1) << 4);
}

void write_state(const Position& p, std::uint8_t* out) {
    const auto byte = [](int value) { return static_cast<std::uint8_t>(std::min(value, 255)); };
    out[0] = byte((p.turn() == chess::black) + 2 * p.castling());
    out[1] = p.en_passant() < 0 ? PolicyRows::no_square : byte(p.en_passant());
    out[2] = byte(p.clock());
    out[3] = byte(p.number());
}

void append_row(const Position& p, Move next, std::vector<std::uint8_t>& boards, std::vector<std::uint8_t>& states,
                std::vector<std::uint16_t>& played, std::vector<std::uint16_t>& legal) {
    boards.resize(boards.size() + PolicyRows::board_bytes);
    write_board(p, boards.data() + boards.size() - PolicyRows::board_bytes);
    states.resize(states.size() + PolicyRows::state_bytes);
    write_state(p, states.data() + states.size() - PolicyRows::state_bytes);
    played.push_back(static_cast<std::uint16_t>(encoders::chess_action(next)));
    append_legal(p, legal);
}

PolicyRows policy_rows(const ChessStore& store, std::span<const std::uint32_t> games, int threads,
                       const ChessStore::Ask& ask) {
    PolicyRows found;
    found.games.assign(1, 0);
    for (const std::uint32_t game : games) found.games.push_back(found.games.back() + store.header(game).plies);
    const auto rows = static_cast<std::size_t>(found.games.back());
    found.boards = Raw<std::uint8_t>(rows * PolicyRows::board_bytes);
    found.states = Raw<std::uint8_t>(rows * PolicyRows::state_bytes);
    found.played = Raw<std::uint16_t>(rows);
    found.legal_begins.assign(rows + 1, 0);
    // How many moves a position has is known only once it is reached: each game keeps its own until all are.
    std::vector<std::vector<std::uint16_t>> legal(games.size());
    store.walk(games, threads, ask, [&](std::size_t i, int ply, const Position& p, Move next) {
        const auto row = static_cast<std::size_t>(found.games[i] + ply);
        if (found.games[i] + ply >= found.games[i + 1])
            throw BadStore("the store has changed while it was read; import the games again");
        write_board(p, found.boards.data.get() + row * PolicyRows::board_bytes);
        write_state(p, found.states.data.get() + row * PolicyRows::state_bytes);
        found.played.data[row] = static_cast<std::uint16_t>(encoders::chess_action(next));
        if (ply == 0) legal[i].reserve(static_cast<std::size_t>(found.games[i + 1] - found.games[i]) * usual_moves);
        const std::size_t before = legal[i].size();
        append_legal(p, legal[i]);
        found.legal_begins[row + 1] = static_cast<std::int64_t>(legal[i].size() - before);
    });
    for (std::size_t row = 0; row < rows; ++row) found.legal_begins[row + 1] += found.legal_begins[row];
    found.legal = Raw<std::uint16_t>(static_cast<std::size_t>(found.legal_begins.back()));
    ChessStore::each(games.size(), threads, ask, [&](std::size_t i) {
        const std::int64_t begin = found.legal_begins[static_cast<std::size_t>(found.games[i])];
        std::copy(legal[i].begin(), legal[i].end(), found.legal.data.get() + begin);
        std::vector<std::uint16_t>().swap(legal[i]);
    });
    return found;
}

}  // namespace rookery::records
