#include <nanobind/stl/tuple.h>

#include "bind/bind.hpp"

#include "games/duchess/position.hpp"

namespace rookery {
namespace {

// What Python asks of the board; squares by their index.
struct DuchessSquare {
    std::string name;
    int sector, x, y, distance;
    std::vector<int> edges, corners, leaps, straight_lines, slant_lines;
    std::vector<int> seen_by;  // seat by seat: the square that this one is in a shared numbering
};

template <class Set>
std::vector<int> list(const Set& set) {
    std::vector<int> squares;
    set.each([&](duchess::Square s) { squares.push_back(s); });
    return squares;
}

template <int Players>
std::vector<DuchessSquare> squares() {
    std::vector<DuchessSquare> all;
    const auto& board = duchess::board<Players>();
    for (duchess::Square s = 0; s < board.squares; ++s) {
        const auto place = board.place(s);
        const auto& reach = board.from(s);
        std::vector<int> seen;
        for (int seat = 0; seat < Players; ++seat) seen.push_back(board.seen_by(seat, s));
        all.push_back({duchess::square_name<Players>(s), place.sector + 1, place.x, place.y, board.distance(s),
                       list(reach.edges), list(reach.corners), list(reach.leaps), list(reach.straight_lines),
                       list(reach.slant_lines), seen});
    }
    return all;
}

// The seats for which a test holds.
template <int Players, class Test>
std::vector<int> seats(Test test) {
    std::vector<int> found;
    for (int seat = 0; seat < Players; ++seat)
        if (test(seat)) found.push_back(seat);
    return found;
}

template <int Players>
void bind_duchess(nb::module_& m, const char* name) {
    using Position = duchess::Position<Players>;
    using S = State<Position>;
    bind_state<Position>(m, name)
        .def(
            "__init__",
            [](S* self, const std::optional<nb::str>& text) {
                new (self) S(text ? Position(text_of(*text)) : Position());
            },
            "text"_a = nb::none())
        .def_prop_ro_static("policy_size", [](nb::handle) { return Position::policy_size; })
        .def_static("squares", &squares<Players>)
        .def_prop_ro("quiet", [](const S& s) { return s.position().quiet(); })
        .def("in_check",
             [](const S& s) { return seats<Players>([&](int seat) { return s.position().in_check(seat); }); })
        .def("mated", [](const S& s) { return seats<Players>([&](int seat) { return s.position().is_mated(seat); }); })
        // The squares of all men, of any seat, that attack a square.
        .def(
            "attackers",
            [](const S& s, const nb::str& name) {
                const std::string square = text_of(name);
                std::string_view rest = square;
                const duchess::Square at = duchess::read_square<Players>(rest);
                if (at == duchess::nowhere || !rest.empty())
                    throw BadNotation(quote(square) + " is no square; write one like 1c1, or V");
                std::vector<std::string> names;
                s.position().attackers(at).each(
                    [&](duchess::Square from) { names.push_back(duchess::square_name<Players>(from)); });
                return names;
            },
            "square"_a)
        // Every man: its square's name, its letter, the seat it belongs to.
        .def("men", [](const S& s) {
            std::vector<std::tuple<std::string, std::string, int>> men;
            s.position().occupied().each([&](duchess::Square at) {
                const duchess::Man man = s.position().at(at);
                const char letter = duchess::kind_letters[duchess::kind_of(man)];
                men.emplace_back(duchess::square_name<Players>(at), std::string(1, letter), duchess::seat_of(man));
            });
            return men;
        });
}

const Binding duchess_binding([](nb::module_& m) {
    nb::class_<DuchessSquare>(m, "DuchessSquare")
        .def_ro("name", &DuchessSquare::name)
        .def_ro("sector", &DuchessSquare::sector)
        .def_ro("x", &DuchessSquare::x)
        .def_ro("y", &DuchessSquare::y)
        .def_ro("distance", &DuchessSquare::distance)
        .def_ro("edges", &DuchessSquare::edges)
        .def_ro("corners", &DuchessSquare::corners)
        .def_ro("leaps", &DuchessSquare::leaps)
        .def_ro("straight_lines", &DuchessSquare::straight_lines)
        .def_ro("slant_lines", &DuchessSquare::slant_lines)
        .def_ro("seen_by", &DuchessSquare::seen_by);
    bind_duchess<4>(m, "Duchess4State");
    bind_duchess<6>(m, "Duchess6State");
});

}  // namespace
}  // namespace rookery
