// Go: one class a board size, Go2 to Go19.
#include "bind/bind.hpp"
#include "games/go/position.hpp"

namespace rookery {
namespace {

template <int N>
std::vector<int> list(const typename go::Grid<N>::Bits& set) {
    std::vector<int> points;
    go::each(set, [&](int p) { points.push_back(p); });
    return points;
}

template <int N>
void bind_board(nb::module_& m) {
    using P = go::Position<N>;
    using G = go::Grid<N>;
    using S = State<P>;
    // The stones joined to a point; none if it is empty.
    const auto chain = [](const S& s, int point) {
        typename G::Bits found{};
        if (point < 0 || point >= G::points) throw nb::index_error("no such point");
        for (int side : {0, 1}) found |= G::flood(G::bit(point), s.position().stones(side));
        return found;
    };
    bind_state<P>(m, ("Go" + std::to_string(N)).c_str())
        .def(
            "__init__",
            [](S* self, const nb::str& text, const nb::str& options) {
                new (self) S(P(go::read(text_of(text), N, go::read_options(text_of(options)))));
            },
            "text"_a, "options"_a = "")
        .def_prop_ro("size", [](const S&) { return N; })
        .def_prop_ro("ko",
                     [](const S& s) -> std::optional<Move> {
                         return s.position().ko() < 0 ? std::nullopt : std::optional(s.position().ko());
                     })
        .def_prop_ro("prisoners",
                     [](const S& s) { return std::pair(s.position().prisoners(0), s.position().prisoners(1)); })
        .def_prop_ro("passes", [](const S& s) { return s.position().passes(); })
        .def_prop_ro("options", [](const S& s) { return go::write_options(s.position().options()); })
        .def_prop_ro("komi", [](const S& s) { return s.position().options().komi / 2.0; })
        .def(
            "stones",
            [](const S& s, int side) {
                if (side != 0 && side != 1) throw nb::index_error("no such seat");
                return list<N>(s.position().stones(side));
            },
            "side"_a)
        .def(
            "chain", [=](const S& s, int point) { return list<N>(chain(s, point)); }, "point"_a)
        .def(
            "liberties",
            [=](const S& s, int point) { return list<N>(G::neighbours(chain(s, point)) & s.position().empty()); },
            "point"_a)
        .def("territory_score", [](const S& s) { return s.position().territory_score(); })
        .def("area_score", [](const S& s) { return s.position().area_score(); })
        .def("score", [](const S& s) { return s.position().score() / 2.0; });
}

const Binding go_boards([](nb::module_& m) {
#define ROOKERY_GO_BIND(N) bind_board<N>(m);
    ROOKERY_GO_SIZES(ROOKERY_GO_BIND)
});

}  // namespace
}  // namespace rookery
