// A position of any game behind one face, for searches that ask Python at their leaves: beside what that
// costs a virtual call is nothing, and one compiled search serves every game.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "games/state.hpp"
#include "search/tuning.hpp"

namespace rookery {

namespace nb = nanobind;

class AnyPosition {
  public:
    using Moves = MoveList<1024>;  // more than any game needs

    template <Rules P>
    explicit AnyPosition(State<P> state) : face_(std::make_shared<Of<P>>(std::move(state))) {}

    // --- Rules
    int seat() const { return face_->seat(); }
    int side() const { return face_->side(); }
    void moves(Moves& list) const { face_->moves(list); }
    void play(Move m) { face_ = face_->after(m); }
    AnyPosition after(Move m) const { return AnyPosition(face_->after(m)); }
    std::uint64_t key() const { return face_->key(); }
    int reversible() const { return face_->reversible(); }
    std::optional<Outcome> outcome(const Moves& list, int occurrences) const {
        return face_->outcome(list, occurrences);
    }
    std::string text(Move m) const { return face_->text(m); }
    Move parse(std::string_view text) const { return face_->parse(text); }
    std::string str() const { return face_->str(); }

    // --- what searches may ask; a game that does not say has no noisy moves, no threats and no pass
    void noisy_moves(Moves& list) const { face_->noisy_moves(list); }
    bool is_noisy(Move m) const { return face_->is_noisy(m); }
    bool loses_material(Move m) const { return face_->loses_material(m); }
    int gain(Move m) const { return face_->gain(m); }
    bool threatened() const { return face_->threatened(); }
    bool may_pass() const { return face_->may_pass(); }
    void pass() { face_ = face_->passed(); }
    search::Tuning tuning() const { return face_->tuning(); }

    // --- the game behind
    Move policy_size() const { return face_->policy_size(); }
    std::vector<std::uint64_t> past() const { return face_->past(); }
    // The moves that led here from an earlier position of the same game, one with the same start and moves; nothing if
    // it was none.
    std::optional<std::vector<Move>> since(const AnyPosition& earlier) const { return face_->since(*earlier.face_); }
    std::size_t bytes() const { return face_->bytes(); }                        // that it takes besides the handle
    bool same(const AnyPosition& other) const { return face_ == other.face_; }  // the very one, not its like
    nb::object python() const { return face_->python(); }  // the state of the game itself; needs the GIL
    // What the game knows by its past as well: repetitions count.
    std::vector<Move> legal() const { return face_->legal(); }  // ascending; empty exactly when it is over
    std::optional<Outcome> over() const { return face_->over(); }

  private:
    struct Face {
        virtual ~Face() = default;
        virtual int seat() const = 0;
        virtual int side() const = 0;
        virtual void moves(Moves&) const = 0;
        virtual std::shared_ptr<const Face> after(Move) const = 0;
        virtual std::uint64_t key() const = 0;
        virtual int reversible() const = 0;
        virtual std::optional<Outcome> outcome(const Moves&, int) const = 0;
        virtual std::string text(Move) const = 0;
        virtual Move parse(std::string_view) const = 0;
        virtual std::string str() const = 0;
        virtual void noisy_moves(Moves&) const = 0;
        virtual bool is_noisy(Move) const = 0;
        virtual bool loses_material(Move) const = 0;
        virtual int gain(Move) const = 0;
        virtual bool threatened() const = 0;
        virtual bool may_pass() const = 0;
        virtual std::shared_ptr<const Face> passed() const = 0;
        virtual search::Tuning tuning() const = 0;
        virtual Move policy_size() const = 0;
        virtual std::vector<std::uint64_t> past() const = 0;
        virtual std::optional<std::vector<Move>> since(const Face&) const = 0;
        virtual std::size_t bytes() const = 0;
        virtual nb::object python() const = 0;
        virtual std::vector<Move> legal() const = 0;
        virtual std::optional<Outcome> over() const = 0;
    };

    template <Rules P>
    struct Of final : Face {
        static_assert(P::Moves::capacity <= Moves::capacity);

        explicit Of(State<P> s) : state(std::move(s)) {}
        const P& p() const { return state.position(); }

        int seat() const override { return p().seat(); }
        int side() const override { return p().side(); }
        void moves(Moves& list) const override {
            typename P::Moves own;
            p().moves(own);
            for (const Move m : own) list.push(m);
        }
        std::shared_ptr<const Face> after(Move m) const override { return std::make_shared<Of>(state.after(m)); }
        std::uint64_t key() const override { return p().key(); }
        int reversible() const override { return p().reversible(); }
        std::optional<Outcome> outcome(const Moves& list, int stood) const override {
            typename P::Moves own;
            for (const Move m : list) own.push(m);
            return p().outcome(own, stood);
        }
        std::string text(Move m) const override { return p().text(m); }
        Move parse(std::string_view text) const override { return p().parse(text); }
        std::string str() const override { return p().str(); }

        void noisy_moves(Moves& list) const override {
            if constexpr (requires(typename P::Moves own) { p().noisy_moves(own); }) {
                typename P::Moves own;
                p().noisy_moves(own);
                for (const Move m : own) list.push(m);
            }
        }
        bool is_noisy(Move m) const override {
            if constexpr (requires { p().is_noisy(m); }) return p().is_noisy(m);
            return false;
        }
        bool loses_material(Move m) const override {
            if constexpr (requires { p().loses_material(m); }) return p().loses_material(m);
            return false;
        }
        int gain(Move m) const override {
            if constexpr (requires { p().gain(m); }) return p().gain(m);
            return 0;
        }
        bool threatened() const override {
            if constexpr (requires { p().threatened(); }) return p().threatened();
            return false;
        }
        bool may_pass() const override {
            if constexpr (requires { p().may_pass(); }) return p().may_pass();
            return false;
        }
        std::shared_ptr<const Face> passed() const override {
            if constexpr (requires(P next) { next.pass(); }) {
                P next = p();
                next.pass();
                return std::make_shared<Of>(State<P>(std::move(next)));
            }
            return nullptr;  // never asked: may_pass() is false
        }

        search::Tuning tuning() const override { return search::tuning_for<P>; }
        Move policy_size() const override { return P::policy_size; }
        std::vector<std::uint64_t> past() const override { return state.past(); }
        std::optional<std::vector<Move>> since(const Face& other) const override {
            const auto* const earlier = dynamic_cast<const Of*>(&other);
            if (!earlier) return std::nullopt;
            std::vector<Move> way = state.history();
            const std::vector<Move> before = earlier->state.history();
            if (before.size() > way.size() || !std::equal(before.begin(), before.end(), way.begin()))
                return std::nullopt;
            const P &start = *state.positions().front(), &other_start = *earlier->state.positions().front();
            if (&start != &other_start && start.str() != other_start.str()) return std::nullopt;
            way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(before.size()));
            return way;
        }
        // Itself and the position, each with the counts of those who hold it and what the allocator adds.
        std::size_t bytes() const override { return sizeof(Of) + sizeof(P) + 96; }
        nb::object python() const override { return nb::cast(state); }
        std::vector<Move> legal() const override { return state.moves(); }
        std::optional<Outcome> over() const override { return state.outcome(); }

        State<P> state;
    };

    explicit AnyPosition(std::shared_ptr<const Face> face) : face_(std::move(face)) {}

    std::shared_ptr<const Face> face_;
};

static_assert(Rules<AnyPosition>);

}  // namespace rookery
