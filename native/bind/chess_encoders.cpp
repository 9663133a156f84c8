// Positions of chess as policy networks see them, many at a time, and their moves as such networks count them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.hpp"
#include "encoders/chess_actions.hpp"
#include "encoders/chess_history.hpp"
#include "encoders/chess_squares.hpp"

namespace rookery {
namespace {

using Chess = State<chess::Position>;
using Planes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<4>, nb::c_contig>;
template <class T>
using Row = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <class T>
nb::capsule owner_of(T* data) {
    return nb::capsule(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
}

template <class T>
Row<T> row(const std::vector<T>& from) {
    T* const data = new T[from.size()];
    std::copy(from.begin(), from.end(), data);
    return Row<T>(data, {from.size()}, owner_of(data));
}

// `planes` planes for each state, written by encode(state, out).
template <class F>
Planes encode_each(const std::vector<Chess>& states, int planes, F encode) {
    const std::size_t size = static_cast<std::size_t>(planes) * 64;
    auto data = std::make_unique_for_overwrite<std::uint8_t[]>(states.size() * size);
    {
        const Unlocked unlocked;
        Poll poll = signals();
        for (std::size_t i = 0; i < states.size(); ++i) {
            poll.step(64);
            encode(states[i], data.get() + i * size);
        }
    }
    std::uint8_t* const kept = data.release();
    return Planes(kept, {states.size(), static_cast<std::size_t>(planes), 8, 8}, owner_of(kept));
}

std::tuple<Row<std::int64_t>, Row<std::int16_t>> legal_actions(const std::vector<Chess>& states, bool turned) {
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int16_t> actions;
    {
        const Unlocked unlocked;
        Poll poll = signals();
        for (const Chess& s : states) {
            poll.step(64);
            const chess::Colour mover = turned ? s.position().turn() : chess::white;
            for (const Move m : s.moves())
                actions.push_back(static_cast<std::int16_t>(encoders::chess_action(m, mover)));
            offsets.push_back(static_cast<std::int64_t>(actions.size()));
        }
    }
    return {row(offsets), row(actions)};
}

const Binding chess_encoders_binding([](nb::module_& m) {
    m.def("chess_actions", [] {
        std::vector<std::string> names;
        for (const Move move : encoders::all_chess_actions().moves) names.push_back(chess::uci(move));
        return names;
    });
    m.def(
        "chess_planes",
        [](const std::vector<Chess>& states) {
            return encode_each(states, encoders::chess_history_planes, [](const Chess& s, std::uint8_t* out) {
                const std::vector<const chess::Position*> all = s.positions();  // of its game
                const auto before = [&](std::size_t plies) {
                    return all.size() > plies ? all[all.size() - 1 - plies] : nullptr;
                };
                encoders::encode_history(s.position(), before(2), before(4), out);
            });
        },
        "states"_a);
    m.def(
        "chess_squares",
        [](const std::vector<Chess>& states) {
            return encode_each(states, encoders::chess_squares_planes, [](const Chess& s, std::uint8_t* out) {
                const std::vector<Move> history = s.history();
                encoders::encode_squares(s.position(), history.empty() ? -1 : history.back(), out);
            });
        },
        "states"_a);
    m.def("chess_legal_actions", &legal_actions, "states"_a, "turned"_a = false);
});

}  // namespace
}  // namespace rookery
