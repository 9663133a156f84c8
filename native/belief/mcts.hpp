// What the approaches A, B and C of Ciancarini and Favini, "Monte Carlo tree search in Kriegspiel" (AIJ 174, 2010,
// section 5), share: the messages of the tree, and trees grown side by side for one turn.
//
// Two plies are three tiers: our move, the referee's message to it, and his message after the enemy's move. The tree
// holds messages, no boards. There are dozens of real messages, so they are put into classes: an answer to our move
// says what we took and whether we gave check or left him pawn tries; a reply says which of our men was taken, and
// whether we have pawn tries.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "belief/network.hpp"
#include "belief/outcomes.hpp"
#include "core/pool.hpp"
#include "core/rng.hpp"
#include "search/tree_report.hpp"

namespace rookery::belief {

struct MctsOptions {
    float c = 0.3f;  // of UCT: value + c * sqrt(ln N / n)
    Worth worth = Worth::weighted();
    Constants constants{};
    Reactions reactions{};  // of approach C
    Kernel kernel = Kernel::fast;
    // What a refused try is worth: the best other move, since tries are free; or, as in the paper's silence on it, the
    // position as it is.
    bool refusal_is_free = true;
    // Approach C: how much of what the tree finds behind a message counts; the rest is what was computed for it at once.
    // 1 is the paper's backup, which puts off what it can do as well later.
    float foresight = 0.5f;
    bool endgame = true;                         // a lone King is hunted (endgame.hpp), not searched for by trees
    bool fast = false;                           // approach C: the variant of its program (mcts_c.hpp)
    int k = 1;                                   // approach B: moves of a simulation
    std::shared_ptr<const Network> network;      // approach C: adds to the balance of men, and corrects the root
    std::shared_ptr<const OpponentModel> model;  // where the enemy's men usually go
    std::size_t room = 1u << 17;                 // nodes of all trees, each of some 2.5 KB; full trees grow no more
};

// --- tier two: 3 x 3 classes of answers to a move that stood. A refusal is no child: see the approaches.
inline constexpr std::size_t answer_classes = 9;
enum Taken : int { takes_nothing, takes_pawn, takes_piece };
enum Sound : int { silent, gives_check, gives_tries };
constexpr std::size_t answer_of(Taken taken, Sound sound) {
    return static_cast<std::size_t>(3 * taken + sound);
}
constexpr Taken taken_of(std::size_t answer) {
    return static_cast<Taken>(answer / 3);
}
constexpr Sound sound_of(std::size_t answer) {
    return static_cast<Sound>(answer % 3);
}

struct Answers {
    std::array<float, answer_classes> probability{}, value{};  // given that the move stood
    float retaken = 0, checker_taken = 0;                      // as in Prospect
};

inline Answers answers_to(const Prospect& o) {
    const std::array<float, 3> takes = {1 - o.chance.pawn - o.chance.piece, o.chance.pawn, o.chance.piece};
    const std::array<float, 3> sounds = {(1 - o.chance.check) * (1 - o.chance.pawn_try), o.chance.check,
                                         (1 - o.chance.check) * o.chance.pawn_try};
    const std::array<float, 3> quietly = {o.quiet, o.checks, o.exposed};
    const std::array<float, 3> taking = {0, o.take_pawn, o.take_piece};
    Answers found;
    for (std::size_t t = 0; t < 3; ++t)
        for (std::size_t s = 0; s < 3; ++s) {
            found.probability[3 * t + s] = std::max(0.0f, takes[t]) * sounds[s];
            found.value[3 * t + s] = t == takes_nothing ? quietly[s] : taking[t];
        }
    found.checker_taken = o.checker_taken, found.retaken = o.retaken;
    return found;
}

// The first i for which the shares up to it exceed a uniform draw; the last that is above 0, if rounding leaves none.
template <class Shares>
std::size_t draw(const Shares& shares, std::size_t count, Rng& rng) {
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += shares(i);
    float at = static_cast<float>(rng.uniform()) * sum;
    std::size_t last = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float share = shares(i);
        if (share <= 0) continue;
        last = i;
        if ((at -= share) < 0) break;
    }
    return last;
}

// The message that an answer's class stands for; of checks the direction is drawn by where his King may be.
inline Message message_of(const Matrices& m, Move move, std::size_t answer, Rng& rng) {
    Message said;
    const Taken taken = taken_of(answer);
    if (taken != takes_nothing) {
        said.captured = taken == takes_pawn ? 'p' : 'P';
        said.square = static_cast<std::int8_t>(chess::to_of(move));
    }
    if (sound_of(answer) == gives_tries) said.tries = 1;
    if (sound_of(answer) != gives_check) return said;
    const Square from = chess::from_of(move), to = chess::to_of(move);
    const auto kind = static_cast<Kind>(chess::promotion_of(move) ? chess::promotion_of(move) : m.kind_at(from));
    const Bitboard own = (m.men() & ~bit(from)) | bit(to);
    const Bitboard seen =
        (kind == chess::pawn ? chess::pawn_attacks(m.us, to) : chess::piece_attacks(kind, to, own)) & ~own;
    if (!seen || kind == chess::king) return said;
    const auto squares = static_cast<std::size_t>(chess::count(seen));
    const std::size_t i =
        draw([&](std::size_t n) { return m.king[chess::nth(seen, static_cast<int>(n))] + 1e-9f; }, squares, rng);
    said.checks = check_direction(chess::nth(seen, static_cast<int>(i)), to);
    return said;
}

// --- tier three
struct Reply {
    float probability = 0;  // given the answer
    float computed = 0;     // the value of the position as it is then
    float value = 0;        // the same, once the tree knows more
    std::int32_t child = -1;
    std::int8_t taken = -1;  // where he took a man of ours; -1: nowhere
    bool tries = false;      // whether we have pawn captures
    bool grows = true;       // false: what is left over, too rare for a child of its own
};

struct Replies {
    static constexpr std::size_t most = 8, victims = 4;
    std::array<Reply, most> at;
    std::size_t count = 0;

    void add(float probability, float value, Square taken, bool tries, bool grows = true) {
        if (probability > 0)
            at[count++] = {probability, value, value, -1, static_cast<std::int8_t>(taken), tries, grows};
    }
    float value() const {
        float sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += at[i].probability * at[i].value;
        return sum;
    }
    std::size_t pick(Rng& rng) const {
        return draw([&](std::size_t i) { return at[i].grows ? at[i].probability : 0.0f; }, count, rng);
    }
};

inline Bitboard pawn_targets(const Matrices& m) {
    const Bitboard pawns = m.own[chess::pawn];
    return (m.us == chess::white ? chess::take_west<chess::white>(pawns) | chess::take_east<chess::white>(pawns)
                                 : chess::take_west<chess::black>(pawns) | chess::take_east<chess::black>(pawns)) &
           ~m.men();
}

// That we have no pawn captures: nothing that we could take stands on any of their squares.
inline float no_tries(const Matrices& m) {
    float none = 1;
    for (const Square s : each(pawn_targets(m))) none *= 1 - std::min(1.0f, m.pawn[s] + m.piece[s]);
    return none;
}

// What may follow: `m` after our move and the answer, `answers` what that was computed to be worth; beyond: what the
// position before the move is worth besides the balance of men.
inline Replies replies_to(const Matrices& m, Move move, std::size_t answer, const Answers& answers,
                          const MctsOptions& options, float beyond = 0) {
    const float value = answers.value[answer];
    const Constants& c = options.constants;
    const Square to = chess::to_of(move);
    const float now = balance(m, options.worth) + beyond;
    const float none = no_tries(m);
    Replies found;
    float going_on = 1;
    const auto lose = [&](Square s, float probability, float after) {
        const bool retake = (chess::pawn_attacks(~m.us, s) & m.own[chess::pawn]) != 0;
        found.add(probability, after, s, retake);
        going_on -= probability;
    };
    if (answer == answer_of(takes_nothing, silent)) {
        const Grid lambda = control(m, emptiness(m), c);
        struct Victim {
            float share, worth;  // worth: what its loss costs
            Square square;
        };
        std::array<Victim, 64> men;
        std::size_t count = 0;
        float all = 0;
        const Reactions& reactions = options.reactions;
        for (std::size_t k = 0; k < 5; ++k)
            for (const Square s : each(m.own[k])) {
                const float worth = options.worth.own[k];
                men[count++] = {lambda[s], worth, s};
                if (reactions.by_control) {
                    const Peril peril = peril_of(m, lambda, s, s, worth, options.worth, reactions);
                    men[count - 1] = {peril.chance, peril.loss, s};
                }
                all += men[count - 1].share;
            }
        const float suffer = reactions.by_control ? std::min(0.5f, all) : c.suffer;
        if (all > 1e-6f) {
            const std::size_t kept = std::min(count, Replies::victims);
            std::partial_sort(men.begin(), men.begin() + kept, men.begin() + count,
                              [](const Victim& a, const Victim& b) {
                                  return a.share != b.share ? a.share > b.share : a.square < b.square;
                              });
            for (std::size_t i = 0; i < kept; ++i) lose(men[i].square, suffer * men[i].share / all, now - men[i].worth);
            float rest = 0, worth = 0;
            for (std::size_t i = kept; i < count; ++i) rest += men[i].share, worth += men[i].share * men[i].worth;
            if (rest > 1e-6f) {
                found.add(suffer * rest / all, now - worth / rest, -1, false, false);
                going_on -= suffer * rest / all;
            }
        }
    } else if (m.kind_at(to) != chess::king) {
        const float taken = taken_of(answer) != takes_nothing ? answers.retaken
                            : sound_of(answer) == gives_check ? answers.checker_taken
                                                              : c.use_pawn_try;
        if (taken > 1e-3f) lose(to, taken, now - (now - value) / taken);
    }
    // What the answer is worth in all is what it was computed to be.
    const float after = options.reactions.by_control ? (value - found.value()) / going_on : now;
    found.add(going_on * none, after, -1, false);
    found.add(going_on * (1 - none), after, -1, true);
    return found;
}

// The belief after a reply: `m` is that after our move and the answer.
inline void follow(Matrices& m, const Reply& reply, const MctsOptions& options) {
    Message said;
    if (reply.taken >= 0) {
        said.captured = m.own[chess::pawn] & bit(reply.taken) ? 'p' : 'P';
        said.square = reply.taken;
    }
    said.tries = reply.tries ? 1 : 0;
    m.meta(said, options.constants, options.kernel, options.model.get());
}

// --- trees side by side

// Root parallelism: a tree a thread, each with a seed of its own, their visits summed. A turn goes on while tries are
// refused: the trees keep what they know of the other moves. Under a bound of nodes the result is the same every
// time; each number of threads has its own.
//
// A Tree has: a constructor (root, moves, options, seed), grow(), nodes(), reject(move, root), add_to(report).
template <class Tree>
class Trees {
  public:
    template <class Root>
    Trees(const Root& root, const std::vector<Move>& moves, const MctsOptions& options, int threads, std::uint64_t seed)
        : pool_(threads), trees_(static_cast<std::size_t>(pool_.size())) {
        MctsOptions share = options;
        share.room = std::max<std::size_t>(64, options.room / trees_.size());
        run([&](std::size_t i) { trees_[i] = std::make_unique<Tree>(root, moves, share, mix(seed) + i); });
    }

    template <class Root>
    void reject(Move move, const Root& root) {
        run([&](std::size_t i) { trees_[i]->reject(move, root); });
    }

    // Grows by so many nodes more, or seconds.
    search::TreeReport grow(const search::Limits& limits, const std::atomic<bool>& stop,
                            const search::TreeListener& listener) {
        const auto began = std::chrono::steady_clock::now();
        const auto seconds = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        };
        const auto ended = [&] {
            return stop.load(std::memory_order_relaxed) || (limits.seconds > 0 && seconds() >= limits.seconds);
        };
        std::vector<std::int64_t> before;
        for (const auto& tree : trees_) before.push_back(tree->nodes());
        constexpr std::int64_t first_round = 4096, longest_round = 1 << 20;
        std::int64_t target = 0;
        for (std::int64_t round = first_round;; round = std::min(2 * round, longest_round)) {
            target += round;
            std::atomic<bool> full{true};
            run(
                [&](std::size_t i) {
                    Tree& tree = *trees_[i];
                    const std::int64_t own = limits.nodes > 0 ? share(limits.nodes, i) : target;
                    const std::int64_t most = before[i] + std::min(target, own);
                    while (tree.nodes() < most && tree.grow()) {
                        if (i == 0 && limits.poll) limits.poll->step(64);
                        if (ended() || pool_.broken()) break;
                    }
                    if (tree.nodes() >= most) full = false;
                },
                [&] {
                    if (limits.poll) limits.poll->look();
                });
            search::TreeReport report;
            for (const auto& tree : trees_) tree->add_to(report);
            for (const std::int64_t nodes : before) report.nodes -= nodes;
            report.sort();
            report.seconds = seconds();
            const bool reached = limits.nodes > 0 && target >= share(limits.nodes, 0);
            if (ended() || full || reached || search::forced(report.moves.size(), limits)) return report;
            if (listener) listener(report);
        }
    }

  private:
    std::int64_t share(std::int64_t nodes, std::size_t i) const {
        const auto threads = static_cast<std::int64_t>(trees_.size());
        return nodes / threads + (static_cast<std::int64_t>(i) < nodes % threads);
    }
    template <class Work>
    void run(const Work& work, const Poll::Ask& poll = {}) {
        pool_.run(pool_.size(), [&](int i) { work(static_cast<std::size_t>(i)); }, poll);
    }

    Pool pool_;
    std::vector<std::unique_ptr<Tree>> trees_;
};

// Adds one move of one tree to a report; value: of this tree alone.
inline void add_to(search::TreeReport& report, Move move, std::int64_t visits, double value, std::vector<Move> line) {
    const auto same = [&](const search::RootMove& b) { return b.move == move; };
    auto found = std::find_if(report.moves.begin(), report.moves.end(), same);
    if (found == report.moves.end()) {
        report.moves.push_back({move, visits, value, std::move(line)});
        return;
    }
    const auto before = static_cast<double>(found->visits) + 1, more = static_cast<double>(visits) + 1;
    found->value = (found->value * before + value * more) / (before + more);
    found->visits += visits;
}

}  // namespace rookery::belief
