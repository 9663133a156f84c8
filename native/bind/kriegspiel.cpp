#include "bind/bind.hpp"
#include "games/kriegspiel/position.hpp"

namespace rookery {
namespace {

using kriegspiel::Position;
using S = State<Position>;

// All that a seat has heard, oldest first.
std::vector<std::string> heard(const S& state, int seat) {
    seat_of(seat, 2);
    std::vector<std::string> lines;
    const auto positions = state.positions();
    const auto tries = state.history();
    for (std::size_t i = 0; i < tries.size(); ++i) {
        // Only the last position of a game can be its end.
        const auto over = i + 1 == tries.size() ? state.outcome() : std::nullopt;
        auto said = kriegspiel::answer(*positions[i], tries[i], *positions[i + 1], over);
        auto& line = positions[i]->seat() == seat ? said.trier : said.other;
        if (!line.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

// A seat's own men, as the board field of a FEN.
std::string men(const S& state, int seat) {
    seat_of(seat, 2);
    const std::string fen = state.position().board().str();
    std::string board;
    int gap = 0;
    const auto close = [&] {
        if (gap) board += static_cast<char>('0' + gap);
        gap = 0;
    };
    for (const char c : fen.substr(0, fen.find(' '))) {
        const bool man = c > '9', own = seat == 0 ? c < 'a' : c >= 'a';
        if (c == '/')
            close(), board += c;
        else if (man && own)
            close(), board += c;
        else
            gap += man ? 1 : c - '0';
    }
    close();
    return board;
}

const Binding kriegspiel_binding([](nb::module_& m) {
    bind_state<Position>(m, "KriegspielState")
        .def(
            "__init__",
            [](S* self, const std::optional<nb::str>& text) {
                new (self) S(text ? Position(text_of(*text)) : Position());
            },
            "text"_a = nb::none())
        .def("heard", &heard, "seat"_a)
        .def("men", &men, "seat"_a)
        .def_prop_ro("fen", [](const S& s) { return s.position().board().str(); })
        .def_prop_ro("tries", [](const S& s) { return s.position().tries(); })
        .def_prop_ro("checks", [](const S& s) { return kriegspiel::check_directions(s.position().board()); })
        .def("accepts", [](const S& s, Move move) { return s.position().accepts(move_of<Position>(move)); }, "move"_a);
});

}  // namespace
}  // namespace rookery
