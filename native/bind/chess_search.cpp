#include "bind/comparison.hpp"
#include "bind/search.hpp"
#include "evaluators/chess.hpp"

namespace rookery {
namespace {

using chess::Position;

template <class E>
std::vector<float> evaluate(const std::vector<State<Position>>& states) {
    const E knowledge;
    std::vector<float> values;
    for (const auto& state : states)
        values.push_back(knowledge.value(state.position(), knowledge.root(state.position())));
    return values;
}

const Binding chess_search_binding([](nb::module_& m) {
    m.def("chess_pieces", &evaluate<evaluators::ChessPieces>, "states"_a);
    m.def("chess_classical", &evaluate<evaluators::ChessClassical>, "states"_a);
    bind_alphabeta<Position, evaluators::ChessPieces>(m, "ChessPiecesAlphaBeta");
    bind_alphabeta<Position, evaluators::ChessClassical>(m, "ChessClassicalAlphaBeta");
    bind_comparison<Position, search::ValueComparator<Position, evaluators::ChessPieces>>(m, "ChessPiecesComparison");
    bind_comparison<Position, search::ValueComparator<Position, evaluators::ChessClassical>>(
        m, "ChessClassicalComparison");
});

}  // namespace
}  // namespace rookery
