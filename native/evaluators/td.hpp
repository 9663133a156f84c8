// A TD network as the knowledge of a search: it judges a board in the view of whoever moved last, 1 a win and 0 a
// loss, and a search asks for the side to move, 1 and -1.
#pragma once

#include "nets/go_td/candidates.hpp"
#include "search/knowledge.hpp"

namespace rookery::evaluators {

template <int N, class Net>
class TdKnowledge {
  public:
    struct Node {};

    TdKnowledge(const Net& net, nets::Representation representation) : net_(net), encoding_(representation) {}

    Node root(const go::Position<N>&) const { return {}; }
    Node after(const Node&, const go::Position<N>&, Move, const go::Position<N>&) const { return {}; }
    search::Value value(const go::Position<N>& position, const Node&) const {
        return 1 - 2 * value_to(position, 1 - position.seat());
    }

    // What the network says of the board in a seat's view.
    float value_to(const go::Position<N>& position, int seat) const {
        const nets::Reading<N> board(encoding_, position);
        return net_.value(net_.look(board.stones(), board.view_of(seat)));
    }

  private:
    Net net_;
    nets::Encoding<N> encoding_;
};

}  // namespace rookery::evaluators
