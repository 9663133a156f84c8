// Games of chess in lock-step, for networks elsewhere.
#include <nanobind/ndarray.h>

#include "bind/bind.hpp"
#include "learn/chess_selfplay.hpp"

namespace rookery {
namespace {

using learn::ChessGames, learn::ChessSelfPlay, learn::ChessSelfPlaySettings, learn::ChessStarts;
using Starts = std::shared_ptr<const ChessStarts>;

template <class T>
using Given = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Logits = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Planes = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Sides = nb::ndarray<std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Hands a vector to numpy without a copy.
template <class T>
nb::ndarray<nb::numpy, T> array(std::vector<T>&& from, std::size_t columns = 0) {
    auto* kept = new std::vector<T>(std::move(from));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t shape[2] = {columns ? kept->size() / columns : kept->size(), columns};
    return nb::ndarray<nb::numpy, T>(kept->data(), columns ? 2 : 1, shape, owner);
}

nb::dict to_python(ChessGames&& games) {
    using records::PolicyRows;
    nb::dict d;
    d["games"] = array(std::move(games.begins));
    d["boards"] = array(std::move(games.boards), PolicyRows::board_bytes);
    d["states"] = array(std::move(games.states), PolicyRows::state_bytes);
    d["played"] = array(std::move(games.played));
    d["legal_begins"] = array(std::move(games.legal_begins));
    d["legal"] = array(std::move(games.legal));
    d["rewards"] = array(std::move(games.rewards));
    d["number"] = array(std::move(games.number));
    d["start"] = array(std::move(games.starts));
    d["end"] = array(std::move(games.end));
    d["human"] = array(std::move(games.human));
    return d;
}

template <class T, class From>
std::vector<T> vector_of(const Given<From>& given) {
    return {given.data(), given.data() + given.size()};
}

const Binding chess_selfplay_binding([](nb::module_& m) {
    struct BoundStarts {
        Starts starts;
    };
    nb::class_<BoundStarts>(m, "ChessStarts")
        .def(
            "__init__",
            [](BoundStarts* self, const Given<std::uint16_t>& moves, const Given<std::int64_t>& begins,
               const Given<std::int8_t>& won, Pool& workers) {
                within<std::size_t>("lines", won.size(), 1, 1 << 30);
                std::vector<Move> line = vector_of<Move>(moves);
                const auto where = vector_of<std::int64_t>(begins);
                const auto who = vector_of<std::int8_t>(won);
                Starts made;
                {
                    const Unlocked unlocked;
                    made = std::make_shared<const ChessStarts>(std::move(line), where, who, workers);
                }
                new (self) BoundStarts{std::move(made)};
            },
            "moves"_a, "begins"_a, "won"_a, "workers"_a)
        .def("__len__", [](const BoundStarts& s) { return s.starts->size(); });
    nb::class_<ChessSelfPlay>(m, "ChessSelfPlay")
        .def(
            "__init__",
            [](ChessSelfPlay* self, const BoundStarts& starts, std::uint64_t seed, int games, int limit, int max_plies,
               int top, bool human) {
                ChessSelfPlaySettings settings;
                settings.games = within("games", games, 1, 65536);
                settings.limit = within("limit", limit, 0, 1 << 30);
                settings.max_plies = within("max_plies", max_plies, 1, 10000);
                settings.top = within("top", top, 0, 1000);
                settings.human = human;
                new (self) ChessSelfPlay(settings, starts.starts, seed);
            },
            "starts"_a, "seed"_a, "games"_a, "limit"_a = 0, "max_plies"_a = 350, "top"_a = 0, "human"_a = true)
        .def(
            "step",
            [](ChessSelfPlay& s, const Logits& logits, const Planes& planes, const Sides& sides, Pool& workers) {
                const Turn turn(&s);
                const auto games = static_cast<std::size_t>(s.games());
                if (logits.shape(0) != games || logits.shape(1) != ChessSelfPlay::actions)
                    throw nb::value_error("logits must be a row of all actions a game");
                if (planes.shape(0) != games || planes.shape(1) != ChessSelfPlay::width || sides.shape(0) != games)
                    throw nb::value_error("planes and sides must have a row a game");
                const Unlocked unlocked;
                return s.step(logits.data(), planes.data(), sides.data(), workers);
            },
            "logits"_a.noconvert(), "planes"_a.noconvert(), "sides"_a.noconvert(), "workers"_a)
        .def_prop_ro("finished",
                     [](ChessSelfPlay& s) {
                         const Turn turn(&s);
                         return s.finished();
                     })
        .def("take", [](ChessSelfPlay& s) {
            const Turn turn(&s);
            return to_python(s.take());
        });
});

}  // namespace
}  // namespace rookery
