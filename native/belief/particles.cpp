#include "belief/particles.hpp"

#include <algorithm>
#include <numeric>

#include "belief/assemble.hpp"
#include "belief/hearing.hpp"

namespace rookery::belief {

using chess::Position;
using kriegspiel::Event;

void Particles::Pool::clear() {
    boards.clear();
    weights.clear();
    whole.clear();
}

void Particles::Pool::add(const Position& board, float weight, bool fits) {
    boards.push_back(board);
    weights.push_back(weight);
    whole.push_back(fits);
}

void Particles::Index::clear(std::size_t expected) {
    std::size_t size = 64;
    while (size < 2 * expected) size *= 2;
    keys_.assign(size, 0);
    places_.assign(size, 0);
    used_ = 0;
}

std::size_t Particles::Index::place(std::uint64_t key, std::size_t next) {
    key |= key == 0;  // 0 marks a free slot
    if (2 * (used_ + 1) > keys_.size()) grow();
    for (std::size_t slot = key & (keys_.size() - 1);; slot = (slot + 1) & (keys_.size() - 1)) {
        if (keys_[slot] == key) return places_[slot];
        if (keys_[slot]) continue;
        keys_[slot] = key;
        places_[slot] = static_cast<std::uint32_t>(next);
        ++used_;
        return next;
    }
}

void Particles::Index::grow() {
    const auto keys = std::move(keys_);
    const auto places = std::move(places_);
    clear(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i]) place(keys[i], places[i]);
}

Particles::Particles(Options options, std::uint64_t seed) : options_(std::move(options)), seed_(seed) {
    options_.few = std::min(options_.few, options_.size);
    options_.least = std::min(options_.least, options_.size);
    options_.refill = std::min(options_.refill, options_.size);
}

void Particles::forget(std::uint64_t seed) {
    seed_ = seed;
    start_.reset();
}

std::size_t Particles::whole() const {
    return static_cast<std::size_t>(std::count(pool_.whole.begin(), pool_.whole.end(), true));
}

void Particles::start(const kriegspiel::View& view) {
    start_.reset();
    log_.clear();
    pool_.clear(), earlier_.clear(), since_.clear(), before_.reset();
    expanded_ = 1;
    stretched_ = false;
    complete_ = view.start.board && options_.size > 0;
    possible_ = Possible(view.start, view.us);
    const kriegspiel::Start& known = view.start;
    const bool white = view.us == chess::white;
    if (complete_)
        pool_.add(assemble(white ? known.own : known.enemy, white ? known.enemy : known.own, known.turn, known.castling,
                           known.en_passant, 1),
                  1, true);
    start_ = known;
}

bool Particles::continued_by(const kriegspiel::View& view) const {
    return start_ && *start_ == view.start && possible_->us() == view.us && log_.size() <= view.log.size() &&
           std::equal(log_.begin(), log_.end(), view.log.begin());
}

void Particles::follow(const kriegspiel::View& view, Poll& poll, const Belief::Kinds* likely, const Late& late) {
    if (!continued_by(view)) start(view);
    while (log_.size() < view.log.size()) {
        const Event& event = view.log[log_.size()];
        Rng rng(mix(seed_) ^ log_.size());
        // What is broken off in the middle is begun anew with the next view.
        const auto followed = std::exchange(start_, std::nullopt);
        hear(event, rng, poll);
        normalise();
        possible_->follow(event);
        log_.push_back(event);
        start_ = followed;
    }
    if (view.turn == view.us && !complete_ && static_cast<int>(pool_.size()) < options_.least) {
        Rng rng(mix(seed_ + 1) ^ log_.size());
        refill(view, rng, poll, likely, late);
        normalise();
    }
}

int Particles::share(std::size_t alive) const {
    const auto size = static_cast<std::size_t>(options_.size);
    return static_cast<int>((size + alive - 1) / std::max<std::size_t>(alive, 1));
}

void Particles::hear(const Event& event, Rng& rng, Poll& poll) {
    if (event.kind == Event::answered) {
        if (event.said.turn != possible_->us()) return;  // a forfeit: nobody has moved
        const auto before = log_.empty() ? std::nullopt : std::optional(log_.back());
        const int each = share(pool_.size());
        bool all = expand(pool_, event, before, each, next_, rng, poll);
        if (!complete_ && static_cast<int>(next_.size()) < options_.few && !stretched_) {
            stretch(rng, poll);
            all = expand(pool_, event, before, share(pool_.size()), next_, rng, poll);
        }
        std::swap(earlier_, pool_);
        std::swap(pool_, next_);
        expanded_ = each;
        since_.assign(1, event);
        before_ = before;
        stretched_ = false;
        const std::size_t found = pool_.size();
        thin(pool_, static_cast<std::size_t>(options_.size), rng);
        complete_ = complete_ && all && pool_.size() == found;
        return;
    }
    keep(pool_, event, poll);
    since_.push_back(event);
    if (is_short() && !stretched_) stretch(rng, poll);
}

void Particles::keep(Pool& pool, const Event& event, Poll& poll) const {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        poll.step();
        Position& board = pool.boards[i];
        const bool legal = board.legal(event.move);
        if (legal != (event.kind == Event::moved)) continue;
        if (legal) {
            if (!takes_as_said(board, event.move, event.said)) continue;
            board.play(event.move);
            if (!stands_as_said(board, event.said, event.end)) continue;
        }
        pool.boards[kept] = board;
        pool.weights[kept] = pool.weights[i];
        pool.whole[kept++] = pool.whole[i];
    }
    pool.boards.resize(kept, Position());
    pool.weights.resize(kept);
    pool.whole.resize(kept);
}

bool Particles::expand(const Pool& from, const Event& event, const std::optional<Event>& before, int each, Pool& into,
                       Rng& rng, Poll& poll) {
    into.clear();
    index_.clear(from.size());
    bool all = true;
    Position::Moves list;
    std::vector<Position> fits;
    std::vector<float> likely;
    for (std::size_t i = 0; i < from.size(); ++i) {
        poll.step(64);
        const Position& board = from.boards[i];
        list = {};
        board.moves(list);
        fits.clear();
        likely.clear();
        float total = 0, found = 0;
        // In random order, so that those found first are as good as any.
        int left = list.size();
        while (left > 0) {
            const int place = static_cast<int>(rng.below(static_cast<std::uint32_t>(left)));
            const Move m = list[place];
            std::swap(list.begin()[place], list.begin()[--left]);
            const float prior = options_.prior ? options_.prior(board, m, before ? &*before : nullptr) : 1.0f;
            total += prior;
            if (!takes_as_said(board, m, event.said)) continue;
            Position after = board;
            after.play(m);
            if (!stands_as_said(after, event.said, event.end)) continue;
            found += prior;
            fits.push_back(after);
            likely.push_back(prior);
            if (!options_.weighted && static_cast<int>(fits.size()) == each) break;
        }
        if (left > 0) all = false;
        const float mass = options_.weighted ? from.weights[i] / total : 1.0f;
        const auto take = [&](std::size_t j, float weight) {
            const std::size_t place = index_.place(fits[j].key(), into.size());
            if (place == into.size()) {
                into.add(fits[j], weight, from.whole[i]);
                return;
            }
            if (options_.weighted) into.weights[place] += weight;
            into.whole[place] |= from.whole[i];
            // Of two ways to a board the one that is farther from the end by fifty moves allows more.
            if (fits[j].clock() < into.boards[place].clock()) into.boards[place] = fits[j];
        };
        if (static_cast<int>(fits.size()) <= each) {
            for (std::size_t j = 0; j < fits.size(); ++j) take(j, options_.weighted ? mass * likely[j] : 1.0f);
            continue;
        }
        all = false;
        // So many draws by the prior; together they weigh what all would.
        for (int draw = 0; draw < each; ++draw) {
            float at = static_cast<float>(rng.uniform()) * found;
            std::size_t j = 0;
            while (j + 1 < likely.size() && (at -= likely[j]) > 0) ++j;
            take(j, mass * found / static_cast<float>(each));
        }
    }
    return all;
}

void Particles::merge(Pool& into, const Pool& more) {
    index_.clear(into.size() + more.size());
    for (std::size_t i = 0; i < into.size(); ++i) index_.place(into.boards[i].key(), i);
    for (std::size_t i = 0; i < more.size(); ++i)
        if (index_.place(more.boards[i].key(), into.size()) == into.size())
            into.add(more.boards[i], more.weights[i], more.whole[i]);
}

// Keeps so many of the boards, any as likely as the next; with weights, by their weights (systematic resampling).
void Particles::thin(Pool& pool, std::size_t most, Rng& rng) {
    if (pool.size() <= most) return;
    if (!options_.weighted) {
        for (std::size_t i = 0; i < most; ++i) {
            const std::size_t j = i + rng.below(static_cast<std::uint32_t>(pool.size() - i));
            std::swap(pool.boards[i], pool.boards[j]);
            std::swap(pool.whole[i], pool.whole[j]);
        }
        pool.boards.resize(most, Position());
        pool.weights.resize(most);
        pool.whole.resize(most);
        return;
    }
    const double total = std::accumulate(pool.weights.begin(), pool.weights.end(), 0.0);
    const double step = total / static_cast<double>(most);
    double next = rng.uniform() * step, seen = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double upto = seen + pool.weights[i];
        int times = 0;
        for (; next < upto; next += step) ++times;
        seen = upto;
        if (times == 0) continue;
        pool.boards[kept] = pool.boards[i];
        pool.whole[kept] = pool.whole[i];
        pool.weights[kept++] = static_cast<float>(times * step);
    }
    pool.boards.resize(kept, Position());
    pool.weights.resize(kept);
    pool.whole.resize(kept);
}

// Expands the pool of a turn earlier four times as widely, and lets it hear all since.
void Particles::stretch(Rng& rng, Poll& poll) {
    stretched_ = true;
    if (since_.empty() || since_[0].kind != Event::answered || earlier_.size() == 0) return;
    Pool wide;
    std::swap(next_, wide);
    expand(earlier_, since_[0], before_, 4 * expanded_, wide, rng, poll);
    for (std::size_t i = 1; i < since_.size(); ++i) keep(wide, since_[i], poll);
    thin(wide, static_cast<std::size_t>(options_.size), rng);
    merge(pool_, wide);
    thin(pool_, static_cast<std::size_t>(options_.size), rng);
}

void Particles::refill(const kriegspiel::View& view, Rng& rng, Poll& poll, const Belief::Kinds* likely,
                       const Late& late) {
    const LastObservation last(view, *possible_, likely);
    index_.clear(static_cast<std::size_t>(options_.refill));
    for (std::size_t i = 0; i < pool_.size(); ++i) index_.place(pool_.boards[i].key(), i);
    // With weights, a board that fits all is worth more than one that fits what came last.
    const float weight = pool_.size() ? 0.1f * *std::min_element(pool_.weights.begin(), pool_.weights.end()) : 1.0f;
    for (int draws = 0; draws < 4 * options_.refill && static_cast<int>(pool_.size()) < options_.refill; ++draws) {
        poll.step(16);
        if (late && late()) break;
        if (const auto board = last.draw(rng))
            if (index_.place(board->key(), pool_.size()) == pool_.size())
                pool_.add(*board, options_.weighted ? weight : 1.0f, false);
    }
}

void Particles::normalise() {
    if (!options_.weighted) std::fill(pool_.weights.begin(), pool_.weights.end(), 1.0f);
    const double total = std::accumulate(pool_.weights.begin(), pool_.weights.end(), 0.0);
    if (total <= 0) return;
    for (float& weight : pool_.weights) weight = static_cast<float>(weight / total);
}

}  // namespace rookery::belief
