#include "games/go/text.hpp"

#include <algorithm>
#include <optional>

#include "core/errors.hpp"

namespace rookery::go {
namespace {

constexpr std::string_view columns = "ABCDEFGHJKLMNOPQRST";
constexpr std::string_view form = "'ROWS b|w BLACK:WHITE KO PASSES PLY', 'ROWS b|w' or 'ROWS'";

// The offending text, made fit for a message of one line.
std::string quoted(std::string_view text) {
    constexpr std::size_t most = 40;
    std::string s = "'";
    for (const char c : text.substr(0, most)) s += c >= ' ' && c <= '~' ? c : '?';
    return s + (text.size() > most ? "...'" : "'");
}

[[noreturn]] void bad(std::string_view what, std::string_view why) {
    throw BadPosition(quoted(what) + ": " + std::string(why));
}

std::vector<std::string_view> split(std::string_view text, char separator, bool gaps) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        if (gaps || end > at) parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// A number of at most four digits, up to a limit.
std::optional<int> number(std::string_view text, int limit) {
    if (text.empty() || text.size() > 4) return std::nullopt;
    int n = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        n = 10 * n + (c - '0');
    }
    if (n > limit) return std::nullopt;
    return n;
}

std::string range(std::string_view what, int limit) {
    return std::string(what) + " is a number from 0 to " + std::to_string(limit);
}

std::optional<std::int16_t> komi(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const std::size_t dot = std::min(text.find('.'), text.size());
    const auto whole = number(text.substr(0, dot), 1000);
    const std::string_view half = text.substr(dot);
    if (!whole || !(half.empty() || half == ".0" || half == ".5")) return std::nullopt;
    const int halves = 2 * *whole + (half == ".5");
    return static_cast<std::int16_t>(negative ? -halves : halves);
}

void read_option(std::string_view word, Options& options) {
    if (word == "area" && options.scoring != Scoring::area)
        options.scoring = Scoring::area;
    else if (word == "psk" && options.ko != Ko::superko)
        options.ko = Ko::superko;
    else if (word == "benson" && options.dead == Dead::none)
        options.dead = Dead::benson;
    else if (word == "agreed" && options.dead == Dead::none)
        options.dead = Dead::agreed;
    else if (word.starts_with("komi=")) {
        const auto k = komi(word.substr(5));
        if (!k) bad(word, "komi is a multiple of 0.5 from -1000 to 1000, as in komi=6.5");
        options.komi = *k;
    } else if (word.starts_with("handicap=")) {
        const auto n = number(word.substr(9), most_handicap);
        if (!n || *n < 2) bad(word, "handicap is a number of stones from 2 to 360, as in handicap=2");
        options.handicap = static_cast<std::int16_t>(*n);
    } else {
        bad(word,
            "no option, given twice, or against another; the options are area, psk, benson or agreed, "
            "komi=POINTS and handicap=STONES");
    }
}

std::vector<int> neighbours(int point, int size) {
    std::vector<int> list;
    if (point >= size) list.push_back(point - size);
    if (point % size > 0) list.push_back(point - 1);
    if (point % size < size - 1) list.push_back(point + 1);
    if (point < size * (size - 1)) list.push_back(point + size);
    return list;
}

struct Chain {
    std::vector<int> stones, liberties;
};

Chain chain(const Diagram& d, int point) {
    Chain found{{point}, {}};
    std::vector<bool> seen(d.points.size());
    seen[static_cast<std::size_t>(point)] = true;
    for (std::size_t i = 0; i < found.stones.size(); ++i)
        for (const int q : neighbours(found.stones[i], d.size)) {
            const auto at = static_cast<std::size_t>(q);
            if (seen[at]) continue;
            seen[at] = true;
            if (d.points[at] == Diagram::none)
                found.liberties.push_back(q);
            else if (d.points[at] == d.points[static_cast<std::size_t>(point)])
                found.stones.push_back(q);
        }
    return found;
}

void read_rows(std::string_view text, Diagram& d) {
    const auto rows = split(text, '/', true);
    const auto size = static_cast<std::size_t>(d.size);
    if (rows.size() != size)
        bad(text, "must have " + std::to_string(size) + " rows, separated by '/', the top one first (got " +
                      std::to_string(rows.size()) + ")");
    for (std::size_t r = 0; r < size; ++r) {
        const std::string_view row = rows[size - 1 - r];
        if (row.size() != size || row.find_first_not_of(".XO") != row.npos)
            bad(row, "row " + std::to_string(r + 1) + " must have " + std::to_string(size) +
                         " points, each '.', 'X' (Black) or 'O' (White)");
        for (const char c : row)
            d.points.push_back(c == 'X' ? Diagram::black : c == 'O' ? Diagram::white : Diagram::none);
    }
    for (int p = 0; p < d.size * d.size; ++p)
        if (d.points[static_cast<std::size_t>(p)] != Diagram::none && chain(d, p).liberties.empty())
            bad(text, "the chain at " + vertex(p, d.size) + " has no liberty; it would be off the board");
}

void read_prisoners(std::string_view text, Diagram& d) {
    const auto counts = split(text, ':', true);
    for (std::size_t side = 0; side < 2; ++side) {
        const auto n = counts.size() == 2 ? number(counts[side], most_prisoners) : std::nullopt;
        if (!n)
            bad(text,
                "prisoners are written BLACK:WHITE, what each has taken, from 0 to " + std::to_string(most_prisoners));
        d.prisoners[side] = *n;
    }
}

// A ko point is where one stone was just taken by a lone stone that has no other liberty.
void read_ko(std::string_view text, Diagram& d) {
    if (text == "-") return;
    try {
        d.ko = read_vertex(text, d.size);
    } catch (const BadNotation&) {
        bad(text, "the ko point is a point of the board such as A1, or '-' for none");
    }
    if (d.ko == d.size * d.size) bad(text, "the ko point is a point, or '-' for none");
    if (d.points[static_cast<std::size_t>(d.ko)] != Diagram::none) bad(text, "the ko point must be empty");
    bool taken = true, lone = false;
    for (const int q : neighbours(d.ko, d.size)) {
        taken = taken && d.points[static_cast<std::size_t>(q)] == 1 - d.seat;
        if (!taken) break;
        const Chain c = chain(d, q);
        lone = lone || (c.stones.size() == 1 && c.liberties.size() == 1);
    }
    if (!taken || !lone) bad(text, "no ko can have been taken there; '-' means none");
}

}  // namespace

Options read_options(std::string_view text) {
    Options options;
    for (const auto word : split(text, ' ', false)) read_option(word, options);
    return options;
}

std::string write_options(const Options& options) {
    std::string s;
    const auto add = [&](const std::string& word) { s += (s.empty() ? "" : " ") + word; };
    if (options.scoring == Scoring::area) add("area");
    if (options.ko == Ko::superko) add("psk");
    if (options.dead == Dead::benson) add("benson");
    if (options.dead == Dead::agreed) add("agreed");
    if (options.komi != 0) {
        const int halves = options.komi < 0 ? -options.komi : options.komi;
        add("komi=" + std::string(options.komi < 0 ? "-" : "") + std::to_string(halves / 2) + (halves % 2 ? ".5" : ""));
    }
    if (options.handicap != 0) add("handicap=" + std::to_string(options.handicap));
    return s;
}

Diagram read(std::string_view text, int size, const Options& options) {
    const auto fields = split(text, ' ', false);
    if (fields.empty() || (fields.size() > 2 && fields.size() < 6))
        bad(text, "has " + std::to_string(fields.size()) + " fields; a position is " + std::string(form));
    Diagram d;
    d.size = size;
    read_rows(fields[0], d);
    if (fields.size() > 1) {
        if (fields[1] != "b" && fields[1] != "w") bad(fields[1], "the side to move is 'b' or 'w'");
        d.seat = fields[1] == "w";
    }
    if (fields.size() <= 2) {
        d.options = options;
        return d;
    }
    read_prisoners(fields[2], d);
    read_ko(fields[3], d);
    const auto passes = number(fields[4], 2), ply = number(fields[5], longest(size));
    if (!passes) bad(fields[4], range("the count of passes in a row", 2));
    if (!ply) bad(fields[5], range("the count of plies", longest(size)));
    if (*passes > 0 && d.ko >= 0) bad(fields[3], "a pass lifts the ko; '-' means none");
    d.passes = *passes;
    d.ply = *ply;
    for (std::size_t i = 6; i < fields.size(); ++i) read_option(fields[i], d.options);
    return d;
}

std::string write(const Diagram& d) {
    std::string s;
    for (int r = d.size - 1; r >= 0; --r) {
        for (int c = 0; c < d.size; ++c) s += ".XO"[d.points[static_cast<std::size_t>(d.size * r + c)] - Diagram::none];
        s += r > 0 ? "/" : "";
    }
    s += d.seat == 0 ? " b " : " w ";
    s += std::to_string(d.prisoners[0]) + ":" + std::to_string(d.prisoners[1]) + " ";
    s += (d.ko < 0 ? "-" : vertex(d.ko, d.size)) + " ";
    s += std::to_string(d.passes) + " " + std::to_string(d.ply);
    const std::string options = write_options(d.options);
    return options.empty() ? s : s + " " + options;
}

std::string vertex(Move move, int size) {
    if (move == size * size) return "pass";
    return columns[static_cast<std::size_t>(move % size)] + std::to_string(move / size + 1);
}

Move read_vertex(std::string_view text, int size) {
    std::string upper(text);
    for (char& c : upper)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (upper == "PASS") return size * size;
    const std::size_t column = upper.empty() ? columns.npos : columns.find(upper[0]);
    const auto row = upper.empty() ? std::nullopt : number(std::string_view(upper).substr(1), size);
    if (column >= static_cast<std::size_t>(size) || !row || upper[1] == '0')
        throw BadNotation("cannot read " + quoted(text) + " as a move; write 'pass' or a point from A1 to " +
                          vertex(size * size - 1, size));
    return static_cast<Move>(column) + size * (*row - 1);
}

}  // namespace rookery::go
