// Many games of Go that a network plays against itself at once. step() takes what the network thinks of the
// positions handed out last and hands out the next ones; finished games leave samples to learn from.
//
// Whatever the number of threads, the same seed and the same evaluations give the same games: each game has a
// generator of its own, and positions are handed out in the order of the games.
#pragma once

#include <deque>

#include "core/pool.hpp"
#include "learn/gumbel.hpp"

namespace rookery::learn {

struct SelfPlaySettings {
    SearchSettings search;
    int games = 64;
    int opening = 4;             // at most so many moves are played without a search, to begin elsewhere
    float uniform_share = 0.5f;  // the share of openings by chance alone; the others go by the policy
    float wide_share = 0.25f;    // the share of games whose komi lies anywhere from 0 to twice the centre
};

// One row a searched position, seen by the side that moves.
template <int N>
struct Samples {
    static constexpr int area = N * N, actions = area + 1;
    std::vector<std::uint8_t> planes;   // encoders::go_planes * area each
    std::vector<std::uint16_t> policy;  // actions each, in 65535ths
    std::vector<float> won, score;      // 1, 0 or -1; points
    std::vector<std::int8_t> owner;     // area each, 1 own, -1 the other side's

    std::size_t size() const { return won.size(); }
};

struct SelfPlayStats {
    std::int64_t games = 0, plies = 0, black = 0, white = 0, capped = 0, evaluations = 0;
    double margin = 0;  // Black's points less White's, without komi, summed
};

template <int N>
class SelfPlay {
  public:
    using P = go::Position<N>;
    static constexpr int area = N * N, actions = area + 1;

    SelfPlay(const SelfPlaySettings& settings, std::uint64_t seed) : set_(settings) {
        for (int i = 0; i < settings.games; ++i)
            games_.emplace_back(settings, mix(seed ^ mix(static_cast<std::uint64_t>(i))));
        offsets_.resize(at(settings.games) + 1);
    }

    // The most positions that a step can hand out.
    int capacity() const { return set_.games * std::max(1, set_.search.max_considered); }
    int waiting() const { return waiting_; }
    int games() const { return set_.games; }

    void set_komi(float centre, float spread) { centre_ = centre, spread_ = spread; }

    // `logits` and `values` are of the positions that the last step wrote; room for capacity() in `planes`.
    // After a failure in the middle of a step there is no going on: some games have walked and some have not.
    int step(const float* logits, const float* values, std::uint8_t* planes, Pool& workers) {
        const auto finite = [](const float* from, std::size_t count) {
            return std::all_of(from, from + count, [](float v) { return std::isfinite(v); });
        };
        if (!finite(values, at(waiting_)) || !finite(logits, at(waiting_) * actions))
            throw Diverged("the network's evaluations are not finite");
        if (!sound_) throw Diverged("a step of these games has failed; begin new ones");
        sound_ = false;
        workers.run(set_.games, [&](int i) {
            Game& game = games_[at(i)];
            const std::size_t from = at(offsets_[at(i)]);
            if (game.search.leaves()) game.search.absorb(logits + from * actions, values + from);
            advance(game);
        });
        for (int i = 0; i < set_.games; ++i) offsets_[at(i) + 1] = offsets_[at(i)] + games_[at(i)].search.leaves();
        workers.run(set_.games, [&](int i) {
            const Game& game = games_[at(i)];
            for (int k = 0; k < game.search.leaves(); ++k)
                game.search.encode_leaf(k, planes + at(offsets_[at(i)] + k) * encoders::go_planes * area);
        });
        waiting_ = offsets_[at(set_.games)];
        sound_ = true;
        stats_.evaluations += waiting_;
        return waiting_;
    }

    // What finished since this was last asked.
    Samples<N> take() {
        Samples<N> all;
        for (Game& game : games_) {
            append(all, game.done);
            game.done = {};
        }
        return all;
    }
    SelfPlayStats stats() const {
        SelfPlayStats sum = stats_;
        for (const Game& game : games_) {
            const SelfPlayStats& t = game.stats;
            sum.games += t.games, sum.plies += t.plies, sum.black += t.black, sum.white += t.white;
            sum.capped += t.capped, sum.margin += t.margin;
        }
        return sum;
    }

  private:
    struct Game {
        Game(const SelfPlaySettings& s, std::uint64_t seed) : search(s.search), rng(seed) {}
        GumbelSearch<N> search;
        Rng rng;
        bool begun = false, uniform = false;
        int opening = 0;  // moves still to be played without a search
        Samples<N> rows;  // of the game so far; their last three are not yet known
        std::vector<int> seats;
        Samples<N> done;
        SelfPlayStats stats;
    };

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    void start(Game& game) {
        go::Diagram d{N, std::vector<int>(area, go::Diagram::none), 0, {}, -1, 0, 0, {}};
        d.options.scoring = go::Scoring::area;
        d.options.komi = komi(game.rng);
        game.search.start(P(d));
        game.opening = static_cast<int>(game.rng.below(static_cast<std::uint32_t>(set_.opening + 1)));
        game.uniform = game.rng.uniform() < set_.uniform_share;
        game.begun = true;
    }

    // In half points, and any half point.
    std::int16_t komi(Rng& rng) const {
        double points = 0;
        if (rng.uniform() < set_.wide_share) {
            points = 2 * centre_ * rng.uniform();
        } else {
            double normal = -6;
            for (int i = 0; i < 12; ++i) normal += rng.uniform();
            points = centre_ + spread_ * normal;
        }
        const double most = area;
        return static_cast<std::int16_t>(std::lround(2 * std::clamp(points, -most, most)));
    }

    // Plays on until the network is asked.
    void advance(Game& game) {
        if (!game.begun) start(game);
        for (;;) {
            if (game.opening > 0 && game.search.known()) {
                --game.opening;
                game.search.play(game.search.drawn(game.rng, game.uniform));
            } else if (game.search.grow(game.rng)) {
                return;
            } else {
                record(game);
                game.search.play(game.search.chosen());
            }
            if (GumbelSearch<N>::over(game.search.root(), set_.search.cap)) finish(game), start(game);
        }
    }

    void record(Game& game) {
        const auto& search = game.search;
        Samples<N>& rows = game.rows;
        rows.planes.resize(rows.planes.size() + encoders::go_planes * area);
        std::uint8_t* const row = rows.planes.data() + rows.planes.size() - encoders::go_planes * area;
        encoders::encode(search.root(), search.last(), search.before(), row);
        std::array<float, actions> policy;
        search.improved(policy);
        for (const float share : policy) rows.policy.push_back(static_cast<std::uint16_t>(std::lround(share * 65535)));
        game.seats.push_back(search.root().seat());
    }

    void finish(Game& game) {
        using G = typename P::G;
        const P& p = game.search.root();
        const int score = p.score();
        typename G::Bits land[2];
        for (int side : {0, 1}) land[side] = G::flood(G::neighbours(p.stones(side)), p.empty());
        const typename G::Bits owned[2] = {p.stones(0) | (land[0] & ~land[1]), p.stones(1) | (land[1] & ~land[0])};
        for (const int seat : game.seats) {
            const int points = seat == 0 ? score : -score;
            game.rows.won.push_back(points > 0 ? 1.f : points < 0 ? -1.f : 0.f);
            game.rows.score.push_back(static_cast<float>(points) / 2);
            const std::size_t first = game.rows.owner.size();
            game.rows.owner.resize(first + area);
            go::each(owned[seat], [&](int q) { game.rows.owner[first + at(q)] = 1; });
            go::each(owned[1 - seat], [&](int q) { game.rows.owner[first + at(q)] = -1; });
        }
        append(game.done, game.rows);
        game.rows = {};
        game.seats.clear();
        ++game.stats.games;
        game.stats.plies += p.ply();
        game.stats.black += score > 0, game.stats.white += score < 0, game.stats.capped += !p.over();
        game.stats.margin += p.area_score();
    }

    static void append(Samples<N>& to, const Samples<N>& from) {
        const auto add = [](auto& a, const auto& b) { a.insert(a.end(), b.begin(), b.end()); };
        add(to.planes, from.planes), add(to.policy, from.policy);
        add(to.won, from.won), add(to.score, from.score), add(to.owner, from.owner);
    }

    SelfPlaySettings set_;
    std::deque<Game> games_;
    std::vector<int> offsets_;  // of each game's positions among those handed out
    int waiting_ = 0;
    bool sound_ = true;  // no step has been broken off
    float centre_ = 0, spread_ = 0;
    SelfPlayStats stats_;
};

}  // namespace rookery::learn
