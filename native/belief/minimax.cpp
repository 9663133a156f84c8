#include "belief/minimax.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "belief/endgame.hpp"
#include "core/rng.hpp"

namespace rookery::belief {
namespace {

using chess::from_of;
using chess::king;
using chess::pawn;
using chess::queen;
using chess::rook;
using chess::to_of;
using kriegspiel::Event;
using kriegspiel::View;
using Choice = Ranking::Choice;

constexpr double impossible = -1e6;  // the value of tries that cannot stand
constexpr double hopeless = -150, decided = 400;

bool takes_diagonally(const Possible& p, Move m) {
    return p.own(pawn) & bit(from_of(m)) && chess::file_of(from_of(m)) != chess::file_of(to_of(m));
}

// The most likely answer: silence, unless something must stand there.
Message assumed(const Possible& p, Move m, bool surely_takes) {
    Message said;
    said.tries = Message::unknown;
    const Square to = to_of(m);
    if (!(surely_takes || takes_diagonally(p, m) || p.sure_occupied() & bit(to))) return said;
    said.square = static_cast<std::int8_t>(to);
    said.captured = p.may_be(to, pawn) ? 'p' : 'P';
    if (takes_diagonally(p, m) && !(p.others() & bit(to))) {  // in passing
        said.square = static_cast<std::int8_t>(to + (p.us() == chess::white ? -8 : 8));
        said.captured = 'p';
    }
    return said;
}

// The clock, the wish to stop and the count of metapositions of one search.
class Meter {
  public:
    Meter(const search::Limits& limits, const std::atomic<bool>& stop) : limits_(limits), stop_(stop) {}

    std::int64_t count = 0;
    int deepest = 0;

    bool stopped() {
        if (++count % 128 == 0) {
            if (limits_.poll) limits_.poll->look();
            out_ =
                out_ || stop_.load(std::memory_order_relaxed) || (limits_.seconds > 0 && seconds() >= limits_.seconds);
        }
        return out_;
    }
    bool out() const { return out_; }
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

  private:
    const search::Limits& limits_;
    const std::atomic<bool>& stop_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    bool out_ = false;
};

class Search {
  public:
    Search(const Maximax& how, int depth, Meter& meter) : how_(how), depth_(depth), meter_(meter) {}

    struct Branch {
        Move move;
        double worth;  // of the metaposition after it
    };

    // The metaposition after a move of ours, the enemy to move, and its own worth.
    static double after(Possible& p, Move m, bool surely_takes, bool urgent, int plies) {
        const Message said = assumed(p, m, surely_takes);
        p.stood(m, said);
        return evaluate(p, {to_of(m), said.captured != '-', urgent, plies});
    }

    // The value of a metaposition in which the enemy is to move.
    double value(const Possible& p, double worth, int plies, std::int64_t budget) {
        meter_.deepest = std::max(meter_.deepest, plies);
        if (plies >= depth_ || worth < hopeless || worth > decided || budget < 24 || meter_.out()) return worth;
        Possible next = p;
        Message silent;
        silent.tries = Message::unknown;
        next.meta(silent);
        Possible::Moves list;
        next.moves(list);
        if (list.empty() || list.size() > budget) return worth;
        std::vector<Branch> branches;
        branches.reserve(static_cast<std::size_t>(list.size()));
        for (const Move m : list) {
            if (meter_.stopped()) return worth;
            Possible child = next;
            branches.push_back({m, after(child, m, false, false, plies + 1)});
        }
        const std::vector<Branch> kept = keep(branches, worth);
        const std::int64_t share = (budget - list.size()) / static_cast<std::int64_t>(kept.size());
        double best = impossible;
        for (const Branch& branch : branches) best = std::max(best, branch.worth);
        for (const Branch& branch : kept) {
            if (share < 24) break;
            Possible child = next;
            after(child, branch.move, false, false, plies + 1);
            best = std::max(best, value(child, branch.worth, plies + 1, share));
        }
        return how_.alpha * worth + (1 - how_.alpha) * best;
    }

    // The best moves that are new to this search, and of those met before the ones that gained most.
    std::vector<Branch> keep(std::vector<Branch>& branches, double before) {
        std::vector<Branch> fresh, met;
        for (const Branch& branch : branches) (gains_.contains(branch.move) ? met : fresh).push_back(branch);
        const auto by_worth = [](const Branch& a, const Branch& b) { return a.worth > b.worth; };
        const auto by_gain = [&](const Branch& a, const Branch& b) { return mean(a.move) > mean(b.move); };
        std::stable_sort(fresh.begin(), fresh.end(), by_worth);
        std::stable_sort(met.begin(), met.end(), by_gain);
        std::vector<Branch> kept(fresh.begin(),
                                 fresh.begin() + std::min<std::ptrdiff_t>(how_.fresh, std::ssize(fresh)));
        kept.insert(kept.end(), met.begin(), met.begin() + std::min<std::ptrdiff_t>(how_.met, std::ssize(met)));
        for (const Branch& branch : branches) {
            Gain& gain = gains_[branch.move];
            gain.sum += branch.worth - before;
            ++gain.times;
        }
        return kept;
    }

  private:
    struct Gain {
        double sum = 0;
        int times = 0;
    };
    double mean(Move m) const {
        const Gain& gain = gains_.at(m);
        return gain.sum / gain.times;
    }

    const Maximax& how_;
    int depth_;
    Meter& meter_;
    std::map<Move, Gain> gains_;
};

// What a turn asks for before any thought: section 4.6.
class Turn {
  public:
    Turn(const View& view, const Possible& p) : view_(view), p_(p), ahead_(p.own_count() - 1 > p.men_left()) {
        const auto last =
            std::find_if(view.log.rbegin(), view.log.rend(), [](const Event& e) { return e.kind != Event::refused; });
        if (last != view.log.rend() && last->kind == Event::answered && last->said.captured != '-')
            lost_ = last->said.square;
        for (const Move m : view.refused) {
            retakes_ += to_of(m) == lost_;
            find_power_move(m);
        }
        replay();
    }

    bool urgent() const { return lost_ >= 0 || p_.checks(); }

    // Whether a move surely takes, if it stands.
    bool takes(Move m) const {
        if (std::find(power_.begin(), power_.end(), m) != power_.end()) return true;
        // In check we hope to take the man who gives it.
        if (p_.checks() && from_of(m) != p_.king_square() && !(p_.own(queen) & bit(from_of(m))))
            return p_.may_attack(p_.king_square(), p_.own_men()) & bit(to_of(m));
        return lost_ == to_of(m) && p_.others() & bit(to_of(m));
    }

    // What is added to the worth of a move at the root.
    double bonus(Move m, const Possible& after) const {
        const Square from = from_of(m), to = to_of(m);
        const int kind = p_.kind_at(from);
        const bool takes_now = after.men_left() < p_.men_left();
        double sum = 0;
        const Bitboard attackers = chess::pawn_attacks(p_.us(), to) & p_.possible(pawn);
        if (kind != pawn && !takes_now)
            for (const Square s : each(attackers))
                if (p_.least_pawns(chess::file_of(s)) > 0) sum -= 0.5;
        if (to == lost_ && retakes_ < 2 && kind != queen) sum += 6 - (kind == king ? 0.5 : kind);
        if (p_.tries() > 0 && kind == pawn && chess::file_of(from) != chess::file_of(to)) sum += 3;
        if (kind == queen && !(after.control() & bit(to)) && danger(after, to) > 0.3) sum -= 5;
        if (takes_now) return sum;
        const auto seen = stood_.find(key(after.own()));
        if (seen != stood_.end()) sum -= (ahead_ ? 3.0 : 1.0) * seen->second;
        if (ahead_ && kind == pawn) sum += 0.1 * std::max(0, quiet_ - 15);
        return sum;
    }

  private:
    // A slide that was refused met somebody on the way: the longest shorter one onto a square that may be taken.
    void find_power_move(Move m) {
        const Square from = from_of(m), to = to_of(m);
        const int kind = p_.kind_at(from);
        if (kind < chess::bishop || kind > queen || p_.checks() || p_.may_be_pinned(from, to)) return;
        Square farthest = -1;
        for (const Square s : each(chess::between(from, to) & p_.others())) {
            const Move shorter = chess::make_move(from, s);
            if (std::find(view_.refused.begin(), view_.refused.end(), shorter) != view_.refused.end()) continue;
            if (farthest < 0 || chess::count(chess::between(from, s)) > chess::count(chess::between(from, farthest)))
                farthest = s;
        }
        if (farthest >= 0) power_.push_back(chess::make_move(from, farthest));
    }

    static std::uint64_t key(const kriegspiel::Pieces& own) {
        std::uint64_t key = 0;
        for (const Bitboard b : own) key = mix(key ^ b);
        return key;
    }

    // How often our men stood as they did, and for how many of our moves nothing happened.
    void replay() {
        kriegspiel::Pieces own = view_.start.own;
        for (const Event& e : view_.log) {
            if (e.kind == Event::refused) continue;
            if (e.kind == Event::answered) {
                if (e.said.captured == '-') continue;
                for (Bitboard& b : own) b &= ~bit(e.said.square);
                stood_.clear();
                quiet_ = 0;
                continue;
            }
            const Square from = from_of(e.move), to = to_of(e.move);
            const auto kind = static_cast<std::size_t>(
                std::find_if(own.begin(), own.end(), [&](Bitboard b) { return b & bit(from); }) - own.begin());
            if (kind >= own.size()) continue;
            own[kind] ^= bit(from);
            own[chess::promotion_of(e.move) ? static_cast<std::size_t>(chess::promotion_of(e.move)) : kind] |= bit(to);
            if (kind == king && std::abs(from - to) == 2)
                own[rook] ^= bit(to > from ? from + 3 : from - 4) | bit((from + to) / 2);
            ++quiet_;
            if (kind == pawn || e.said.captured != '-') stood_.clear(), quiet_ = 0;
            ++stood_[key(own)];
        }
    }

    const View& view_;
    const Possible& p_;
    bool ahead_;
    Square lost_ = -1;  // where the enemy has just taken
    int retakes_ = 0;   // tries to take back that were refused
    std::vector<Move> power_;
    std::map<std::uint64_t, int> stood_;
    int quiet_ = 0;
};

// A lone King is hunted by exact search; nothing where he is not alone or cannot be mated.
std::vector<Choice> hunt(const View& view, double seconds, std::int64_t& nodes) {
    std::vector<Choice> choices;
    if (!Endgame::applies(view)) return choices;
    Endgame endgame;
    for (const Ranked& ranked : endgame.choose(*LoneKing::of(view), Endgame::nodes_in(seconds)))
        choices.push_back({ranked.move, ranked.value});
    nodes += endgame.nodes();
    return choices;
}

}  // namespace

Ranking rank(const View& view, const Maximax& how, const search::Limits& limits, const std::atomic<bool>& stop,
             const std::vector<Choice>& earlier) {
    Ranking ranking;
    Meter meter(limits, stop);
    const auto sort = [&] {
        std::stable_sort(ranking.choices.begin(), ranking.choices.end(),
                         [](const Choice& a, const Choice& b) { return a.value > b.value; });
        ranking.nodes = meter.count;
        ranking.depth = meter.deepest;
        ranking.seconds = meter.seconds();
        return ranking;
    };
    if (const std::vector<Choice> hunted = hunt(view, limits.seconds, meter.count); !hunted.empty()) {
        for (const Move m : view.moves) {
            if (!search::allowed(m, limits.only)) continue;
            const auto found = std::find_if(hunted.begin(), hunted.end(), [&](const Choice& c) { return c.move == m; });
            ranking.choices.push_back({m, found == hunted.end() ? impossible : found->value});
        }
        return sort();
    }
    const Possible p = Possible::of(view);
    const Turn turn(view, p);
    Possible::Moves list;
    p.moves(list);
    struct Root {
        Move move;
        double worth, bonus, order;
        Possible after;
    };
    std::vector<Root> roots;
    for (const Move m : view.moves) {
        if (!search::allowed(m, limits.only)) continue;
        ranking.choices.push_back({m, impossible});
        if (std::find(list.begin(), list.end(), m) == list.end()) continue;
        Possible after = p;
        const double worth = Search::after(after, m, turn.takes(m), turn.urgent(), 1);
        meter.stopped();
        roots.push_back({m, worth, turn.bonus(m, after), 0, after});
        // What was found before the last try was refused counts half, as the enemy's men stand as they stood.
        const auto before = std::find_if(earlier.begin(), earlier.end(), [&](const Choice& c) { return c.move == m; });
        const double now = worth + roots.back().bonus;
        roots.back().order = before == earlier.end() || before->value <= impossible ? now : (now + before->value) / 2;
    }
    std::stable_sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) { return a.order > b.order; });

    std::vector<double> values;
    for (const Root& root : roots) values.push_back(root.worth + root.bonus);
    const auto width = std::min<std::size_t>(roots.size(), static_cast<std::size_t>(how.fresh + how.met));
    // Where only the clock bounds it, it looks again with four times as many metapositions until time is up.
    std::int64_t budget = limits.nodes ? limits.nodes : limits.seconds > 0 ? 2500 : 10000;
    while (width) {
        Search search(how, limits.depth, meter);
        const std::int64_t share = std::max<std::int64_t>(0, budget - meter.count) / static_cast<std::int64_t>(width);
        std::vector<double> found = values;
        const std::int64_t before = meter.count;
        for (std::size_t i = 0; i < width && !meter.out(); ++i)
            found[i] = search.value(roots[i].after, roots[i].worth, 1, share) + roots[i].bonus;
        if (!meter.out()) values = found;
        // A bound of depth may leave nothing more to look at.
        const bool whole = meter.count - before < budget / 4;
        if (limits.nodes || limits.seconds <= 0 || meter.out() || whole) break;
        budget = 4 * budget + meter.count;
    }
    for (std::size_t i = 0; i < roots.size(); ++i)
        for (Choice& choice : ranking.choices)
            if (choice.move == roots[i].move) choice.value = values[i];
    return sort();
}

}  // namespace rookery::belief
