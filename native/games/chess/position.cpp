#include "games/chess/position.hpp"

#include "core/errors.hpp"
#include "core/rng.hpp"
#include "games/chess/movegen.hpp"

namespace rookery::chess {
namespace {

struct Keys {
    std::array<std::array<std::uint64_t, 64>, 16> man;  // by Man and square
    std::array<std::uint64_t, 16> castling;
    std::array<std::uint64_t, 8> en_passant;  // by file
    std::uint64_t black_to_move;
};

constexpr Keys make_keys() {
    Keys k{};
    std::uint64_t n = 0x526f6f6b657279;
    for (auto& squares : k.man)
        for (auto& key : squares) key = mix(n++);
    for (auto& key : k.castling) key = mix(n++);
    k.castling[0] = 0;
    for (auto& key : k.en_passant) key = mix(n++);
    k.black_to_move = mix(n++);
    return k;
}
constexpr Keys keys = make_keys();

// The rights that are lost when a man leaves or reaches a square.
constexpr std::array<std::uint8_t, 64> make_lost_rights() {
    std::array<std::uint8_t, 64> lost{};
    lost[0] = Position::white_long;
    lost[7] = Position::white_short;
    lost[4] = Position::white_long | Position::white_short;
    lost[56] = Position::black_long;
    lost[63] = Position::black_short;
    lost[60] = Position::black_long | Position::black_short;
    return lost;
}
constexpr auto lost_rights = make_lost_rights();

}  // namespace

void Position::put(Square s, Colour c, Kind k) {
    kinds_[k] |= bit(s);
    colours_[c] |= bit(s);
    board_[static_cast<std::size_t>(s)] = man(c, k);
    key_ ^= keys.man[man(c, k)][static_cast<std::size_t>(s)];
}

void Position::take(Square s, Colour c, Kind k) {
    kinds_[k] ^= bit(s);
    colours_[c] ^= bit(s);
    board_[static_cast<std::size_t>(s)] = empty;
    key_ ^= keys.man[man(c, k)][static_cast<std::size_t>(s)];
}

template <Colour Us>
void Position::play_as(Move m) {
    constexpr Colour Them = ~Us;
    constexpr int up = Us == white ? 8 : -8;
    const Square from = from_of(m), to = to_of(m);
    const Kind kind = kind_of(at(from));
    const Man taken = at(to);
    ++clock_;
    if (en_passant_ >= 0) key_ ^= keys.en_passant[static_cast<std::size_t>(file_of(en_passant_))];
    const Square target = en_passant_;
    en_passant_ = -1;

    if (taken != empty) {
        take(to, Them, kind_of(taken));
        clock_ = 0;
    }
    take(from, Us, kind);
    put(to, Us, m >> 12 ? static_cast<Kind>(promotion_of(m)) : kind);

    if (kind == pawn) {
        clock_ = 0;
        if (to == target) take(to - up, Them, pawn);
        if (to - from == 2 * up && (pawn_attacks(Us, to - up) & men(Them, pawn))) {
            turn_ = Them;
            if (can_take_en_passant(to - up)) {
                en_passant_ = static_cast<std::int8_t>(to - up);
                key_ ^= keys.en_passant[static_cast<std::size_t>(file_of(to))];
            }
        }
    } else if (kind == king && (to - from == 2 || from - to == 2)) {
        const Square corner = to > from ? to + 1 : to - 2, beside = (from + to) / 2;
        take(corner, Us, rook);
        put(beside, Us, rook);
    }
    if (castling_) {
        const int lost =
            castling_ & (lost_rights[static_cast<std::size_t>(from)] | lost_rights[static_cast<std::size_t>(to)]);
        if (lost) {
            key_ ^= keys.castling[castling_];
            castling_ = static_cast<std::uint8_t>(castling_ & ~lost);
            key_ ^= keys.castling[castling_];
        }
    }
    if (Us == black) ++number_;
    turn_ = Them;
    key_ ^= keys.black_to_move;
}

void Position::play(Move m) {
    if (turn_ == white)
        play_as<white>(m);
    else
        play_as<black>(m);
}

void Position::pass() {
    if (en_passant_ >= 0) key_ ^= keys.en_passant[static_cast<std::size_t>(file_of(en_passant_))];
    en_passant_ = -1;
    ++clock_;
    turn_ = ~turn_;
    key_ ^= keys.black_to_move;
}

// Whether the side to move has a legal capture on the target: then, and only then, the square is part of the
// position, so that repetitions are told as the laws tell them.
bool Position::can_take_en_passant(Square target) const {
    const Colour us = turn_;
    const Square victim = target + (us == white ? -8 : 8), home = king_square(us);
    for (const Square from : each(pawn_attacks(~us, target) & men(us, pawn))) {
        const Bitboard after = (occupied() ^ bit(from) ^ bit(victim)) | bit(target);
        if (!(attackers(home, ~us, after) & ~bit(victim))) return true;
    }
    return false;
}

Bitboard Position::attackers(Square s, Colour by, Bitboard occupied) const {
    return men(by) & ((pawn_attacks(~by, s) & men(pawn)) | (knight_attacks(s) & men(knight)) |
                      (king_attacks(s) & men(king)) | (bishop_attacks(s, occupied) & (men(bishop) | men(queen))) |
                      (rook_attacks(s, occupied) & (men(rook) | men(queen))));
}

bool Position::insufficient_material() const {
    if (men(pawn) | men(rook) | men(queen)) return false;
    if (!men(knight)) return !(men(bishop) & dark_squares) || !(men(bishop) & ~dark_squares);
    return !men(bishop) && !several(men(knight));
}

std::optional<Outcome> Position::ending(bool stuck, int occurrences) const {
    if (stuck) return checkers() ? Outcome{~turn_, "checkmate"} : Outcome{-1, "stalemate"};
    if (insufficient_material()) return Outcome{-1, "insufficient material"};
    if (clock_ >= 100) return Outcome{-1, "fifty moves"};
    if (occurrences >= 3) return Outcome{-1, "threefold repetition"};
    return std::nullopt;
}

void Position::moves(Moves& list) const {
    Lister<Moves> sink{list};
    generate(*this, sink);
}

void Position::moves(MoveSets& sets, Bitboard movers) const {
    generate(*this, sets, movers);
}

int Position::count_moves(Bitboard movers) const {
    Counter sink;
    generate(*this, sink, movers);
    return sink.total;
}

bool Position::legal(Move m) const {
    const Square from = from_of(m), to = to_of(m);
    if (!(men(turn_) & bit(from))) return false;
    const Kind kind = kind_of(at(from));
    if (kind == pawn || (kind == king && (to - from == 2 || from - to == 2))) {
        Seeker sink{m};
        generate(*this, sink, bit(from));
        return sink.found;
    }
    // No Pawn and not castling: the man must reach the square, and leave its King safe.
    if (promotion_of(m) || !(piece_attacks(kind, from, occupied()) & ~men(turn_) & bit(to))) return false;
    const Bitboard after = (occupied() ^ bit(from)) | bit(to);
    return !(attackers(kind == king ? to : king_square(turn_), ~turn_, after) & ~bit(to));
}

std::uint64_t Position::full_key() const {
    std::uint64_t key = keys.castling[castling_] ^ (turn_ == black ? keys.black_to_move : 0);
    if (en_passant_ >= 0) key ^= keys.en_passant[static_cast<std::size_t>(file_of(en_passant_))];
    for (const Square s : each(occupied())) key ^= keys.man[at(s)][static_cast<std::size_t>(s)];
    return key;
}

}  // namespace rookery::chess
