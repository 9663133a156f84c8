#include "belief/lone_king.hpp"

#include <algorithm>

namespace rookery::belief {
namespace {

using namespace chess;
using kriegspiel::Event;

// Every square that our own men leave him.
Bitboard anywhere(const Army& army) {
    return ~army.all() & ~king_attacks(army.king_square());
}

// The squares on which he would be in check in just these directions.
Bitboard heard(const Army& army, const kriegspiel::CheckDirections& said) {
    if (!said[0]) return ~army.attacks();
    constexpr std::string_view order = "RFLSN";
    const Checks checks = army.checks();
    Bitboard found = ~0ull;
    for (std::size_t d = 0; d < order.size(); ++d) {
        const bool spoken = std::find(said.begin(), said.end(), order[d]) != said.end();
        found &= spoken ? checks.by[d] : ~checks.by[d];
    }
    return found;
}

// Whether only the other side can be the reason that a try of ours was refused. Of castling we cannot say.
bool open_to_us(const Army& army, Move m) {
    Army::Moves list;
    army.moves(list);
    return std::find(list.begin(), list.end(), m) != list.end();
}

}  // namespace

void LoneKing::follow(const Event& event) {
    switch (event.kind) {
        case Event::refused:
            if (open_to_us(army, event.move)) squares &= army.refusing(event.move);
            break;
        case Event::moved: {
            const bool pawn_moved = (army.men[pawn] & bit(from_of(event.move))) != 0;
            squares &= ~army.refusing(event.move);
            army = army.after(event.move);
            squares &= heard(army, event.said.checks);
            // Where he could not move the game would be over.
            if (event.end == kriegspiel::End::none) squares &= spread(~army.attacks() & ~army.men[king]);
            if (pawn_moved) past.clear();
            clock = pawn_moved ? 0 : clock + 1;
            past.push_back({army, squares});
            break;
        }
        case Event::answered:
            if (event.said.captured != '-') {
                army = army.without(event.said.square);
                squares = bit(event.said.square);
                clock = 0;
                past.clear();
            } else {
                squares = spread(squares) & ~army.attacks() & ~army.all();
                ++clock;
            }
            break;
    }
}

std::optional<LoneKing> LoneKing::of(const kriegspiel::View& view) {
    LoneKing known;
    known.army = {view.us, view.start.own};
    int others = view.start.pawns + view.start.pieces;
    for (const Event& event : view.log) others -= event.kind == Event::moved && event.said.captured != '-';
    if (others > 0) return std::nullopt;

    others = view.start.pawns + view.start.pieces;
    known.squares = anywhere(known.army);
    if (view.start.board)
        known.squares = view.start.enemy[king];
    else if (view.start.turn == view.us)
        known.squares &= ~known.army.attacks();
    else
        known.squares &= heard(known.army, view.start.checks);
    for (const Event& event : view.log) {
        if (others == 0) {
            known.follow(event);
            continue;
        }
        if (event.kind == Event::refused) continue;
        if (event.said.captured != '-' && event.kind == Event::answered)
            known.army = known.army.without(event.said.square);
        if (event.kind == Event::moved) {
            known.army = known.army.after(event.move);
            others -= event.said.captured != '-';
            if (others == 0) {
                known.squares = anywhere(known.army) & heard(known.army, event.said.checks);
                if (event.end == kriegspiel::End::none)
                    known.squares &= spread(~known.army.attacks() & ~known.army.men[king]);
            }
        }
    }
    return known;
}

}  // namespace rookery::belief
