// What a seat of Kriegspiel believes: the matrices, the chances of tries, and the model of an opponent.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "belief/calibration.hpp"
#include "belief/chances.hpp"
#include "bind/belief_replay.hpp"
#include "bind/bind.hpp"
#include "bind/tunable.hpp"

namespace rookery {
namespace {

using belief::Belief;
using belief::Calibration;
using belief::Chance;
using belief::Chances;
using belief::Constants;
using belief::Grid;
using belief::Kernel;
using belief::Matrices;
using belief::Message;
using belief::Mode;
using belief::OpponentModel;
using Model = std::shared_ptr<OpponentModel>;
using Density = nb::ndarray<const float, nb::shape<2, 6, OpponentModel::times, 64>, nb::c_contig, nb::device::cpu>;

template <class... Sizes>
auto numbers(const float* from, Sizes... sizes) {
    const std::size_t count = (static_cast<std::size_t>(sizes) * ...);
    auto* data = new float[count];
    std::copy_n(from, count, data);
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    return nb::ndarray<nb::numpy, float, nb::ndim<sizeof...(Sizes)>, nb::c_contig>(
        data, {static_cast<std::size_t>(sizes)...}, owner);
}
auto grid(const Grid& g) {
    return numbers(g.at.data(), 64);
}

Mode mode_of(std::string_view name) {
    if (name == "corrected") return Mode::corrected;
    if (name == "paper") return Mode::paper;
    throw BadOption("mode must be corrected or paper (got " + quote(name) + ")");
}
Kernel kernel_of(std::string_view name) {
    if (name == "fast") return Kernel::fast;
    if (name == "gated") return Kernel::gated;
    throw BadOption("kernel must be fast or gated (got " + quote(name) + ")");
}

// Constants by name, over the usual ones.
Constants constants_of(std::string_view mode, const Tuned& given) {
    Constants c;
    c.mode = mode_of(mode);
    std::vector<Tunable> all;
    for (const auto& n : Constants::numbers) all.push_back({n.name, &(c.*(n.value)), n.least, n.most});
    tune(all, given);
    require_ordered(c);
    return c;
}

// A belief and the model that it refers to.
struct Kept {
    Model model;
    Belief belief;
};

Message message_of(const nb::str& captured, int square, const nb::str& checks, int tries) {
    const std::string man = text_of(captured), directions = text_of(checks);
    if (man != "-" && man != "p" && man != "P") throw BadOption("captured must be -, p or P (got " + quote(man) + ")");
    Message message;
    message.captured = man[0];
    message.square = static_cast<std::int8_t>(within("square", square, 0, 63));
    for (const char c : directions) {
        const auto at = std::string_view("RFLSN").find(c);
        if (at == std::string_view::npos)
            throw BadOption("checks must be of R F L S N (got " + quote(directions) + ")");
        message.checks |= static_cast<std::uint8_t>(1 << at);
    }
    message.tries = static_cast<std::int8_t>(within("tries", tries, -1, 20));
    return message;
}

// A man of the seat's own must stand where a move begins, and none where it ends.
Move own_move(const Matrices& m, Move move) {
    move = move_of<kriegspiel::Position>(move);
    if (m.kind_at(chess::from_of(move)) < 0 || m.kind_at(chess::to_of(move)) >= 0)
        throw IllegalMove(chess::uci(move) + " is no move of the seat's own men");
    return move;
}

// Matrices for tests and explanation: each step of theirs alone, without the masks.
struct Bare {
    Matrices m;
    Constants c;
};

constexpr auto array = nb::rv_policy::automatic;  // of a property: the array owns its numbers

const Binding matrices_binding([](nb::module_& m) {
    nb::class_<OpponentModel>(m, "OpponentModel")
        .def(nb::new_([](const Density& density, float attraction, float least) {
                 require_finite("densities", {density.data(), density.size()});
                 return std::make_shared<OpponentModel>(std::span(density.data(), density.size()),
                                                        within("attraction", attraction, 0, 1),
                                                        within("least", least, 0, 1));
             }),
             "density"_a, "attraction"_a = Constants{}.attraction, "least"_a = Constants{}.least_attraction)
        .def(
            "attraction",
            [](const OpponentModel& o, int seat, int group, int time) {
                return grid(o.attraction(static_cast<chess::Colour>(seat_of(seat, 2)),
                                         static_cast<OpponentModel::Group>(within("group", group, 0, 2)),
                                         not_below("time", time, 0)));
            },
            "seat"_a, "group"_a, "time"_a);
    nb::class_<Chance>(m, "TryChance")
        .def_ro("legal", &Chance::legal)
        .def_ro("pawn", &Chance::pawn)
        .def_ro("piece", &Chance::piece)
        .def_ro("check", &Chance::check)
        .def_ro("pawn_try", &Chance::pawn_try);
    m.def("belief_constants", [] {
        std::vector<std::tuple<const char*, float, float, float>> all;
        for (const auto& n : Constants::numbers) all.emplace_back(n.name, Constants{}.*(n.value), n.least, n.most);
        return all;
    });
    nb::class_<Kept>(m, "KriegspielBelief")
        .def(
            "__init__",
            [](Kept* self, const kriegspiel::View& view, std::string_view mode, Model model, const Tuned& constants,
               const belief::Network* network) {
                const OpponentModel* known = model.get();
                const Belief found = Belief::of(view, constants_of(mode, constants), known);
                new (self) Kept{std::move(model), network ? found.corrected(*network) : found};
            },
            "view"_a, "mode"_a = "corrected", "model"_a.none() = Model(), "constants"_a = Tuned(),
            "network"_a.none() = nullptr)
        .def_prop_ro(
            "king", [](const Kept& k) { return grid(k.belief.matrices().king); }, array)
        .def_prop_ro(
            "pawn", [](const Kept& k) { return grid(k.belief.matrices().pawn); }, array)
        .def_prop_ro(
            "piece", [](const Kept& k) { return grid(k.belief.matrices().piece); }, array)
        .def_prop_ro("pawns", [](const Kept& k) { return k.belief.matrices().pawns; })
        .def_prop_ro("pieces", [](const Kept& k) { return k.belief.matrices().pieces; })
        .def_prop_ro(
            "kinds", [](const Kept& k) { return numbers(k.belief.kinds()[0].data(), 64, 6); }, array)
        .def_prop_ro("masks",
                     [](const Kept& k) {
                         std::vector<int> masks;
                         for (chess::Square s = 0; s < 64; ++s) masks.push_back(k.belief.possible().mask(s));
                         return masks;
                     })
        .def_prop_ro(
            "control",
            [](const Kept& k) {
                const Matrices& matrices = k.belief.matrices();
                return grid(belief::control(matrices, belief::emptiness(matrices), k.belief.constants()));
            },
            array)
        .def(
            "chance",
            [](const Kept& k, Move move) {
                const Matrices& matrices = k.belief.matrices();
                return Chances(matrices, k.belief.constants()).of(own_move(matrices, move));
            },
            "move"_a)
        // For its speed; see belief_replay.hpp.
        .def_static(
            "replay",
            [](const kriegspiel::View& view, std::int64_t updates) {
                return replay(view, updates, [&] { return Belief(view.start, view.us, Constants{}); });
            },
            "view"_a, "updates"_a, nb::call_guard<Unlocked>());
    nb::class_<Bare>(m, "BeliefMatrices")
        .def(
            "__init__",
            [](Bare* self, const kriegspiel::View& view, std::string_view mode, const Tuned& constants) {
                new (self) Bare{Matrices::of(view.start, view.us), constants_of(mode, constants)};
            },
            "view"_a, "mode"_a = "corrected", "constants"_a = Tuned())
        .def("copy", [](const Bare& b) { return b; })
        .def(
            "stood",
            [](Bare& b, Move move, const nb::str& captured, int square, const nb::str& checks, int tries) {
                b.m.stood(own_move(b.m, move), message_of(captured, square, checks, tries), b.c);
            },
            "move"_a, "captured"_a = "-", "square"_a = 0, "checks"_a = "", "tries"_a = 0)
        .def(
            "refused", [](Bare& b, Move move) { b.m.refused(move_of<kriegspiel::Position>(move), b.c); }, "move"_a)
        .def(
            "meta",
            [](Bare& b, const nb::str& captured, int square, const nb::str& checks, int tries,
               std::string_view kernel) {
                const Message message = message_of(captured, square, checks, tries);
                if (message.captured != '-' && (b.m.kind_at(square) < 0 || b.m.kind_at(square) == chess::king))
                    throw IllegalMove("nothing of the seat's own can be taken on square " + std::to_string(square));
                b.m.meta(message, b.c, kernel_of(kernel));
            },
            "captured"_a = "-", "square"_a = 0, "checks"_a = "", "tries"_a = 0, "kernel"_a = "gated")
        .def(
            "announce",  // for what follows, without a conclusion from it
            [](Bare& b, const nb::str& checks, int tries) {
                const Message message = message_of(nb::str("-"), 0, checks, tries);
                b.m.checks = message.checks;
                b.m.tries = message.tries;
            },
            "checks"_a = "", "tries"_a = 0)
        .def(
            "spread",
            [](Bare& b, std::string_view kernel, const Model& model) {
                b.m.spread(b.c, kernel_of(kernel), model.get());
            },
            "kernel"_a = "gated", "model"_a.none() = Model())
        .def_prop_ro(
            "king", [](const Bare& b) { return grid(b.m.king); }, array)
        .def_prop_ro(
            "pawn", [](const Bare& b) { return grid(b.m.pawn); }, array)
        .def_prop_ro(
            "piece", [](const Bare& b) { return grid(b.m.piece); }, array)
        .def_prop_ro("pawns", [](const Bare& b) { return b.m.pawns; })
        .def_prop_ro("pieces", [](const Bare& b) { return b.m.pieces; })
        .def_prop_ro("own",
                     [](const Bare& b) {
                         std::vector<int> kinds;
                         for (chess::Square s = 0; s < 64; ++s) kinds.push_back(b.m.kind_at(s));
                         return kinds;
                     })
        .def_prop_ro(
            "control", [](const Bare& b) { return grid(belief::control(b.m, belief::emptiness(b.m), b.c)); }, array)
        .def("chance", [](const Bare& b, Move move) { return Chances(b.m, b.c).of(own_move(b.m, move)); }, "move"_a);
    nb::class_<Calibration>(m, "Calibration")
        .def_ro("events", &Calibration::events)
        .def_ro("king", &Calibration::king)
        .def_ro("kinds", &Calibration::kinds)
        .def_ro("occupied", &Calibration::occupied)
        .def_ro("least", &Calibration::least)
        .def_ro("wrong_sum", &Calibration::wrong_sum)
        .def_ro("fullest", &Calibration::fullest);
    m.def(
        "calibrate_belief",
        [](const State<kriegspiel::Position>& state, int seat, std::string_view mode, const Model& model,
           const Tuned& constants) {
            return belief::calibrate(state, static_cast<chess::Colour>(seat_of(seat, 2)), constants_of(mode, constants),
                                     model.get());
        },
        "state"_a, "seat"_a, "mode"_a = "corrected", "model"_a.none() = Model(), "constants"_a = Tuned(),
        nb::call_guard<Unlocked>());
});

}  // namespace
}  // namespace rookery
