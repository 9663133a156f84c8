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

// A view as numbers, for pickles: written and read by one walk over its fields, so that the two cannot differ.
using Numbers = std::vector<std::int64_t>;

struct Writer {
    Numbers out;
    template <class T>
    void operator()(T& value) {
        out.push_back(static_cast<std::int64_t>(value));
    }
    template <class T>
    std::size_t size(std::vector<T>& list) {
        out.push_back(static_cast<std::int64_t>(list.size()));
        return list.size();
    }
};

struct Reader {
    const Numbers& in;
    std::size_t at = 0;
    std::int64_t next() {
        if (at == in.size()) throw std::invalid_argument("these are not the numbers of a view of Kriegspiel");
        return in[at++];
    }
    template <class T>
    void operator()(T& value) {
        value = static_cast<T>(next());
    }
    template <class T>
    std::size_t size(std::vector<T>& list) {
        const auto n = static_cast<std::size_t>(next());
        if (n > in.size() - at) throw std::invalid_argument("these are not the numbers of a view of Kriegspiel");
        list.resize(n);
        return n;
    }
};

template <class Walk>
void walk(Walk& each, View& v) {
    const auto checks = [&](kriegspiel::CheckDirections& c) { each(c[0]), each(c[1]); };
    const auto pieces = [&](kriegspiel::Pieces& p) {
        for (auto& b : p) each(b);
    };
    const auto moves = [&](std::vector<Move>& list) {
        each.size(list);
        for (Move& m : list) each(m);
    };
    each(v.us), each(v.turn);
    auto& s = v.start;
    each(s.board), pieces(s.own), pieces(s.enemy), each(s.pawns), each(s.pieces), each(s.castling);
    each(s.en_passant), each(s.turn), each(s.tries), checks(s.checks);
    pieces(v.own), each(v.castling), each(v.tries), checks(v.checks), moves(v.refused), moves(v.moves);
    each.size(v.log);
    for (auto& e : v.log) {
        each(e.kind), each(e.move), each(e.said.captured), each(e.said.square), checks(e.said.checks);
        each(e.said.tries), each(e.said.turn), each(e.end);
    }
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
        .def("__getstate__",
             [](const View& v) {
                 Writer writer;
                 View copy = v;
                 walk(writer, copy);
                 return writer.out;
             })
        .def("__setstate__",
             [](View& self, const Numbers& numbers) {
                 View view;
                 Reader reader{numbers};
                 walk(reader, view);
                 if (!kriegspiel::sound(view) || reader.at != numbers.size())
                     throw std::invalid_argument("these are not the numbers of a view of Kriegspiel");
                 new (&self) View(std::move(view));
             })
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
