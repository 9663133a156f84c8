// Any game, by its rules alone, as the search tree asks for it.
#pragma once

#include "search/repetition.hpp"
#include "search/tree.hpp"

namespace rookery::search {

template <Rules P>
class GameDomain {
  public:
    using Position = P;

    // `past` as in AlphaBeta.
    explicit GameDomain(std::vector<std::uint64_t> past) : past_(std::move(past)), known_(past_.size()) {}

    int side(const P& p) const { return p.side(); }
    P after(const P& p, Move m) const {
        P next = p;
        next.play(m);
        return next;
    }
    std::optional<Worth> look(const P& p, std::vector<Move>& moves) const {
        typename P::Moves list;
        p.moves(list);
        moves.assign(list.begin(), list.end());
        if (!std::is_sorted(moves.begin(), moves.end())) std::sort(moves.begin(), moves.end());
        const auto over = p.outcome(list, occurrences(p, past_));
        if (!over) return std::nullopt;
        const float first = over->winner < 0 ? 0.f : over->winner == 0 ? 1.f : -1.f;
        return Worth{first, -first};
    }

    void rewind() { past_.resize(known_); }
    void leave(const P& p) { past_.push_back(p.key()); }
    void settle() { known_ = past_.size(); }

    std::size_t bytes(const P& p) const {
        if constexpr (requires { p.bytes(); }) return p.bytes();
        return 0;
    }

  private:
    std::vector<std::uint64_t> past_;
    std::size_t known_;  // how many of those lie before the root
};

}  // namespace rookery::search
