// Many games that a network plays against itself at once, by the search of Gumbel AlphaZero. step() takes what the
// network thinks of the positions handed out last and hands out the next ones; finished games leave samples to learn
// from. What a game is like, how it begins and what its samples hold is said by its domain: go_domain.hpp is one.
//
// Whatever the number of threads, the same seed and the same evaluations give the same games: each game has a
// generator of its own, and positions are handed out in the order of the games.
#pragma once

#include <deque>

#include "core/errors.hpp"
#include "core/pool.hpp"
#include "search/gumbel.hpp"

namespace rookery::learn {

struct SelfPlaySettings {
    search::GumbelSettings search;
    int games = 64;
    int opening = 4;             // at most so many moves are played without a search, to begin elsewhere
    float uniform_share = 0.5f;  // the share of openings by chance alone; the others go by the policy
};

// What self-play needs of a game besides what its tree does. Each game under way has a copy of its own.
template <class D>
concept Playable =
    search::Domain<D> && requires(D d, const D c, const typename D::Position& p, Move m, Rng& rng, std::uint8_t* bytes,
                                  typename D::Samples& rows, typename D::Tally& tally, const std::vector<Move>& moves,
                                  const std::vector<float>& shares) {
        { D::width } -> std::convertible_to<std::size_t>;    // bytes of a position as the network sees it
        { D::actions } -> std::convertible_to<std::size_t>;  // how many logits it gives
        { d.begin(rng) } -> std::same_as<typename D::Position>;
        { c.over(p) } -> std::same_as<bool>;
        { c.encode(p, bytes) };
        { c.action(p, m) } -> std::convertible_to<std::size_t>;  // which logit is that of a move
        { c.record(p, moves, shares, rows) };  // a row for a searched position: the improved policy, a share a move
        { c.finish(p, rows, tally) };          // the game ended here: completes its rows, and counts it
        { rows.append(rows) };
        { tally.add(tally) };
    };

template <Playable D>
class SelfPlay {
  public:
    using Samples = typename D::Samples;
    using Tally = typename D::Tally;

    SelfPlay(const SelfPlaySettings& settings, const D& domain, std::uint64_t seed) : set_(settings) {
        for (int i = 0; i < settings.games; ++i)
            games_.emplace_back(settings, domain, mix(seed ^ mix(static_cast<std::uint64_t>(i))));
        offsets_.resize(at(settings.games) + 1);
    }
    SelfPlay(const SelfPlay&) = delete;
    SelfPlay& operator=(const SelfPlay&) = delete;

    // The most positions that a step can hand out.
    int capacity() const { return set_.games * std::max(1, set_.search.max_considered); }
    int waiting() const { return static_cast<int>(offsets_.back()); }
    int games() const { return set_.games; }

    // Changes the domain of every game, from its next move on.
    template <class Change>
    void each_domain(Change change) {
        for (Game& game : games_) change(game.search.domain());
    }

    // `logits` and `values`, to the side that moves, are of the positions that the last step wrote; room for capacity() in `planes`.
    // After a failure in the middle of a step there is no going on: some games have walked and some have not.
    int step(const float* logits, const float* values, std::uint8_t* planes, Pool& workers) {
        const auto finite = [](const float* from, std::size_t count) {
            return std::all_of(from, from + count, [](float v) { return std::isfinite(v); });
        };
        if (!finite(values, offsets_.back()) || !finite(logits, offsets_.back() * D::actions))
            throw Diverged("the network's evaluations are not finite");
        if (!sound_) throw Diverged("a step of these games has failed; begin new ones");
        sound_ = false;
        workers.run(set_.games, [&](int i) {
            Game& game = games_[at(i)];
            const std::size_t from = offsets_[at(i)];
            if (game.search.leaves()) absorb(game.search, logits + from * D::actions, values + from);
            advance(game);
        });
        for (std::size_t i = 0; i < games_.size(); ++i) offsets_[i + 1] = offsets_[i] + games_[i].search.leaves();
        workers.run(set_.games, [&](int i) {
            const Search& search = games_[at(i)].search;
            for (std::size_t k = 0; k < search.leaves(); ++k)
                search.domain().encode(search.leaf(k), planes + (offsets_[at(i)] + k) * D::width);
        });
        sound_ = true;
        evaluations_ += waiting();
        return waiting();
    }

    // What finished since this was last asked.
    Samples take() {
        Samples all;
        for (Game& game : games_) {
            all.append(game.done);
            game.done = {};
        }
        return all;
    }
    Tally tally() const {
        Tally sum;
        for (const Game& game : games_) sum.add(game.tally);
        sum.evaluations = evaluations_;
        return sum;
    }

  private:
    using Search = search::GumbelSearch<D>;

    struct Game {
        Game(const SelfPlaySettings& s, const D& domain, std::uint64_t seed)
            : search(domain, s.search, shape(s)), rng(seed) {}
        Search search;
        Rng rng;
        bool begun = false, uniform = false;
        int opening = 0;  // moves still to be played without a search
        Samples rows;     // of the game so far; what comes of it is not yet known
        Samples done;
        Tally tally;
    };

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    // Trees are small and many: one block of nodes, and blocks of edges that few nodes fill.
    static typename search::Tree<D, search::GumbelRule>::Shape shape(const SelfPlaySettings& s) {
        return {static_cast<unsigned>(std::bit_width(static_cast<unsigned>(s.search.simulations))),
                static_cast<unsigned>(std::bit_width(4 * static_cast<unsigned>(D::actions)))};
    }

    static void absorb(Search& search, const float* logits, const float* values) {
        const D& domain = search.domain();
        const auto worth = [&](std::size_t i) {
            search::Worth both{-values[i], -values[i]};
            both[static_cast<std::size_t>(domain.side(search.leaf(i)))] = values[i];
            return both;
        };
        search.absorb(worth, [&](std::size_t i) {
            const float* const row = logits + i * D::actions;
            return [&domain, &leaf = search.leaf(i), row](std::size_t, Move m) { return row[domain.action(leaf, m)]; };
        });
    }

    void start(Game& game) {
        game.search.start(game.search.domain().begin(game.rng));
        game.opening = static_cast<int>(game.rng.below(static_cast<std::uint32_t>(set_.opening + 1)));
        game.uniform = game.rng.uniform() < set_.uniform_share;
        game.begun = true;
    }

    // Plays on until the network is asked.
    void advance(Game& game) {
        Search& search = game.search;
        if (!game.begun) start(game);
        for (;;) {
            if (game.opening > 0 && search.known()) {
                --game.opening;
                search.play(search.drawn(game.rng, game.uniform));
            } else if (search.grow(&game.rng)) {
                return;
            } else {
                search.domain().record(search.root(), search.moves(), search.improved(), game.rows);
                search.play(search.chosen());
            }
            if (search.domain().over(search.root())) finish(game), start(game);
        }
    }

    void finish(Game& game) {
        game.search.domain().finish(game.search.root(), game.rows, game.tally);
        game.done.append(game.rows);
        game.rows = {};
    }

    SelfPlaySettings set_;
    std::deque<Game> games_;
    std::vector<std::size_t> offsets_;  // of each game's positions among those handed out; the last: how many there are
    bool sound_ = true;                 // no step has been broken off
    std::int64_t evaluations_ = 0;
};

}  // namespace rookery::learn
