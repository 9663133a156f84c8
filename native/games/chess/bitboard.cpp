#include "games/chess/bitboard.hpp"

#include <vector>

namespace rookery::chess {
namespace {

struct Step {
    int file, rank;
};
constexpr std::array<Step, 4> rook_steps{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<Step, 4> bishop_steps{{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};
constexpr std::array<Step, 8> knight_steps{{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

// The square a step away, or -1 beyond the edge.
Square step(Square s, Step by) {
    const int file = file_of(s) + by.file, rank = rank_of(s) + by.rank;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

// Squares in one direction up to and including the first occupied one.
Bitboard ray(Square s, Step by, Bitboard occupied) {
    Bitboard seen = 0;
    for (s = step(s, by); s >= 0; s = step(s, by)) {
        seen |= bit(s);
        if (occupied & bit(s)) break;
    }
    return seen;
}

Bitboard rays(Square s, const std::array<Step, 4>& steps, Bitboard occupied) {
    Bitboard seen = 0;
    for (const Step by : steps) seen |= ray(s, by, occupied);
    return seen;
}

#if defined(__BMI2__)
void fill_sliders(std::array<Tables::Slider, 64>& sliders, const std::array<Step, 4>& steps) {
    // Never freed: threads may still be searching while the process ends.
    static auto& storage = *new std::vector<std::vector<Bitboard>>;
    for (Square s = 0; s < 64; ++s) {
        // A man on the last square of a ray changes nothing, so the rim is left out where the ray ends on it.
        Bitboard mask = 0;
        for (const Step by : steps)
            for (Square t = step(s, by); t >= 0 && step(t, by) >= 0; t = step(t, by)) mask |= bit(t);
        auto& attacks = storage.emplace_back(std::size_t{1} << count(mask));
        for (std::size_t i = 0; i < attacks.size(); ++i) attacks[i] = rays(s, steps, _pdep_u64(i, mask));
        sliders[static_cast<std::size_t>(s)] = {mask, attacks.data()};
    }
}
#endif

}  // namespace

Tables::Tables() {
    for (Square s = 0; s < 64; ++s) {
        const auto i = static_cast<std::size_t>(s);
        knight[i] = king[i] = pawn[white][i] = pawn[black][i] = 0;
        for (const Step by : knight_steps)
            if (const Square t = step(s, by); t >= 0) knight[i] |= bit(t);
        for (const auto& steps : {rook_steps, bishop_steps})
            for (const Step by : steps)
                if (const Square t = step(s, by); t >= 0) {
                    king[i] |= bit(t);
                    if (by.file != 0 && by.rank != 0) pawn[by.rank > 0 ? white : black][i] |= bit(t);
                }
        between[i].fill(0);
        line[i].fill(0);
        for (const auto& steps : {rook_steps, bishop_steps})
            for (const Step by : steps) {
                const Bitboard whole = ray(s, by, 0) | ray(s, {-by.file, -by.rank}, 0) | bit(s);
                Bitboard passed = 0;
                for (Square t = step(s, by); t >= 0; t = step(t, by)) {
                    between[i][static_cast<std::size_t>(t)] = passed;
                    line[i][static_cast<std::size_t>(t)] = whole;
                    passed |= bit(t);
                }
            }
    }
#if defined(__BMI2__)
    fill_sliders(bishop, bishop_steps);
    fill_sliders(rook, rook_steps);
#else
    for (Square s = 0; s < 64; ++s) {
        const auto i = static_cast<std::size_t>(s);
        file[i] = ray(s, {0, 1}, 0) | ray(s, {0, -1}, 0);
        diagonal[i] = ray(s, {1, 1}, 0) | ray(s, {-1, -1}, 0);
        antidiagonal[i] = ray(s, {-1, 1}, 0) | ray(s, {1, -1}, 0);
    }
    for (Square f = 0; f < 8; ++f)
        for (Bitboard inner = 0; inner < 64; ++inner)
            rank[static_cast<std::size_t>(f)][inner] =
                static_cast<std::uint8_t>(ray(f, {1, 0}, inner << 1) | ray(f, {-1, 0}, inner << 1));
#endif
}

const Tables tables;

}  // namespace rookery::chess
