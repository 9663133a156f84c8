// Duchess in words: moves like N1b2-1a4, positions like 4 t1 q0 | K1c1 W1b1 ... | ... | ... | ...
#include <charconv>
#include <vector>

#include "core/errors.hpp"
#include "games/duchess/position.hpp"

namespace rookery::duchess {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> parts = split(text, ' ');
    std::erase(parts, "");
    return parts;
}

// The number after a letter, as in t1 and q0; -1 if it is not of that form or out of range.
int read_count(std::string_view word, char letter, int least, int most) {
    int value = -1;
    if (!word.starts_with(letter)) return -1;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), value);
    const bool whole = error == std::errc() && end == word.data() + word.size();
    return whole && value >= least && value <= most ? value : -1;
}

std::string player(int seat) {
    return "player " + std::to_string(seat + 1);
}
std::string letter(Kind k) {
    return std::string(1, kind_letters[k]);
}

// The kind that a letter names, and takes it off; nothing if there is none.
std::optional<Kind> read_kind(std::string_view& text) {
    const std::size_t i = text.empty() ? std::string_view::npos : kind_letters.find(text[0]);
    if (i == std::string_view::npos) return std::nullopt;
    text.remove_prefix(1);
    return static_cast<Kind>(i);
}

// In one case whatever was typed: squares in small letters, kinds and the Vortex in large ones. That is never
// ambiguous: a file comes after a digit, a kind never does but as the whole of a promotion.
std::string tidy(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    std::string tidied(text);
    for (std::size_t i = 0; i < tidied.size(); ++i) {
        char& c = tidied[i];
        const bool file = i > 0 && tidied[i - 1] >= '1' && tidied[i - 1] <= '6' && i + 1 < tidied.size() &&
                          tidied[i + 1] >= '1' && tidied[i + 1] <= '6';
        if (c >= 'A' && c <= 'Z' && (file || c == 'X')) c = static_cast<char>(c - 'A' + 'a');
        if (c >= 'a' && c <= 'z' && !file && c != 'x') c = static_cast<char>(c - 'a' + 'A');
    }
    return tidied;
}

struct Wanted {  // what a move's text says
    Move move;
    std::optional<Kind> kind;
};

template <int Players>
std::optional<Wanted> read_move(std::string_view text) {
    if (text == "--" || text == "PASS") return Wanted{Moving<Players>::pass, std::nullopt};
    const auto kind = read_kind(text);
    const Square from = read_square<Players>(text);
    for (const std::string_view mark : {"~x", "~", "-", "x", " "})
        if (text.starts_with(mark)) {
            text.remove_prefix(mark.size());
            break;
        }
    const Square to = read_square<Players>(text);
    if (from == nowhere || to == nowhere) return std::nullopt;
    if (text.empty()) return Wanted{Moving<Players>::make(from, to), kind};
    if (text.starts_with('=')) text.remove_prefix(1);
    const auto promotion = read_kind(text);
    if (!promotion || !text.empty() || *promotion == king || *promotion == pawn) return std::nullopt;
    if (to != Board<Players>::vortex) return std::nullopt;
    return Wanted{Moving<Players>::make(from, to, *promotion), kind};
}

}  // namespace

// --- moves

template <int Players>
std::string Position<Players>::text(Move m) const {
    if (m == pass) return "--";
    const Square from = Moving::from(m), to = Moving::to(m);
    const Set occupied = this->occupied(), enemies = team(1 - side());
    const bool moves = at(from) != empty;  // else it is illegal, and told as well as it can be
    const bool walks = moves && reach(from, occupied, enemies).has(to), takes = at(to) != empty;
    std::string text = (moves ? letter(kind_of(at(from))) : "") + square_name<Players>(from);
    text += walks ? (takes ? "x" : "-") : (takes ? "~x" : "~");
    text += square_name<Players>(to);
    if (Moving::promotion(m) != king) text.append("=").append(letter(Moving::promotion(m)));
    return text;
}

template <int Players>
Move Position<Players>::parse(std::string_view text) const {
    const auto wanted = read_move<Players>(tidy(text));
    if (!wanted)
        throw BadNotation("cannot read " + quote(text) + " as a move; write it like N1b2-1a4, 1b2-1a4, P1c6-V=Q or --");
    Moves list;
    moves(list);
    const bool legal = std::find(list.begin(), list.end(), wanted->move) != list.end();
    const std::string refusal = quote(text) + " is not legal in " + quote(str()) + "; ";
    if (wanted->move == pass) {
        if (legal) return pass;
        throw IllegalMove(refusal + (list.empty() ? "the game is won" : "only a player without any move passes"));
    }
    const Square from = Moving::from(wanted->move);
    const std::string where = square_name<Players>(from);
    const Man man = at(from);
    if (man == empty) throw IllegalMove(refusal + "nothing stands on " + where);
    if (seat_of(man) != seat_)
        throw IllegalMove(refusal + "the piece on " + where + " belongs to " + player(seat_of(man)));
    if (wanted->kind && *wanted->kind != kind_of(man))
        throw IllegalMove(refusal + "the piece on " + where + " is " + letter(kind_of(man)));
    if (legal) return wanted->move;
    std::string hint;
    for (const Move m : list)
        if (m != pass && Moving::from(m) == from && hint.size() < 80) hint.append(" ").append(this->text(m));
    throw IllegalMove(refusal + (hint.empty() ? "the piece on " + where + " has no move" : "from there:" + hint));
}

// --- positions

template <int Players>
std::string Position<Players>::str() const {
    std::string text = std::to_string(Players) + " t" + std::to_string(seat_ + 1) + " q" + std::to_string(quiet_);
    for (int seat = 0; seat < Players; ++seat) {
        text += " |";
        for (int k = king; k <= pawn; ++k)
            men(seat, static_cast<Kind>(k)).each([&](Square s) {
                text.append(" ").append(letter(static_cast<Kind>(k))).append(square_name<Players>(s));
            });
    }
    return text;
}

template <int Players>
Position<Players>::Position(std::string_view text) {
    const auto parts = split(text, '|');
    clear();
    try {
        read_head(parts[0]);
        if (parts.size() != Players + 1)
            throw BadPosition("the pieces of " + std::to_string(Players) + " players stand after a '|' each, not of " +
                              std::to_string(parts.size() - 1));
        for (int seat = 0; seat < Players; ++seat) read_men(seat, parts[static_cast<std::size_t>(seat) + 1]);
        check_men();
        check_turn();
    } catch (const BadPosition& error) {
        throw BadPosition(std::string(error.what()) + ", in the position " + quote(text));
    }
    key_ = full_key();
}

template <int Players>
void Position<Players>::read_head(std::string_view head) {
    const auto fields = words(head);
    const std::string players = std::to_string(Players);
    if (fields.size() != 3)
        throw BadPosition(
            "it must begin with the number of players, the turn and the plies since the last capture or "
            "promotion, like '" +
            players + " t1 q0' (got " + quote(head) + ")");
    if (fields[0] != players) throw BadPosition("it is for " + quote(fields[0]) + " players, not " + players);
    const int turn = read_count(fields[1], 't', 1, Players);
    if (turn < 0) throw BadPosition("the turn must be t1 to t" + players + " (got " + quote(fields[1]) + ")");
    const int quiet = read_count(fields[2], 'q', 0, stagnation);
    if (quiet < 0)
        throw BadPosition("the quiet plies must be q0 to q" + std::to_string(stagnation) + " (got " + quote(fields[2]) +
                          ")");
    seat_ = static_cast<std::uint8_t>(turn - 1);
    quiet_ = static_cast<std::uint8_t>(quiet);
}

template <int Players>
void Position<Players>::read_men(int seat, std::string_view text) {
    std::array<int, kinds> found{};
    for (const std::string_view word : words(text)) {
        std::string_view rest = word;
        const auto kind = read_kind(rest);
        if (!kind)
            throw BadPosition(quote(word) + " is no piece; write one of " + std::string(kind_letters) +
                              " and a square");
        std::string_view six = rest;
        const Square s = read_square<Players>(rest);
        if (s == nowhere && read_square<6>(six) != nowhere && six.empty())
            throw BadPosition("the square of " + quote(word) + " is on a flap that is folded for 4 players");
        if (s == nowhere || !rest.empty())
            throw BadPosition(quote(word) + " stands on no square; write one like 1c1, or V");
        if (at(s) != empty) throw BadPosition("two pieces stand on " + square_name<Players>(s));
        if (++found[*kind] > most_of[*kind])
            throw BadPosition(player(seat) + " has more than " + std::to_string(most_of[*kind]) + " of " +
                              letter(*kind));
        put(s, make_man(seat, *kind));
    }
    if (men(seat).count() > most_men)
        throw BadPosition(player(seat) + " has more than " + std::to_string(most_men) + " pieces");
    if (found[king] == 0) throw BadPosition(player(seat) + " has no King");
}

template <int Players>
void Position<Players>::check_men() const {
    for (int a = 0; a < Players; ++a)
        for (int b = a + 1; b < Players; b += 2)
            if (board<Players>().from(king_square(a)).beside.has(king_square(b)))
                throw BadPosition("the Kings of " + player(a) + " and " + player(b) +
                                  ", who are enemies, stand side by side");
}

// A player's own move never leaves him in check, so he is in check after his turn only if he was mated and
// passed. And a side of mated players has lost before the other side comes to move.
template <int Players>
void Position<Players>::check_turn() const {
    const int last = (seat_ + Players - 1) % Players;
    if (!in_check(last)) return;
    if (can_move(last)) throw BadPosition(player(last) + " has just moved and is in check");
    for (int seat = side_of(last); seat < Players; seat += 2)
        if (!is_mated(seat)) return;
    throw BadPosition("the players on the side of " + player(last) +
                      " are all mated, so it cannot be the turn of the other side");
}

#define ROOKERY_DUCHESS_TEXT(Players)                               \
    template std::string Position<Players>::text(Move) const;       \
    template Move Position<Players>::parse(std::string_view) const; \
    template std::string Position<Players>::str() const;            \
    template Position<Players>::Position(std::string_view)
ROOKERY_DUCHESS_TEXT(4);
ROOKERY_DUCHESS_TEXT(6);
#undef ROOKERY_DUCHESS_TEXT

}  // namespace rookery::duchess
