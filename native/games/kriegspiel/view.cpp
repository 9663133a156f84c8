#include "games/kriegspiel/view.hpp"

namespace rookery::kriegspiel {
namespace {

using chess::Colour;

// The rights of one side, of those of both.
int rights(int castling, Colour c) {
    return castling & (c == chess::white ? 3 : 12);
}

Pieces pieces_of(const chess::Position& board, Colour c) {
    Pieces pieces;
    for (const auto k : {chess::pawn, chess::knight, chess::bishop, chess::rook, chess::queen, chess::king})
        pieces[k] = board.men(c, k);
    return pieces;
}

Start start_of(const Position& first, Colour us) {
    const chess::Position& board = first.board();
    Start start;
    start.board = !first.material_only();
    start.own = pieces_of(board, us);
    start.pawns = chess::count(board.men(~us, chess::pawn));
    start.pieces = chess::count(board.men(~us)) - start.pawns - 1;
    start.castling = rights(board.castling(), us);
    if (start.board) {
        start.enemy = pieces_of(board, ~us);
        start.castling = board.castling();
        start.en_passant = board.en_passant();
    }
    start.turn = board.turn();
    start.tries = first.tries();
    start.checks = check_directions(board);
    return start;
}

}  // namespace

View view(const State<Position>& state, Colour us) {
    const Position& now = state.position();
    const auto positions = state.positions();
    const auto tried = state.history();
    const auto over = state.outcome();
    View view;
    view.us = us;
    view.turn = now.board().turn();
    view.start = start_of(*positions.front(), us);
    view.own = pieces_of(now.board(), us);
    view.castling = rights(now.board().castling(), us);
    view.tries = now.tries();
    view.checks = check_directions(now.board());
    if (view.turn == us) {
        view.refused = now.refused();
        view.moves = state.moves();
    }
    view.log.reserve(tried.size());
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const Position &before = *positions[i], &after = *positions[i + 1];
        const bool own = before.board().turn() == us, refusal = !after.refused().empty();
        // Only the last position of a game can be its end.
        const char* end = i + 1 == tried.size() && over ? end_word(*over) : nullptr;
        Event event{own ? Event::moved : Event::answered, own ? tried[i] : -1, {}, end};
        if (refusal) {
            // The last of too many tries is refused like the others; the other seat hears that it has won.
            if (own)
                event = {Event::refused, tried[i], {}, nullptr};
            else if (!end)
                continue;
            event.said.turn = after.board().turn();
        } else
            event.said = announce(before.board(), tried[i], after.board(), after.tries());
        view.log.push_back(event);
    }
    return view;
}

std::string line(const Event& event) {
    if (event.kind == Event::refused) return "ILLEGAL " + chess::uci(event.move);
    std::string text = event.kind == Event::moved ? "OK " + chess::uci(event.move) : "OPP";
    text += " cap=";
    text += event.said.captured;
    if (event.said.captured != '-') text += "@" + chess::square_name(event.said.square);
    text += " chk=";
    const char* checks = event.said.checks.data();
    if (!*checks) text += '-';
    for (int i = 0; checks[i]; ++i) text += std::string(i ? "+" : "") + checks[i];
    text += " tries=" + std::to_string(event.said.tries) + " turn=" + (event.said.turn == chess::white ? "w" : "b");
    return text + " end=" + (event.end ? event.end : "-");
}

}  // namespace rookery::kriegspiel
