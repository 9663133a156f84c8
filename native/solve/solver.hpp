// A table and the threads that search with it, for boards from 2x2 to 5x5.
#pragma once

#include "core/pool.hpp"
#include "solve/proof.hpp"

namespace rookery::solve {

struct Question {
    int size = 0;
    std::array<std::uint32_t, 2> stones{};  // Black's and White's
    int seat = 0, ko = -1;
    int prover = 0, points = 0;  // does this side score at least so many,
    int moves = 0;               // with so many moves of its own?
    std::uint64_t nodes = 0;     // that a thread may look at
    int threads = 1;
    bool far = false;  // for the whole board: hold the prover to its distance from the goal
    bool line = false;
};

struct Reply {
    Answer answer = Answer::stopped;
    std::uint64_t nodes = 0;
    std::vector<int> line;
};

class Solver {
  public:
    explicit Solver(std::size_t megabytes) : table_(megabytes) {}

    std::size_t bytes() const { return table_.bytes(); }

    Reply ask(const Question& q, Poll& poll) {
        switch (q.size) {
            case 2:
                return ask_on<2>(q, poll);
            case 3:
                return ask_on<3>(q, poll);
            case 4:
                return ask_on<4>(q, poll);
            default:
                return ask_on<5>(q, poll);
        }
    }

  private:
    template <int N>
    Reply ask_on(const Question& q, Poll& poll) {
        const auto colour = [&](int side) { return static_cast<Bits<N>>(q.stones[at(side)]) & go::Grid<N>::all; };
        Board<N> board;
        board.stones = {colour(q.prover), colour(1 - q.prover)};
        board.mover = static_cast<std::int8_t>(q.seat ^ q.prover);
        if (q.ko >= 0) board.ko = static_cast<std::int8_t>(q.ko);
        const Distances<N>* far = q.far && q.points == N * N ? &distances<N>(poll) : nullptr;

        // All search the same tree; what one finds spares the others, and the first to be done stops them.
        std::atomic<bool> stop{false};
        std::vector<Reply> replies(at(q.threads));
        histories_.resize(std::max(histories_.size(), replies.size()));
        Pool pool(q.threads);
        pool.run(
            pool.size(),
            [&](int i) {
                Reply& reply = replies[at(i)];
                Proof<N> proof(table_, histories_[at(i)], q.points, far, q.nodes, stop, i == 0 ? &poll : nullptr);
                try {
                    reply.answer = proof.run(board, q.moves);
                } catch (...) {
                    stop = true;
                    throw;
                }
                if (reply.answer != Answer::stopped) stop = true;
                reply.nodes = proof.nodes();
            },
            [&] {
                try {
                    poll.look();
                } catch (...) {
                    stop = true;
                    throw;
                }
            });
        Reply all;
        for (const Reply& r : replies) {
            if (r.answer != Answer::stopped) all.answer = r.answer;
            all.nodes += r.nodes;
        }
        if (q.line && all.answer == Answer::yes) {
            stop = false;
            all.line = Proof<N>(table_, histories_[0], q.points, far, q.nodes, stop, &poll).line(board, q.moves);
        }
        return all;
    }

    template <int N>
    static const Distances<N>& distances(Poll& poll) {
        static const auto& once = *new Distances<N>(poll);  // never freed: threads may outlive the end of a program
        return once;
    }

    Table table_;
    std::vector<History> histories_;  // a thread's each; what one question taught serves the next
};

}  // namespace rookery::solve
