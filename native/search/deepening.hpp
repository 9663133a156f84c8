// Iterative deepening: searches the moves of the root to depth 1, 2, 3 and so on, best first, until a bound is reached.
//
// What a single depth does is the search's own: alphabeta.hpp compares numbers, comparison.hpp positions.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "search/limits.hpp"

namespace rookery::search {

constexpr int most_depth = longest / 2;  // so that extensions and quiescence have room below it

// The best line found below a node.
struct Pv {
    int size = 0;
    std::array<Move, longest> moves;  // left unset beyond the size
    void set(Move m, const Pv& rest) {
        moves[0] = m;
        size = std::min(rest.size, longest - 1);
        std::copy_n(rest.moves.begin(), size, moves.begin() + 1);
        ++size;
    }
};

// The root as a search sees it. A line is the best of the root moves that are not yet in a better line.
template <class R>
concept RootSearch = requires(R& r, Move m, Pv& pv, const Line& line, int depth, bool first) {
    r.begin_depth(depth);
    r.begin_line();
    // Searches a move; whether it is better than those before it in this line. `pv`: what follows it.
    { r.improves(m, depth, first, pv) } -> std::same_as<bool>;
    { r.value() } -> std::same_as<Value>;  // of the best move of this line so far, to the side that moves
    r.end_line(line);                      // all its moves were searched
    { r.deepest() } -> std::same_as<int>;  // ply that this depth has reached
    // Whether a depth that was broken off tells something once its first move, the old best, has been searched.
    { R::trusts_unfinished } -> std::convertible_to<bool>;
};

// The moves of the root from `place` on; the best comes to that place, so that the next line leaves it out and the
// next depth begins with it.
template <RootSearch R>
Line search_line(R& root, std::vector<Move>& moves, std::size_t place, int depth, const Brake& brake) {
    Line best;
    root.begin_line();
    for (std::size_t i = place; i < moves.size(); ++i) {
        Pv pv;
        const bool improves = root.improves(moves[i], depth, i == place, pv);
        if (brake.stopped()) break;
        if (!improves) continue;
        best.moves.assign(1, moves[i]);
        best.moves.insert(best.moves.end(), pv.moves.begin(), pv.moves.begin() + pv.size);
        const auto from = moves.begin() + static_cast<std::ptrdiff_t>(i);
        std::rotate(moves.begin() + static_cast<std::ptrdiff_t>(place), from, from + 1);
    }
    if (brake.stopped() && (best.moves.empty() || !R::trusts_unfinished)) return {};
    best.value = root.value();
    if (!brake.stopped()) root.end_line(best);
    return best;
}

// The position must have a move, one of those asked for.
template <Rules P, RootSearch R>
Report deepen(R& root, const P& position, const Limits& limits, Brake& brake, const Listener& listener) {
    typename P::Moves list;
    position.moves(list);
    std::vector<Move> moves;
    for (const Move m : list)
        if (allowed(m, limits.only)) moves.push_back(m);
    std::sort(moves.begin(), moves.end());
    const int lines = std::clamp<int>(limits.lines, 1, static_cast<int>(moves.size()));
    Report best;
    for (int depth = 1; depth <= std::min(limits.depth, most_depth); ++depth) {
        root.begin_depth(depth);
        std::vector<Line> found;
        while (static_cast<int>(found.size()) < lines) {
            found.push_back(search_line(root, moves, found.size(), depth, brake));
            if (brake.stopped()) break;
        }
        const bool complete = !brake.stopped();
        if (complete || (limits.lines == 1 && !found[0].moves.empty())) {
            best.lines = std::move(found);
            best.depth = complete ? depth : best.depth;
        }
        best.deepest = std::max(best.deepest, root.deepest());
        best.nodes = brake.nodes();
        best.seconds = brake.seconds();
        if (!complete) break;
        if (listener) listener(best);
        brake.arm();
        if ((limits.only.empty() && forced(moves.size(), limits)) || settled(best, limits)) break;
    }
    return best;
}

}  // namespace rookery::search
