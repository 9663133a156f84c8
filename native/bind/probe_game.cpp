// A game in which one side moves twice before the other does, as in no game that is played here. The tests hold searches
// to it that values belong to sides, and that signs do not change with every ply; nothing else uses it.
#include "bind/bind.hpp"

namespace rookery {
namespace {

// Nim with one heap: four seats in turn, the first two of one side, take one to three; who takes the last wins.
class Heap {
  public:
    using Moves = MoveList<3>;
    static constexpr Move policy_size = 4;

    Heap(int left, int seat) : left_(left), seat_(seat) {}
    int seat() const { return seat_; }
    int side() const { return seat_ / 2; }
    void moves(Moves& list) const {
        for (Move m = 1; m <= std::min(left_, 3); ++m) list.push(m);
    }
    void play(Move m) { left_ -= m, seat_ = (seat_ + 1) % 4; }
    std::uint64_t key() const { return mix(static_cast<std::uint64_t>(4 * left_ + seat_)); }
    int reversible() const { return 0; }
    std::optional<Outcome> outcome(const Moves& list, int) const {
        if (!list.empty()) return std::nullopt;
        return Outcome{(seat_ + 3) % 4 / 2, "last taken"};
    }
    std::string text(Move m) const { return std::to_string(m); }
    Move parse(std::string_view text) const {
        if (text.size() != 1 || text[0] < '1' || text[0] > '3') throw BadNotation("no move: " + quote(text));
        return text[0] - '0';
    }
    std::string str() const { return std::to_string(left_) + " " + std::to_string(seat_); }

  private:
    int left_, seat_;
};

const Binding heap_binding([](nb::module_& m) {
    bind_state<Heap>(m, "ProbeHeap")
        .def(
            "__init__",
            [](State<Heap>* self, int left, int seat) {
                new (self) State<Heap>(Heap(within("left", left, 1, 100), seat_of(seat, 4)));
            },
            "left"_a, "seat"_a = 0);
});

}  // namespace
}  // namespace rookery
