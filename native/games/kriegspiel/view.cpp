#include "games/kriegspiel/view.hpp"

#include <algorithm>
#include <functional>

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
        const End end = i + 1 == tried.size() && over ? end_of(*over) : End::none;
        Event event{own ? Event::moved : Event::answered, own ? tried[i] : -1, {}, end};
        if (refusal) {
            // The last of too many tries is refused like the others; the other seat hears that it has won.
            if (own)
                event = {Event::refused, tried[i], {}, End::none};
            else if (end == End::none)
                continue;
            event.said.turn = after.board().turn();
        } else
            event.said = announce(before.board(), tried[i], after.board(), after.tries());
        view.log.push_back(event);
    }
    return view;
}

bool sound(const View& view) {
    const auto move = [](Move m) { return m >= 0 && m < Position::policy_size; };
    const auto checks = [](const CheckDirections& c) {
        constexpr std::string_view known("RFLSN\0", 6);
        return known.find(c[0]) != known.npos && known.find(c[1]) != known.npos && c[2] == 0;
    };
    const auto pieces = [](const Pieces& p, bool king) {
        chess::Bitboard all = 0;
        for (const chess::Bitboard b : p) {
            if (all & b) return false;
            all |= b;
        }
        return chess::count(p[chess::king]) == (king ? 1 : 0) && chess::count(all) <= 16;
    };
    const auto within = [](int value, int least, int most) { return value >= least && value <= most; };
    const Start& start = view.start;
    if (view.us > chess::black || view.turn > chess::black || start.turn > chess::black) return false;
    if (!pieces(view.own, true) || !pieces(start.own, true) || !pieces(start.enemy, start.board)) return false;
    if (!within(start.pawns, 0, 8) || !within(start.pieces, 0, 15) || !within(start.castling, 0, 15)) return false;
    if (!within(start.en_passant, -1, 63) || !within(view.castling, 0, 15)) return false;
    if (!within(start.tries, 0, 16) || !within(view.tries, 0, 16)) return false;
    if (!checks(start.checks) || !checks(view.checks)) return false;
    for (const auto* list : {&view.refused, &view.moves})
        if (!std::all_of(list->begin(), list->end(), move)) return false;
    // Readers keep as many moves as there can be, and ask which man of ours makes each.
    chess::Bitboard own = 0;
    for (const chess::Bitboard b : view.own) own |= b;
    const auto ours = [own](Move m) {
        return (own & chess::bit(chess::from_of(m))) && !(own & chess::bit(chess::to_of(m)));
    };
    if (!view.moves.empty() && view.turn != view.us) return false;
    if (std::adjacent_find(view.moves.begin(), view.moves.end(), std::greater_equal<>()) != view.moves.end())
        return false;
    if (view.moves.size() > Position::Moves::capacity || !std::all_of(view.moves.begin(), view.moves.end(), ours))
        return false;
    return std::all_of(view.log.begin(), view.log.end(), [&](const Event& e) {
        const std::string_view kinds = "-pP";
        return e.kind <= Event::answered && (e.kind == Event::answered ? e.move == -1 : move(e.move)) &&
               kinds.find(e.said.captured) != kinds.npos && within(e.said.square, 0, 63) && checks(e.said.checks) &&
               within(e.said.tries, 0, 16) && e.said.turn <= chess::black && e.end <= End::forfeit;
    });
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
    return text + " end=" + end_word(event.end);
}

}  // namespace rookery::kriegspiel
