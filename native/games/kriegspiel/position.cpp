#include "games/kriegspiel/position.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "core/quote.hpp"
#include "core/rng.hpp"
#include "games/chess/movegen.hpp"

namespace rookery::kriegspiel {

using chess::Bitboard;
using chess::bit;
using chess::Colour;
using chess::each;
using chess::Square;

Position::Position(chess::Position board) : board_(std::move(board)) { look(); }

void Position::look() {
    chess::Position::Moves list;
    board_.moves(list);
    stuck_ = list.empty();
    tries_ = 0;
    for (const Move m : list)
        // A promotion is one try, whatever the pawn becomes.
        tries_ += board_.is_capture(m) && chess::kind_of(board_.at(chess::from_of(m))) == chess::pawn &&
                  (chess::promotion_of(m) == 0 || chess::promotion_of(m) == chess::queen);
}

bool Position::accepts(Move m) const {
    chess::Position::Moves list;
    board_.moves(list);
    return std::find(list.begin(), list.end(), m) != list.end();
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

void Position::moves(Moves& list) const {
    if (stuck_) return;
    const Colour us = board_.turn();
    const Bitboard own = board_.men(us), own_king = board_.men(us, chess::king);
    const int up = us == chess::white ? 8 : -8, last_rank = us == chess::white ? 7 : 0;
    const auto push = [&](Square from, Bitboard targets) {
        const bool promotes = board_.men(chess::pawn) & bit(from);
        for (const Square to : each(targets))
            if (promotes && chess::rank_of(to) == last_rank)
                for (int kind = chess::knight; kind <= chess::queen; ++kind) list.push(chess::make_move(from, to, kind));
            else
                list.push(chess::make_move(from, to));
    };
    for (const Square from : each(own)) {
        switch (chess::kind_of(board_.at(from))) {
            case chess::pawn: {
                Bitboard to = bit(from + up) & ~own;
                if (to && chess::rank_of(from) == (us == chess::white ? 1 : 6)) to |= bit(from + 2 * up) & ~own;
                if (tries_) to |= chess::pawn_attacks(us, from) & ~own;
                push(from, to);
                break;
            }
            case chess::knight: push(from, chess::knight_attacks(from) & ~own); break;
            case chess::bishop: push(from, chess::bishop_attacks(from, own) & ~own); break;
            case chess::rook: push(from, chess::rook_attacks(from, own) & ~own); break;
            case chess::queen:
                push(from, (chess::bishop_attacks(from, own) | chess::rook_attacks(from, own)) & ~own);
                break;
            case chess::king: push(from, chess::king_attacks(from) & ~own); break;
        }
    }
    const int rights = board_.castling() >> (us == chess::white ? 0 : 2), home = us == chess::white ? 0 : 56;
    if (rights & 3 && !board_.checkers()) {
        if ((rights & 1) && !(own & (0x60ull << home))) push(chess::first(own_king), bit(home + 6));
        if ((rights & 2) && !(own & (0x0eull << home))) push(chess::first(own_king), bit(home + 2));
    }
    if (refused_.empty()) return;
    Moves kept;
    for (const Move m : list)
        if (std::find(refused_.begin(), refused_.end(), m) == refused_.end()) kept.push(m);
    list = kept;
}

std::uint64_t Position::key() const {
    std::uint64_t key = board_.key();
    for (std::size_t i = 0; i < refused_.size(); ++i) key ^= mix(static_cast<std::uint64_t>(refused_[i]) + (i << 32));
    return key;
}

std::optional<Outcome> Position::outcome(const Moves&, int occurrences) const {
    if (refused_.size() >= most_refusals) return Outcome{~board_.turn(), "forfeit"};
    // The board asks only whether there is a legal move.
    chess::Position::Moves legal;
    if (!stuck_) legal.push(0);
    if (const auto over = board_.outcome(legal, occurrences)) return over;
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
    constexpr std::string_view word = " tried";
    const std::size_t at = text.find(word);
    board_ = chess::Position(text.substr(0, at));
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
    if (!refused_.empty()) text += " tried";
    for (const Move m : refused_) text += " " + chess::uci(m);
    return text;
}

}  // namespace rookery::kriegspiel
