#include "belief/calibration.hpp"

#include <cmath>

namespace rookery::belief {

Calibration calibrate(const State<kriegspiel::Position>& state, chess::Colour us, const Constants& constants,
                      const OpponentModel* model) {
    const kriegspiel::View view = kriegspiel::view(state, us);
    const auto positions = state.positions();
    Calibration found;
    Belief belief(view.start, us, constants, model);
    std::size_t heard = 0;
    for (std::size_t i = 0; i + 1 < positions.size() && heard < view.log.size(); ++i) {
        const bool own = positions[i]->board().turn() == us, refusal = !positions[i + 1]->refused().empty();
        if (refusal && !own) continue;
        belief.follow(view.log[heard++]);
        const chess::Position& truth = positions[i + 1]->board();
        const Matrices& m = belief.matrices();
        const auto kinds = belief.kinds();
        ++found.events;
        double of_kinds = 0;
        int men = 0;
        for (Square s = 0; s < 64; ++s) {
            if (truth.men(us) & bit(s)) continue;
            const bool there = truth.men(~us) & bit(s);
            const double p = std::clamp(static_cast<double>(m.occupied(s)), 1e-6, 1 - 1e-6);
            found.occupied -= std::log(there ? p : 1 - p);
            found.fullest = std::max(found.fullest, static_cast<double>(m.occupied(s)));
            if (!there) continue;
            const auto kind = static_cast<std::size_t>(chess::kind_of(truth.at(s)));
            const double believed = kinds[static_cast<std::size_t>(s)][kind];
            found.least = std::min(found.least, believed);
            const double loss = -std::log(std::max(believed, 1e-6));
            if (kind == chess::king)
                found.king += loss;
            else
                of_kinds += loss, ++men;
        }
        found.kinds += men ? of_kinds / men : 0;
        const auto missed = [&](const Grid& grid, float total) {
            found.wrong_sum = std::max(found.wrong_sum, std::abs(static_cast<double>(grid.sum()) - total));
        };
        missed(m.king, 1);
        missed(m.pawn, m.pawns);
        missed(m.piece, m.pieces);
    }
    return found;
}

}  // namespace rookery::belief
