// Binds the comparison search of one game with one comparator.
#pragma once

#include "bind/search.hpp"
#include "search/comparison.hpp"

namespace rookery {

template <Rules P, search::Comparator<P> C>
class ComparisonSearch {
  public:
    ComparisonSearch(C comparator, bool quiescence) : search_(std::move(comparator), quiescence) {}
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

// Adds Comparison over (P, C) under a name; C is built from the Python arguments named Args.
template <Rules P, search::Comparator<P> C, class... Args>
void bind_comparison(nb::module_& m, const char* name) {
    using Search = ComparisonSearch<P, C>;
    nb::class_<Search>(m, name)
        .def("__init__",
             [](Search* self, Args... args, bool quiescence) { new (self) Search(C(std::move(args)...), quiescence); })
        .def("search", &search_in_python<Search, P>, "state"_a, "depth"_a, "nodes"_a, "seconds"_a, "only"_a, "lines"_a,
             "listener"_a.none(), "analyse"_a = false)
        .def("stop", &Search::stop)
        .def("forget", &forget_in_python<Search>);
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
