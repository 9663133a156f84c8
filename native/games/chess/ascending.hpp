// The legal moves in ascending order, without making their list: which is the i-th, and which number has a move.
//
// Ascending means: promotions last, by the man promoted to; then by the square reached; then by the square left.
#pragma once

#include "games/chess/movegen.hpp"

namespace rookery::chess {

// A byte's eight bits as eight bytes, so that sums of them count eight things at once.
constexpr std::array<std::uint64_t, 256> make_spread() {
    std::array<std::uint64_t, 256> spread{};
    for (std::size_t b = 0; b < 256; ++b)
        for (std::size_t i = 0; i < 8; ++i)
            if (b >> i & 1) spread[b] |= 1ull << (8 * i);
    return spread;
}
inline constexpr std::array<std::uint64_t, 256> spread = make_spread();

class Ascending {
  public:
    explicit Ascending(const Position& p) { generate(p, *this); }

    // For the generator. Of one move of several Pawns, all promotions have the same squares: one set is kept.
    void add(MoveSet set) {
        if (set.base >= make_move(0, 0, knight) - 16) {
            if (set.base < make_move(0, 0, knight) + 16) {
                set.base -= make_move(0, 0, knight);
                promotions_[promoted_++] = set;
                promoting_ += set.size();
            }
            return;
        }
        sets_[made_] = set;
        made_ += set.to != 0;
        size_ += set.size();
    }

    int size() const { return size_ + 4 * promoting_; }

    // Where the moves to a square come from, promotions apart.
    Bitboard sources(Square to) const { return sources(sets_.data(), made_, to); }
    Bitboard promoting_sources(Square to) const { return sources(promotions_.data(), promoted_, to); }

    // The number of a legal move, from 0.
    int index_of(Move m) const {
        const Square to = to_of(m);
        const Bitboard lower = bit(to) - 1, west = bit(from_of(m)) - 1;
        if (const int promotion = promotion_of(m))
            return size_ + (promotion - 1) * promoting_ + below(promotions_.data(), promoted_, lower) +
                   count(promoting_sources(to) & west);
        return below(sets_.data(), made_, lower) + count(sources(to) & west);
    }

    // The move with a number below size().
    Move move_at(int i) const {
        if (i < size_) return nth_move(sets_.data(), made_, i);
        i -= size_;
        return make_move(0, 0, 1 + i / promoting_) + nth_move(promotions_.data(), promoted_, i % promoting_);
    }

  private:
    static int below(const MoveSet* sets, std::size_t made, Bitboard squares) {
        int total = 0;
        for (std::size_t i = 0; i < made; ++i) total += count(sets[i].to & squares);
        return total;
    }

    static Bitboard sources(const MoveSet* sets, std::size_t made, Square to) {
        Bitboard found = 0;
        for (std::size_t i = 0; i < made; ++i)
            found |= (sets[i].to >> to & 1) << from_of(sets[i].base + sets[i].step * to);
        return found;
    }

    // First the rank that is reached, then the file, then who goes there. Counts of at most 218 fit into bytes.
    static Move nth_move(const MoveSet* sets, std::size_t made, int i) {
        constexpr std::uint64_t ones = file_a;
        std::uint64_t by_rank = 0;
        for (std::size_t s = 0; s < made; ++s) {
            std::uint64_t b = sets[s].to;  // a byte a rank: count the bits of each
            b -= b >> 1 & 0x5555555555555555ull;
            b = (b & 0x3333333333333333ull) + (b >> 2 & 0x3333333333333333ull);
            by_rank += (b + (b >> 4)) & 0x0f0f0f0f0f0f0f0full;
        }
        const int rank = place(by_rank * ones, i);
        const int shift = 8 * rank;
        i -= static_cast<int>((by_rank * ones << 8) >> shift & 255);
        std::uint64_t by_file = 0;
        for (std::size_t s = 0; s < made; ++s) by_file += spread[sets[s].to >> shift & 255];
        const int file = place(by_file * ones, i);
        i -= static_cast<int>((by_file * ones << 8) >> (8 * file) & 255);
        const Square to = shift + file;
        return make_move(nth(sources(sets, made, to), i), to);
    }

    // The first of eight ascending bytes that is greater than i.
    static int place(std::uint64_t sums, int i) {
        int at = 0;
        for (int k = 0; k < 7; ++k) at += static_cast<int>(sums >> (8 * k) & 255) <= i;
        return at;
    }

    std::size_t made_ = 0, promoted_ = 0;
    int size_ = 0, promoting_ = 0;
    std::array<MoveSet, 224> sets_;  // left unset, like promotions_: only the first that were made are read
    std::array<MoveSet, 32> promotions_;
};

}  // namespace rookery::chess
