// Go as self-play sees it: by area, with a komi of each game's own, and broken off after some plies. What a finished
// game is worth counts the score besides the win; nobody passes early; samples hold score and ownership.
#pragma once

#include <cmath>

#include "encoders/go_planes.hpp"
#include "learn/selfplay.hpp"

namespace rookery::learn {

struct GoSettings {
    float score_weight = 0.2f;     // share of the score, squashed, in the worth of a finished game
    int pass_from = 0;             // nobody passes before this ply while there is another move
    int cap = 0;                   // plies after which the board is counted as it stands
    float wide_share = 0.25f;      // the share of games whose komi lies anywhere from 0 to twice the centre
    float centre = 0, spread = 0;  // of komi, in points
};

// One row a searched position, seen by the side that moves.
template <int N>
struct GoSamples {
    static constexpr int area = N * N;
    std::vector<std::uint8_t> planes;   // encoders::go_planes * area each
    std::vector<std::uint16_t> policy;  // area + 1 each, in 65535ths
    std::vector<std::int8_t> seats;     // that move
    std::vector<float> won, score;      // 1, 0 or -1; points. Of games under way these two and the next are not known
    std::vector<std::int8_t> owner;     // area each, 1 own, -1 the other side's

    std::size_t size() const { return won.size(); }
    void append(const GoSamples& more) {
        const auto add = [](auto& a, const auto& b) { a.insert(a.end(), b.begin(), b.end()); };
        add(planes, more.planes), add(policy, more.policy), add(seats, more.seats);
        add(won, more.won), add(score, more.score), add(owner, more.owner);
    }
};

struct GoTally {
    std::int64_t games = 0, plies = 0, black = 0, white = 0, capped = 0, evaluations = 0;
    double margin = 0;  // Black's points less White's, without komi, summed

    void add(const GoTally& more) {
        games += more.games, plies += more.plies, black += more.black, white += more.white;
        capped += more.capped, margin += more.margin;
    }
};

template <int N>
class GoDomain {
  public:
    using Board = go::Position<N>;
    struct Position {
        Board board;
        Move last = encoders::no_move, before = encoders::no_move;
    };
    using Samples = GoSamples<N>;
    using Tally = GoTally;
    static constexpr std::size_t area = N * N, actions = area + 1, width = encoders::go_planes * area;

    explicit GoDomain(const GoSettings& settings) : set_(settings) {}
    void set_komi(float centre, float spread) { set_.centre = centre, set_.spread = spread; }

    // --- for the tree

    int side(const Position& p) const { return p.board.side(); }
    Position after(const Position& p, Move m) const {
        Position next{p.board, m, p.last};
        next.board.play(m);
        return next;
    }
    std::optional<search::Worth> look(const Position& p, std::vector<Move>& moves) const {
        moves.resize(actions);
        std::size_t count = 0;
        const bool ended = over(p);
        if (!ended) {
            go::each(p.board.legal(), [&](int m) { moves[count++] = m; });
            if (p.board.ply() >= set_.pass_from || count == 0) moves[count++] = Board::pass;
        }
        moves.resize(count);
        return ended ? std::optional(worth(p.board)) : std::nullopt;
    }
    // Whole boards are not looked for again: where a game goes in circles the cap ends it.
    void rewind() {}
    void leave(const Position&) {}
    void settle() {}
    std::size_t bytes(const Position&) const { return 0; }

    // --- for self-play

    Position begin(Rng& rng) const {
        go::Diagram d{N, std::vector<int>(area, go::Diagram::none), 0, {}, -1, 0, 0, {}};
        d.options.scoring = go::Scoring::area;
        d.options.komi = komi(rng);
        return {Board(d)};
    }
    bool over(const Position& p) const { return p.board.over() || p.board.ply() >= set_.cap; }
    void encode(const Position& p, std::uint8_t* out) const { encoders::encode(p.board, p.last, p.before, out); }
    std::size_t action(const Position&, Move m) const { return static_cast<std::size_t>(m); }

    void record(const Position& p, const std::vector<Move>& moves, const std::vector<float>& shares,
                Samples& rows) const {
        rows.planes.resize(rows.planes.size() + width);
        encode(p, rows.planes.data() + rows.planes.size() - width);
        const std::size_t first = rows.policy.size();
        rows.policy.resize(first + actions);
        for (std::size_t i = 0; i < moves.size(); ++i)
            rows.policy[first + action(p, moves[i])] = static_cast<std::uint16_t>(std::lround(shares[i] * 65535));
        rows.seats.push_back(static_cast<std::int8_t>(p.board.seat()));
    }

    void finish(const Position& p, Samples& rows, Tally& tally) const {
        using G = typename Board::G;
        const Board& board = p.board;
        const int score = board.score();
        typename G::Bits land[2];
        for (int side : {0, 1}) land[side] = G::flood(G::neighbours(board.stones(side)), board.empty());
        const typename G::Bits owned[2] = {board.stones(0) | (land[0] & ~land[1]),
                                           board.stones(1) | (land[1] & ~land[0])};
        for (const int seat : rows.seats) {
            const int points = seat == 0 ? score : -score;
            rows.won.push_back(points > 0 ? 1.f : points < 0 ? -1.f : 0.f);
            rows.score.push_back(static_cast<float>(points) / 2);
            const std::size_t first = rows.owner.size();
            rows.owner.resize(first + area);
            go::each(owned[seat], [&](int q) { rows.owner[first + static_cast<std::size_t>(q)] = 1; });
            go::each(owned[1 - seat], [&](int q) { rows.owner[first + static_cast<std::size_t>(q)] = -1; });
        }
        ++tally.games;
        tally.plies += board.ply();
        tally.black += score > 0, tally.white += score < 0, tally.capped += !board.over();
        tally.margin += board.area_score();
    }

  private:
    search::Worth worth(const Board& board) const {
        const float score = static_cast<float>(board.score()) / 2;
        const float won = score > 0 ? 1.f : score < 0 ? -1.f : 0.f;
        const float black = (1 - set_.score_weight) * won + set_.score_weight * std::tanh(score / N);
        return {black, -black};
    }

    // In half points, and any half point.
    std::int16_t komi(Rng& rng) const {
        double points = 0;
        if (rng.uniform() < set_.wide_share) {
            points = 2 * set_.centre * rng.uniform();
        } else {
            double normal = -6;
            for (int i = 0; i < 12; ++i) normal += rng.uniform();
            points = set_.centre + set_.spread * normal;
        }
        const double most = area;
        return static_cast<std::int16_t>(std::lround(2 * std::clamp(points, -most, most)));
    }

    GoSettings set_;
};

}  // namespace rookery::learn
