// Games of chess on disk: PGN read into stores, and positions drawn from them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.hpp"
#include "records/chess_store.hpp"
#include "records/importer.hpp"
#include "records/pgn_writer.hpp"
#include "records/policy_rows.hpp"

namespace rookery {
namespace {

using records::BitRows, records::ChessStore, records::Draw, records::Filter, records::Importer, records::Places,
    records::PolicyRows;

template <class T>
using Given = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Row = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;
template <class T>
using Rows = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;

template <class T>
nb::capsule owner_of(std::vector<T>* kept) {
    return nb::capsule(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
}
template <class T>
Row<T> row(std::vector<T>&& from) {
    auto* kept = new std::vector<T>(std::move(from));
    return Row<T>(kept->data(), {kept->size()}, owner_of(kept));
}
Rows<std::int16_t> rows(BitRows&& from) {
    std::int16_t* const data = from.data.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int16_t*>(p); });
    return Rows<std::int16_t>(data, {from.rows, static_cast<std::size_t>(encoders::most_chess_bits)}, owner);
}
template <class T>
nb::capsule owner_of(records::Raw<T>& from) {
    return nb::capsule(from.data.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
}
template <class T>
Row<T> row(records::Raw<T>&& from) {
    T* const data = from.data.get();
    return Row<T>(data, {from.size}, owner_of(from));
}
template <class T>
Rows<T> rows(records::Raw<T>&& from, std::size_t width) {
    T* const data = from.data.get();
    return Rows<T>(data, {from.size / width, width}, owner_of(from));
}
template <class T>
std::span<const T> span(const Given<T>& given) {
    return {given.data(), given.size()};
}

nb::bytes bytes(const std::string& from) {
    return nb::bytes(from.data(), from.size());
}

// A store, and the arrays that hold it.
struct BoundStore {
    Given<std::uint8_t> headers, moves, texts;
    ChessStore store;
    BoundStore(Given<std::uint8_t> h, Given<std::uint8_t> m, Given<std::uint8_t> t)
        : headers(h), moves(m), texts(t), store(span(h), span(m), span(t)) {}

    std::size_t game(std::int64_t number) const {
        if (number < 0 || static_cast<std::size_t>(number) >= store.size())
            throw BadOption("game must be between 0 and " +
                            std::to_string(static_cast<std::int64_t>(store.size()) - 1) + " (got " +
                            std::to_string(number) + ")");
        return static_cast<std::size_t>(number);
    }
    void check(std::span<const std::uint32_t> games) const {
        for (const std::uint32_t each : games) game(each);
    }
    // beyond: how many plies after the last move there are.
    void check(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies, int beyond) const {
        if (games.size() != plies.size())
            throw BadOption(std::to_string(games.size()) + " games and " + std::to_string(plies.size()) +
                            " plies; there must be one of each a place");
        for (std::size_t i = 0; i < games.size(); ++i) {
            const int last = store.header(game(games[i])).plies - 1 + beyond;
            if (plies[i] > last)
                throw BadOption("ply must be between 0 and " + std::to_string(last) + " in game " +
                                std::to_string(games[i]) + " (got " + std::to_string(plies[i]) + ")");
        }
    }
};

ChessStore::Ask asking() {
    return [poll = std::make_shared<Poll>(signals())] { poll->look(); };
}

Draw draw_of(int per_game, int first_ply, bool quiet, std::uint64_t seed) {
    return {within("per_game", per_game, 1, 0xffff), within("first_ply", first_ply, 0, 0xffff), quiet, seed};
}

void bind_store(nb::module_& m) {
    using S = BoundStore;
    nb::class_<S>(m, "ChessStore")
        .def(nb::init<Given<std::uint8_t>, Given<std::uint8_t>, Given<std::uint8_t>>(), "headers"_a, "moves"_a,
             "texts"_a)
        .def("__len__", [](const S& s) { return s.store.size(); })
        .def(
            "start",
            [](const S& s, std::int64_t game) -> std::optional<std::string> {
                if (!s.store.header(s.game(game)).set_up) return std::nullopt;
                return s.store.start(s.game(game)).str();
            },
            "game"_a)
        .def(
            "line", [](const S& s, std::int64_t game) { return s.store.moves(s.game(game)); }, "game"_a)
        .def(
            "text", [](const S& s, std::int64_t game) { return bytes(std::string(s.store.text(s.game(game)))); },
            "game"_a)
        .def(
            "sample",
            [](const S& s, const Given<std::uint32_t>& games, int per_game, int first_ply, bool quiet,
               std::uint64_t seed, int threads) {
                const Draw draw = draw_of(per_game, first_ply, quiet, seed);
                threads_of(threads);
                s.check(span(games));
                Places found;
                {
                    const Unlocked unlocked;
                    found = s.store.sample(span(games), draw, threads, asking());
                }
                return std::tuple(row(std::move(found.games)), row(std::move(found.plies)));
            },
            "games"_a, "per_game"_a, "first_ply"_a, "quiet"_a, "seed"_a, "threads"_a)
        .def(
            "sample_features",
            [](const S& s, const Given<std::uint32_t>& games, int per_game, int first_ply, bool quiet,
               std::uint64_t seed, int threads) {
                const Draw draw = draw_of(per_game, first_ply, quiet, seed);
                threads_of(threads);
                s.check(span(games));
                Places found;
                BitRows bits;
                {
                    const Unlocked unlocked;
                    found = s.store.sample(span(games), draw, threads, asking(), &bits);
                }
                return std::tuple(row(std::move(found.games)), row(std::move(found.plies)), rows(std::move(bits)));
            },
            "games"_a, "per_game"_a, "first_ply"_a, "quiet"_a, "seed"_a, "threads"_a)
        .def(
            "features",
            [](const S& s, const Given<std::uint32_t>& games, const Given<std::uint16_t>& plies, int threads) {
                threads_of(threads);
                s.check(span(games), span(plies), 1);
                constexpr std::size_t width = encoders::most_chess_bits;
                BitRows bits;
                {
                    const Unlocked unlocked;
                    bits.rows = games.size();
                    bits.data = std::make_unique_for_overwrite<std::int16_t[]>(bits.rows * width);
                    s.store.visit(span(games), span(plies), threads, asking(),
                                  [&](std::size_t i, const chess::Position& p) {
                                      encoders::encode_bits(p, bits.data.get() + i * width);
                                  });
                }
                return rows(std::move(bits));
            },
            "games"_a, "plies"_a, "threads"_a)
        .def(
            "moves",
            [](const S& s, const Given<std::uint32_t>& games, const Given<std::uint16_t>& plies, int threads) {
                threads_of(threads);
                s.check(span(games), span(plies), 0);
                std::vector<std::uint16_t> found;
                {
                    const Unlocked unlocked;
                    found.resize(games.size());
                    s.store.played(span(games), span(plies), threads, asking(), found.data());
                }
                return row(std::move(found));
            },
            "games"_a, "plies"_a, "threads"_a)
        .def(
            "positions",
            [](const S& s, const Given<std::uint32_t>& games, const Given<std::uint16_t>& plies, int threads) {
                threads_of(threads);
                s.check(span(games), span(plies), 1);
                std::vector<std::string> found(games.size());
                const Unlocked unlocked;
                s.store.visit(span(games), span(plies), threads, asking(),
                              [&](std::size_t i, const chess::Position& p) { found[i] = p.str(); });
                return found;
            },
            "games"_a, "plies"_a, "threads"_a)
        .def(
            "rows",
            [](const S& s, const Given<std::uint32_t>& games, int threads) {
                threads_of(threads);
                s.check(span(games));
                PolicyRows found;
                {
                    const Unlocked unlocked;
                    found = records::policy_rows(s.store, span(games), threads, asking());
                }
                nb::dict arrays;
                arrays["games"] = row(std::move(found.games));
                arrays["boards"] = rows(std::move(found.boards), PolicyRows::board_bytes);
                arrays["states"] = rows(std::move(found.states), PolicyRows::state_bytes);
                arrays["played"] = row(std::move(found.played));
                arrays["legal_begins"] = row(std::move(found.legal_begins));
                arrays["legal"] = row(std::move(found.legal));
                return arrays;
            },
            "games"_a, "threads"_a)
        .def(
            "pgn",
            [](const S& s, const Given<std::uint32_t>& games, int threads) {
                threads_of(threads);
                s.check(span(games));
                std::string text;
                {
                    const Unlocked unlocked;
                    std::vector<std::string> found(games.size());
                    const std::span<const std::uint32_t> numbers = span(games);
                    ChessStore::each(games.size(), threads, asking(),
                                     [&](std::size_t i) { found[i] = records::write_pgn(s.store, numbers[i]); });
                    for (const std::string& each : found) text += each;
                }
                return bytes(text);
            },
            "games"_a, "threads"_a)
        .def(
            "check",
            [](const S& s, int threads) {
                threads_of(threads);
                const Unlocked unlocked;
                s.store.check(threads, asking());
            },
            "threads"_a);
}

Filter filter_of(int min_elo, int max_elo, const std::vector<int>& results, int min_plies, int max_plies,
                 std::uint32_t since, std::uint32_t until) {
    Filter filter;
    filter.min_elo = within("min_elo", min_elo, 0, 9999);
    filter.max_elo = within("max_elo", max_elo, 0, 9999);
    filter.results.fill(false);
    for (const int each : results) filter.results[static_cast<std::size_t>(within("result", each, -1, 2) + 1)] = true;
    filter.min_plies = within("min_plies", min_plies, 1, 0xffff);
    filter.max_plies = within("max_plies", max_plies, 1, 0xffff);
    filter.since = since, filter.until = until;
    return filter;
}

void bind_importer(nb::module_& m) {
    nb::class_<Importer>(m, "PgnImporter")
        .def(
            "__init__",
            [](Importer* self, int min_elo, int max_elo, const std::vector<int>& results, int min_plies, int max_plies,
               std::uint32_t since, std::uint32_t until, const Given<std::uint64_t>& ids, std::uint64_t moves_size,
               std::uint64_t texts_size) {
                const Filter filter = filter_of(min_elo, max_elo, results, min_plies, max_plies, since, until);
                new (self) Importer(filter, span(ids), moves_size, texts_size);
            },
            "min_elo"_a, "max_elo"_a, "results"_a, "min_plies"_a, "max_plies"_a, "since"_a, "until"_a, "ids"_a,
            "moves_size"_a, "texts_size"_a)
        .def(
            "feed",
            [](Importer& self, const nb::bytes& data, bool last) {
                const Turn turn(&self);
                const std::string_view view(data.c_str(), data.size());
                const Unlocked unlocked;
                Poll poll = signals();
                self.feed(view, last, poll);
            },
            "data"_a, "last"_a)
        .def("take",
             [](Importer& self) {
                 const Turn turn(&self);
                 const Importer::Parts parts = self.take();
                 return std::tuple(bytes(parts.headers), bytes(parts.moves), bytes(parts.text));
             })
        .def_prop_ro("consumed",
                     [](const Importer& self) {
                         const Turn turn(&self);
                         return self.consumed();
                     })
        .def_prop_ro("counts",
                     [](const Importer& self) {
                         const Turn turn(&self);
                         const Importer::Counts& c = self.counts();
                         return std::map<std::string, std::int64_t>{
                             {"read", c.read}, {"kept", c.kept}, {"duplicates", c.duplicates}, {"plies", c.plies}};
                     })
        .def_prop_ro("skipped", [](const Importer& self) {
            const Turn turn(&self);
            std::map<std::string, std::int64_t> found;
            for (std::size_t i = 1; i < records::skip_names.size(); ++i)
                if (self.counts().skipped[i]) found[records::skip_names[i]] = self.counts().skipped[i];
            return found;
        });
}

const Binding records_binding([](nb::module_& m) {
    m.attr("chess_bits") = encoders::chess_bits;
    m.attr("most_chess_bits") = encoders::most_chess_bits;
    bind_store(m);
    bind_importer(m);
});

}  // namespace
}  // namespace rookery
