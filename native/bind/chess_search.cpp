#include "bind/comparison.hpp"
#include "bind/search.hpp"
#include "evaluators/chess.hpp"

namespace rookery {
namespace {

using chess::Position;

template <class E>
void bind_handmade(nb::module_& m, const char* name) {
    bind_knowledge<Position, E>(m, name).def(nb::init<>());
    bind_alphabeta<Position, E>();
    bind_comparison<Position, search::ValueComparator<Position, E>, E>();
}

const Binding chess_search_binding([](nb::module_& m) {
    bind_handmade<evaluators::ChessPieces>(m, "ChessPieces");
    bind_handmade<evaluators::ChessClassical>(m, "ChessClassical");
});

}  // namespace
}  // namespace rookery
