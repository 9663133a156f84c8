#include "games/duchess/board.hpp"

namespace rookery::duchess {
namespace {

// A point and a heading in the chart of a sector.
struct Walker {
    int sector, x, y, dx, dy;

    constexpr bool on_vortex() const { return x == 0 && y == 0; }
    constexpr Walker in_next_chart() const { return {(sector + 1) % sectors, y, -x, dy, -dx}; }
    constexpr Walker in_previous_chart() const { return {(sector + 5) % sectors, -y, x, -dy, dx}; }

    // The same point in its standard chart. One step from there never leads further than one chart away.
    constexpr Walker standard() const {
        if (x < 0 && y <= 2) return in_next_chart();
        if (x > 0 && (y <= 0 || (x > 2 && y <= 2))) return in_previous_chart();
        return *this;
    }

    constexpr Walker step() const {
        // Whoever is on the Vortex came from `sector` over an edge or a corner: out over the opposite one.
        if (on_vortex()) return {(sector + 3) % sectors, -dx, -dy, -dx, -dy};
        return Walker{sector, x + dx, y + dy, dx, dy}.standard();
    }

    constexpr Walker back() const {
        if (on_vortex()) return {(sector + 3) % sectors, x, y, dx, dy};
        return {sector, x, y, -dx, -dy};
    }

    // Visits every heading that is neither straight on nor back.
    template <class Visit>
    constexpr void each_turn(Visit visit) const {
        if (on_vortex()) {
            for (const int turn : {1, 2, 4, 5}) visit(Walker{(sector + turn) % sectors, 0, 0, dx, dy});
        } else {
            visit(Walker{sector, x, y, dy, -dx});
            visit(Walker{sector, x, y, -dy, dx});
        }
    }
};

// One heading along each line through a square: over its edges, or over its corners.
template <class Visit>
constexpr void each_way(const Place& p, bool corners, Visit visit) {
    if (p.x == 0 && p.y == 0) {
        for (const int sector : {0, 1, 2}) visit(Walker{sector, 0, 0, corners ? -1 : 0, -1});
    } else {
        visit(Walker{p.sector, p.x, p.y, corners ? 1 : 0, 1});
        visit(Walker{p.sector, p.x, p.y, 1, corners ? -1 : 0});
    }
}

template <int Players>
constexpr Square locate(const Walker& walker) {
    using B = Board<Players>;
    if (walker.on_vortex()) return B::vortex;
    const Walker w = walker.standard();
    Square first = 0;
    for (int i = 0; i < w.sector; ++i) first += B::flap_is_up(i) ? 26 : 6;
    const bool flap = B::flap_is_up(w.sector);
    if (w.y >= 3 && w.y <= 6 && w.x >= -2 && w.x <= 2 && flap) return first + (6 - w.y) * 5 + w.x + 2;
    if (w.y >= 1 && w.y <= 2 && w.x >= 0 && w.x <= 2) return first + (flap ? 20 : 0) + (2 - w.y) * 3 + w.x;
    return nowhere;
}

template <int Players>
constexpr std::array<Place, Board<Players>::squares> all_places() {
    std::array<Place, Board<Players>::squares> places{};  // the Vortex is (0, 0) in every chart
    for (int sector = 0; sector < sectors; ++sector)
        for (int y = 1; y <= 6; ++y)
            for (int x = y >= 3 ? -2 : 0; x <= 2; ++x)
                if (const Square s = locate<Players>({sector, x, y, 0, 0}); s != nowhere) {
                    Place& p = places[static_cast<std::size_t>(s)];
                    p.sector = static_cast<std::int8_t>(sector);
                    p.x = static_cast<std::int8_t>(x);
                    p.y = static_cast<std::int8_t>(y);
                }
    return places;
}

// The whole line on which a walker goes.
template <int Players>
constexpr Line trace(Walker w) {
    const auto square = [](const Walker& walker) { return locate<Players>(walker); };
    w = w.back();
    while (square(w.step()) != nowhere) w = w.step();
    Line line;
    line.squares.fill(nowhere);
    for (w = w.back(); square(w) != nowhere; w = w.step())
        line.squares[++line.length] = static_cast<std::uint8_t>(square(w));
    return line;
}

// Two different lines have one square in common at most. A line may have been traced from either end.
constexpr bool same(const Line& a, const Line& b) {
    const auto first = a.squares[1], last = a.squares[a.length];
    return std::pair(first, last) == std::pair(b.squares[1], b.squares[b.length]) ||
           std::pair(last, first) == std::pair(b.squares[1], b.squares[b.length]);
}

// The Knight: one edge step and two turned, or two and one turned.
template <int Players>
constexpr typename Board<Players>::Set all_leaps(const Place& from) {
    typename Board<Players>::Set leaps;
    const auto exists = [](const Walker& w) { return locate<Players>(w) != nowhere; };
    const auto land = [&](const Walker& w) {
        if (exists(w)) leaps.add(locate<Players>(w));
    };
    const auto leap = [&](const Walker& w) {
        const Walker one = w.step();
        if (!exists(one)) return;
        one.each_turn([&](const Walker& turned) {
            if (exists(turned.step())) land(turned.step().step());
        });
        const Walker two = one.step();
        if (!exists(two)) return;
        two.each_turn([&](const Walker& turned) { land(turned.step()); });
    };
    each_way(from, false, [&](const Walker& w) { leap(w), leap(w.back()); });
    return leaps;
}

}  // namespace

template <int Players>
constexpr int Board<Players>::number_line(const Line& line, int& found) {
    if (line.length == 1) return lines;
    for (int known = 0; known < found; ++known)
        if (same(lines_[static_cast<std::size_t>(known)], line)) return known;
    lines_[static_cast<std::size_t>(found)] = line;
    auto& before = before_[static_cast<std::size_t>(found)];
    for (std::size_t i = 1; i < before.size(); ++i) {
        before[i] = before[i - 1];
        if (line.squares[i - 1] != nowhere) before[i].add(line.squares[i - 1]);
    }
    return found++;
}

template <int Players>
constexpr void Board<Players>::cross(Square s, std::size_t way, int number, bool slant) {
    Reach& r = reach_[at(s)];
    const Line& line = lines_[static_cast<std::size_t>(number)];
    int mine = 1;
    while (mine < line.length && line.squares[static_cast<std::size_t>(mine)] != s) ++mine;
    crossings_[4 * at(s) + way] = {static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(mine)};
    for (int i = 1; i <= line.length; ++i) {
        const Square other = line.squares[static_cast<std::size_t>(i)];
        if (i == mine) continue;
        (slant ? r.slant_lines : r.straight_lines).add(other);
        if (i == mine - 1 || i == mine + 1) (slant ? r.corners : r.edges).add(other);
        meetings_[at(s)][at(other)] = static_cast<std::uint8_t>(way << 4 | static_cast<std::size_t>(i));
    }
}

template <int Players>
constexpr Board<Players>::Board() : places_(all_places<Players>()) {
    lines_[lines].squares.fill(nowhere);
    lines_[lines].length = 1;
    int found = 0;
    for (Square s = 0; s < squares; ++s) {
        std::size_t way = 0;
        for (const bool slant : {false, true})
            each_way(place(s), slant,
                     [&](const Walker& w) { cross(s, way++, number_line(trace<Players>(w), found), slant); });
        Reach& r = reach_[at(s)];
        r.beside = r.edges | r.corners;
        r.leaps = all_leaps<Players>(place(s));
    }
    if (found != lines) throw found;  // does not compile

    for (int seat = 0; seat < Players; ++seat) {
        const int turn = Players == 6 ? seat : 3 * (seat / 2);
        for (Square s = 0; s < squares; ++s) {
            const Walker turned{(place(s).sector + sectors - turn) % sectors, place(s).x, place(s).y, 0, 0};
            seen_[static_cast<std::size_t>(seat)][at(s)] = static_cast<std::uint8_t>(locate<Players>(turned));
        }
    }
}

template <int Players>
Square Board<Players>::find(int sector, int x, int y) {
    return locate<Players>({sector, x, y, 0, 0});
}

constinit const Board<4> board4;
constinit const Board<6> board6;

template <int Players>
std::string square_name(Square s) {
    if (s == Board<Players>::vortex) return "V";
    const Place p = board<Players>().place(s);
    return {static_cast<char>('1' + p.sector), static_cast<char>('c' + p.x), static_cast<char>('7' - p.y)};
}

template <int Players>
Square read_square(std::string_view& text) {
    if (text.starts_with('V')) {
        text.remove_prefix(1);
        return Board<Players>::vortex;
    }
    if (text.size() < 3) return nowhere;
    const int sector = text[0] - '1', x = text[1] - 'c', y = '7' - text[2];
    if (sector < 0 || sector >= sectors || x < -2 || x > 2 || y < 1 || y > 6) return nowhere;
    const Square s = Board<Players>::find(sector, x, y);
    if (s != nowhere) text.remove_prefix(3);
    return s;
}

template Square Board<4>::find(int, int, int);
template Square Board<6>::find(int, int, int);
template std::string square_name<4>(Square);
template std::string square_name<6>(Square);
template Square read_square<4>(std::string_view&);
template Square read_square<6>(std::string_view&);

}  // namespace rookery::duchess
