#include "belief/lessons.hpp"

#include <optional>

#include "belief/belief.hpp"
#include "belief/outcomes.hpp"

namespace rookery::belief {

namespace {

Lesson lesson(const Matrices& m, const chess::Position& truth, bool imagined) {
    const chess::Colour him = ~m.us;
    const Bitboard king = truth.men(him, chess::king), pawns = truth.men(him, chess::pawn);
    Lesson found{Network::inputs_of(m), imagined, balance(m, Worth::weighted())};
    found.truth = {king, pawns, truth.men(him) & ~king & ~pawns};
    if (m.us == chess::black)
        for (Bitboard& squares : found.truth) squares = __builtin_bswap64(squares);  // the ranks turned round
    return found;
}

// What approach C takes the matrices to be after a reply; see `follow` in mcts.hpp.
void imagine(Matrices& m, const Message& reply, const Constants& constants) {
    Message said;
    said.captured = reply.captured, said.square = reply.square, said.tries = reply.tries > 0;
    m.meta(said, constants, Kernel::fast);
}

}  // namespace

std::vector<Lesson> lessons(const State<kriegspiel::Position>& state, chess::Colour us, const Constants& constants) {
    const kriegspiel::View view = kriegspiel::view(state, us);
    const auto positions = state.positions();
    std::vector<Lesson> found;
    Belief belief(view.start, us, constants);
    std::optional<Matrices> imagined;
    std::size_t heard = 0;
    for (std::size_t i = 0; i + 1 < positions.size(); ++i) {
        const chess::Position& board = positions[i]->board();
        const bool own = board.turn() == us, refusal = !positions[i + 1]->refused().empty();
        if (own && positions[i]->refused().empty()) {
            found.push_back(lesson(belief.matrices(), board, false));
            if (imagined) found.push_back(lesson(*imagined, board, true));
        }
        if ((refusal && !own) || heard == view.log.size()) continue;
        const kriegspiel::Event& event = view.log[heard++];
        if (event.kind == kriegspiel::Event::moved) {
            imagined = belief.matrices();
            imagined->stood(event.move, Message::of(event.said), constants);
        } else if (event.kind == kriegspiel::Event::answered && imagined) {
            imagine(*imagined, Message::of(event.said), constants);
        }
        belief.follow(event);
    }
    return found;
}

}  // namespace rookery::belief
