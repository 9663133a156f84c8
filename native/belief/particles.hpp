// A pool of whole boards that fit all that a seat has heard: "all observations sampling" of Parker, Nau and
// Subrahmanian (IJCAI 2005), and the particle filter of searches that want boards.
//
// An own try keeps the boards that would have answered the same. A move of the enemy replaces each board by some of
// those that his replies lead to and of which the same would have been heard, as many as fill the pool. Boards are
// told apart by their keys. Where few are left, the pool of a turn earlier is expanded again, more widely; what is still
// missing comes from the last observation alone, and is marked so.
//
// With weights, a board counts for as much as what was heard was likely on it, by a prior of the enemy's moves.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "belief/last_observation.hpp"
#include "belief/possible.hpp"
#include "core/poll.hpp"
#include "core/rng.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery::belief {

// How readily the enemy plays a legal move, beside the others of a board; above 0. It sees the board, though he does
// not: what he cannot know should not count. `before` is what was heard before he moved, if anything was.
using Prior = std::function<float(const chess::Position& board, Move move, const kriegspiel::Event* before)>;

class Particles {
  public:
    struct Options {
        int size = 20000;       // boards of a full pool; 0: only what is possible is followed
        int few = 200;          // with fewer, unless that is all there can be, the pool is stretched
        int least = 200;        // with fewer, boards of the last observation join it
        int refill = 200;       // so that there are so many; 0: none do
        bool weighted = false;  // weigh boards by how likely their replies were; else all count the same
        Prior prior = {};       // none: every reply is as likely as the next
    };

    Particles(Options options, std::uint64_t seed);

    // Takes up what a view has more than was followed before; if it is of another game, starts anew. What fits the
    // whole log depends on the options, the seed and the log alone; boards of the last observation join where a pool
    // of few is shown a view whose seat is to move.
    // Those are drawn where `likely` has men, if it is given, and until it is `late`.
    using Late = std::function<bool()>;
    void follow(const kriegspiel::View& view, Poll& poll, const Belief::Kinds* likely = nullptr, const Late& late = {});
    void forget(std::uint64_t seed);
    // Whether a view is of the game that is followed, and has as much or more to tell.
    bool continued_by(const kriegspiel::View& view) const;
    std::size_t followed() const { return log_.size(); }

    // Boards, all different. Whose turn it is, is the same on all.
    std::span<const chess::Position> boards() const { return pool_.boards; }
    // Of the same boards; they sum to 1.
    std::span<const float> weights() const { return pool_.weights; }
    // Whether a board fits the whole log, threefold repetition aside; else it fits the last observation when it
    // joined, and all since.
    bool fits_all(std::size_t board) const { return pool_.whole[board]; }
    std::size_t whole() const;  // how many do
    // Whether there can be no other board.
    bool complete() const { return complete_; }
    const Possible& possible() const { return *possible_; }

  private:
    struct Pool {
        std::vector<chess::Position> boards;
        std::vector<float> weights;
        std::vector<std::uint8_t> whole;
        std::size_t size() const { return boards.size(); }
        void clear();
        void add(const chess::Position& board, float weight, bool fits);
    };
    // Finds a board of a pool by its key.
    class Index {
      public:
        void clear(std::size_t expected);
        // Where the board of that key is; if it is new, it is noted to be at `next`.
        std::size_t place(std::uint64_t key, std::size_t next);

      private:
        void grow();
        std::vector<std::uint64_t> keys_;
        std::vector<std::uint32_t> places_;
        std::size_t used_ = 0;
    };

    void start(const kriegspiel::View& view);
    void hear(const kriegspiel::Event& event, Rng& rng, Poll& poll);
    void keep(Pool& pool, const kriegspiel::Event& event, Poll& poll) const;
    // What replies that sound so make of a pool, at most `each` of a board; whether those are all. before: what was
    // heard before them.
    bool expand(const Pool& from, const kriegspiel::Event& event, const std::optional<kriegspiel::Event>& before,
                int each, Pool& into, Rng& rng, Poll& poll);
    void merge(Pool& into, const Pool& more);
    void thin(Pool& pool, std::size_t most, Rng& rng);
    void stretch(Rng& rng, Poll& poll);
    void refill(const kriegspiel::View& view, Rng& rng, Poll& poll, const Belief::Kinds* likely, const Late& late);
    void normalise();
    bool is_short() const { return !complete_ && static_cast<int>(pool_.size()) < options_.few; }
    int share(std::size_t alive) const;

    Options options_;
    std::uint64_t seed_;
    std::optional<kriegspiel::Start> start_;  // of the game that is followed
    std::vector<kriegspiel::Event> log_;      // followed
    std::optional<Possible> possible_;
    Pool pool_, next_;
    Pool earlier_;                             // before the enemy's last move; may be expanded again
    std::vector<kriegspiel::Event> since_;     // heard since then, that move first
    std::optional<kriegspiel::Event> before_;  // heard before that move
    int expanded_ = 1;                         // replies a board when it was expanded
    bool complete_ = true, stretched_ = false;
    Index index_;
};

}  // namespace rookery::belief
