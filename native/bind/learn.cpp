// Self-play that feeds a network, and the planes that the network sees.
#include <nanobind/ndarray.h>

#include "bind/bind.hpp"
#include "bind/gumbel.hpp"
#include "learn/go_domain.hpp"

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
nb::dict to_python(learn::GoSamples<N>&& s) {
    nb::dict d;
    const std::size_t rows = s.size(), area = N * N;
    d["planes"] = array(std::move(s.planes), rows, encoders::go_planes * area);
    d["policy"] = array(std::move(s.policy), rows, area + 1);
    d["won"] = array(std::move(s.won), rows, 0);
    d["score"] = array(std::move(s.score), rows, 0);
    d["owner"] = array(std::move(s.owner), rows, area);
    return d;
}

void check(const learn::SelfPlaySettings& play, const learn::GoSettings& go) {
    check_gumbel(play.search);
    within("games", play.games, 1, 65536);
    within("opening", play.opening, 0, 1000);
    for (const float number : {play.uniform_share, go.score_weight, go.wide_share})
        finite("a setting of self-play", number);
}

template <int N>
void bind_selfplay(nb::module_& m) {
    using D = learn::GoDomain<N>;
    using S = learn::SelfPlay<D>;
    nb::class_<S>(m, ("GoSelfPlay" + std::to_string(N)).c_str())
        .def(
            "__init__",
            [](S* self, const learn::SelfPlaySettings& settings, const learn::GoSettings& go, std::uint64_t seed) {
                check(settings, go);
                new (self) S(settings, D(go), seed);
            },
            "settings"_a, "go"_a, "seed"_a)
        .def_prop_ro("capacity", &S::capacity)
        .def(
            "set_komi",
            [](S& s, double centre, double spread) {
                const auto middle = static_cast<float>(within<double>("centre", centre, -1000, 1000));
                const auto width = static_cast<float>(within<double>("spread", spread, 0, 1000));
                const Turn turn(&s);
                s.each_domain([&](D& domain) { domain.set_komi(middle, width); });
            },
            "centre"_a, "spread"_a)
        .def(
            "step",
            [](S& s, const Logits& logits, const Values& values, const Planes& planes, Pool& workers) {
                const Turn turn(&s);
                const auto told = static_cast<std::size_t>(s.waiting());
                const auto room = static_cast<std::size_t>(s.capacity());
                if (logits.shape(0) < told || logits.shape(1) != D::actions || values.shape(0) < told)
                    throw nb::value_error("fewer evaluations than positions, or of another board");
                if (planes.shape(0) < room || planes.shape(1) != D::width)
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
        .def("tally", [](S& s) {
            const Turn turn(&s);
            return s.tally();
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
    using Play = learn::SelfPlaySettings;
    using Go = learn::GoSettings;
    using Tally = learn::GoTally;
    nb::class_<Play>(m, "SelfPlaySettings")
        .def(nb::init<>())
        .def_rw("search", &Play::search)
        .def_rw("games", &Play::games)
        .def_rw("opening", &Play::opening)
        .def_rw("uniform_share", &Play::uniform_share);
    nb::class_<Go>(m, "GoSelfPlaySettings")
        .def(nb::init<>())
        .def_rw("score_weight", &Go::score_weight)
        .def_rw("pass_from", &Go::pass_from)
        .def_rw("cap", &Go::cap)
        .def_rw("wide_share", &Go::wide_share);
    nb::class_<Tally>(m, "GoSelfPlayTally")
        .def_ro("games", &Tally::games)
        .def_ro("plies", &Tally::plies)
        .def_ro("black", &Tally::black)
        .def_ro("white", &Tally::white)
        .def_ro("capped", &Tally::capped)
        .def_ro("evaluations", &Tally::evaluations)
        .def_ro("margin", &Tally::margin);
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
