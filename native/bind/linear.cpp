#include "bind/treestrap.hpp"
#include "evaluators/chess_linear.hpp"
#include "evaluators/duchess.hpp"

namespace rookery {
namespace {

template <int Players>
std::map<std::string, int> blocks() {
    using F = duchess::Features<Players>;
    return {{"bias", F::bias},     {"material", F::material}, {"wizards", F::wizards},
            {"check", F::check},   {"mate", F::mate},         {"attack", F::attack},
            {"square", F::square}, {"mode", F::mode},         {"near_king", F::near_king}};
}

const Binding linear_binding([](nb::module_& m) {
    nb::enum_<learn::Method>(m, "Method")
        .value("treestrap", learn::Method::treestrap)
        .value("rootstrap", learn::Method::rootstrap)
        .value("tdleaf", learn::Method::tdleaf);
    nb::class_<learn::TreeStrapConfig>(m, "TreeStrapConfig")
        .def(
            "__init__",
            [](learn::TreeStrapConfig* self, learn::Method method, int depth, float learning_rate, float final_factor,
               float discount, float max_update, float lambda, bool squared_error, search::Windows windows, int killers,
               bool history, bool quiescence, bool selective, bool quiet_only, bool exact_only, int random_moves,
               int max_plies, std::size_t megabytes, std::int64_t round_nodes, bool mean) {
                new (self) learn::TreeStrapConfig{.method = method,
                                                  .depth = depth,
                                                  .learning_rate = learning_rate,
                                                  .final_factor = final_factor,
                                                  .discount = discount,
                                                  .max_update = max_update,
                                                  .lambda = lambda,
                                                  .squared_error = squared_error,
                                                  .windows = windows,
                                                  .killers = killers,
                                                  .history = history,
                                                  .quiescence = quiescence,
                                                  .selective = selective,
                                                  .quiet_only = quiet_only,
                                                  .exact_only = exact_only,
                                                  .random_moves = random_moves,
                                                  .max_plies = max_plies,
                                                  .megabytes = megabytes,
                                                  .round_nodes = round_nodes,
                                                  .mean = mean};
            },
            "method"_a, "depth"_a, "learning_rate"_a, "final_factor"_a, "discount"_a, "max_update"_a, "lambda_"_a,
            "squared_error"_a, "windows"_a, "killers"_a, "history"_a, "quiescence"_a, "selective"_a, "quiet_only"_a,
            "exact_only"_a, "random_moves"_a, "max_plies"_a, "megabytes"_a, "round_nodes"_a, "mean"_a);
    nb::class_<learn::UnfinishedGame>(m, "UnfinishedGame")
        .def(nb::init<std::int64_t, std::vector<Move>, std::vector<std::vector<Move>>, std::vector<float>>(),
             "number"_a, "moves"_a, "lines"_a, "values"_a)
        .def_ro("number", &learn::UnfinishedGame::number)
        .def_ro("moves", &learn::UnfinishedGame::moves)
        .def_ro("lines", &learn::UnfinishedGame::lines)
        .def_ro("values", &learn::UnfinishedGame::values);
    nb::class_<learn::TreeStrapStats>(m, "TreeStrapStats")
        .def_ro("games", &learn::TreeStrapStats::games)
        .def_ro("plies", &learn::TreeStrapStats::plies)
        .def_ro("searches", &learn::TreeStrapStats::searches)
        .def_ro("nodes", &learn::TreeStrapStats::nodes)
        .def_ro("samples", &learn::TreeStrapStats::samples)
        .def_ro("first_wins", &learn::TreeStrapStats::first_wins)
        .def_ro("second_wins", &learn::TreeStrapStats::second_wins)
        .def_ro("cut", &learn::TreeStrapStats::cut)
        .def_ro("error", &learn::TreeStrapStats::error);
    bind_linear<duchess::Position<4>, evaluators::DuchessLinear<4>>(m, "Duchess4Linear");
    bind_linear<duchess::Position<6>, evaluators::DuchessLinear<6>>(m, "Duchess6Linear");
    bind_treestrap<duchess::Position<4>, evaluators::DuchessLinear<4>>(m, "Duchess4");
    bind_treestrap<duchess::Position<6>, evaluators::DuchessLinear<6>>(m, "Duchess6");
    bind_linear<chess::Position, evaluators::ChessLinear>(m, "ChessLinear");
    bind_treestrap<chess::Position, evaluators::ChessLinear>(m, "Chess");
    m.def(
        "duchess_features",
        [](int players) {
            if (players != 4 && players != 6)
                throw BadOption("players must be 4 or 6 (got " + std::to_string(players) + ")");
            return players == 4 ? blocks<4>() : blocks<6>();
        },
        "players"_a);
});

}  // namespace
}  // namespace rookery
