// Proofs that a side scores at least so many points, by area, under simple ko.
//
// What is searched is "side 0, the prover, can force the goal with at most k more moves of its own". At the prover's
// turn one move that works is enough; at the opponent's turn all its moves must fail. k falls with each move of the
// prover, so the search ends without looking for repetitions, and what is known of a position depends on nothing that
// came before it: no proof rests on a cycle, and none can be spoiled by one (Kishimoto and Mueller 2004 treat the
// harm that cycles do where depth is not counted). Only proofs are claims. A "no" says that this search found none.
//
// The goal is reached when the prover's wall, what no play can take from it (life.hpp), is large enough. Then:
//  - Wall. Living chains have two vital regions where the prover need never answer, so all that is wall may be left
//    alone for ever, and a stone that the prover joins to it lives too. An opponent's move inside the wall is a pass
//    in all that matters. So the wall is one kind of point, however it came about: far fewer positions remain. At
//    the end the prover takes off what stands there: each liberty of an opponent's chain is next to living stones,
//    or one of at most two points next to each other, and there it can be filled.
//  - Passes. Two of them end the game. Say now is the area score as the board stands. If now reaches the goal, an
//    opponent's pass is answered by a pass, and wins; if not, a prover's pass is answered by one, and loses. So the
//    opponent passes only below the goal, the prover only at or above it, and no position needs to tell whether a
//    pass came before it.
//  - Threats. If one stone of the prover next to the wall would reach the goal, the opponent must play there; if
//    either of two would, it is lost (threats() says why).
//  - Opponent. When its own unconditional life leaves too little, the search gives up at once.
//
// For the whole board the prover's moves are also held to their distance from the goal (distance.hpp), and once it
// lives it gets `reserve` moves more: with a wall, long ways to the goal cost little more than short ones.
//
// The rest is as in van der Werf, van den Herik, Uiterwijk, "Solving Go on small boards" (2003): symmetric keys,
// enhanced transposition cut-offs, the history heuristic (history.hpp).
#pragma once

#include "core/poll.hpp"
#include "solve/distance.hpp"
#include "solve/history.hpp"
#include "solve/key.hpp"
#include "solve/table.hpp"

namespace rookery::solve {

enum class Answer { no, yes, stopped };

template <int N>
class Proof {
  public:
    static constexpr int most_moves = 30;  // of the prover, that a table can count

    // The distances are for the whole board; without them every move of the prover is looked at.
    Proof(Table& table, History& history, int points, const Distances<N>* distances, std::uint64_t budget,
          std::atomic<bool>& stop, Poll* poll)
        : table_(table),
          history_(history),
          distances_(points == N * N ? distances : nullptr),
          stop_(stop),
          poll_(poll),
          points_(points),
          budget_(budget) {}

    // The two passes that may have ended the game before are the caller's matter.
    Answer run(Board<N> board, int moves) {
        if (settle(board)) return Answer::yes;
        const Place place(board);
        const Known known = table_.find(name(place));
        if (known.yes <= moves) return Answer::yes;
        const bool found = board.mover ? refute(place, moves, known) : prove(place, moves, known);
        return found ? Answer::yes : stopped() ? Answer::stopped : Answer::no;
    }

    // What is played in a proof: the prover's moves, and those of the opponent that are known to hold out longest.
    // Where the table has forgotten something, it is proven again.
    std::vector<int> line(Board<N> board, int moves) {
        std::vector<int> played;
        while (!settle(board)) {
            const Place place(board);
            const Moves<N> all(board);
            if (!board.mover) {
                if (!prove(place, moves, table_.find(name(place)))) break;
                played.push_back(chosen_);
                Board<N> next = chosen_ == G::points ? all.pass() : all.play(chosen_);
                moves = allowed(board, next, moves);
                board = next;
                continue;
            }
            int longest = -1, best = G::points;
            Board<N> next = board;
            const auto consider = [&](int point, const Board<N>& after) {
                if (run(after, moves) != Answer::yes) return;
                const int needed = std::min(moves, table_.find(name(Place(after))).yes);
                if (needed <= longest) return;
                longest = needed;
                next = after;
                best = point;
            };
            go::each(all.legal(), [&](int p) { consider(p, all.play(p)); });
            if (area(board) < points_) consider(G::points, all.pass());
            if (longest < 0) break;
            played.push_back(best);
            moves = longest;
            board = next;
        }
        return played;
    }

    std::uint64_t nodes() const { return nodes_; }

  private:
    using G = go::Grid<N>;
    using S = Symmetry<N>;

    struct Place {
        Board<N> board;
        typename S::Hashes hashes;

        Place() = default;
        explicit Place(const Board<N>& b) : board(b), hashes(S::hashes(b)) {}
        Place(const Place& before, const Board<N>& b) : board(b), hashes(S::after(before.hashes, before.board, b)) {}
    };
    struct Child {
        Place place;
        std::uint64_t key;
        std::int64_t order;  // the greatest first
        Known known;
        int move, moves;  // moves: that the prover has left there
        bool played;      // whether place.board is what the move leads to
    };
    struct Children {
        std::array<Child, at(G::points + 1)> child;
        int size = 0;

        Child& add(int move, int moves, std::int64_t order) {
            Child& c = child[at(size++)];
            c.move = move;
            c.moves = moves;
            c.order = order;
            c.played = false;
            return c;
        }

        // Brings the best of those from i on to place i.
        Child& pick(int i) {
            int best = i;
            for (int j = i + 1; j < size; ++j)
                if (child[at(j)].order > child[at(best)].order) best = j;
            if (best != i) std::swap(child[at(i)], child[at(best)]);
            return child[at(i)];
        }
    };

    bool stopped() const { return nodes_ >= budget_ || stop_.load(std::memory_order_relaxed); }
    bool enough(Bits<N> held) const { return 2 * go::count(held) - N * N >= points_; }
    std::uint64_t name(const Place& p) const {
        return S::key(p.board, p.hashes) | static_cast<std::uint64_t>(points_ + N * N) << S::bits;
    }

    // Makes wall of what has become the prover's for good; whether that is the goal.
    bool settle(Board<N>& b) const {
        Bits<N> wall = b.wall();
        if (wall) {
            const Bits<N> loose = b.loose(0), joined = G::flood(G::neighbours(wall) & loose, loose);
            if (!joined) return false;  // then no region has changed
            wall |= joined;
        } else {
            if (!may_live(b.stones[0])) return false;
            wall = living<N>(b.stones[0], b.empty());
            if (!wall) return false;
        }
        wall = secure<N>(wall);
        b.stones[0] |= wall;
        b.stones[1] |= wall;
        if (b.ko != no_ko && G::has(wall, b.ko)) b.ko = no_ko;
        return enough(wall);
    }

    bool may_live(Bits<N> own) const { return distances_ ? distances_->life(own) == 0 : go::count(own) >= N; }

    // How many moves the prover needs at least, as far as can be told.
    int distance(Bits<N> own, bool walled) const {
        if (!distances_) return 1;
        return walled ? distances_->rest(own) : distances_->start(own, spare);
    }

    bool hopeless(const Board<N>& b) const {
        const Bits<N> other = b.loose(1);
        if (go::count(other) < N) return false;
        const Bits<N> alive = living<N>(other, b.empty());
        return alive && N * N - 2 * go::count(secure<N>(alive)) < points_;
    }

    // The moves that are left after a prover's move. What it settles may earn the reserve.
    int allowed(const Board<N>& before, Board<N>& after, int moves) const {
        settle(after);
        return moves - 1 + (distances_ && after.wall() && !before.wall() ? reserve : 0);
    }

    void play(Child& c, const Moves<N>& all) const {
        if (!c.played) c.place.board = c.move == G::points ? all.pass() : all.play(c.move);
        c.played = true;
    }
    // Looks up all children before the first of them is searched: enhanced transposition cut-offs.
    void look(Children& list, const Place& before, const Moves<N>& all) const {
        for (int i = 0; i < list.size; ++i) {
            Child& c = list.child[at(i)];
            play(c, all);
            c.place.hashes = S::after(before.hashes, before.board, c.place.board);
            c.key = name(c.place);
            table_.prefetch(c.key);
        }
        for (int i = 0; i < list.size; ++i) list.child[at(i)].known = table_.find(list.child[at(i)].key);
    }

    // The prover to move.
    bool prove(const Place& place, int moves, const Known& known) {
        const std::uint64_t begin = nodes_++, key = name(place);
        if (poll_) poll_->step();
        const Board<N>& board = place.board;
        if (moves == 0 || stopped() || hopeless(board)) return false;
        const Moves<N> all(board);
        Children list;
        if (const int end = choose(list, board, all, moves, known.move); end >= 0) {
            table_.store(key, {1, -1, end}, 1);
            chosen_ = end;
            return true;
        }
        const auto done = [&](const Child& c, std::uint64_t work) {
            chosen_ = c.move;
            table_.store(key, {moves, -1, c.move}, work);
            return true;
        };
        look(list, place, all);
        for (int i = 0; i < list.size; ++i)
            if (const Child& c = list.child[at(i)]; c.known.yes <= c.moves) return done(c, 1);
        for (int i = 0; i < list.size; ++i) {
            Child& c = list.pick(i);
            if (i) c.known = table_.find(c.key);
            if (c.known.no >= c.moves) continue;
            if (c.known.yes <= c.moves || refute(c.place, c.moves, c.known)) {
                learn(board, list, i);
                return done(c, nodes_ - begin);
            }
        }
        if (!stopped()) table_.store(key, {Known::never, moves, Known::no_move}, nodes_ - begin);
        return false;
    }

    // Lists the moves of the prover that may lead to the goal; gives one that reaches it at once, or -1.
    int choose(Children& list, const Board<N>& board, const Moves<N>& all, int moves, int known) const {
        const bool walled = board.wall();
        const Bits<N> near = walled ? G::neighbours(board.wall()) : G::all;
        for (Bits<N> left = all.legal(); left; left &= left - 1) {
            const int point = std::countr_zero(left), far = distance(board.stones[0] | G::bit(point), walled);
            if (distances_ && far >= moves) continue;
            int more = moves - 1;
            bool built = false;
            Board<N> next;
            const bool grows = G::has(near, point) && (walled || may_live(board.stones[0] | G::bit(point)));
            if (grows) {
                next = all.play(point);
                if (settle(next)) return point;
                built = !walled && next.wall();
                if (built && distances_) more += reserve;
                if (distances_ && next.wall() && distance(next.stones[0], true) > more) continue;
            }
            if (more == 0) continue;
            Child& c = list.add(point, more, order(board, point, known) - far_weight * (built ? 0 : far));
            c.played = grows;
            if (grows) c.place.board = next;
        }
        if (!distances_ && moves > 1 && area(board) >= points_)
            list.add(G::points, moves - 1, known == G::points ? first : -first);
        return -1;
    }

    // The opponent to move: whether all that it may try fails.
    bool refute(const Place& place, int moves, const Known& known) {
        const std::uint64_t begin = nodes_++, key = name(place);
        const Board<N>& board = place.board;
        if (stopped()) return false;
        const Moves<N> all(board);
        const auto give_up = [&](int move, std::uint64_t work) {
            if (!stopped()) table_.store(key, {Known::never, moves, move}, work);
            return false;
        };
        Bits<N> tries = all.legal();
        const Bits<N> ends = board.wall() && moves > 0 ? threats(board) : 0;
        if (ends) tries &= ends & (ends - 1) ? 0 : ends;
        const bool passes = !ends && area(board) < points_;
        if (!tries && !passes) {
            table_.store(key, {ends ? 1 : 0, -1, Known::no_move}, 1);
            return true;
        }
        Children list;
        for (; tries; tries &= tries - 1) {
            const int point = std::countr_zero(tries);
            Child& c = list.add(point, moves, order(board, point, known.move));
            if (!distances_ || !G::has(all.takes(), point)) continue;
            play(c, all);
            if (distance(c.place.board.stones[0], board.wall()) > moves) return give_up(point, 1);
        }
        if (passes) list.add(G::points, moves, order(board, G::points, known.move));
        look(list, place, all);
        for (int i = 0; i < list.size; ++i)
            if (const Child& c = list.child[at(i)]; c.known.no >= moves) return give_up(c.move, 1);
        for (int i = 0; i < list.size; ++i) {
            Child& c = list.pick(i);
            if (i) c.known = table_.find(c.key);
            if (c.known.yes <= moves) continue;
            if (c.known.no >= moves || !prove(c.place, moves, c.known)) {
                if (!stopped()) learn(board, list, i);
                return give_up(c.move, nodes_ - begin);
            }
        }
        table_.store(key, {moves, -1, Known::no_move}, nodes_ - begin);
        return true;
    }

    // Where the prover, were it its turn, would reach the goal by a stone next to the wall. Such a stone is legal, and
    // what it holds rests on the wall and on the chains that it joins. Each of those has the point as a liberty, so
    // only a stone there can capture one; and a ko forbids no point that was empty before. So a move of the opponent
    // that leaves one such point empty has failed.
    Bits<N> threats(const Board<N>& board) const {
        const Bits<N> wall = board.wall(), loose = board.loose(0);
        Bits<N> found = 0;
        for (Bits<N> left = G::neighbours(wall) & board.empty(); left; left &= left - 1) {
            const Bits<N> stone = left & (~left + 1);
            if (enough(secure<N>(wall | G::flood(stone, loose | stone)))) found |= stone;
        }
        return found;
    }

    std::int64_t order(const Board<N>& board, int point, int known) const {
        return point == known ? first : history_.rate(board, point);
    }
    // The i-th of the tried moves settled the position, and those before it did not.
    void learn(const Board<N>& board, const Children& list, int i) {
        for (int j = 0; j <= i; ++j) history_.learn(board, list.child[at(j)].move, j == i);
    }

    static constexpr int reserve = 9;        // moves that the first life earns,
    static constexpr int spare = 1;          // and those of them that the distance counts on
    static constexpr int far_weight = 8000;  // of a move nearer to the goal, in the rates of the history
    static constexpr std::int64_t first = std::int64_t{1} << 40;

    Table& table_;
    History& history_;
    const Distances<N>* distances_;
    std::atomic<bool>& stop_;
    Poll* poll_;  // of the thread that asked
    int points_;
    std::uint64_t budget_, nodes_ = 0;
    int chosen_ = Known::no_move;  // the prover's move in the last proof
};

}  // namespace rookery::solve
