#include "bind/bind.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery {
namespace {

using kriegspiel::Position;
using kriegspiel::View;
using S = State<Position>;

// A seat's own men, as the board field of a FEN.
std::string men(const View& view) {
    constexpr std::string_view marks = "PNBRQKpnbrqk";
    std::string board;
    for (int rank = 7; rank >= 0; --rank) {
        int gap = 0;
        for (int file = 0; file < 8; ++file) {
            const auto kind = std::find_if(view.own.begin(), view.own.end(),
                                           [&](chess::Bitboard b) { return b & chess::bit(8 * rank + file); });
            if (kind == view.own.end()) {
                ++gap;
                continue;
            }
            if (gap) board += static_cast<char>('0' + gap);
            gap = 0;
            board += marks[static_cast<std::size_t>(kind - view.own.begin()) + (view.us == chess::white ? 0 : 6)];
        }
        if (gap) board += static_cast<char>('0' + gap);
        if (rank) board += '/';
    }
    return board;
}

const Binding kriegspiel_binding([](nb::module_& m) {
    nb::class_<View>(m, "KriegspielView")
        .def_prop_ro("seat", [](const View& v) { return static_cast<int>(v.us); })
        .def_prop_ro("turn", [](const View& v) { return static_cast<int>(v.turn); })
        .def_ro("tries", &View::tries)
        .def_prop_ro("checks", [](const View& v) { return std::string(v.checks.data()); })
        .def_prop_ro("men", &men)
        .def_ro("moves", &View::moves)
        .def_ro("refused", &View::refused)
        .def("__len__", [](const View& v) { return v.log.size(); })
        .def(
            "lines",
            [](const View& v, std::int64_t first) {
                std::vector<std::string> lines;
                for (auto i = static_cast<std::size_t>(not_below("first", first, 0)); i < v.log.size(); ++i)
                    lines.push_back(kriegspiel::line(v.log[i]));
                return lines;
            },
            "first"_a = 0)
        .def("__eq__", [](const View& a, const View& b) { return a == b; }, nb::is_operator());
    bind_state<Position>(m, "KriegspielState")
        .def(
            "__init__",
            [](S* self, const std::optional<nb::str>& text) {
                new (self) S(text ? Position(text_of(*text)) : Position());
            },
            "text"_a = nb::none())
        .def(
            "view",
            [](const S& s, int seat) { return kriegspiel::view(s, static_cast<chess::Colour>(seat_of(seat, 2))); },
            "seat"_a)
        .def_prop_ro("fen", [](const S& s) { return s.position().board().str(); })
        .def("accepts", [](const S& s, Move move) { return s.position().accepts(move_of<Position>(move)); }, "move"_a);
});

}  // namespace
}  // namespace rookery
