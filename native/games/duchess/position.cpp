#include "games/duchess/position.hpp"

#include "games/duchess/mobility.hpp"

namespace rookery::duchess {

template <int Players>
Position<Players>::Position() {
    // By rank from 1, by file from a: the same for every seat, turned and not mirrored.
    constexpr std::array<std::array<Kind, 5>, 3> ranks{{{rook, wizard, king, fortress, rook},
                                                        {bishop, knight, queen, bishop, duchess::duchess},
                                                        {pawn, pawn, pawn, pawn, pawn}}};
    clear();
    for (int seat = 0; seat < Players; ++seat)
        for (int rank = 1; rank <= 3; ++rank)
            for (int file = 0; file < 5; ++file)
                put(Board::find(Board::sector_of(seat), file - 2, 7 - rank),
                    make_man(seat, ranks[index(rank - 1)][index(file)]));
    key_ = full_key();
}

template <int Players>
void Position<Players>::clear() {
    for (std::size_t i = 0; i < lines_.size(); ++i)
        lines_[i] = static_cast<std::uint16_t>(1u | 2u << board<Players>().line(static_cast<int>(i)).length);
}

template <int Players>
void Position<Players>::flip_man(Square s, Man m) {
    const auto [first, second] = gaits_of[kind_of(m)];
    gaits_[first].flip(s);
    if (second != first) gaits_[second].flip(s);
    seats_[index(seat_of(m))].flip(s);
    key_ ^= man_key(m, s);
}

template <int Players>
void Position<Players>::flip_lines(Square s) {
    for (const Crossing c : board<Players>().crossings(s)) lines_[c.line] ^= static_cast<std::uint16_t>(1u << c.at);
}

template <int Players>
void Position<Players>::put(Square s, Man m) {
    flip_lines(s);
    flip_man(s, m);
    board_[index(s)] = m;
    if (kind_of(m) == king) kings_[index(seat_of(m))] = static_cast<std::uint8_t>(s);
}

template <int Players>
void Position<Players>::replace(Square s, Man m) {
    flip_man(s, at(s));
    flip_man(s, m);
    board_[index(s)] = m;
    if (kind_of(m) == king) kings_[index(seat_of(m))] = static_cast<std::uint8_t>(s);
}

template <int Players>
void Position<Players>::take(Square s) {
    flip_lines(s);
    flip_man(s, at(s));
    board_[index(s)] = empty;
}

template <int Players>
void Position<Players>::set_seat(int seat) {
    key_ ^= seat_key(seat_) ^ seat_key(seat);
    seat_ = static_cast<std::uint8_t>(seat);
}

template <int Players>
std::uint64_t Position<Players>::full_key() const {
    std::uint64_t key = seat_key(seat_);
    occupied().each([&](Square s) { key ^= man_key(at(s), s); });
    return key;
}

template <int Players>
void Position<Players>::play(Move m) {
    bool quiet = true;
    if (m != pass) {
        const Square from = Moving::from(m), to = Moving::to(m);
        const Kind promotion = Moving::promotion(m);
        const Man man = promotion == king ? at(from) : make_man(seat_, promotion);
        const bool captures = at(to) != empty;
        quiet = !captures && promotion == king;
        take(from);
        if (captures)
            replace(to, man);
        else
            put(to, man);
    }
    quiet_ = quiet ? static_cast<std::uint8_t>(std::min(quiet_ + 1, stagnation)) : std::uint8_t{0};
    set_seat(seat_ + 1 == Players ? 0 : seat_ + 1);
}

template <int Players>
auto Position<Players>::men(int seat, Kind k) const -> Set {
    if (k == king) return Set::of(king_square(seat));
    const auto [first, second] = gaits_of[k];
    Set set = men(seat) & gaits_[first] & gaits_[second];
    for (const Gait g : {leaps, slants, straights})
        if (g != first && g != second) set -= gaits_[g];
    return k == wizard ? set - Set::of(king_square(seat)) : set;
}

// --- attacks

template <int Players>
auto Position<Players>::reach(Square s, const Set& occupied, const Set& enemies) const -> Set {
    const auto& b = board<Players>();
    const auto& r = b.from(s);
    switch (kind_of(at(s))) {
        case king:
        case wizard:
            return r.beside;
        case queen:
            return look(b.straights(s)) | look(b.slants(s));
        case duchess::duchess:
            return r.leaps | look(b.slants(s));
        case fortress:
            return r.leaps | look(b.straights(s));
        case knight:
            return r.leaps;
        case rook:
            return look(b.straights(s));
        case bishop:
            return look(b.slants(s));
        case pawn:
            return (r.edges - occupied) | (r.corners & enemies);
    }
    return {};
}

template <int Players>
bool Position<Players>::is_attacked(Square s, const Set& by, const Set& occupied) const {
    const auto& b = board<Players>();
    const auto& r = b.from(s);
    const Set near = (r.beside & gaits_[steps]) | (r.corners & gaits_[pawn_steps]) | (r.leaps & gaits_[leaps]);
    if (near & by) return true;
    const Set riders = ((r.straight_lines & gaits_[straights]) | (r.slant_lines & gaits_[slants])) & by;
    return riders.any([&](Square rider) { return !(b.between(s, rider) & occupied); });
}

template <int Players>
auto Position<Players>::attackers(Square s) const -> Set {
    const auto& b = board<Players>();
    const auto& r = b.from(s);
    const Set riders = (look(b.straights(s)) & gaits_[straights]) | (look(b.slants(s)) & gaits_[slants]);
    return (r.beside & gaits_[steps]) | (r.corners & gaits_[pawn_steps]) | (r.leaps & gaits_[leaps]) |
           (riders - Set::of(s));
}

// --- moves and the end

// Whether a seat can move, as far as can be told at a glance: nobody is near its King or sees him, and off his lines,
// where nobody is pinned, a Pawn has a step or a leaper a leap.
template <int Players>
bool Position<Players>::moves_freely(int seat) const {
    const auto& b = board<Players>();
    const Square king = king_square(seat);
    if (in_check(seat)) return false;
    const Set all = occupied(), free = men(seat) - b.from(king).straight_lines - b.from(king).slant_lines;
    return (free & gaits_[pawn_steps]).any([&](Square s) { return static_cast<bool>(b.from(s).edges - all); }) ||
           (free & gaits_[leaps]).any([&](Square s) { return static_cast<bool>(b.from(s).leaps - all); });
}

template <int Players>
bool Position<Players>::can_move(int seat) const {
    return moves_freely(seat) || Mobility<Players>(*this, seat).any();
}

template <int Players>
bool Position<Players>::partners_are_mated() const {
    for (int seat = side(); seat < Players; seat += 2)
        if (seat != seat_ && !is_mated(seat)) return false;
    return true;
}

template <int Players>
void Position<Players>::moves(Moves& list) const {
    const Mobility<Players> mobility(*this, seat_);
    const int before = list.size();
    mobility.any([&](Square from, Kind kind, const Set& to) {
        to.each([&](Square s) { list.push(Moving::make(from, s)); });
        if (kind == pawn && to.has(Board::vortex))
            for (int k = wizard; k <= bishop; ++k)
                if (is_missing(static_cast<Kind>(k)))
                    list.push(Moving::make(from, Board::vortex, static_cast<Kind>(k)));
        return false;
    });
    if (list.size() == before && !(mobility.in_check() && partners_are_mated())) list.push(pass);
}

template <int Players>
int Position<Players>::count_moves() const {
    const Mobility<Players> mobility(*this, seat_);
    int total = 0;
    mobility.any([&](Square, Kind kind, const Set& to) {
        total += to.count();
        if (kind == pawn && to.has(Board::vortex))
            for (int k = wizard; k <= bishop; ++k) total += is_missing(static_cast<Kind>(k));
        return false;
    });
    return total > 0 ? total : !(mobility.in_check() && partners_are_mated());
}

template <int Players>
std::optional<Outcome> Position<Players>::outcome(const Moves& list, int) const {
    if (list.empty()) return Outcome{1 - side(), "checkmate"};
    if (quiet_ >= stagnation) return Outcome{-1, "stagnation"};
    return list[0] != pass ? std::nullopt : nobody_moves();
}

template <int Players>
std::optional<Outcome> Position<Players>::outcome(int) const {
    if (quiet_ < stagnation && moves_freely(seat_)) return std::nullopt;
    const Mobility<Players> mobility(*this, seat_);
    const bool moves = mobility.any();
    if (!moves && mobility.in_check() && partners_are_mated()) return Outcome{1 - side(), "checkmate"};
    if (quiet_ >= stagnation) return Outcome{-1, "stagnation"};
    return moves ? std::nullopt : nobody_moves();
}

template <int Players>
std::optional<Outcome> Position<Players>::nobody_moves() const {
    for (int seat = 0; seat < Players; ++seat)
        if (seat != seat_ && can_move(seat)) return std::nullopt;
    return Outcome{-1, "nobody can move"};
}

template class Position<4>;
template class Position<6>;

}  // namespace rookery::duchess
