// Binds comparison searches.
#pragma once

#include "bind/search.hpp"
#include "search/comparison.hpp"

namespace rookery {

template <Rules P, search::Comparator<P> C>
class ComparisonSearch {
  public:
    ComparisonSearch(C comparator, bool quiescence, std::size_t megabytes)
        : search_(std::move(comparator), quiescence, megabytes) {}
    search::Report search(const P& root, std::vector<std::uint64_t> past, const search::Limits& limits,
                          const search::Listener& listener) {
        stop_ = false;
        return search_.search(root, std::move(past), limits, stop_, listener);
    }
    void stop() { stop_ = true; }
    void forget() { search_.forget(); }

  private:
    search::Comparison<P, C> search_;
    std::atomic<bool> stop_{false};
};

struct ComparisonOptions {
    bool quiescence = true;  // follow noisy moves to their end, where the game says which are
    std::size_t hash = 16;   // megabytes of transposition table
};

// Adds comparison search over (P, C); Python has its knowledge E as an object of its own.
template <Rules P, search::Comparator<P> C, class E = C>
void bind_comparison() {
    Pairs<ComparisonOptions>::add([](nb::handle knowledge, const ComparisonOptions& options) -> BoundSearch* {
        if (!nb::isinstance<E>(knowledge)) return nullptr;
        return new BoundTo<P, ComparisonSearch<P, C>>(C(nb::cast<const E&>(knowledge)), options.quiescence,
                                                      megabytes_of(options.hash));
    });
}

// Asks Python which of two positions is better.
class AskedComparator {
  public:
    struct Node {};
    using Leaf = AnyPosition;
    AskedComparator(nb::callable better, nb::callable above_draw)
        : better_(std::move(better)), above_draw_(std::move(above_draw)) {}
    Node root(const AnyPosition&) const { return {}; }
    Node after(const Node&, const AnyPosition&, Move, const AnyPosition&) const { return {}; }
    Leaf leaf(const AnyPosition& p, const Node&) const { return p; }
    bool better(const Leaf& a, const Leaf& b) const { return !a.same(b) && better_.ask<bool>(a, b); }
    search::Value above_draw(const Leaf& a) const { return search::sound(above_draw_.ask<search::Value>(a), a); }

  private:
    Callback better_, above_draw_;
};

}  // namespace rookery
