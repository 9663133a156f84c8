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

// Draws the plies of one game after the other.
class ChessStore::Drawer {
  public:
    Drawer(const ChessStore& store, Draw draw) : store_(store), draw_(draw) {}

    // Ascending. A game is replayed no further than to the last ply that came up.
    const std::vector<std::uint16_t>& plies(std::uint32_t game) {
        const Header h = store_.header(game);
        replay_.emplace(store_, game, h);
        waiting_.clear();
        drawn_.clear();
        passed_.clear();
        for (int ply = draw_.first_ply; ply < h.plies; ++ply) waiting_.push_back(static_cast<std::uint16_t>(ply));
        Rng rng(mix(draw_.seed) ^ h.id);
        for (std::size_t i = 0; i < waiting_.size() && drawn_.size() < static_cast<std::size_t>(draw_.per_game); ++i) {
            std::swap(waiting_[i], waiting_[i + rng.below(static_cast<std::uint32_t>(waiting_.size() - i))]);
            if (!draw_.quiet || at(waiting_[i]).quiet) drawn_.push_back(waiting_[i]);
        }
        std::sort(drawn_.begin(), drawn_.end());
        return drawn_;
    }

    // The bits of the plies of the last game.
    void encode(std::int16_t* out) {
        for (const std::uint16_t ply : drawn_) {
            if (draw_.quiet)
                encoders::encode_bits(at(ply).position, out);
            else
                replay_->go_to(ply), encoders::encode_bits(replay_->position, out);
            out += encoders::most_chess_bits;
        }
    }

  private:
    struct Place {
        Position position;
        bool quiet;  // whether the move played here was no capture
    };

    const Place& at(std::size_t ply) {
        while (passed_.size() <= ply) {
            const Move m = replay_->next();
            passed_.push_back({replay_->position, !replay_->position.is_capture(m)});
            replay_->play(m);
        }
        return passed_[ply];
    }

    const ChessStore& store_;
    const Draw draw_;
    std::optional<Replay> replay_;
    std::vector<std::uint16_t> waiting_, drawn_;
    std::vector<Place> passed_;
};

Places ChessStore::sample(std::span<const std::uint32_t> games, Draw draw, int threads, const Ask& ask,
                          BitRows* bits) const {
    constexpr std::size_t row = encoders::most_chess_bits;
    const std::size_t count = (games.size() + games_at_once - 1) / games_at_once;
    // Where the rows of each stretch begin if every game gives as many as it can: so each is written in its place.
    std::vector<std::size_t> begins(count + 1, 0);
    for (std::size_t i = 0; i < games.size(); ++i)
        begins[i / games_at_once + 1] +=
            static_cast<std::size_t>(std::clamp(header(games[i]).plies - draw.first_ply, 0, draw.per_game));
    for (std::size_t i = 0; i < count; ++i) begins[i + 1] += begins[i];
    if (bits) bits->data = std::make_unique_for_overwrite<std::int16_t[]>(begins[count] * row);

    std::vector<Places> parts(count);
    stretches(games.size(), games_at_once, threads, ask, [&](std::size_t begin, std::size_t end) {
        const std::size_t number = begin / games_at_once, most = begins[number + 1] - begins[number];
        Places& part = parts[number];
        part.games.reserve(most);
        part.plies.reserve(most);
        Drawer drawer(*this, draw);
        for (std::size_t i = begin; i < end; ++i) {
            const std::vector<std::uint16_t>& plies = drawer.plies(games[i]);
            if (part.plies.size() + plies.size() > most)
                throw BadStore("the store has changed while it was read; import the games again");
            if (bits) drawer.encode(bits->data.get() + (begins[number] + part.plies.size()) * row);
            part.games.insert(part.games.end(), plies.size(), games[i]);
            part.plies.insert(part.plies.end(), plies.begin(), plies.end());
        }
    });

    Places all;
    all.games.reserve(begins[count]);
    all.plies.reserve(begins[count]);
    for (std::size_t i = 0; i < count; ++i) {
        if (bits && begins[i] != all.games.size())  // a game before had fewer: close the gap
            std::memmove(bits->data.get() + all.games.size() * row, bits->data.get() + begins[i] * row,
                         parts[i].games.size() * row * sizeof(std::int16_t));
        all.games.insert(all.games.end(), parts[i].games.begin(), parts[i].games.end());
        all.plies.insert(all.plies.end(), parts[i].plies.begin(), parts[i].plies.end());
    }
    if (bits) bits->rows = all.games.size();
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

void ChessStore::walk(std::span<const std::uint32_t> games, int threads, const Ask& ask, const Walk& see) const {
    each(games.size(), threads, ask, [&](std::size_t i) {
        for (Replay replay(*this, games[i]); replay.ply() < replay.plies();) {
            const Move next = replay.next();
            see(i, replay.ply(), replay.position, next);
            replay.play(next);
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
