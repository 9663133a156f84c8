#include "games/kriegspiel/position.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "core/rng.hpp"
#include "games/chess/movegen.hpp"

namespace rookery::kriegspiel {

using chess::bit;
using chess::Bitboard;
using chess::Colour;
using chess::each;
using chess::MoveSet;
using chess::Square;

namespace {

// What a side may try if it knows nothing but its own men, castling aside, and Pawn captures if there are any.
template <Colour Us>
void add_tries(const chess::Position& board, bool pawn_captures, chess::MoveSets& sets) {
    constexpr int up = Us == chess::white ? 8 : -8;
    constexpr Bitboard third = Us == chess::white ? chess::rank_3 : chess::rank_6;
    const Bitboard own = board.men(Us), pawns = board.men(Us, chess::pawn), queens = board.men(Us, chess::queen);
    const Bitboard steps = chess::forward<Us>(pawns) & ~own;
    chess::add_pawn_moves(sets, steps, up);
    chess::add_pawn_moves(sets, chess::forward<Us>(steps & third) & ~own, 2 * up);
    if (pawn_captures) {
        chess::add_pawn_moves(sets, chess::take_west<Us>(pawns) & ~own, up - 1);
        chess::add_pawn_moves(sets, chess::take_east<Us>(pawns) & ~own, up + 1);
    }
    for (const Square s : each(board.men(Us, chess::knight)))
        chess::add_targets(sets, s, chess::knight_attacks(s) & ~own);
    for (const Square s : each(board.men(Us, chess::bishop) | queens))
        chess::add_targets(sets, s, chess::bishop_attacks(s, own) & ~own);
    for (const Square s : each(board.men(Us, chess::rook) | queens))
        chess::add_targets(sets, s, chess::rook_attacks(s, own) & ~own);
    chess::add_targets(sets, board.king_square(Us), chess::king_attacks(board.king_square(Us)) & ~own);
}

}  // namespace

Position::Position(chess::Position board) : board_(std::move(board)) {
    look();
}

void Position::look() {
    chess::MoveSets pawn_moves;
    board_.moves(pawn_moves, board_.men(chess::pawn));
    // The King is asked last: it takes the longest to answer.
    const Bitboard kings = board_.men(chess::king);
    stuck_ = pawn_moves.empty() && board_.count_moves(~kings) == 0 && board_.count_moves(kings) == 0;
    int tries = 0;
    for (const MoveSet& set : pawn_moves) {
        const Move m = set[0];  // all of a set of Pawn moves are captures, or none is
        // A promotion is one try, whatever the pawn becomes.
        if (board_.is_capture(m) && (chess::promotion_of(m) == 0 || chess::promotion_of(m) == chess::queen))
            tries += set.size();
    }
    tries_ = static_cast<std::uint8_t>(tries);
}

void Position::play(Move m) {
    ++since_;
    if (!accepts(m)) {
        refused_.push_back(m);
        return;
    }
    board_.play(m);
    refused_.clear();
    if (board_.clock() == 0) since_ = 0;
    look();
}

void Position::moves(chess::MoveSets& sets) const {
    if (stuck_) return;
    const Colour us = board_.turn();
    const Bitboard own = board_.men(us);
    if (us == chess::white)
        add_tries<chess::white>(board_, tries_ > 0, sets);
    else
        add_tries<chess::black>(board_, tries_ > 0, sets);
    const int rights = board_.castling() >> (us == chess::white ? 0 : 2), home = us == chess::white ? 0 : 56;
    if (rights & 3 && !board_.checkers()) {
        if ((rights & 1) && !(own & (0x60ull << home))) chess::add_targets(sets, board_.king_square(us), bit(home + 6));
        if ((rights & 2) && !(own & (0x0eull << home))) chess::add_targets(sets, board_.king_square(us), bit(home + 2));
    }
    for (const Move m : refused_) sets.remove(m);
}

void Position::moves(Moves& list) const {
    chess::MoveSets sets;
    moves(sets);
    chess::Lister<Moves> lister{list};
    for (const MoveSet& set : sets) lister.add(set);
}

Outcome playout(Position position, Rng& rng, Repetitions& past, std::int64_t& plies) {
    past.clear();
    chess::MoveSets tries;
    for (;;) {
        const int occurrences = past.add(position.key(), position.reversible());
        tries.clear();
        position.moves(tries);
        if (const auto over = position.outcome(tries, occurrences)) return *over;
        for (;;) {
            const Move m = tries[static_cast<int>(rng.below(static_cast<std::uint32_t>(tries.size())))];
            position.play(m);
            ++plies;
            if (position.refused().empty() || position.refused().size() == Position::most_refusals) break;
            tries.remove(m);
        }
    }
}

std::uint64_t Position::key() const {
    std::uint64_t key = board_.key();
    for (std::size_t i = 0; i < refused_.size(); ++i) key ^= mix(static_cast<std::uint64_t>(refused_[i]) + (i << 32));
    return key;
}

std::optional<Outcome> Position::ending(int occurrences) const {
    if (refused_.size() >= most_refusals) return Outcome{~board_.turn(), "forfeit"};
    if (const auto over = board_.ending(stuck_, occurrences)) return over;
    if (plies() >= most_plies) return Outcome{-1, "length"};
    return std::nullopt;
}

Move Position::parse(std::string_view text) const {
    Move m = chess::read_uci(text);
    const bool last_rank = chess::rank_of(chess::to_of(m)) == (board_.turn() == chess::white ? 7 : 0);
    if (last_rank && text.size() == 4 && board_.at(chess::from_of(m)) == chess::man(board_.turn(), chess::pawn))
        m = chess::make_move(chess::from_of(m), chess::to_of(m), chess::queen);
    return m;
}

Position::Position(std::string_view text) {
    constexpr std::string_view word = " tried", hidden = " material";
    const std::size_t at = text.find(word);
    std::string_view fen = text.substr(0, at);
    material_only_ = fen.ends_with(hidden);
    if (material_only_) fen.remove_suffix(hidden.size());
    board_ = chess::Position(fen);
    look();
    if (at == std::string_view::npos) return;
    for (std::string_view rest = text.substr(at + word.size()); !rest.empty();) {
        if (rest.front() != ' ' || rest.size() < 2)
            throw BadPosition("after 'tried' come refused tries like e2e5, each after one space, in " + quote(text));
        rest.remove_prefix(1);
        const std::string_view one = rest.substr(0, rest.find(' '));
        rest.remove_prefix(one.size());
        Move m = -1;
        try {
            m = chess::read_uci(one);
        } catch (const BadNotation& error) {
            throw BadPosition(std::string(error.what()) + ", in " + quote(text));
        }
        if (accepts(m)) throw BadPosition(quote(one) + " would not be refused in " + quote(text));
        if (refused_.size() == most_refusals) throw BadPosition("more than 300 tries in " + quote(text));
        play(m);
    }
}

std::string Position::str() const {
    std::string text = board_.str();
    if (material_only_) text += " material";
    if (!refused_.empty()) text += " tried";
    for (const Move m : refused_) text += " " + chess::uci(m);
    return text;
}

}  // namespace rookery::kriegspiel
