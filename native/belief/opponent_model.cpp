#include "belief/opponent_model.hpp"

#include <cmath>

namespace rookery::belief {

OpponentModel::OpponentModel(std::span<const float> density, float attraction, float least)
    : density_(2 * 6 * times), attraction_(2 * 3 * times) {
    for (std::size_t i = 0; i < density_.size(); ++i) std::copy_n(density.begin() + 64 * i, 64, density_[i].at.begin());
    even_.at.fill(1);
    for (const chess::Colour c : {chess::white, chess::black})
        for (int group = kings; group <= pieces; ++group)
            for (int t = 0; t + 1 < times; ++t) {
                Grid change;
                const int kind = group == kings ? chess::king : group == pawns ? chess::pawn : chess::knight;
                const int last = group == pieces ? chess::queen : kind;
                for (int k = kind; k <= last; ++k)
                    for (std::size_t s = 0; s < 64; ++s)
                        change.at[s] += this->density(c, k, t + 1).at[s] - this->density(c, k, t).at[s];
                float greatest = 0;
                for (const float x : change.at) greatest = std::max(greatest, std::abs(x));
                Grid& f = attraction_[index(c, 3, group, t)];
                for (std::size_t s = 0; s < 64; ++s)
                    f.at[s] = greatest > 0 ? std::max(least, 1 + attraction * change.at[s] / greatest) : 1.0f;
            }
}

float OpponentModel::castles(chess::Colour c, bool short_side, int time) const {
    constexpr int last = 15;
    if (time < 0 || time >= last) return 0;
    const Square home = c == chess::white ? 4 : 60, to = home + (short_side ? 2 : -2);
    const float there = density(c, chess::king, time + 1)[to] - density(c, chess::king, time)[to];
    const float here = density(c, chess::king, time)[home];
    return here > 0.01f ? std::clamp(there / here, 0.0f, 1.0f) : 0.0f;
}

}  // namespace rookery::belief
