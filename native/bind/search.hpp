// Binds searches: which of them are compiled for which knowledge, and how Python asks them.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.hpp"
#include "search/lazy_smp.hpp"

namespace rookery {

// A search with its knowledge in Python's hands, whatever the two are. It runs without the GIL, and takes it after
// each depth for the listener, and now and then for signals.
class BoundSearch {
  public:
    virtual ~BoundSearch() = default;
    virtual search::Report search(nb::handle state, search::Limits limits, const search::Listener& listener) = 0;
    virtual void stop() = 0;
    virtual void forget() = 0;
};

template <Rules P, class Search>
class BoundTo final : public BoundSearch {
  public:
    template <class... Args>
    explicit BoundTo(Args&&... args) : search_(std::forward<Args>(args)...) {}

    search::Report search(nb::handle state, search::Limits limits, const search::Listener& listener) override {
        if constexpr (std::same_as<P, AnyPosition>) {
            const nb::object any = nb::isinstance<P>(state) ? nb::borrow(state) : nb::object(state.attr("any")());
            const P& position = nb::cast<const P&>(any);
            return search_from(position, position.past(), limits, listener);
        } else {
            if (!nb::isinstance<State<P>>(state)) throw nb::type_error("this search knows another game");
            const auto& from = nb::cast<const State<P>&>(state);
            return search_from(from.position(), from.past(), limits, listener);
        }
    }
    void stop() override { search_.stop(); }
    void forget() override {
        const Turn turn(this);
        search_.forget();
    }

  private:
    search::Report search_from(const P& root, std::vector<std::uint64_t> past, search::Limits& limits,
                               const search::Listener& listener) {
        const Turn turn(this);
        const Unlocked unlocked;
        require_moves(root, limits.only);
        Poll poll = signals();
        limits.poll = &poll;
        return search_.search(root, std::move(past), limits, listener);
    }

    Search search_;
};

// The pairs of a search and knowledge that are compiled; bind files add to them. Options tell the searches apart.
template <class Options>
class Pairs {
  public:
    using Make = BoundSearch* (*)(nb::handle knowledge, const Options& options);  // null: it is other knowledge
    static void add(Make make) { all().push_back(make); }
    static BoundSearch* make(nb::handle knowledge, const Options& options) {
        for (const Make make : all())
            if (BoundSearch* found = make(knowledge, options)) return found;
        return nullptr;
    }

  private:
    static std::vector<Make>& all() {
        static std::vector<Make> list;
        return list;
    }
};

struct AlphaBetaOptions : search::Options {
    std::size_t hash = 16;  // megabytes of transposition table
    int threads = 1;
};

template <Rules P, search::Knowledge<P> E>
BoundSearch* make_alphabeta(const E& knowledge, const AlphaBetaOptions& options) {
    return new BoundTo<P, search::LazySmp<P, E>>(knowledge, options, megabytes_of(options.hash),
                                                 threads_of(options.threads));
}

// Adds alpha-beta over (P, E); Python has the knowledge as an object of its own.
template <Rules P, search::Knowledge<P> E>
void bind_alphabeta() {
    Pairs<AlphaBetaOptions>::add([](nb::handle knowledge, const AlphaBetaOptions& options) -> BoundSearch* {
        if (!nb::isinstance<E>(knowledge)) return nullptr;
        return make_alphabeta<P, E>(nb::cast<const E&>(knowledge), options);
    });
}

// Binds knowledge of one game: its values, in its own unit, of states to the seat to move.
template <Rules P, search::Knowledge<P> E>
nb::class_<E> bind_knowledge(nb::module_& m, const char* name) {
    return nb::class_<E>(m, name).def(
        "values",
        [](const E& knowledge, const std::vector<State<P>>& states) {
            std::vector<float> values;
            for (const State<P>& s : states)
                values.push_back(knowledge.value(s.position(), knowledge.root(s.position())));
            return values;
        },
        "states"_a);
}

// Asks Python for the value of each leaf: slow, but any evaluator fits any search and any game.
class Asked {
  public:
    struct Node {};
    explicit Asked(nb::callable ask) : ask_(std::move(ask)) {}
    Node root(const AnyPosition&) const { return {}; }
    Node after(const Node&, const AnyPosition&, Move, const AnyPosition&) const { return {}; }
    search::Value value(const AnyPosition& p, const Node&) const { return ask_.ask<search::Value>(p); }

  private:
    Callback ask_;
};

}  // namespace rookery
