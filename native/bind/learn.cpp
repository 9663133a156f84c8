// Self-play that feeds a network, and the planes that the network sees.
#include <nanobind/ndarray.h>

#include "bind/bind.hpp"
#include "learn/selfplay.hpp"

namespace rookery {
namespace {

using Logits = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Planes = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Hands a vector to numpy without a copy.
template <class T>
nb::ndarray<nb::numpy, T> array(std::vector<T>&& from, std::size_t rows, std::size_t columns) {
    auto* kept = new std::vector<T>(std::move(from));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t shape[2] = {rows, columns};
    return nb::ndarray<nb::numpy, T>(kept->data(), columns ? 2 : 1, shape, owner);
}

template <int N>
nb::dict to_python(learn::Samples<N>&& s) {
    nb::dict d;
    const std::size_t rows = s.size(), area = N * N;
    d["planes"] = array(std::move(s.planes), rows, encoders::go_planes * area);
    d["policy"] = array(std::move(s.policy), rows, area + 1);
    d["won"] = array(std::move(s.won), rows, 0);
    d["score"] = array(std::move(s.score), rows, 0);
    d["owner"] = array(std::move(s.owner), rows, area);
    return d;
}

void check(const learn::SelfPlaySettings& play) {
    const learn::SearchSettings& search = play.search;
    within("simulations", search.simulations, 1, 32766);  // nodes are counted in 16 bits
    within("max_considered", search.max_considered, 1, 1000);
    within("games", play.games, 1, 65536);
    within("opening", play.opening, 0, 1000);
    for (const float number : {search.visit, search.scale, search.score_weight, play.uniform_share, play.wide_share})
        finite("a setting of self-play", number);
}

template <int N>
void bind_selfplay(nb::module_& m) {
    using S = learn::SelfPlay<N>;
    constexpr std::size_t width = encoders::go_planes * N * N;
    nb::class_<S>(m, ("GoSelfPlay" + std::to_string(N)).c_str())
        .def(
            "__init__",
            [](S* self, const learn::SelfPlaySettings& settings, std::uint64_t seed) {
                check(settings);
                new (self) S(settings, seed);
            },
            "settings"_a, "seed"_a)
        .def_prop_ro("capacity", &S::capacity)
        .def(
            "set_komi",
            [](S& s, double centre, double spread) {
                s.set_komi(static_cast<float>(within<double>("centre", centre, -1000, 1000)),
                           static_cast<float>(within<double>("spread", spread, 0, 1000)));
            },
            "centre"_a, "spread"_a)
        .def(
            "step",
            [=](S& s, const Logits& logits, const Values& values, const Planes& planes, Pool& workers) {
                const Turn turn(&s);
                const auto told = static_cast<std::size_t>(s.waiting());
                const auto room = static_cast<std::size_t>(s.capacity());
                if (logits.shape(0) < told || logits.shape(1) != S::actions || values.shape(0) < told)
                    throw nb::value_error("fewer evaluations than positions, or of another board");
                if (planes.shape(0) < room || planes.shape(1) != width)
                    throw nb::value_error("no room for the planes of as many positions as there may be");
                const Unlocked unlocked;
                return s.step(logits.data(), values.data(), planes.data(), workers);
            },
            "logits"_a.noconvert(), "values"_a.noconvert(), "planes"_a.noconvert(), "workers"_a)
        .def("take",
             [](S& s) {
                 const Turn turn(&s);
                 return to_python<N>(s.take());
             })
        .def("stats", [](S& s) {
            const Turn turn(&s);
            return s.stats();
        });
}

// The planes of a state, and which states have them.
template <int N>
void bind_planes(nb::module_& m) {
    using S = State<go::Position<N>>;
    m.def(
        "go_zero_planes",
        [](const S& s) {
            const std::vector<Move> moves = s.history();
            const auto back = [&](std::size_t i) {
                return moves.size() < i ? encoders::no_move : moves[moves.size() - i];
            };
            std::vector<std::uint8_t> planes(encoders::go_planes * N * N);
            encoders::encode(s.position(), back(1), back(2), planes.data());
            return array(std::move(planes), encoders::go_planes, N * N);
        },
        "state"_a);
}

const Binding learn_binding([](nb::module_& m) {
    using Search = learn::SearchSettings;
    using Play = learn::SelfPlaySettings;
    nb::class_<Search>(m, "SearchSettings")
        .def(nb::init<>())
        .def_rw("simulations", &Search::simulations)
        .def_rw("max_considered", &Search::max_considered)
        .def_rw("visit", &Search::visit)
        .def_rw("scale", &Search::scale)
        .def_rw("score_weight", &Search::score_weight)
        .def_rw("pass_from", &Search::pass_from)
        .def_rw("cap", &Search::cap);
    nb::class_<Play>(m, "SelfPlaySettings")
        .def(nb::init<>())
        .def_rw("search", &Play::search)
        .def_rw("games", &Play::games)
        .def_rw("opening", &Play::opening)
        .def_rw("uniform_share", &Play::uniform_share)
        .def_rw("wide_share", &Play::wide_share);
    nb::class_<learn::SelfPlayStats>(m, "SelfPlayStats")
        .def_ro("games", &learn::SelfPlayStats::games)
        .def_ro("plies", &learn::SelfPlayStats::plies)
        .def_ro("black", &learn::SelfPlayStats::black)
        .def_ro("white", &learn::SelfPlayStats::white)
        .def_ro("capped", &learn::SelfPlayStats::capped)
        .def_ro("evaluations", &learn::SelfPlayStats::evaluations)
        .def_ro("margin", &learn::SelfPlayStats::margin);
    // Four games at a time: a walk of one takes some ten microseconds.
    nb::class_<Pool>(m, "Workers")
        .def(
            "__init__", [](Pool* self, int threads) { new (self) Pool(threads_of(threads), 4); }, "threads"_a)
        .def_prop_ro("size", &Pool::size);
    bind_selfplay<5>(m);
    bind_selfplay<7>(m);
    bind_selfplay<9>(m);
#define ROOKERY_ZERO_PLANES(N) bind_planes<N>(m);
    ROOKERY_GO_SIZES(ROOKERY_ZERO_PLANES)
    m.attr("go_zero_plane_count") = encoders::go_planes;
});

}  // namespace
}  // namespace rookery
