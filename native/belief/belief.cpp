#include "belief/belief.hpp"

#include "belief/lines.hpp"

namespace rookery::belief {

namespace {

constexpr std::array<chess::Kind, 4> pieces{chess::knight, chess::bishop, chess::rook, chess::queen};

// Adds what a piece of a kind sees from each square; see add_lines.
void add_moves(chess::Kind kind, const Grid& source, const Grid& pass, Grid& out) {
    if (kind == chess::knight) return add_knights(source, 1, out);
    if (kind != chess::bishop) {
        add_ranks(source, pass, out);
        add_line<0, 1>(source, pass, out);
        add_line<0, -1>(source, pass, out);
    }
    if (kind != chess::rook) {
        add_line<1, 1>(source, pass, out);
        add_line<1, -1>(source, pass, out);
        add_line<-1, 1>(source, pass, out);
        add_line<-1, -1>(source, pass, out);
    }
}

}  // namespace

Belief::Belief(const kriegspiel::Start& start, chess::Colour us, const Constants& constants, const OpponentModel* model)
    : possible_(start, us), matrices_(Matrices::of(start, us)), constants_(constants), model_(model) {
    constexpr std::array<float, 4> usual{2, 2, 2, 1};
    matrices_.fit(possible_, constants_);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Bitboard there = start.enemy[pieces[i]];
        left_[i] =
            start.board ? static_cast<float>(chess::count(there)) : usual[i] * static_cast<float>(start.pieces) / 7;
        for (std::size_t s = 0; s < 64; ++s)
            kinds_[i].at[s] = start.board ? static_cast<float>(there >> s & 1) : matrices_.piece.at[s] * usual[i] / 7;
    }
    share();
}

Belief Belief::beginning(const kriegspiel::View& view, const Constants& constants, const OpponentModel* model) {
    Belief belief(view.start, view.us, constants, model);
    std::size_t tried = 0;
    while (tried < view.log.size() && view.log[tried].kind == kriegspiel::Event::refused) ++tried;
    if (tried == view.log.size() && view.refused.size() > tried)
        for (std::size_t i = 0; i + tried < view.refused.size(); ++i)
            belief.follow({.kind = kriegspiel::Event::refused, .move = view.refused[i]});
    return belief;
}

Belief Belief::of(const kriegspiel::View& view, const Constants& constants, const OpponentModel* model) {
    Belief belief = beginning(view, constants, model);
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
            if (message.captured == 'P') take(message.square);
            matrices_.stood(event.move, message, constants_);
            break;
        case kriegspiel::Event::answered:
            if (event.end == kriegspiel::End::forfeit) return;  // no move was made
            if (message.captured != '-')
                arrive(message.square);
            else
                spread_kinds();
            matrices_.meta(message, constants_, Kernel::gated, model_, possible_.control());
            break;
    }
    possible_.follow(event);
    matrices_.fit(possible_, constants_);
    share();
}

Belief Belief::corrected(const Network& network) const {
    Belief found = *this;
    network.correct(found.matrices_, possible_, constants_);
    found.share();
    return found;
}

// A piece was taken: of which kind it was, as far as that is believed.
void Belief::take(Square s) {
    const float all = kinds_[0][s] + kinds_[1][s] + kinds_[2][s] + kinds_[3][s];
    for (std::size_t i = 0; i < pieces.size(); ++i)
        left_[i] = std::max(0.0f, left_[i] - (all > little ? kinds_[i][s] / all : 0.25f));
}

void Belief::spread_kinds() {
    const Grid e = emptiness(matrices_);
    Grid to = e;
    if (model_) {
        const Grid& f = model_->attraction(~matrices_.us, OpponentModel::pieces, matrices_.turn);
        for (std::size_t s = 0; s < 64; ++s) to.at[s] *= f.at[s];
    }
    const float rate = std::min(1.0f, constants_.piece_rate / (matrices_.pawns + matrices_.pieces + 1));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        Grid ways, flow, arrives;
        add_moves(pieces[i], to, e, ways);
        for (std::size_t s = 0; s < 64; ++s) {
            const float leaves = ways.at[s] > little ? rate * std::min(1.0f, ways.at[s]) * kinds_[i].at[s] : 0.0f;
            flow.at[s] = leaves / std::max(ways.at[s], little);
            kinds_[i].at[s] -= leaves;
        }
        add_moves(pieces[i], flow, e, arrives);
        for (std::size_t s = 0; s < 64; ++s) kinds_[i].at[s] += to.at[s] * arrives.at[s];
    }
}

void Belief::arrive(Square s) {
    const Bitboard own = matrices_.men();
    std::array<Grid, 4> reach;
    float all = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i] == chess::knight)
            for (const Square t : each(chess::knight_attacks(s))) all += reach[i][t] = kinds_[i][t];
        for (int d = first_direction(pieces[i]); d < end_direction(pieces[i]); ++d) {
            float open = 1;
            for (const Square t : lines.from(s, d)) {
                if (own & bit(t)) break;
                all += reach[i][t] = open * kinds_[i][t];
                open *= matrices_.empty(t);
            }
        }
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const float share = all > little ? reach[i].sum() / all : 0.25f;
        for (std::size_t t = 0; t < 64 && all > little; ++t)
            kinds_[i].at[t] = std::max(0.0f, kinds_[i].at[t] - reach[i].at[t] / all);
        kinds_[i][s] = share;
    }
}

// How many of each kind there should be.
std::array<float, 4> Belief::wanted() const {
    std::array<float, 4> numbers = left_;
    const float known = left_[0] + left_[1] + left_[2] + left_[3];
    if (known > matrices_.pieces)
        for (float& number : numbers) number *= matrices_.pieces / known;
    else
        numbers[3] += matrices_.pieces - known;  // pawns that were promoted
    return numbers;
}

// In turn, until both hold nearly: a kind has as many as are left, and a square what the matrix says.
void Belief::share() {
    constexpr int rounds = 2;
    const std::array<float, 4> numbers = wanted();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Bitboard may = possible_.possible(pieces[i]);
        for (std::size_t s = 0; s < 64; ++s) {
            const float some =
                constants_.doubt * matrices_.piece.at[s];  // what is possible is never believed not to be
            kinds_[i].at[s] = (may >> s & 1) ? std::max(kinds_[i].at[s], some) : 0.0f;
        }
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const float sum = kinds_[i].sum();
            if (sum > little) kinds_[i].scale((numbers[i] + 1e-3f) / sum);
        }
        for (std::size_t s = 0; s < 64; ++s) {
            const float sum = kinds_[0].at[s] + kinds_[1].at[s] + kinds_[2].at[s] + kinds_[3].at[s];
            const float factor = sum > 0 ? matrices_.piece.at[s] / sum : 0.0f;
            for (Grid& grid : kinds_) grid.at[s] *= factor;
        }
    }
}

Belief::Kinds Belief::kinds() const {
    Kinds found{};
    for (std::size_t s = 0; s < 64; ++s) {
        found[s][chess::pawn] = matrices_.pawn.at[s];
        found[s][chess::king] = matrices_.king.at[s];
        // A little of each square for all that can be there: kinds are believed less surely than places.
        int possible = 0;
        for (const chess::Kind kind : pieces) possible += possible_.may_be(static_cast<Square>(s), kind);
        const float even = matrices_.piece.at[s] / static_cast<float>(std::max(possible, 1));
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (possible_.may_be(static_cast<Square>(s), pieces[i]))
                found[s][static_cast<std::size_t>(pieces[i])] =
                    kinds_[i].at[s] + constants_.kind_doubt * (even - kinds_[i].at[s]);
    }
    return found;
}

}  // namespace rookery::belief
