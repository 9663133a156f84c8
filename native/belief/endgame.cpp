#include "belief/endgame.hpp"

#include <algorithm>
#include <cmath>

namespace rookery::belief {
namespace {

using namespace chess;

// In units of a square at the edge that is left to him.
constexpr double of_mate = 150;   // above all that our men can become
constexpr double draw = -30'000;  // by how likely it is
constexpr double floor =
    -600;  // no worst answer counts less: among tries that may draw, the least likely to do so wins
constexpr double of_worst = 0.9;                                  // the rest is of the average
constexpr double of_set = 0.5, of_region = 3;                     // squares where he is, and where he can get to
constexpr double of_parting = 40;                                 // regions that he cannot leave for each other
constexpr double of_distance = 4, of_guarded = 10, of_loose = 6;  // our King's to him; men protected, men attacked
constexpr double of_tempo = 2;                                    // each move that passes
constexpr double of_repeating = 25;                               // times the square of how often
constexpr double of_taking = 400;                                 // what he gains beside the man
constexpr double of_waiting = 4;  // to a Pawn's move, each ply after so many without one
constexpr int patience = 40;
constexpr double of_pawn_step = 8;
constexpr std::array<double, 6> worth{40, 50, 60, 150, 200, 0};
constexpr int deepest = 5, most_refusals = 2;
constexpr std::array<std::size_t, 5> widths{8, 8, 6, 5, 4};  // tries looked at more deeply, by ply
constexpr std::size_t root_width = 16;

constexpr std::array<double, 64> central = [] {
    std::array<double, 64> weight{};
    for (int s = 0; s < 64; ++s) {
        const int r = rank_of(s), f = file_of(s);
        weight[static_cast<std::size_t>(s)] = 1 + 0.5 * (std::min(r, 7 - r) + std::min(f, 7 - f));
    }
    return weight;
}();

int distance(Square a, Square b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

double weigh(Bitboard squares) {
    double sum = 0;
    for (const Square s : each(squares)) sum += central[static_cast<std::size_t>(s)];
    return sum;
}

// Where he can get to if our men stand still.
Bitboard flood(Bitboard squares, Bitboard open) {
    for (Bitboard before = 0; before != squares;) {
        before = squares;
        squares |= spread(squares) & open;
    }
    return squares;
}

double material(const Army& army) {
    double sum = 0;
    for (std::size_t k = pawn; k < king; ++k) sum += worth[k] * count(army.men[k]);
    return sum;
}

bool better(const Ranked& a, const Ranked& b) {
    return a.value > b.value;
}

}  // namespace

bool Endgame::applies(const kriegspiel::View& view) {
    const auto known = LoneKing::of(view);
    return known && known->army.can_mate();
}

void Endgame::Parts::add(double share, double value) {
    sum += share * value;
    worst = std::min(worst, std::max(value, floor));
}

double Endgame::Parts::value() const {
    return of_worst * worst + (1 - of_worst) * sum;
}

double Endgame::evaluate(const Army& army, Bitboard squares) {
    const Bitboard attacked = army.attacks();
    const Bitboard open = ~attacked & ~army.men[king];
    double value = of_parting - of_set * weigh(squares);
    for (Bitboard left = squares; left;) {
        const Bitboard region = flood(bit(first(left)), open);
        value -= of_parting + of_region * weigh(region);
        left &= ~region;
    }

    int far = 0;
    for (const Square s : each(squares)) far += distance(army.king_square(), s);
    value -= of_distance * far / count(squares);

    const Bitboard pieces = army.all() & ~army.men[king];
    value += of_guarded * count(pieces & attacked) / std::max(1, count(pieces));
    value -= of_loose * count(pieces & ~attacked & spread(squares));
    value += material(army);
    for (const Square s : each(army.men[pawn]))
        value += of_pawn_step * (army.colour == white ? rank_of(s) : 7 - rank_of(s));
    return value;
}

double Endgame::leaf(const Army& army, Bitboard squares) {
    ++nodes_;
    return evaluate(army, squares);
}

// A try that stood, he being on one of `standing`, each of which has the same share.
void Endgame::stands(Parts& parts, const Army& next, Bitboard standing, double share, int depth) {
    const Bitboard attacked = next.attacks(), own = next.all();
    const Bitboard open = ~attacked & ~next.men[king];  // where he may step, our unprotected men among it
    const Bitboard stuck = standing & ~spread(open);
    if (const Bitboard mated = stuck & attacked) parts.add(share * count(mated), mate_);
    if (const Bitboard stale = stuck & ~attacked) parts.add(share * count(stale), draw);

    const auto answers = [&](Bitboard from) {
        double quiet = count(from);
        for (const Square s : each(own & open))
            if (const Bitboard takers = king_attacks(s) & from) {
                const Army left = next.without(s);
                parts.add(share * count(takers), left.can_mate() ? leaf(left, bit(s)) - of_taking : draw);
                quiet -= 0.5 * count(takers);
            }
        if (const Bitboard then = spread(from) & open & ~own)
            parts.add(share * quiet, (depth ? search(next, then, depth, 0) : leaf(next, then)) - of_tempo);
    };
    const Bitboard rest = standing & ~stuck;
    if (const Bitboard silent = rest & ~attacked) answers(silent);
    Bitboard checked = rest & attacked;
    if (!checked) return;
    const Checks checks = next.checks();
    while (checked) {
        const int directions = checks.at(first(checked));
        Bitboard alike = checked;
        for (std::size_t d = 0; d < Checks::directions; ++d)
            alike &= directions >> d & 1 ? checks.by[d] : ~checks.by[d];
        answers(alike);
        checked &= ~alike;
    }
}

double Endgame::attempt(const Army& army, Bitboard squares, Move m, int depth, int refusals) {
    const Bitboard refused = squares & army.refusing(m);
    const double share = 1.0 / count(squares);
    Parts parts;
    stands(parts, army.after(m), squares & ~refused, share, depth - 1);
    if (refused) {
        const bool deeper = depth > 1 && refusals < most_refusals;
        parts.add(share * count(refused),
                  deeper ? search(army, refused, depth - 1, refusals + 1) : leaf(army, refused));
    }
    return parts.value();
}

double Endgame::search(const Army& army, Bitboard squares, int depth, int refusals) {
    if (nodes_ >= budget_) {
        out_ = true;
        return 0;  // nobody reads it: the whole depth is given up
    }
    std::uint64_t key = (army.key() ^ squares * 0xd6e8feb86659fd93ull) * 0x9e3779b97f4a7c15ull;
    key += static_cast<std::uint64_t>(depth << 4 | refusals);
    Entry& entry = table_[(key ^ key >> 32) % table_.size()];
    if (entry.key == key) return entry.value;

    Army::Moves list;
    army.moves(list);
    std::array<Ranked, Army::Moves::capacity> found;
    std::size_t size = 0;
    for (const Move m : list)
        if (squares & ~army.refusing(m)) found[size++] = {m, attempt(army, squares, m, 1, refusals)};
    if (!size) return draw;
    double best =
        std::max_element(found.begin(), found.begin() + size, [](auto& a, auto& b) { return better(b, a); })->value;
    if (depth > 1) {
        const std::size_t ply =
            std::min<std::size_t>(widths.size() - 1, static_cast<std::size_t>(root_depth_ - depth - 1));
        const std::size_t width = std::min(size, widths[ply]);
        std::partial_sort(found.begin(), found.begin() + width, found.begin() + size, better);
        best = draw;
        for (std::size_t i = 0; i < width; ++i)
            best = std::max(best, attempt(army, squares, found[i].move, depth, refusals));
    }
    if (!out_) entry = {key, best};
    return best;
}

std::vector<Ranked> Endgame::choose(const LoneKing& known, std::int64_t nodes) {
    const Army& army = known.army;
    std::fill(table_.begin(), table_.end(), Entry{});
    nodes_ = 0;
    out_ = false;
    mate_ = of_mate + material(army) + (worth[queen] - worth[pawn]) * count(army.men[pawn]);

    // What speaks for or against a try whatever comes of it: the fifty moves run; going back leads nowhere, and the third
    // time it is a draw, if he went back too.
    Army::Moves list;
    army.moves(list);
    std::vector<Ranked> found, against;
    for (const Move m : list) {
        const Bitboard standing = known.squares & ~army.refusing(m);
        if (!standing) continue;
        const Army next = army.after(m);
        Bitboard once = 0, twice = 0;
        int times = 0;
        for (const Stood& stood : known.past)
            if (stood.army == next) {
                twice |= once & stood.squares;
                once |= stood.squares;
                ++times;
            }
        const double drawn = static_cast<double>(count(twice & standing)) / count(known.squares);
        found.push_back({m, 0});
        const bool pushed = army.men[pawn] & bit(from_of(m));
        const double urgent = pushed ? of_waiting * std::max(0, known.clock - patience) : 0;
        against.push_back({m, drawn * draw - of_repeating * times * times + urgent});
    }
    for (int depth = 1; depth <= deepest && !out_; ++depth) {
        budget_ = depth == 1 ? INT64_MAX : nodes;
        root_depth_ = depth;
        auto now = found;
        const std::size_t width = depth <= 2 ? now.size() : std::min(now.size(), root_width);
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (i >= width) {
                now[i].value = std::min(now[i].value, now[width - 1].value) - mate_;
                continue;
            }
            Ranked& tried = now[i];
            tried.value = attempt(army, known.squares, tried.move, depth, 0);
            tried.value +=
                std::find_if(against.begin(), against.end(), [&](auto& a) { return a.move == tried.move; })->value;
        }
        if (out_) break;
        std::stable_sort(now.begin(), now.end(), better);
        found = now;
        if (!found.empty() && found.front().value > mate_ - 1e-6) break;  // mate wherever he is
    }
    return found;
}

}  // namespace rookery::belief
