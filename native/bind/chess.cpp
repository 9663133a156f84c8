#include "bind/bind.hpp"
#include "encoders/chess_bits.hpp"
#include "games/chess/san.hpp"

namespace rookery {
namespace {

using chess::Position;

const Binding chess_binding([](nb::module_& m) {
    m.attr("chess_policy_size") = chess::policy_size;
    m.def("uci", [](Move move) { return chess::uci(move_of<Position>(move)); }, "move"_a);
    m.def("read_uci", [](const nb::str& text) { return chess::read_uci(text_of(text)); }, "text"_a);
    bind_state<Position>(m, "ChessState")
        .def(
            "__init__",
            [](State<Position>* self, const std::optional<nb::str>& fen) {
                new (self) State<Position>(fen ? Position(text_of(*fen)) : Position());
            },
            "fen"_a = nb::none())
        .def(
            "san",
            [](const State<Position>& s, Move move) {
                if (move < 0 || move >= Position::policy_size || !s.position().legal(move))
                    throw IllegalMove("move number " + std::to_string(move) + " is not legal in " +
                                      quote(s.position().str()));
                return chess::san(s.position(), move);
            },
            "move"_a)
        .def("bits",
             [](const State<Position>& s) {
                 std::array<std::int16_t, encoders::most_chess_bits> bits;
                 encoders::encode_bits(s.position(), bits.data());
                 return bits;
             })
        .def_prop_ro("check", [](const State<Position>& s) { return s.position().checkers() != 0; });
});

}  // namespace
}  // namespace rookery
