// Learning from the trees that a search looks at, by self-play: TreeStrap (Veness, Silver, Uther, Blair 2009) as
// Real and Blair, "Learning a Multi-Player Chess Game with TreeStrap", use it, and the two older methods that it is
// measured by, RootStrap (ibid.) and TD-Leaf (Baxter, Tridgell, Weaver 1998).
//
// Knowledge is linear: a value is sigma(w . phi), in the view of the side to move. Some games are played side by
// side in rounds. In a round every game begins with the same weights, and goes on for some nodes, learning after
// each move; then the weights take what each game has taught, in the order of the games. A round is measured in
// nodes, so the result does not depend on the threads, and a game that thinks long keeps nobody waiting. A single
// game at a time is the paper's way. What the games of a round have taught is added up, so that weights may move as
// many times as far as one game would move them; or its mean is taken.
#pragma once

#include <cmath>
#include <memory>

#include "core/poll.hpp"
#include "core/pool.hpp"
#include "core/rng.hpp"
#include "search/alphabeta.hpp"

namespace rookery::learn {

enum class Method { treestrap, rootstrap, tdleaf };

struct TreeStrapConfig {
    Method method = Method::treestrap;
    int depth = 5;                // of each search; the knowledge may ask for more (`deeper`)
    float learning_rate = 1e-4f;  // at the root
    float final_factor = 1;       // the share of the learning rate that remains when the last game begins
    float discount = 1 / 3.0f;    // of the learning rate, a ply
    float max_update = 0.001f;    // no weight changes by more in a move
    float lambda = 0.7f;          // TD-Leaf's
    bool squared_error = true;    // the loss: squared error, through the sigmoid; else cross-entropy
    search::Windows windows = search::Windows::null;  // of searches; open ones give TreeStrap(minimax)
    int killers = 2;
    bool history = true;
    bool quiescence = false;
    bool selective = false;              // searches reduce and prune late moves
    bool quiet_only = false;             // only positions whose best move takes nothing teach
    bool exact_only = false;             // only nodes whose value is known teach, not those with a bound
    int random_moves = 4;                // at the start of each game
    int max_plies = 2000;                // after so many a game counts as drawn
    std::size_t megabytes = 0;           // of transposition table
    std::int64_t round_nodes = 500'000;  // nodes, at least, of each game between two merges of the weights
    bool mean = false;                   // whether the mean of what the games have taught is merged, not the sum
};

// A game in progress, as it is saved and resumed.
struct UnfinishedGame {
    std::int64_t number = 0;
    std::vector<Move> moves;
    // TD-Leaf: the best line of each search, and what its end was worth to the first side. Nothing learns where
    // the line is empty: the rules say what its end is worth, or its end is not quiet.
    std::vector<std::vector<Move>> lines;
    std::vector<float> values;
};

struct TreeStrapStats {
    std::int64_t games = 0, plies = 0, searches = 0, nodes = 0, samples = 0, first_wins = 0, second_wins = 0,
                 cut = 0;  // at `max_plies`
    double error = 0;      // squared, at the roots, summed

    TreeStrapStats& operator+=(const TreeStrapStats& o) {
        games += o.games, plies += o.plies, searches += o.searches, nodes += o.nodes, samples += o.samples;
        first_wins += o.first_wins, second_wins += o.second_wins, cut += o.cut, error += o.error;
        return *this;
    }
};

template <Rules P, class K>
class TreeStrap {
  public:
    // `learns`: for each feature, whether its weight may change. Games are numbered from 0; `games` in all.
    TreeStrap(P start, K knowledge, TreeStrapConfig config, std::vector<bool> learns, std::uint64_t seed,
              std::int64_t games, int side_by_side, int threads)
        : start_(std::move(start)),
          knowledge_(std::move(knowledge)),
          config_(config),
          learns_(std::move(learns)),
          seed_(seed),
          games_(games),
          workers_(threads) {
        require_sound(knowledge_.weights());
        for (int i = 0; i < side_by_side; ++i) slots_.push_back(std::make_unique<GameSlot>(*this));
        for (auto& slot : slots_) begin(*slot);
    }
    TreeStrap(const TreeStrap&) = delete;
    TreeStrap& operator=(const TreeStrap&) = delete;

    // Weights further from 0 have diverged. Sums of lighter ones stay far below what a won game is worth.
    static constexpr float max_weight = 1000;

    // Plays rounds until that many games have ended, or all have. Whatever it throws, games may stand in the middle
    // of a round: only what was kept before, set again by `weights` and `resume`, is whole.
    TreeStrapStats play(std::int64_t games, const Poll::Ask& ask) {
        stopping_ = false;
        const auto asking = [&] {
            try {
                if (ask) ask();
            } catch (...) {
                stopping_ = true;
                throw;
            }
        };
        const auto caller = std::this_thread::get_id();
        Poll poll(asking);
        TreeStrapStats total;
        while (total.games < games && ended_ < games_) {
            workers_.run(
                static_cast<int>(slots_.size()),
                [&](int i) {
                    slots_[static_cast<std::size_t>(i)]->round(std::this_thread::get_id() == caller ? &poll : nullptr);
                },
                asking);
            const auto busy = std::count_if(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->busy; });
            const float part = config_.mean ? 1 / static_cast<float>(busy) : 1;
            for (auto& slot : slots_) {
                if (!slot->busy) continue;
                for (std::size_t i = 0; i < slot->gained.size(); ++i) knowledge_.weights()[i] += part * slot->gained[i];
                total += slot->stats;
                ended_ += slot->stats.games;
                if (slot->over) begin(*slot);
            }
            require_sound(knowledge_.weights());
        }
        return total;
    }

    static void require_sound(const std::vector<float>& weights) {
        for (const float w : weights)
            if (!(std::abs(w) <= max_weight)) throw Diverged("a weight is beyond what an evaluation can mean");
    }

    std::vector<float>& weights() { return knowledge_.weights(); }

    // All games in progress, to be kept and taken up again.
    std::vector<UnfinishedGame> unfinished() const {
        std::vector<UnfinishedGame> all;
        for (const auto& slot : slots_)
            if (slot->busy) all.push_back(slot->game);
        return all;
    }
    // Throws BadOption, and changes nothing, unless these are games that this learner can have come to.
    void resume(std::int64_t begun, std::int64_t ended, const std::vector<UnfinishedGame>& unfinished) {
        require(begun, ended, unfinished);
        begun_ = begun, ended_ = ended;
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            slots_[i]->busy = i < unfinished.size();
            if (i < unfinished.size()) slots_[i]->take_up(unfinished[i]);
        }
    }
    std::int64_t begun() const { return begun_; }
    std::int64_t ended() const { return ended_; }

  private:
    using Value = search::Value;

    void require(std::int64_t begun, std::int64_t ended, const std::vector<UnfinishedGame>& unfinished) const {
        const auto refuse = [](const std::string& why) { throw BadOption(why); };
        const std::string counts = std::to_string(begun) + " games begun and " + std::to_string(ended) + " ended";
        if (ended < 0 || begun < ended || begun > games_) refuse(counts + " of " + std::to_string(games_));
        // A slot is idle only once all games have begun; were all of them, no game would ever end.
        if (unfinished.size() > slots_.size() || static_cast<std::int64_t>(unfinished.size()) != begun - ended ||
            (unfinished.size() < slots_.size() && begun < games_))
            refuse(counts + ", but " + std::to_string(unfinished.size()) + " in progress");
        for (const UnfinishedGame& game : unfinished) {
            const std::string name = "game " + std::to_string(game.number) + ": ";
            if (game.number < 0 || game.number >= begun) refuse(name + "no such game has begun");
            const std::size_t lines = config_.method == Method::tdleaf ? game.lines.size() : 0;
            if (game.lines.size() != lines || game.values.size() != lines || lines > game.moves.size())
                refuse(name + "its best lines and their values do not fit its moves");
            for (const float value : game.values)
                if (!(value >= 0 && value <= 1)) refuse(name + "a value of a best line is not between 0 and 1");
            P position = start_;
            std::vector<std::uint64_t> past;
            for (std::size_t i = 0; i <= game.moves.size(); ++i) {
                const std::string where = name + "move " + std::to_string(i + 1);
                const std::size_t before = game.moves.size() - lines;
                if (i >= before && i < game.moves.size() && !follow(position, game.lines[i - before]))
                    refuse(where + " has a best line that cannot be played");
                typename P::Moves list;
                position.moves(list);
                if (position.outcome(list, search::occurrences(position, past)))
                    refuse(name + "it is over after move " + std::to_string(i));
                if (i == game.moves.size()) break;
                if (std::find(list.begin(), list.end(), game.moves[i]) == list.end())
                    refuse(where + " (" + std::to_string(game.moves[i]) + ") is illegal");
                past.push_back(position.key());
                position.play(game.moves[i]);
            }
        }
    }

    // Whether these moves can be played one after the other.
    static bool follow(P position, const std::vector<Move>& line) {
        for (const Move m : line) {
            typename P::Moves list;
            position.moves(list);
            if (std::find(list.begin(), list.end(), m) == list.end()) return false;
            position.play(m);
        }
        return true;
    }

    static double sigma(double u) { return 1 / (1 + std::exp(-u)); }

    // A position, and how far its value lies from what the search found.
    struct Sample {
        P position;
        float error, value;
        int ply;
    };

    // Samples that are kept before what they teach is summed up: a search may take millions of them.
    static constexpr std::size_t batch = 1024;

    struct GameSlot;

    // Observes the search, and takes the samples of its last depth.
    struct SampleCollector {
        GameSlot* slot;
        const TreeStrapConfig* config;

        void deepen(int) { slot->forget_samples(); }
        void node(const P& p, search::OnThread<P, K>& knowledge, const typename K::Node& node, int ply, Move best,
                  Value found, search::Bound bound) {
            if (config->method != Method::treestrap && ply > 0) return;
            if (config->quiet_only && search::is_noisy(p, best)) return;
            if (config->exact_only && bound != search::Bound::exact) return;
            const double value = sigma(knowledge.value(p, node));
            double error = sigma(found) - value;
            // A bound teaches only a value on the wrong side of it.
            if (bound == search::Bound::lower) error = std::max(0.0, error);
            if (bound == search::Bound::upper) error = std::min(0.0, error);
            if (error == 0) return;
            slot->take({p, static_cast<float>(error), static_cast<float>(value), ply});
        }
    };

    using Search = search::AlphaBeta<P, K, SampleCollector>;

    // One of the games side by side, and what its last search taught.
    struct GameSlot {
        explicit GameSlot(TreeStrap& learner)
            : learner(learner),
              knowledge(learner.knowledge_),
              position(learner.start_),
              table(learner.config_.megabytes > 0 ? std::make_unique<search::Table>(learner.config_.megabytes)
                                                  : nullptr),
              search(knowledge,
                     {.killers = learner.config_.killers,
                      .history = learner.config_.history,
                      .windows = learner.config_.windows,
                      .quiescence = learner.config_.quiescence ? search::longest : 0,
                      .selective = learner.config_.selective},
                     table.get(), SampleCollector{this, &learner.config_}),
              change(knowledge.weights().size()),
              gained(change.size()) {}

        void take_up(UnfinishedGame from) {
            game = std::move(from);
            position = learner.start_;
            past.clear();
            over.reset();
            for (const Move m : game.moves) advance(m);
        }

        void advance(Move m) {
            past.push_back(position.key());
            position.play(m);
        }

        // `hears`: the poll of whoever waits for the round, on that thread alone.
        void round(Poll* hears) {
            poll = hears;
            stats = {};
            if (!busy) return;
            rate = learner.rate();
            knowledge.weights() = learner.knowledge_.weights();
            std::fill(gained.begin(), gained.end(), 0.0f);
            while (!over && stats.nodes < learner.config_.round_nodes) {
                if (poll) poll->look();
                if (learner.abandoned()) return;
                knowledge.refresh();
                move();
                learn();
            }
        }

        void move() {
            const TreeStrapConfig& s = learner.config_;
            forget_samples();
            // A search must not know of the one before: a game taken up again would go another way.
            search.forget();
            if (table) table->clear();
            search::Limits limits;
            limits.depth = s.depth + K::deeper(position);
            limits.poll = poll;
            const search::Report report = search.search(position, past, limits, learner.stopping_);
            if (learner.abandoned()) return forget_samples();
            if (report.lines.empty()) throw Diverged("a search found no move");
            ++stats.searches;
            stats.nodes += report.nodes;
            if (s.method == Method::tdleaf)
                record_leaf(report.lines[0]);
            else
                learn_from_samples();
            const Move m = report.lines[0].moves[0];
            game.moves.push_back(m);
            advance(m);
            over = outcome();
            if (!over && static_cast<int>(game.moves.size()) >= s.max_plies) {
                over = Outcome{-1, "too long"};
                stats.cut = 1;
            }
            if (over && s.method == Method::tdleaf) learn_from_leaves();
        }

        // Takes what the move has taught.
        void learn() {
            const TreeStrapConfig& s = learner.config_;
            // TD-Leaf teaches once a game, for all of its moves.
            const double searches = static_cast<double>(std::max<std::size_t>(1, game.lines.size()));
            const double most = static_cast<double>(s.max_update) * searches;
            for (std::size_t i = 0; i < change.size(); ++i) {
                if (change[i] == 0) continue;
                if (learner.learns_[i % K::features]) {
                    const float step = static_cast<float>(std::clamp(change[i], -most, most));
                    knowledge.weights()[i] += step;
                    gained[i] += step;
                }
                change[i] = 0;
            }
            stats.samples += taken;
            if (!samples.empty() && samples.back().ply == 0)
                stats.error += static_cast<double>(samples.back().error) * static_cast<double>(samples.back().error);
            if (!over) return;
            stats.games = 1;
            stats.plies = static_cast<std::int64_t>(game.moves.size());
            stats.first_wins = over->winner == 0;
            stats.second_wins = over->winner == 1;
        }

        std::optional<Outcome> outcome() const {
            typename P::Moves list;
            position.moves(list);
            return position.outcome(list, search::occurrences(position, past));
        }

        void add(const P& p, double by) {
            double* to = change.data() + static_cast<std::size_t>(knowledge.set_of(p)) * K::features;
            K::Features::each(p, [&](int feature, int count) { to[feature] += by * count; });
        }
        double slope(double value) const { return learner.config_.squared_error ? value * (1 - value) : 1; }

        void take(const Sample& sample) {
            if (samples.size() == batch) {
                learn_from_samples();
                samples.clear();
            }
            samples.push_back(sample);  // the last, of the root, is always kept
            ++taken;
        }

        void forget_samples() {
            if (taken > static_cast<std::int64_t>(samples.size())) std::fill(change.begin(), change.end(), 0.0);
            samples.clear();
            taken = 0;
        }

        void learn_from_samples() {
            const TreeStrapConfig& s = learner.config_;
            for (const Sample& sample : samples)
                add(sample.position, rate * std::pow(static_cast<double>(s.discount), sample.ply) *
                                         static_cast<double>(sample.error) * slope(static_cast<double>(sample.value)));
        }

        // The leaf whose evaluation is the value of the search: the end of the best line and of the quiescence
        // beyond it.
        void record_leaf(search::Line line) {
            P leaf = position;
            std::vector<std::uint64_t> before = past;
            const auto follow = [&](Move m) {
                before.push_back(leaf.key());
                leaf.play(m);
            };
            for (const Move m : line.moves) follow(m);
            // It may last, so it is only asked where its answer counts.
            search::Pv noisy;
            noisy.size = 0;
            if (learner.config_.quiescence || learner.config_.quiet_only) noisy = search.settle(leaf, before);
            if (learner.config_.quiescence) {
                for (int i = 0; i < noisy.size; ++i) follow(noisy.moves[static_cast<std::size_t>(i)]);
                line.moves.insert(line.moves.end(), noisy.moves.begin(), noisy.moves.begin() + noisy.size);
            }
            const Value evaluated = knowledge.value(leaf, knowledge.root(leaf));
            const bool quiet = learner.config_.quiescence || noisy.size == 0;
            const bool learns = line.value == (leaf.side() == position.side() ? evaluated : -evaluated) &&
                                (quiet || !learner.config_.quiet_only);
            const double value = sigma(line.value);
            game.lines.push_back(learns ? std::move(line.moves) : std::vector<Move>());
            game.values.push_back(static_cast<float>(position.side() == 0 ? value : 1 - value));
        }

        // TD-Leaf: each leaf learns from all later changes of the value, the further the less.
        void learn_from_leaves() {
            const TreeStrapConfig& s = learner.config_;
            const std::size_t before = game.moves.size() - game.lines.size();  // moves that nobody searched for
            std::vector<P> leaves;
            P p = learner.start_;
            for (std::size_t i = 0; i < game.moves.size(); p.play(game.moves[i++])) {
                if (i < before) continue;
                leaves.push_back(p);
                for (const Move m : game.lines[i - before]) leaves.back().play(m);
            }
            double later = over->winner < 0 ? 0.5 : over->winner == 0 ? 1 : 0, sum = 0;
            for (std::size_t i = leaves.size(); i-- > 0;) {
                const double value = static_cast<double>(game.values[i]);
                sum = (later - value) + static_cast<double>(s.lambda) * sum;
                later = value;
                if (game.lines[i].empty()) continue;
                const double sign = leaves[i].side() == 0 ? 1 : -1;
                add(leaves[i], rate * sign * sum * slope(value));
            }
        }

        TreeStrap& learner;
        Poll* poll = nullptr;
        K knowledge;  // as this game has taught it since the last meeting
        bool busy = false;
        double rate = 0;
        UnfinishedGame game;
        P position;
        std::vector<std::uint64_t> past;
        std::vector<Sample> samples;  // of which `change` knows nothing yet
        std::int64_t taken = 0;       // samples of the search, those summed up in `change` among them
        std::unique_ptr<search::Table> table;
        Search search;
        std::vector<double> change;  // of all weights by the last search, not yet bounded
        std::vector<float> gained;   // by all searches of the round
        std::optional<Outcome> over;
        TreeStrapStats stats;  // of the round
    };

    // Whether what this round teaches is thrown away.
    bool abandoned() const { return stopping_.load(std::memory_order_relaxed) || workers_.broken(); }

    // Falls evenly with the games that have ended.
    double rate() const {
        const double done = static_cast<double>(ended_) / static_cast<double>(games_);
        return static_cast<double>(config_.learning_rate) *
               (1 + (static_cast<double>(config_.final_factor) - 1) * done);
    }

    // The next game, with its random moves; none if all have begun.
    void begin(GameSlot& slot) {
        slot.busy = begun_ < games_;
        if (!slot.busy) return;
        const std::int64_t number = begun_++;
        Rng rng(mix(seed_ ^ mix(static_cast<std::uint64_t>(number))));
        int tries = 0;
        do {  // an opening that ends the game gives way to another: every game that begins must also end
            if (++tries > 1000) throw BadOption("every opening by chance ends the game; lower random_moves");
            slot.take_up({number, {}, {}, {}});
            for (int i = 0; i < config_.random_moves && !slot.outcome(); ++i) {
                typename P::Moves list;
                slot.position.moves(list);
                std::sort(list.begin(), list.end());
                const Move m = list[static_cast<int>(rng.below(static_cast<std::uint32_t>(list.size())))];
                slot.game.moves.push_back(m);
                slot.advance(m);
            }
        } while (slot.outcome());
    }

    P start_;
    K knowledge_;
    TreeStrapConfig config_;
    std::vector<bool> learns_;
    std::uint64_t seed_;
    std::int64_t games_, begun_ = 0, ended_ = 0;
    std::atomic<bool> stopping_{false};
    Pool workers_;
    std::vector<std::unique_ptr<GameSlot>> slots_;
};

}  // namespace rookery::learn
