// A TD network as the knowledge of a search: it judges a board in the view of whoever moved last, 1 a win and 0 a
// loss, and a search asks for the side to move, 1 and -1.
#pragma once

#include "nets/go_td/candidates.hpp"
#include "search/knowledge.hpp"

namespace rookery::evaluators {

// What a network says of a board in a seat's view.
template <int N, class Net>
float td_value(const Net& net, const nets::Encoding<N>& encoding, const go::Position<N>& position, int seat) {
    const nets::Reading<N> board(encoding, position);
    return net.value(net.look(board.stones(), board.view_of(seat)));
}

template <int N, class Net>
class TdKnowledge {
  public:
    struct Node {};

    TdKnowledge(const Net& net, const nets::Encoding<N>& encoding) : net_(net), encoding_(encoding) {}

    Node root(const go::Position<N>&) const { return {}; }
    Node after(const Node&, const go::Position<N>&, Move, const go::Position<N>&) const { return {}; }
    search::Value value(const go::Position<N>& position, const Node&) const {
        return 1 - 2 * td_value(net_, encoding_, position, 1 - position.seat());
    }

  private:
    Net net_;
    nets::Encoding<N> encoding_;
};

}  // namespace rookery::evaluators
