// Learning from the trees that a search looks at, by self-play: TreeStrap (Veness, Silver, Uther, Blair 2009) as
// Real and Blair, "Learning a Multi-Player Chess Game with TreeStrap", use it, and the two older methods that it is
// measured by, RootStrap (ibid.) and TD-Leaf (Baxter, Tridgell, Weaver 1998).
//
// Knowledge is linear: a value is sigma(w . phi), in the view of the side to move. Some games are played side by
// side in rounds. In a round every game begins with the same weights, and goes on for some nodes, learning after
// each move; then the weights take what each game has taught, in the order of the games. A round is measured in
// nodes, so the result does not depend on the threads, and a game that thinks long keeps nobody waiting. A single
// game at a time is the paper's way.
#pragma once

#include <cmath>
#include <memory>

#include "core/poll.hpp"
#include "core/pool.hpp"
#include "core/rng.hpp"
#include "search/alphabeta.hpp"

namespace rookery::learn {

enum class Method { treestrap, rootstrap, tdleaf };

struct Schooling {
    Method method = Method::treestrap;
    int depth = 5;              // of each search; the knowledge may ask for more (`deeper`)
    float rate = 1e-4f;         // at the root
    float final = 1;            // what remains of the rate when the last game begins
    float discount = 1 / 3.0f;  // of the rate, a ply
    float limit = 0.001f;       // no weight changes by more in a move
    float trace = 0.7f;         // TD-Leaf's lambda
    bool slope = true;          // descend the squared error, through the sigmoid; else the cross-entropy
    bool quiescence = false;
    bool selective = false;        // searches pass over late moves
    bool quiet = false;            // only positions whose best move takes nothing teach
    bool exact = false;            // only nodes whose value is known teach, not those with a bound
    int random_moves = 4;          // at the start of each game
    int longest = 2000;            // plies after which a game counts as drawn
    std::size_t megabytes = 0;     // of transposition table
    std::int64_t round = 500'000;  // nodes, at least, of each game between meetings
};

// One of the games in progress.
struct Play {
    std::int64_t number = 0;
    std::vector<Move> moves;
    // TD-Leaf: the best line of each search, and what its end was worth to the first side.
    std::vector<std::vector<Move>> lines;
    std::vector<float> values;
};

struct Lessons {
    std::int64_t games = 0, plies = 0, searches = 0, nodes = 0, notes = 0, first_wins = 0, second_wins = 0;
    double error = 0;  // squared, at the roots, summed

    Lessons& operator+=(const Lessons& o) {
        games += o.games, plies += o.plies, searches += o.searches, nodes += o.nodes, notes += o.notes;
        first_wins += o.first_wins, second_wins += o.second_wins, error += o.error;
        return *this;
    }
};

template <Rules P, class K>
class TreeStrap {
  public:
    // `learns`: for each feature, whether its weight may change. Games are numbered from 0; `games` in all.
    TreeStrap(P start, K knowledge, Schooling schooling, std::vector<bool> learns, std::uint64_t seed,
              std::int64_t games, int side_by_side, int threads)
        : start_(std::move(start)),
          knowledge_(std::move(knowledge)),
          schooling_(schooling),
          learns_(std::move(learns)),
          seed_(seed),
          games_(games),
          workers_(threads) {
        require_sound(knowledge_.weights());
        for (int i = 0; i < side_by_side; ++i) desks_.push_back(std::make_unique<Desk>(*this));
        for (auto& desk : desks_) begin(*desk);
    }
    TreeStrap(const TreeStrap&) = delete;
    TreeStrap& operator=(const TreeStrap&) = delete;

    // Weights further from 0 have diverged. Sums of lighter ones stay far below what a won game is worth.
    static constexpr float heaviest = 1000;

    // Plays rounds until that many games have ended, or all have. Whatever it throws, games may stand in the middle
    // of a round: only what was kept before, set again by `weights` and `resume`, is whole.
    Lessons play(std::int64_t games, const Poll::Ask& ask) {
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
        Lessons total;
        while (total.games < games && ended_ < games_) {
            workers_.run(
                static_cast<int>(desks_.size()),
                [&](int i) {
                    desks_[static_cast<std::size_t>(i)]->round(std::this_thread::get_id() == caller ? &poll : nullptr);
                },
                asking);
            for (auto& desk : desks_) {
                if (!desk->busy) continue;
                for (std::size_t i = 0; i < desk->gained.size(); ++i) knowledge_.weights()[i] += desk->gained[i];
                total += desk->lessons;
                ended_ += desk->lessons.games;
                if (desk->over) begin(*desk);
            }
            require_sound(knowledge_.weights());
        }
        return total;
    }

    static void require_sound(const std::vector<float>& weights) {
        for (const float w : weights)
            if (!(std::abs(w) <= heaviest)) throw Diverged("a weight is beyond what an evaluation can mean");
    }

    std::vector<float>& weights() { return knowledge_.weights(); }

    // All games in progress, to be kept and taken up again.
    std::vector<Play> plays() const {
        std::vector<Play> all;
        for (const auto& desk : desks_)
            if (desk->busy) all.push_back(desk->play);
        return all;
    }
    // Throws BadOption, and changes nothing, unless these are games that this school can have come to.
    void resume(std::int64_t begun, std::int64_t ended, const std::vector<Play>& plays) {
        require(begun, ended, plays);
        begun_ = begun, ended_ = ended;
        for (std::size_t i = 0; i < desks_.size(); ++i) {
            desks_[i]->busy = i < plays.size();
            if (i < plays.size()) desks_[i]->take_up(plays[i]);
        }
    }
    std::int64_t begun() const { return begun_; }
    std::int64_t ended() const { return ended_; }

  private:
    using Value = search::Value;

    void require(std::int64_t begun, std::int64_t ended, const std::vector<Play>& plays) const {
        const auto refuse = [](const std::string& why) { throw BadOption(why); };
        const std::string counts = std::to_string(begun) + " games begun and " + std::to_string(ended) + " ended";
        if (ended < 0 || begun < ended || begun > games_) refuse(counts + " of " + std::to_string(games_));
        // A desk is idle only once all games have begun; were all of them, no game would ever end.
        if (plays.size() > desks_.size() || static_cast<std::int64_t>(plays.size()) != begun - ended ||
            (plays.size() < desks_.size() && begun < games_))
            refuse(counts + ", but " + std::to_string(plays.size()) + " in progress");
        for (const Play& play : plays) {
            const std::string name = "game " + std::to_string(play.number) + ": ";
            if (play.number < 0 || play.number >= begun) refuse(name + "no such game has begun");
            const std::size_t lines = schooling_.method == Method::tdleaf ? play.lines.size() : 0;
            if (play.lines.size() != lines || play.values.size() != lines || lines > play.moves.size())
                refuse(name + "its best lines and their values do not fit its moves");
            for (const float value : play.values)
                if (!(value >= 0 && value <= 1)) refuse(name + "a value of a best line is not between 0 and 1");
            P position = start_;
            std::vector<std::uint64_t> past;
            for (std::size_t i = 0; i <= play.moves.size(); ++i) {
                const std::string where = name + "move " + std::to_string(i + 1);
                const std::size_t before = play.moves.size() - lines;
                if (i >= before && i < play.moves.size() && !follow(position, play.lines[i - before]))
                    refuse(where + " has a best line that cannot be played");
                typename P::Moves list;
                position.moves(list);
                if (position.outcome(list, search::occurrences(position, past)))
                    refuse(name + "it is over after move " + std::to_string(i));
                if (i == play.moves.size()) break;
                if (std::find(list.begin(), list.end(), play.moves[i]) == list.end())
                    refuse(where + " (" + std::to_string(play.moves[i]) + ") is illegal");
                past.push_back(position.key());
                position.play(play.moves[i]);
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
    struct Note {
        P position;
        float error, value;
        int ply;
    };

    // What one search may note, so that no depth that a recipe can ask for takes all memory.
    static constexpr std::size_t most_notes = (std::size_t{256} << 20) / sizeof(Note);

    // Sees the tree grow, and keeps what the last depth says.
    struct Witness {
        const K* knowledge;
        std::vector<Note>* notes;
        const Schooling* schooling;

        void deepen(int) { notes->clear(); }
        void node(const P& p, const typename K::Node& node, int ply, Move best, Value found, search::Bound bound) {
            if (schooling->method != Method::treestrap && ply > 0) return;
            if (schooling->quiet && search::is_noisy(p, best)) return;
            if (schooling->exact && bound != search::Bound::exact) return;
            const double value = sigma(knowledge->value(p, node));
            double error = sigma(found) - value;
            // A bound teaches only a value on the wrong side of it.
            if (bound == search::Bound::lower) error = std::max(0.0, error);
            if (bound == search::Bound::upper) error = std::min(0.0, error);
            if (error == 0) return;
            if (notes->size() >= most_notes)
                throw BadOption("a search notes more than " + std::to_string(most_notes) + " positions; lower depth");
            notes->push_back({p, static_cast<float>(error), static_cast<float>(value), ply});
        }
    };

    using Search = search::AlphaBeta<P, K, Witness>;

    // A game, and what its last search taught.
    struct Desk {
        explicit Desk(TreeStrap& school)
            : school(school),
              knowledge(school.knowledge_),
              position(school.start_),
              table(school.schooling_.megabytes > 0 ? std::make_unique<search::Table>(school.schooling_.megabytes)
                                                    : nullptr),
              search(
                  knowledge,
                  {true, true, school.schooling_.quiescence ? search::longest : 0, false, school.schooling_.selective},
                  table.get(), Witness{&knowledge, &notes, &school.schooling_}),
              change(knowledge.weights().size()),
              gained(change.size()) {}

        void take_up(Play from) {
            play = std::move(from);
            position = school.start_;
            past.clear();
            over.reset();
            for (const Move m : play.moves) advance(m);
        }

        void advance(Move m) {
            past.push_back(position.key());
            position.play(m);
        }

        // `hears`: the poll of whoever waits for the round, on that thread alone.
        void round(Poll* hears) {
            poll = hears;
            lessons = {};
            if (!busy) return;
            rate = school.rate();
            knowledge.weights() = school.knowledge_.weights();
            std::fill(gained.begin(), gained.end(), 0.0f);
            while (!over && lessons.nodes < school.schooling_.round) {
                if (poll) poll->look();
                if (school.abandoned()) return;
                knowledge.refresh();
                move();
                learn();
            }
        }

        void move() {
            const Schooling& s = school.schooling_;
            notes.clear();
            // A search must not know of the one before: a game taken up again would go another way.
            search.forget();
            if (table) table->clear();
            search::Limits limits;
            limits.depth = s.depth + K::deeper(position);
            limits.poll = poll;
            const search::Report report = search.search(position, past, limits, school.stopping_);
            if (school.abandoned()) return;
            if (report.lines.empty()) throw Diverged("a search found no move");
            ++lessons.searches;
            lessons.nodes += report.nodes;
            if (s.method == Method::tdleaf)
                note_leaf(report.lines[0]);
            else
                weigh_notes();
            const Move m = report.lines[0].moves[0];
            play.moves.push_back(m);
            advance(m);
            over = outcome();
            if (!over && static_cast<int>(play.moves.size()) >= s.longest) over = Outcome{-1, "too long"};
            if (over && s.method == Method::tdleaf) weigh_leaves();
        }

        // Takes what the move has taught.
        void learn() {
            const Schooling& s = school.schooling_;
            // TD-Leaf teaches once a game, for all of its moves.
            const double searches = static_cast<double>(std::max<std::size_t>(1, play.lines.size()));
            const double most = static_cast<double>(s.limit) * searches;
            for (std::size_t i = 0; i < change.size(); ++i) {
                if (change[i] == 0) continue;
                if (school.learns_[i % K::features]) {
                    const float step = static_cast<float>(std::clamp(change[i], -most, most));
                    knowledge.weights()[i] += step;
                    gained[i] += step;
                }
                change[i] = 0;
            }
            lessons.notes += static_cast<std::int64_t>(notes.size());
            if (!notes.empty() && notes.back().ply == 0)
                lessons.error += static_cast<double>(notes.back().error) * static_cast<double>(notes.back().error);
            if (!over) return;
            lessons.games = 1;
            lessons.plies = static_cast<std::int64_t>(play.moves.size());
            lessons.first_wins = over->winner == 0;
            lessons.second_wins = over->winner == 1;
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
        double slope(double value) const { return school.schooling_.slope ? value * (1 - value) : 1; }

        void weigh_notes() {
            const Schooling& s = school.schooling_;
            for (const Note& note : notes)
                add(note.position, rate * std::pow(static_cast<double>(s.discount), note.ply) *
                                       static_cast<double>(note.error) * slope(static_cast<double>(note.value)));
        }

        void note_leaf(const search::Line& line) {
            P leaf = position;
            for (const Move m : line.moves) leaf.play(m);
            const double value = sigma(knowledge.value(leaf, knowledge.root(leaf)));
            play.lines.push_back(line.moves);
            play.values.push_back(static_cast<float>(leaf.side() == 0 ? value : 1 - value));
        }

        // TD-Leaf: each leaf learns from all later changes of the value, the further the less.
        void weigh_leaves() {
            const Schooling& s = school.schooling_;
            const std::size_t before = play.moves.size() - play.lines.size();  // moves that nobody searched for
            std::vector<P> leaves;
            P p = school.start_;
            for (std::size_t i = 0; i < play.moves.size(); p.play(play.moves[i++])) {
                if (i < before) continue;
                leaves.push_back(p);
                for (const Move m : play.lines[i - before]) leaves.back().play(m);
            }
            double later = over->winner < 0 ? 0.5 : over->winner == 0 ? 1 : 0, sum = 0;
            for (std::size_t i = leaves.size(); i-- > 0;) {
                const double value = static_cast<double>(play.values[i]);
                sum = (later - value) + static_cast<double>(s.trace) * sum;
                const double sign = leaves[i].side() == 0 ? 1 : -1;
                add(leaves[i], rate * sign * sum * slope(value));
                later = value;
            }
        }

        TreeStrap& school;
        Poll* poll = nullptr;
        K knowledge;  // as this game has taught it since the last meeting
        bool busy = false;
        double rate = 0;
        Play play;
        P position;
        std::vector<std::uint64_t> past;
        std::vector<Note> notes;
        std::unique_ptr<search::Table> table;
        Search search;
        std::vector<double> change;  // of all weights by the last search, not yet bounded
        std::vector<float> gained;   // by all searches of the round
        std::optional<Outcome> over;
        Lessons lessons;  // of the round
    };

    // Whether what this round teaches is thrown away.
    bool abandoned() const { return stopping_.load(std::memory_order_relaxed) || workers_.broken(); }

    // Falls evenly with the games that have ended.
    double rate() const {
        const double done = static_cast<double>(ended_) / static_cast<double>(games_);
        return static_cast<double>(schooling_.rate) * (1 + (static_cast<double>(schooling_.final) - 1) * done);
    }

    // The next game, with its random moves; none if all have begun.
    void begin(Desk& desk) {
        desk.busy = begun_ < games_;
        if (!desk.busy) return;
        const std::int64_t number = begun_++;
        Rng rng(mix(seed_ ^ mix(static_cast<std::uint64_t>(number))));
        int tries = 0;
        do {  // an opening that ends the game gives way to another: every game that begins must also end
            if (++tries > 1000) throw BadOption("every opening by chance ends the game; lower random_moves");
            desk.take_up({number, {}, {}, {}});
            for (int i = 0; i < schooling_.random_moves && !desk.outcome(); ++i) {
                typename P::Moves list;
                desk.position.moves(list);
                std::sort(list.begin(), list.end());
                const Move m = list[static_cast<int>(rng.below(static_cast<std::uint32_t>(list.size())))];
                desk.play.moves.push_back(m);
                desk.advance(m);
            }
        } while (desk.outcome());
    }

    P start_;
    K knowledge_;
    Schooling schooling_;
    std::vector<bool> learns_;
    std::uint64_t seed_;
    std::int64_t games_, begun_ = 0, ended_ = 0;
    std::atomic<bool> stopping_{false};
    Pool workers_;
    std::vector<std::unique_ptr<Desk>> desks_;
};

}  // namespace rookery::learn
