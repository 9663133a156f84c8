#include "belief/belief.hpp"

namespace rookery::belief {

Belief::Belief(const kriegspiel::Start& start, chess::Colour us, const Constants& constants, const OpponentModel* model)
    : possible_(start, us), matrices_(Matrices::of(start, us)), constants_(constants), model_(model) {
    constexpr std::array<float, 6> usual{8, 2, 2, 2, 1, 1};
    for (std::size_t kind = chess::knight; kind <= chess::queen; ++kind)
        left_[kind] = start.board ? static_cast<float>(chess::count(start.enemy[kind]))
                                  : usual[kind] * static_cast<float>(start.pieces) / 7;
    matrices_.fit(possible_, constants_);
}

Belief Belief::of(const kriegspiel::View& view, const Constants& constants, const OpponentModel* model) {
    Belief belief(view.start, view.us, constants, model);
    // A game may begin in a turn in which tries were refused already; the log begins after them.
    std::size_t tried = 0;
    while (tried < view.log.size() && view.log[tried].kind == kriegspiel::Event::refused) ++tried;
    if (tried == view.log.size() && view.refused.size() > tried)
        for (std::size_t i = 0; i + tried < view.refused.size(); ++i)
            belief.follow({.kind = kriegspiel::Event::refused, .move = view.refused[i]});
    for (const kriegspiel::Event& event : view.log) belief.follow(event);
    return belief;
}

void Belief::follow(const kriegspiel::Event& event) {
    const Message message = Message::of(event.said);
    switch (event.kind) {
        case kriegspiel::Event::refused:
            matrices_.refused(event.move, constants_);
            break;
        case kriegspiel::Event::moved:
            if (message.captured == 'P') take(message);
            matrices_.stood(event.move, message, constants_);
            break;
        case kriegspiel::Event::answered:
            if (event.end == kriegspiel::End::forfeit) return;  // no move was made
            matrices_.meta(message, constants_, Kernel::gated, model_, possible_.control());
            break;
    }
    possible_.follow(event);
    matrices_.fit(possible_, constants_);
}

// A piece was taken: of which kind it was, as far as that is believed.
void Belief::take(const Message& message) {
    const auto here = kinds()[static_cast<std::size_t>(message.square)];
    const float pieces = here[1] + here[2] + here[3] + here[4];
    float all = 0;
    for (std::size_t kind = chess::knight; kind <= chess::queen; ++kind) all += left_[kind];
    for (std::size_t kind = chess::knight; kind <= chess::queen; ++kind) {
        const float was = pieces > 1e-6f ? here[kind] / pieces : all > 0 ? left_[kind] / all : 0.0f;
        left_[kind] = std::max(0.0f, left_[kind] - was);
    }
}

Belief::Kinds Belief::kinds() const {
    constexpr int first = chess::knight, last = chess::queen, rounds = 6;
    const chess::Colour him = ~matrices_.us;
    std::array<float, 6> wanted = left_;
    float known = 0;
    for (int kind = first; kind <= last; ++kind) known += wanted[static_cast<std::size_t>(kind)];
    if (known > matrices_.pieces) {
        for (float& number : wanted) number *= known > 0 ? matrices_.pieces / known : 0.0f;
    } else {
        wanted[chess::queen] += matrices_.pieces - known;  // pawns that were promoted
    }
    Kinds kinds{};
    for (std::size_t s = 0; s < 64; ++s) {
        kinds[s][chess::pawn] = matrices_.pawn.at[s];
        kinds[s][chess::king] = matrices_.king.at[s];
        for (int kind = first; kind <= last; ++kind)
            if (possible_.may_be(static_cast<Square>(s), static_cast<chess::Kind>(kind)))
                kinds[s][static_cast<std::size_t>(kind)] =
                    (wanted[static_cast<std::size_t>(kind)] + 1e-3f) *
                    (model_ ? model_->density(him, kind, matrices_.turn).at[s] + 1e-3f : 1.0f);
    }
    // In turn, until both hold nearly: a square has what the matrix says, and a kind as many as are left.
    for (int round = 0; round <= rounds; ++round) {
        std::array<float, 6> total{};
        for (std::size_t s = 0; s < 64; ++s) {
            float sum = 0;
            for (std::size_t kind = first; kind <= last; ++kind) sum += kinds[s][kind];
            const float factor = sum > 0 ? matrices_.piece.at[s] / sum : 0.0f;
            for (std::size_t kind = first; kind <= last; ++kind) total[kind] += kinds[s][kind] *= factor;
        }
        if (round == rounds) break;
        for (std::size_t kind = first; kind <= last; ++kind) {
            const float factor = total[kind] > 1e-6f ? (wanted[kind] + 1e-3f) / total[kind] : 1.0f;
            for (auto& square : kinds) square[kind] *= factor;
        }
    }
    // None that is possible is believed impossible.
    for (std::size_t s = 0; s < 64; ++s) {
        int possible = 0;
        for (int kind = first; kind <= last; ++kind)
            possible += possible_.may_be(static_cast<Square>(s), static_cast<chess::Kind>(kind));
        for (int kind = first; kind <= last; ++kind)
            if (possible_.may_be(static_cast<Square>(s), static_cast<chess::Kind>(kind))) {
                float& chance = kinds[s][static_cast<std::size_t>(kind)];
                chance += constants_.doubt * (matrices_.piece.at[s] / static_cast<float>(possible) - chance);
            }
    }
    return kinds;
}

}  // namespace rookery::belief
