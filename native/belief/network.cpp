#include "belief/network.hpp"

#include <cmath>

#include "core/errors.hpp"

namespace rookery::belief {

namespace {

// out = relu(weights * in + bias): each input that is not 0 adds its row, so sums run in the order of the inputs.
template <std::size_t In, std::size_t Out>
std::array<float, Out> layer(const std::array<float, In>& in, const std::vector<float>& weights) {
    std::array<float, Out> sums;
    const float* row = weights.data();
    std::copy_n(row + In * Out, Out, sums.begin());
    for (std::size_t i = 0; i < In; ++i, row += Out) {
        if (in[i] == 0) continue;
        for (std::size_t o = 0; o < Out; ++o) sums[o] += in[i] * row[o];
    }
    return sums;
}

// Weights are finite, yet their products may not be.
float sound(float sum) {
    if (!std::isfinite(sum)) throw BadEvaluation("the network of beliefs gave a value that is not a finite number");
    return sum;
}

template <std::size_t Size>
void relu(std::array<float, Size>& values) {
    for (float& value : values) value = std::max(0.0f, value);
}

}  // namespace

Network::Network(std::span<const float> first, std::span<const float> second, std::span<const float> last,
                 std::span<const float> where, float share, bool corrects)
    : first_(first.begin(), first.end()),
      second_(second.begin(), second.end()),
      last_(last.begin(), last.end()),
      where_(where.begin(), where.end()),
      share_(share),
      corrects_(corrects) {}

Network::Inputs Network::inputs_of(const Matrices& m) {
    Inputs found{};
    const int turned = m.us == chess::white ? 0 : 56;
    for (std::size_t k = 0; k < 6; ++k)
        for (const Square s : each(m.own[k])) found[64 * k + static_cast<std::size_t>(s ^ turned)] = 1;
    const std::array<const Grid*, 3> matrices{&m.king, &m.pawn, &m.piece};
    for (std::size_t g = 0; g < 3; ++g)
        for (Square s = 0; s < 64; ++s) found[64 * (6 + g) + static_cast<std::size_t>(s ^ turned)] = (*matrices[g])[s];
    float* rest = found.data() + 9 * 64;
    rest[0] = m.pawns / 8, rest[1] = m.pieces / 7;
    rest[2] = m.checks != 0, rest[3] = m.tries > 0, rest[4] = m.exchange >= 0;
    rest[5] = static_cast<float>(m.castling & 1), rest[6] = static_cast<float>(m.castling >> 1 & 1);
    rest[7] = static_cast<float>(std::min<int>(m.turn, 80)) / 80;
    return found;
}

Network::Hidden Network::read(const Matrices& m) const {
    Hidden found = layer<inputs, hidden>(inputs_of(m), first_);
    relu(found);
    return found;
}

float Network::value(const Matrices& m) const {
    auto seen = layer<hidden, narrow>(read(m), second_);
    relu(seen);
    float sum = last_[narrow];
    for (std::size_t i = 0; i < narrow; ++i) sum += seen[i] * last_[i];
    constexpr float most = 10;  // a hundred pawns
    return share_ * std::clamp(sound(sum), -most, most);
}

void Network::correct(Matrices& m, const Possible& possible, const Constants& constants) const {
    if (!corrects_) return;
    constexpr float most = 4;  // a factor of 55 either way
    const auto logits = layer<hidden, where>(read(m), where_);
    const std::size_t turned = m.us == chess::white ? 0 : 56;
    const auto reweigh = [&](Grid& grid, std::size_t g, float total) {
        for (std::size_t s = 0; s < 64; ++s)
            grid.at[s] *= std::exp(std::clamp(sound(logits[64 * g + (s ^ turned)]), -most, most));
        const float sum = grid.sum();
        if (sum > little) grid.scale(total / sum);
    };
    reweigh(m.king, 0, 1);
    reweigh(m.pawn, 1, m.pawns);
    reweigh(m.piece, 2, m.pieces);
    m.fit(possible, constants);
}

}  // namespace rookery::belief
