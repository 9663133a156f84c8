// The legal moves in ascending order, without making their list: which is the i-th, and which number has a move.
//
// Ascending means: promotions last, by the man promoted to; then by the square reached; then by the square left.
#pragma once

#include "games/chess/movegen.hpp"

namespace rookery::chess {

// A byte's eight bits as eight bytes, so that sums of them count eight things at once.
constexpr std::array<std::uint64_t, 256> make_spread() {
    std::array<std::uint64_t, 256> spread{};
    for (std::size_t byte = 0; byte < 256; ++byte)
        for (std::size_t i = 0; i < 8; ++i) spread[byte] |= static_cast<std::uint64_t>(byte >> i & 1) << (8 * i);
    return spread;
}
inline constexpr std::array<std::uint64_t, 256> spread = make_spread();

// How many squares of a set are on each rank: a byte a rank.
constexpr std::uint64_t count_ranks(Bitboard b) {
    b -= b >> 1 & 0x5555555555555555ull;
    b = (b & 0x3333333333333333ull) + (b >> 2 & 0x3333333333333333ull);
    return (b + (b >> 4)) & 0x0f0f0f0f0f0f0f0full;
}

class Ascending {
  public:
    explicit Ascending(const Position& p) { generate(p, *this); }

    // For the generator. Of one move of several Pawns, all promotions have the same squares: one set is kept.
    void add(MoveSet set) {
        constexpr Move to_knight = make_move(0, 0, knight), most = 16;  // how far a Pawn goes
        if (set.base < to_knight - most) return plain_.add(set);
        if (set.base > to_knight + most) return;
        set.base -= to_knight;
        promotions_.add(set);
    }

    int size() const { return plain_.total() + 4 * promotions_.total(); }

    // Where the moves to a square come from, promotions apart.
    Bitboard sources(Square to) const { return plain_.sources(to); }
    Bitboard promoting_sources(Square to) const { return promotions_.sources(to); }

    // The number of a legal move, from 0.
    int index_of(Move m) const {
        const int promotion = promotion_of(m);
        if (!promotion) return plain_.index_of(m);
        return plain_.total() + (promotion - 1) * promotions_.total() + promotions_.index_of(m);
    }

    // The move with a number below size().
    Move move_at(int i) const {
        const int plain = plain_.total(), promoting = promotions_.total();
        if (i < plain) return plain_.move_at(i);
        i -= plain;
        return make_move(0, 0, 1 + i / promoting) + promotions_.move_at(i % promoting);
    }

  private:
    template <std::size_t Most>
    class Sets {
      public:
        void add(MoveSet set) {
            sets_[made_] = set;
            made_ += set.to != 0;
            by_rank_ += count_ranks(set.to);
        }

        int total() const { return static_cast<int>(by_rank_ * file_a >> 56); }

        Bitboard sources(Square to) const {
            Bitboard found = 0;
            for (std::size_t i = 0; i < made_; ++i)
                found |= (sets_[i].to >> to & 1) << from_of(sets_[i].base + sets_[i].step * to);
            return found;
        }

        int index_of(Move m) const {
            const Bitboard lower = bit(to_of(m)) - 1;
            int below = 0;
            for (std::size_t i = 0; i < made_; ++i) below += count(sets_[i].to & lower);
            return below + count(sources(to_of(m)) & (bit(from_of(m)) - 1));
        }

        // First the rank that is reached, then the file, then who goes there.
        Move move_at(int i) const {
            const int rank = place(by_rank_, i);
            std::uint64_t by_file = 0;
            for (std::size_t s = 0; s < made_; ++s) by_file += spread[sets_[s].to >> (8 * rank) & 255];
            const Square to = 8 * rank + place(by_file, i);
            return make_move(nth(sources(to), i), to);
        }

      private:
        // In which of eight bytes, each a count of things, the i-th of all things is; i becomes its number there.
        static int place(std::uint64_t counts, int& i) {
            const std::uint64_t sums = counts * file_a;  // of each byte and those before it
            const auto passed = [&](int k) { return static_cast<int>(sums >> (8 * k) & 255) <= i; };
            int at = passed(3) << 2;
            at += passed(at + 1) << 1;
            at += passed(at);
            i -= static_cast<int>(sums << 8 >> (8 * at) & 255);
            return at;
        }

        std::size_t made_ = 0;
        std::uint64_t by_rank_ = 0;       // of all moves, by the rank they reach; at most 218, so bytes are enough
        std::array<MoveSet, Most> sets_;  // left unset: only the first made_ are read
    };

    Sets<224> plain_;
    Sets<32> promotions_;
};

}  // namespace rookery::chess
