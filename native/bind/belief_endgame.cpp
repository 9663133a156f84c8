// The hunt for a lone King of Kriegspiel.
#include "belief/endgame.hpp"
#include "bind/bind.hpp"

namespace rookery {
namespace {

using belief::Army;
using belief::Endgame;
using belief::LoneKing;

constexpr std::int64_t most_nodes = 10'000'000;  // about a second: nobody asks for more, and Ctrl-C is not heard within

// Our men by square, as letters, against a King on one of the squares: of those, the ones where he can be on our turn.
LoneKing set_up(int seat, const std::vector<std::pair<int, char>>& men, std::uint64_t squares) {
    LoneKing known;
    known.army.colour = static_cast<chess::Colour>(seat_of(seat, 2));
    for (const auto& [square, letter] : men) {
        constexpr std::string_view letters = "PNBRQK";
        const auto kind = letters.find(letter);
        if (kind == std::string_view::npos)
            throw BadPosition("a man is one of PNBRQK (got " + quote(std::string(1, letter)) + ")");
        const auto place = chess::bit(within("square", square, 0, 63));
        if (known.army.all() & place) throw BadPosition("two men on square " + std::to_string(square));
        if (kind == chess::pawn && place & (chess::rank_1 | chess::rank_8))
            throw BadPosition("a Pawn on square " + std::to_string(square) + ", of the first or the last rank");
        known.army.men[kind] |= place;
    }
    if (chess::count(known.army.men[chess::king]) != 1) throw BadPosition("there must be one King of ours");
    if (known.army.all() == known.army.men[chess::king]) throw BadPosition("there must be more than a King of ours");
    known.squares = squares & ~known.army.all() & ~known.army.attacks();
    if (!known.squares) throw BadPosition("there is no square where the King may be");
    return known;
}

const Binding endgame_binding([](nb::module_& m) {
    nb::class_<LoneKing>(m, "KriegspielLoneKing",
                         "A King who stands alone, as far as one seat knows: he is on one of `squares`.")
        .def(
            "__init__",
            [](LoneKing* self, int seat, const std::vector<std::pair<int, char>>& men, std::uint64_t squares) {
                new (self) LoneKing(set_up(seat, men, squares));
            },
            "seat"_a, "men"_a, "squares"_a)
        .def_static(
            "of", [](const kriegspiel::View& view) { return LoneKing::of(view); }, "view"_a,
            "None while the other side has more than its King, or may have.")
        .def_ro("squares", &LoneKing::squares, "Where he may be: a bit for each square, a1 the lowest.")
        .def_ro("clock", &LoneKing::clock, "Plies since the last capture or Pawn move.")
        .def_prop_ro("seat", [](const LoneKing& k) { return static_cast<int>(k.army.colour); })
        .def_prop_ro("attacks", [](const LoneKing& k) { return k.army.attacks(); })
        .def_prop_ro("can_mate", [](const LoneKing& k) { return k.army.can_mate(); })
        .def(
            "tries",
            [](const LoneKing& known, std::int64_t nodes) {
                within("nodes", nodes, 0, most_nodes);
                const LoneKing copy = known;
                std::vector<std::pair<Move, double>> found;
                const Unlocked unlocked;
                for (const auto& tried : Endgame().choose(copy, nodes)) found.emplace_back(tried.move, tried.value);
                return found;
            },
            "nodes"_a = Endgame::default_nodes,
            "Our tries with their worth, the best first. `nodes` bounds the metapositions that are valued.");
});

}  // namespace
}  // namespace rookery
