// A position of Go on an N x N board. docs/games/go.md states the rules.
#pragma once

#include "core/rng.hpp"
#include "games/go/board.hpp"
#include "games/go/past.hpp"
#include "games/go/text.hpp"
#include "games/playout.hpp"

namespace rookery::go {

template <int N>
class Position {
  public:
    using G = Grid<N>;
    using Bits = typename G::Bits;
    using Moves = MoveList<G::points + 1>;
    static constexpr int size = N;
    static constexpr Move pass = G::points, policy_size = pass + 1;
    static constexpr int longest = go::longest(N);

    explicit Position(const Diagram& diagram);
    Diagram diagram() const;

    int seat() const { return seat_; }
    int side() const { return seat_; }
    Bits stones(int side) const { return board_.stones(side); }
    Bits empty() const { return board_.empty(); }
    int ko() const { return ko_; }  // where the seat may not play now, or -1
    int passes() const { return passes_; }
    int ply() const { return ply_; }
    int prisoners(int side) const { return prisoners_[index(side)]; }  // that the side has taken
    const Options& options() const { return options_; }
    bool over() const { return passes_ == 2 || ply_ == longest; }

    Bits legal() const;                                                // every move but the pass
    Bits captures(Move m) const { return board_.captures(m, seat_); }  // what a stone on an empty point takes
    Bits takes() const { return board_.takes(seat_); }                 // where one takes something, ko aside
    bool allows(Move m) const;  // whether the game goes on and m, any number, is one of its moves
    bool attempt(Move m);       // plays a pass or an empty point if the rules allow it; if not, changes nothing

    void moves(Moves& list) const;
    void play(Move m) { attempt(m); }
    std::uint64_t key() const;
    int reversible() const { return 0; }  // no repetition ends a game
    std::optional<Outcome> outcome(const Moves&, int) const { return outcome(); }
    std::optional<Outcome> outcome() const;
    std::string text(Move m) const;
    Move parse(std::string_view text) const;
    std::string str() const { return write(diagram()); }

    // Black's points less White's, dead stones taken off as the options say.
    int territory_score() const;  // empty points and prisoners
    int area_score() const;       // empty points and stones
    int score() const;            // as the options say, less komi, in half points

  private:
    struct Tally {
        int territory = 0, stones = 0, prisoners = 0;  // Black's less White's
    };
    Tally tally() const;
    std::uint64_t after(Move m) const;  // the key of the board once m is played
    void set_ko(Move m, const Bits& captured);

    static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
    static std::uint64_t stone_key(int side, int point) { return keys_[index(side)][index(point)]; }
    static constexpr std::array<std::array<std::uint64_t, G::points>, 2> keys_ = [] {
        std::array<std::array<std::uint64_t, G::points>, 2> keys{};
        std::uint64_t seed = N;
        for (auto& side : keys)
            for (std::uint64_t& key : side) key = seed = mix(seed);
        return keys;
    }();

    Board<N> board_;
    std::uint64_t board_key_ = 0;
    Past past_;  // kept only under superko
    std::array<std::int32_t, 2> prisoners_{};
    Options options_;
    std::int16_t ko_ = -1, ply_ = 0;
    std::int8_t seat_ = 0, passes_ = 0;
};

template <int N>
bool Position<N>::attempt(Move m) {
    if (m == pass) {
        ++passes_;
        ko_ = -1;
    } else {
        if (m == ko_) return false;
        const bool superko = options_.ko == Ko::superko;
        if (superko && past_.has(after(m))) return false;
        Bits captured;
        if (!board_.play(m, seat_, captured)) return false;
        board_key_ ^= stone_key(seat_, m);
        passes_ = 0;
        ko_ = -1;
        if (captured) {
            each(captured, [&](int p) { board_key_ ^= stone_key(1 - seat_, p); });
            prisoners_[index(seat_)] += count(captured);
            set_ko(m, captured);
        }
        if (superko) past_.add(board_key_);
    }
    seat_ ^= 1;
    ++ply_;
    return true;
}

// Ko: one stone was taken, by a lone stone with no liberty but the point where it stood.
template <int N>
inline void Position<N>::set_ko(Move m, const Bits& captured) {
    const Bits around = G::neighbours(G::bit(m));
    if (count(captured) == 1 && !(around & stones(seat_)) && (around & empty()) == captured)
        ko_ = static_cast<std::int16_t>(nth(captured, 0));
}

// One random game, much faster than by way of all moves: an illegal draw is drawn again, which leaves the
// legal moves equally likely.
template <int N>
Outcome playout(Position<N> position, Rng& rng, Repetitions&, std::int64_t& plies);

#define ROOKERY_GO_EXTERN(N) extern template class Position<N>;
ROOKERY_GO_SIZES(ROOKERY_GO_EXTERN)
#undef ROOKERY_GO_EXTERN

}  // namespace rookery::go
