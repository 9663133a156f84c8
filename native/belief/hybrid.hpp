// Kriegspiel by whole boards and a tree of messages together.
//
// A pool of boards that fit all that was heard (particles.hpp) knows what stands where together with what: who protects
// whom, which tries are legal at the same time, mate. A tree of messages (approach C, mcts_c.hpp) knows what own moves
// lead to later, though it takes squares to be independent. A try is worth, if it is legal,
//
//   (1 - lookahead) * mean over the boards where it is legal of its value there (blindfold.hpp)
//       + lookahead * its value in the tree
//
// where the mean of few boards is drawn towards the tree's. A refused try costs nothing but time, so the try that is
// worth most if it is legal comes first, and what nearly no board allows comes last.
#pragma once

#include <atomic>
#include <memory>

#include "belief/belief.hpp"
#include "belief/blindfold.hpp"
#include "belief/mcts_c.hpp"
#include "belief/particles.hpp"
#include "belief/sampling.hpp"

namespace rookery::belief {

class Hybrid {
  public:
    struct Options {
        int boards = 300;        // to judge in a turn
        int pool = 4000;         // boards that are followed
        int tree = 20'000;       // moves that the tree evaluates in a turn
        float lookahead = 0.5f;  // how much the tree counts beside the boards
        float doubt = 8;         // boards that the tree's opinion is worth
        float gain = 1.67f;  // 1 in the tree, ten pawns, is tanh(gain) on a board; a board's scale is `habits.scale`
        Habits habits{};
        MctsOptions mcts{};
    };
    using Ranked = Sampling::Ranked;
    using Choice = Sampling::Choice;

    explicit Hybrid(Options options);

    // seconds: of this try, 0 for no bound; only: the tries to choose among, none for all of them.
    Choice choose(const kriegspiel::View& view, double seconds, const std::vector<Move>& only, std::uint64_t seed,
                  Poll& poll, const std::atomic<bool>& stop);
    void forget();

  private:
    struct Opinion {  // of the tree
        float value = 0, legal = 0;
    };

    bool continues(const kriegspiel::View& view) const;
    void listen(const kriegspiel::View& view);
    Belief informed() const;  // as the network corrects it, where there is one
    void begin_turn(std::vector<Move> tries);
    void hear_refusals(const kriegspiel::View& view);
    void judge(const chess::Position& board, float weight, int quiet);
    std::vector<Ranked> rank(const kriegspiel::View& view, const std::vector<Move>& tries) const;

    Options options_;
    Blindfold blindfold_;
    Endgame endgame_;
    Particles particles_;
    bool seeded_ = false;
    std::optional<Belief> belief_;
    std::size_t believed_ = 0;  // events that the belief has followed
    std::unique_ptr<TreeC> tree_;
    // This turn's tries, boards, and what each try is worth on each; nan where it is not legal.
    std::size_t heard_ = 0;
    std::vector<Move> tries_;
    std::vector<int> slot_;
    std::vector<chess::Position> boards_;
    std::vector<float> weights_, values_;
};

}  // namespace rookery::belief
