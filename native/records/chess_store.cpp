#include "records/chess_store.hpp"

#include <algorithm>
#include <thread>

#include "core/errors.hpp"
#include "core/pool.hpp"
#include "games/chess/ascending.hpp"

namespace rookery::records {

using chess::Ascending;
using chess::Position;

namespace {

// Calls work(begin, end) for stretches of 0..count on several threads.
void stretches(std::size_t count, std::size_t length, int threads, const ChessStore::Ask& ask,
               const std::function<void(std::size_t, std::size_t)>& work) {
    const std::thread::id caller = std::this_thread::get_id();
    Pool pool(threads);
    pool.run(
        static_cast<int>((count + length - 1) / length),
        [&](int i) {
            if (std::this_thread::get_id() == caller) ask();
            const std::size_t begin = static_cast<std::size_t>(i) * length;
            work(begin, std::min(count, begin + length));
        },
        ask);
}

constexpr std::size_t games_at_once = 256, places_at_once = 2048;

}  // namespace

// One game from its start, move by move.
class ChessStore::Replay {
  public:
    Replay(const ChessStore& store, std::uint32_t game) : Replay(store, game, store.header(game)) {}
    Replay(const ChessStore& store, std::uint32_t game, const Header& h)
        : position(h.set_up ? store.start(game) : usual_start()), game_(game), moves_(store.moves_of(h)) {}

    int ply() const { return ply_; }
    int plies() const { return static_cast<int>(moves_.size()); }

    // The move that is played next.
    Move next() const {
        const Ascending legal(position);
        const int index = ply_ < plies() ? moves_[static_cast<std::size_t>(ply_)] : most_moves;
        if (index >= legal.size())
            throw BadStore("ply " + std::to_string(ply_) + " of game " + std::to_string(game_) +
                           " of the store is no legal move; import the games again");
        return legal.move_at(index);
    }
    void play(Move m) { position.play(m), ++ply_; }
    void go_to(int ply) {
        while (ply_ < ply) play(next());
    }

    Position position;

  private:
    static const Position& usual_start() {
        static const Position start;
        return start;
    }

    static constexpr int most_moves = 256;  // no position has so many

    std::uint32_t game_;
    Bytes moves_;
    int ply_ = 0;
};

ChessStore::ChessStore(Bytes headers, Bytes moves, Bytes texts) : headers_(headers), moves_(moves), texts_(texts) {
    if (headers.size() % sizeof(Header) != 0 || size() > 0xffffffffu)
        throw BadStore("the headers of the store are no whole number of games");
    for (std::size_t game = 0; game < size(); ++game) header(game);
}

// Looked at again each time: whoever holds the bytes may have changed them.
Header ChessStore::header(std::size_t game) const {
    Header h;
    std::memcpy(&h, headers_.data() + game * sizeof(Header), sizeof(Header));
    const bool inside = h.moves <= moves_.size() && h.plies <= moves_.size() - h.moves && h.text <= texts_.size() &&
                        h.text_size <= texts_.size() - h.text;
    if (!inside || h.result < -1 || h.result > 2)
        throw BadStore("game " + std::to_string(game) + " of the store points outside it; import the games again");
    return h;
}

std::string_view ChessStore::text(std::size_t game) const {
    const Header h = header(game);
    return {reinterpret_cast<const char*>(texts_.data()) + h.text, h.text_size};
}

Position ChessStore::start(std::size_t game) const {
    if (!header(game).set_up) return {};
    const std::string_view said = text(game), line = said.substr(0, said.find('\n'));
    try {
        return Position(line.starts_with("FEN ") ? line.substr(4) : line);
    } catch (const BadPosition& error) {
        throw BadStore("the start of game " + std::to_string(game) + " of the store cannot be read: " + error.what());
    }
}

std::vector<Move> ChessStore::moves(std::size_t game) const {
    std::vector<Move> found;
    Replay replay(*this, static_cast<std::uint32_t>(game));
    while (replay.ply() < replay.plies()) {
        found.push_back(replay.next());
        replay.play(found.back());
    }
    return found;
}

// The plies of one game; `passed` gets its positions where it had to be replayed for that, else it is empty.
void ChessStore::draw_plies(std::uint32_t game, Draw draw, std::vector<std::uint16_t>& plies,
                            std::vector<Position>& passed) const {
    const Header h = header(game);
    plies.clear();
    passed.clear();
    if (draw.quiet) {
        Replay replay(*this, game);
        while (replay.ply() < replay.plies()) {
            const Move m = replay.next();
            if (replay.ply() >= draw.first_ply && !replay.position.is_capture(m))
                plies.push_back(static_cast<std::uint16_t>(replay.ply()));
            passed.push_back(replay.position);
            replay.play(m);
        }
    } else {
        for (int ply = draw.first_ply; ply < h.plies; ++ply) plies.push_back(static_cast<std::uint16_t>(ply));
    }
    const std::size_t wanted = std::min(plies.size(), static_cast<std::size_t>(draw.per_game));
    Rng rng(mix(draw.seed) ^ h.id);
    for (std::size_t i = 0; i < wanted; ++i)
        std::swap(plies[i], plies[i + rng.below(static_cast<std::uint32_t>(plies.size() - i))]);
    plies.resize(wanted);
    std::sort(plies.begin(), plies.end());
}

void ChessStore::encode(std::uint32_t game, std::span<const std::uint16_t> plies, std::span<const Position> passed,
                        std::int16_t* out) const {
    std::optional<Replay> replay;
    if (passed.empty()) replay.emplace(*this, game);
    for (const std::uint16_t ply : plies) {
        if (replay) replay->go_to(ply);
        encoders::encode_bits(replay ? replay->position : passed[ply], out);
        out += encoders::most_chess_bits;
    }
}

namespace {

// What each stretch found, one after the other.
Places joined(const std::vector<Places>& parts) {
    Places all;
    for (const Places& part : parts) {
        all.games.insert(all.games.end(), part.games.begin(), part.games.end());
        all.plies.insert(all.plies.end(), part.plies.begin(), part.plies.end());
    }
    return all;
}

}  // namespace

Places ChessStore::sample(std::span<const std::uint32_t> games, Draw draw, int threads, const Ask& ask) const {
    std::vector<Places> parts((games.size() + games_at_once - 1) / games_at_once);
    stretches(games.size(), games_at_once, threads, ask, [&](std::size_t begin, std::size_t end) {
        Places& part = parts[begin / games_at_once];
        std::vector<std::uint16_t> plies;
        std::vector<Position> passed;
        for (std::size_t i = begin; i < end; ++i) {
            draw_plies(games[i], draw, plies, passed);
            part.games.insert(part.games.end(), plies.size(), games[i]);
            part.plies.insert(part.plies.end(), plies.begin(), plies.end());
        }
    });
    return joined(parts);
}

Places ChessStore::sample_bits(std::span<const std::uint32_t> games, Draw draw, int threads, const Ask& ask,
                               std::vector<std::int16_t>& bits) const {
    constexpr std::size_t row = encoders::most_chess_bits;
    const std::size_t count = (games.size() + games_at_once - 1) / games_at_once;
    std::vector<Places> parts(count);
    std::vector<std::vector<std::int16_t>> rows(count);
    stretches(games.size(), games_at_once, threads, ask, [&](std::size_t begin, std::size_t end) {
        Places& part = parts[begin / games_at_once];
        std::vector<std::int16_t>& out = rows[begin / games_at_once];
        out.reserve((end - begin) * static_cast<std::size_t>(std::min(draw.per_game, 64)) * row);
        std::vector<std::uint16_t> plies;
        std::vector<Position> passed;
        for (std::size_t i = begin; i < end; ++i) {
            draw_plies(games[i], draw, plies, passed);
            part.games.insert(part.games.end(), plies.size(), games[i]);
            part.plies.insert(part.plies.end(), plies.begin(), plies.end());
            out.resize(out.size() + plies.size() * row);
            encode(games[i], plies, passed, out.data() + out.size() - plies.size() * row);
        }
    });
    Places all = joined(parts);
    bits.resize(all.games.size() * row);
    std::vector<std::size_t> at(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) at[i + 1] = at[i] + rows[i].size();
    stretches(count, 1, threads, ask, [&](std::size_t i, std::size_t) {
        if (!rows[i].empty()) std::memcpy(bits.data() + at[i], rows[i].data(), rows[i].size() * sizeof(std::int16_t));
    });
    return all;
}

void ChessStore::visit(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies, int threads,
                       const Ask& ask, const See& see) const {
    stretches(games.size(), places_at_once, threads, ask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end;) {
            Replay replay(*this, games[i]);
            for (const std::uint32_t game = games[i]; i < end && games[i] == game && plies[i] >= replay.ply(); ++i) {
                replay.go_to(plies[i]);
                see(i, replay.position);
            }
        }
    });
}

void ChessStore::played(std::span<const std::uint32_t> games, std::span<const std::uint16_t> plies, int threads,
                        const Ask& ask, std::uint16_t* out) const {
    stretches(games.size(), places_at_once, threads, ask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end;) {
            Replay replay(*this, games[i]);
            for (const std::uint32_t game = games[i]; i < end && games[i] == game && plies[i] >= replay.ply(); ++i) {
                replay.go_to(plies[i]);
                out[i] = static_cast<std::uint16_t>(replay.next());
            }
        }
    });
}

void ChessStore::each(std::size_t count, int threads, const Ask& ask, const std::function<void(std::size_t)>& see) {
    stretches(count, 64, threads, ask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) see(i);
    });
}

void ChessStore::check(int threads, const Ask& ask) const {
    each(size(), threads, ask, [&](std::size_t game) {
        const Header h = header(game);
        moves(game);
        if (h.id != game_id(h.set_up ? start(game).str() : "", moves_of(h)))
            throw BadStore("game " + std::to_string(game) + " of the store has another id than its moves say");
    });
}

}  // namespace rookery::records
