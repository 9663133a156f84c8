#include "records/pgn.hpp"

#include <algorithm>
#include <cstring>

#include "core/errors.hpp"
#include "games/chess/san.hpp"

namespace rookery::records {

using chess::Ascending;
using chess::Position;

namespace {

enum Class : std::uint8_t { plain, space, mark };  // mark: what ends a word and means something itself

constexpr std::array<std::uint8_t, 256> make_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (const unsigned char c : {' ', '\t', '\n', '\v', '\f', '\r', '\0'}) classes[c] = space;
    for (const unsigned char c : {'{', '}', '(', ')', '[', ']', '<', '>', ';', '$', '*'}) classes[c] = mark;
    return classes;
}
constexpr auto classes = make_classes();

constexpr Class class_of(char c) {
    return static_cast<Class>(classes[static_cast<unsigned char>(c)]);
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr std::string_view next_game = "\n[Event ";

int result_of(std::string_view word) {
    if (word == "1-0") return 1;
    if (word == "0-1") return -1;
    if (word == "1/2-1/2" || word == "1/2") return 0;
    return 2;
}

bool is_null_move(std::string_view word) {
    return word == "--" || word == "Z0" || word == "0000" || word == "null" || word == "pass" || word == "@@@@";
}

bool is_chess(std::string_view variant) {
    std::string name;
    for (const char c : variant)
        if (is_letter(c)) name += static_cast<char>(c | 32);
    return name.empty() || name == "standard" || name == "chess" || name == "normal" || name == "fromposition";
}

class Reader {
  public:
    Reader(std::string_view text, std::size_t at, bool last, PgnGame& game,
           const std::function<Skip(const PgnGame&)>& wanted)
        : text_(text), at_(at), last_(last), game_(game), wanted_(wanted) {
        game.tags.fill({});
        game.start.clear();
        game.moves.clear();
        game.result = 2;
        game.skip = Skip::none;
    }

    Read run() {
        while (!over_ && at_ < text_.size()) {
            const char c = text_[at_];
            switch (class_of(c)) {
                case space:
                    ++at_;
                    break;
                case mark:
                    if (!read_mark(c)) return Read::more;
                    break;
                case plain:
                    if (!read_word()) return Read::more;
            }
        }
        if (!over_ && !last_) return Read::more;
        if (!tags_ && !words_) return over_ ? Read::game : Read::end;
        close();
        return Read::game;
    }

    std::size_t at() const { return at_; }
    bool nothing() const { return !tags_ && !words_; }  // a result that belongs to no game

  private:
    // Each gives false where the text ends too early to tell.
    bool read_mark(char c) {
        switch (c) {
            case '[':
                return read_bracket();
            case '{':
                return skip_comment();
            case ';':
                return skip_line();
            case '(':
                ++depth_, ++at_;
                return true;
            case ')':
                depth_ -= depth_ > 0;
                ++at_;
                return true;
            case '<':
                return skip_to('>');
            case '$':
                ++at_;
                while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
                return true;
            case '*':
                ++at_;
                if (depth_ == 0) over_ = true;
                return true;
            default:
                ++at_;
                return true;
        }
    }

    bool skip_line() {
        const std::size_t end = text_.find('\n', at_);
        if (end == text_.npos && !last_) return false;
        at_ = std::min(end, text_.size());
        return true;
    }

    // To a character on the same line; without it, the one sign is passed over.
    bool skip_to(char end) {
        const std::size_t found = text_.find_first_of(std::string_view(end == '>' ? ">\n" : "]\n"), at_);
        if (found == text_.npos && !last_) return false;
        at_ = found != text_.npos && text_[found] == end ? found + 1 : at_ + 1;
        return true;
    }

    bool skip_comment() {
        const std::size_t end = text_.find('}', at_);
        if (end == text_.npos && !last_) return false;
        const std::string_view comment = text_.substr(at_, end == text_.npos ? end : end - at_);
        const std::size_t other = comment.find(next_game);
        if (other == comment.npos && end != text_.npos) {
            at_ = end + 1;
            return true;
        }
        note(Skip::unclosed_comment);
        begin_moves();
        at_ = other == comment.npos ? text_.size() : at_ + other;
        ++words_;
        return true;
    }

    bool read_bracket() {
        if (at_ + 1 >= text_.size()) return last_ ? ++at_ : false;
        if (!is_letter(text_[at_ + 1])) return skip_to(']');  // [%eval 0.3] that lost its braces
        if (in_moves_) {
            over_ = true;
            return true;
        }
        return read_tag();
    }

    bool read_tag() {
        const std::size_t size = text_.size();
        std::size_t i = at_ + 1;
        while (i < size && (is_letter(text_[i]) || is_digit(text_[i]) || text_[i] == '_')) ++i;
        const std::string_view name = text_.substr(at_ + 1, i - at_ - 1);
        while (i < size && (text_[i] == ' ' || text_[i] == '\t')) ++i;
        if (i < size && text_[i] == ':') ++i;
        std::string_view value;
        if (i < size && text_[i] == '"') {
            const std::size_t from = ++i;
            while (i < size && text_[i] != '"' && text_[i] != '\n') i += text_[i] == '\\' && i + 1 < size ? 2 : 1;
            // A quotation mark inside that nobody escaped: the value ends where the tag does.
            std::size_t end = std::min(i, size);
            while (end + 1 < size && text_[end] == '"' && text_[end + 1] != ']' && text_[end + 1] != '\n') {
                const std::size_t next = text_.find_first_of("\"\n", end + 1);
                if (next == text_.npos || text_[next] == '\n' || text_.substr(end, next - end).find(']') != text_.npos)
                    break;
                end = next;
            }
            value = text_.substr(from, end - from);
            i = std::min(end + 1, size);
            if (end < size && text_[end] == '\n') i = end;
        } else {
            const std::size_t end = std::min(text_.find_first_of("]\n", i), size);
            value = text_.substr(i, end - i);
            i = end;
        }
        while (i < size && (text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\r')) ++i;
        if (i >= size && !last_) return false;
        if (i < size && text_[i] == ']') ++i;
        if (name == "Event" && tags_ > 0) {  // that of the next game: this one has no moves
            over_ = true;
            return true;
        }
        ++tags_;
        for (std::size_t t = 0; t < tag_names.size(); ++t)
            if (name == tag_names[t]) game_.tags[t] = value;
        at_ = i;
        return true;
    }

    bool read_word() {
        if (text_[at_] == '%' && (at_ == 0 || text_[at_ - 1] == '\n')) return skip_line();
        std::size_t end = at_;
        while (end < text_.size() && class_of(text_[end]) == plain) ++end;
        if (end == text_.size() && !last_) return false;
        const std::string_view word = text_.substr(at_, end - at_);
        if (depth_ > 0) {
            at_ = end;
            return true;
        }
        if (is_digit(word[0])) return read_digits(word);
        if (is_letter(word[0]) || word[0] == '-' || word[0] == '@') {
            at_ = end;
            if (word == "e.p." || word == "ep" || word == "-") return true;
            read_move(word);
            return true;
        }
        // Glyphs that stand alone, the mark of an order of bytes, dots: all up to what may be a move.
        while (at_ < end && !is_letter(text_[at_]) && !is_digit(text_[at_])) ++at_;
        return true;
    }

    bool read_digits(std::string_view word) {
        std::size_t digits = 0;
        while (digits < word.size() && is_digit(word[digits])) ++digits;
        if (digits == word.size() || word[digits] == '.') {
            if (is_null_move(word)) {
                read_move(word);
                at_ += word.size();
                return true;
            }
            // A first move after others is that of the next game.
            if (digits == 1 && word[0] == '1' && digits < word.size() && game_.moves.size() >= 2) {
                over_ = true;
                return true;
            }
            std::size_t i = digits;
            while (i < word.size() && word[i] == '.') ++i;
            at_ += i;
            return true;
        }
        at_ += word.size();
        if (word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "1/2") {
            game_.result = result_of(word);
            over_ = true;
            return true;
        }
        read_move(word);
        return true;
    }

    void read_move(std::string_view word) {
        begin_moves();
        ++words_;
        if (game_.skip != Skip::none) return;
        const Ascending legal(position_);
        const chess::Reading found = chess::read_san(position_, legal, word);
        switch (found.fault) {
            case chess::Fault::unreadable:
                return note(is_null_move(word) ? Skip::null_move : Skip::unreadable);
            case chess::Fault::illegal:
                return note(Skip::illegal);
            case chess::Fault::ambiguous:
                return note(Skip::ambiguous);
            case chess::Fault::none:
                break;
        }
        if (game_.moves.size() == 0xffff) return note(Skip::too_long);
        game_.moves.push_back(static_cast<std::uint8_t>(legal.index_of(found.move)));
        position_.play(found.move);
    }

    // The tags are known: where the game begins, and whether it is wanted.
    void begin_moves() {
        if (in_moves_) return;
        in_moves_ = true;
        if (!is_chess(game_.tag(Tag::variant))) note(Skip::variant);
        if (const std::string_view fen = game_.tag(Tag::fen); !fen.empty() && game_.skip == Skip::none) {
            try {
                position_ = Position(fen);
                if (position_.str() != usual_start().str()) game_.start = position_.str();
            } catch (const BadPosition&) {
                note(Skip::bad_position);
            }
        }
        if (game_.skip == Skip::none) game_.skip = wanted_(game_);
    }

    void close() {
        begin_moves();
        if (depth_ > 0) note(Skip::unclosed_variation);
        if (game_.moves.empty()) note(Skip::no_moves);
        if (const int said = result_of(game_.tag(Tag::result)); said != 2) game_.result = said;
    }

    void note(Skip why) {
        if (game_.skip == Skip::none) game_.skip = why;
    }

    static const Position& usual_start() {
        static const Position start;
        return start;
    }

    const std::string_view text_;
    std::size_t at_;
    const bool last_;
    PgnGame& game_;
    const std::function<Skip(const PgnGame&)>& wanted_;
    Position position_ = usual_start();
    int depth_ = 0, tags_ = 0, words_ = 0;
    bool in_moves_ = false, over_ = false;
};

int number(std::string_view text) {
    int value = 0;
    for (const char c : text) {
        if (c == '?') return 0;
        if (!is_digit(c) || value > 100'000) return 0;
        value = 10 * value + (c - '0');
    }
    return value;
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const int more = c < 0x80                ? 0
                         : c >= 0xc2 && c < 0xe0 ? 1
                         : c >= 0xe0 && c < 0xf0 ? 2
                         : c >= 0xf0 && c < 0xf5 ? 3
                                                 : -1;
        if (more < 0 || i + static_cast<std::size_t>(more) >= text.size()) return false;
        std::uint32_t point = more == 0 ? c : c & (0x3fu >> more);
        for (int k = 1; k <= more; ++k) {
            const auto d = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
            if ((d & 0xc0) != 0x80) return false;
            point = point << 6 | (d & 0x3f);
        }
        const bool overlong = (more == 2 && point < 0x800) || (more == 3 && point < 0x10000);
        if (overlong || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return false;
        i += static_cast<std::size_t>(more) + 1;
    }
    return true;
}

}  // namespace

Read read_game(std::string_view text, std::size_t& at, bool last, PgnGame& game,
               const std::function<Skip(const PgnGame&)>& wanted) {
    for (;;) {
        Reader reader(text, at, last, game, wanted);
        const Read read = reader.run();
        if (read == Read::more) return read;
        at = reader.at();
        if (read == Read::end || !reader.nothing()) return read;
    }
}

std::uint32_t read_date(std::string_view text) {
    // 2004.05.17, 2004-05-17, 2004/05/17, 2004.??.??
    if (text.size() < 4) return 0;
    const int year = number(text.substr(0, 4));
    const int month = text.size() >= 7 ? number(text.substr(5, 2)) : 0;
    const int day = text.size() >= 10 ? number(text.substr(8, 2)) : 0;
    if (year < 1 || month > 12 || day > 31) return 0;
    return static_cast<std::uint32_t>(year * 10000 + month * 100 + (month ? day : 0));
}

std::int16_t read_elo(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    const int elo = number(text);
    return static_cast<std::int16_t>(elo < 10000 ? elo : 0);
}

std::string clean(std::string_view value) {
    constexpr std::size_t most = 200;
    std::string plain_text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\')) ++i;
        const auto c = static_cast<unsigned char>(value[i]);
        plain_text += c < 32 || c == 127 ? ' ' : value[i];
    }
    std::string out;
    if (is_utf8(plain_text)) {
        out = plain_text;
    } else {
        for (const char c : plain_text) {
            const auto u = static_cast<unsigned char>(c);
            if (u < 0x80)
                out += c;
            else
                out += {static_cast<char>(0xc0 | u >> 6), static_cast<char>(0x80 | (u & 0x3f))};
        }
    }
    if (out.size() > most) {
        std::size_t end = most;
        while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;
        out.resize(end);
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    out.erase(0, out.find_first_not_of(' ') == out.npos ? out.size() : out.find_first_not_of(' '));
    return out;
}

}  // namespace rookery::records
