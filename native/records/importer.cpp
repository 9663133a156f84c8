#include "records/importer.hpp"

#include <algorithm>
#include <utility>

namespace rookery::records {

bool Seen::add(std::uint64_t id) {
    if (id == 0) return !std::exchange(zero_, true);
    if (2 * (used_ + 1) > slots_.size()) {
        std::vector<std::uint64_t> old(2 * slots_.size(), 0);
        old.swap(slots_);
        used_ = 0;
        for (const std::uint64_t each : old)
            if (each) add(each);
    }
    // Ids are hashes: their low bits are as good as any.
    for (std::size_t i = id & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
        if (slots_[i] == id) return false;
        if (slots_[i]) continue;
        slots_[i] = id;
        ++used_;
        return true;
    }
}

Importer::Importer(Filter filter, std::span<const std::uint64_t> ids, std::uint64_t moves, std::uint64_t text)
    : filter_(filter), moves_(moves), text_(text) {
    for (const std::uint64_t id : ids) seen_.add(id);
}

void Importer::feed(std::string_view bytes, bool last, Poll& poll) {
    constexpr std::string_view mark = "\xef\xbb\xbf";  // of the order of bytes: nobody needs it
    buffer_ += bytes;
    if (!last && buffer_.size() < std::max(enough_, mark.size())) return;
    std::size_t at = 0;
    if (!std::exchange(marked_, true) && buffer_.starts_with(mark)) at = mark.size();
    const std::function<Skip(const PgnGame&)> ask = [this](const PgnGame& game) { return wanted(game); };
    enough_ = 0;
    for (;;) {
        poll.step(64);
        const Read read = read_game(buffer_, at, last, game_, ask);
        if (read == Read::end) {
            at = buffer_.size();
            break;
        }
        if (read == Read::more) {
            const std::size_t left = buffer_.size() - at;
            if (left > most_game_text) {  // nobody wrote this: go on behind it
                ++counts_.read;
                ++counts_.skipped[static_cast<std::size_t>(Skip::too_long)];
                at = buffer_.size();
            }
            enough_ = 2 * left;  // a long game is not looked at again for every few bytes more of it
            break;
        }
        ++counts_.read;
        keep(game_);
    }
    buffer_.erase(0, at);
    consumed_ += at;
    if (last) {
        buffer_.clear();
        consumed_ = 0, enough_ = 0, marked_ = false;
    }
}

Skip Importer::wanted(const PgnGame& game) const {
    const int white = read_elo(game.tag(Tag::white_elo)), black = read_elo(game.tag(Tag::black_elo));
    if (filter_.min_elo && std::min(white, black) < filter_.min_elo) return Skip::rating;
    if (filter_.max_elo && (std::max(white, black) > filter_.max_elo || !white || !black)) return Skip::rating;
    if (filter_.since || filter_.until) {
        std::uint32_t date = read_date(game.tag(Tag::date));
        if (!date) date = read_date(game.tag(Tag::utc_date));
        if (!date || date < filter_.since || (filter_.until && date > filter_.until)) return Skip::date;
    }
    return Skip::none;
}

void Importer::keep(PgnGame& game) {
    const int plies = static_cast<int>(game.moves.size());
    if (game.skip == Skip::none && !filter_.results[static_cast<std::size_t>(game.result + 1)])
        game.skip = Skip::result;
    if (game.skip == Skip::none && (plies < filter_.min_plies || plies > filter_.max_plies)) game.skip = Skip::length;
    if (game.skip != Skip::none) {
        ++counts_.skipped[static_cast<std::size_t>(game.skip)];
        return;
    }
    Header h{};
    h.id = game_id(game.start, game.moves);
    if (!seen_.add(h.id)) {
        ++counts_.duplicates;
        return;
    }
    std::string text;
    if (!game.start.empty()) text = "FEN " + game.start + '\n';
    for (const Tag tag :
         {Tag::event, Tag::site, Tag::round, Tag::white, Tag::black, Tag::eco, Tag::time_control, Tag::termination})
        if (const std::string value = clean(game.tag(tag)); !value.empty() && value != "?" && value != "-") {
            text += tag_names[static_cast<std::size_t>(tag)];
            text += ' ' + value + '\n';
        }
    h.moves = moves_;
    h.text = text_;
    h.date = read_date(game.tag(Tag::date));
    if (!h.date) h.date = read_date(game.tag(Tag::utc_date));
    h.plies = static_cast<std::uint16_t>(plies);
    h.text_size = static_cast<std::uint16_t>(text.size());
    h.white_elo = read_elo(game.tag(Tag::white_elo));
    h.black_elo = read_elo(game.tag(Tag::black_elo));
    h.result = static_cast<std::int8_t>(game.result);
    h.set_up = !game.start.empty();
    parts_.headers.append(reinterpret_cast<const char*>(&h), sizeof h);
    parts_.moves.append(reinterpret_cast<const char*>(game.moves.data()), game.moves.size());
    parts_.text += text;
    moves_ += game.moves.size();
    text_ += text.size();
    ++counts_.kept;
    counts_.plies += plies;
}

Importer::Parts Importer::take() {
    return std::exchange(parts_, {});
}

}  // namespace rookery::records
