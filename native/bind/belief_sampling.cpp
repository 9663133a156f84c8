// Whole boards that may be the true one: the pool, boards of the last observation, and the player that samples them.
#include "belief/sampling.hpp"
#include "bind/belief_tries.hpp"

namespace rookery {
namespace {

using belief::LastObservation;
using belief::Method;
using belief::Particles;
using belief::Possible;
using belief::Sampling;
using kriegspiel::View;

constexpr int most_boards = 1'000'000;

// Serves one thread at a time, without the interpreter's lock.
class BoundParticles {
  public:
    BoundParticles(Particles::Options options, std::uint64_t seed) : particles_(std::move(options), seed) {}

    void follow(const View& view) {
        const Turn turn(this);
        const Unlocked unlocked;
        Poll poll = signals();
        particles_.follow(view, poll);
    }
    std::vector<std::string> boards() const {
        const Turn turn(this);
        std::vector<std::string> all;
        for (const chess::Position& board : particles_.boards()) all.push_back(board.str());
        return all;
    }
    std::vector<float> weights() const {
        const Turn turn(this);
        return {particles_.weights().begin(), particles_.weights().end()};
    }
    std::vector<bool> whole() const {
        const Turn turn(this);
        std::vector<bool> all;
        for (std::size_t i = 0; i < particles_.boards().size(); ++i) all.push_back(particles_.fits_all(i));
        return all;
    }
    bool complete() const {
        const Turn turn(this);
        return particles_.complete();
    }
    std::size_t size() const {
        const Turn turn(this);
        return particles_.boards().size();
    }

  private:
    Particles particles_;
};

class BoundSampling {
  public:
    explicit BoundSampling(Sampling::Options options) : sampling_(options) {}

    Sampling::Choice choose(const View& view, const Sampling::Bounds& bounds, std::uint64_t seed) {
        const Turn turn(this);
        require_tries(view, bounds.only);
        const Unlocked unlocked;
        Poll poll = signals();
        stop_ = false;
        return sampling_.choose(view, bounds, seed, poll, stop_);
    }
    std::vector<float> frequencies(const View& view) {
        const Turn turn(this);
        const Unlocked unlocked;
        Poll poll = signals();
        return sampling_.frequencies(view, poll);
    }
    void forget() {
        const Turn turn(this);
        sampling_.forget();
    }
    void stop() { stop_ = true; }

  private:
    Sampling sampling_;
    std::atomic<bool> stop_{false};
};

Method method_of(std::string_view word) {
    if (word == "los") return Method::last;
    if (word == "aosp") return Method::all;
    if (word == "hs") return Method::hybrid;
    throw BadOption("method must be los, aosp or hs (got " + quote(word) + ")");
}

std::vector<std::string> last_observation(const View& view, int boards, std::uint64_t seed) {
    within("boards", boards, 1, most_boards);
    require_tries(view);
    const Unlocked unlocked;
    Poll poll = signals();
    const LastObservation last(view, Possible::of(view));
    Rng rng(seed);
    std::vector<std::string> found;
    for (int i = 0; i < boards; ++i) {
        poll.step(16);
        if (const auto board = last.draw(rng)) found.push_back(board->str());
    }
    return found;
}

const Binding belief_sampling_binding([](nb::module_& m) {
    nb::class_<BoundParticles>(m, "KriegspielParticles")
        .def(
            "__init__",
            [](BoundParticles* self, int size, int few, int least, int refill, bool weighted, std::uint64_t seed) {
                new (self) BoundParticles({.size = within("size", size, 1, most_boards),
                                           .few = within("few", few, 0, most_boards),
                                           .least = within("least", least, 0, most_boards),
                                           .refill = within("refill", refill, 0, most_boards),
                                           .weighted = weighted},
                                          seed);
            },
            "size"_a = 20000, "few"_a = 200, "least"_a = 200, "refill"_a = 200, "weighted"_a = false, "seed"_a = 0)
        .def("follow", &BoundParticles::follow, "view"_a)
        .def("boards", &BoundParticles::boards)
        .def("weights", &BoundParticles::weights)
        .def("whole", &BoundParticles::whole)
        .def_prop_ro("complete", &BoundParticles::complete)
        .def("__len__", &BoundParticles::size);
    m.def("last_observation", &last_observation, "view"_a, "boards"_a, "seed"_a);

    nb::class_<Sampling::Ranked>(m, "SampledTry")
        .def_ro("move", &Sampling::Ranked::move)
        .def_ro("score", &Sampling::Ranked::score)
        .def_ro("share", &Sampling::Ranked::share);
    nb::class_<Sampling::Choice>(m, "SampledChoice")
        .def_ro("ranked", &Sampling::Choice::ranked)
        .def_ro("boards", &Sampling::Choice::boards)
        .def_ro("kept", &Sampling::Choice::kept)
        .def_ro("alive", &Sampling::Choice::alive);
    nb::class_<BoundSampling>(m, "KriegspielSampling")
        .def(
            "__init__",
            [](BoundSampling* self, std::string_view method, int boards, int depth, int pool) {
                new (self) BoundSampling({.method = method_of(method),
                                          .boards = within("boards", boards, 1, most_boards),
                                          .depth = within("depth", depth, 1, 4),
                                          .pool = within("pool", pool, 1, most_boards)});
            },
            "method"_a, "boards"_a, "depth"_a, "pool"_a)
        .def(
            "choose",
            [](BoundSampling& self, const View& view, std::int64_t boards, double seconds, std::vector<Move> only,
               std::uint64_t seed) {
                return self.choose(
                    view, {not_below("boards", boards, 0), not_below("seconds", seconds, 0), std::move(only)}, seed);
            },
            "view"_a, "boards"_a, "seconds"_a, "only"_a, "seed"_a)
        .def("frequencies", &BoundSampling::frequencies, "view"_a)
        .def("forget", &BoundSampling::forget)
        .def("stop", &BoundSampling::stop);
});

}  // namespace
}  // namespace rookery
