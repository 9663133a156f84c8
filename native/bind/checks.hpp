// What native code asks of what Python hands it: all that is unchecked behind the bindings is checked by these.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "search/limits.hpp"

namespace rookery {

namespace nb = nanobind;

constexpr int most_threads = 256;
constexpr std::size_t most_megabytes = 65536;
constexpr int most_perft = 64;  // plies: no count of leaves at a tenth of it ends

[[noreturn]] inline void out_of_range(const char* name, const std::string& least, const std::string& most,
                                      const std::string& got) {
    throw BadOption(std::string(name) + " must be between " + least + " and " + most + " (got " + got + ")");
}

// A number as people write it: 0.5 and not 0.500000.
template <class T>
std::string spelled(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        std::array<char, 32> text;
        std::snprintf(text.data(), text.size(), "%g", static_cast<double>(value));
        return text.data();
    } else {
        return std::to_string(value);
    }
}

template <class T>
T within(const char* name, T value, std::type_identity_t<T> least, std::type_identity_t<T> most) {
    if (!(least <= value && value <= most))  // so that what is no number is not within anything
        out_of_range(name, spelled(least), spelled(most), spelled(value));
    return value;
}

template <class T>
T not_below(const char* name, T value, std::type_identity_t<T> least) {
    if (!(value >= least))
        throw BadOption(std::string(name) + " must be " + spelled(least) + " or more (got " + spelled(value) + ")");
    return value;
}

inline double finite(const char* name, double value) {
    if (!std::isfinite(value))
        throw BadOption(std::string(name) + " must be a finite number (got " + std::to_string(value) + ")");
    return value;
}

inline int seat_of(int seat, int seats) {
    return within("seat", seat, 0, seats - 1);
}
inline int threads_of(int threads) {
    return within("threads", threads, 1, most_threads);
}
inline std::size_t megabytes_of(std::size_t megabytes) {
    return within("megabytes", megabytes, 0, most_megabytes);
}

// A user's text as UTF-8. Halves of characters, which Python's strings may have, become question marks: no text
// that is read here has any of them, so what they stand in is refused like any other that cannot be read.
inline std::string text_of(const nb::str& text) {
    const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
    if (!bytes.is_valid()) throw nb::python_error();
    const auto plain = nb::borrow<nb::bytes>(bytes);
    return {plain.c_str(), plain.size()};
}

// The number of a move of this game, legal or not.
template <Rules P>
Move move_of(Move move) {
    if (move < 0 || move >= P::policy_size)
        throw IllegalMove("a move must be between 0 and " + std::to_string(P::policy_size - 1) + " (got " +
                          std::to_string(move) + ")");
    return move;
}

// Weights and policies: each must be a finite number.
inline void require_finite(const char* name, std::span<const float> numbers) {
    const auto wrong = std::find_if(numbers.begin(), numbers.end(), [](float x) { return !std::isfinite(x); });
    if (wrong != numbers.end())
        throw BadEvaluation(std::string(name) + " must be finite numbers (number " +
                            std::to_string(wrong - numbers.begin()) + " is " + std::to_string(*wrong) + ")");
}

// Refuses a root without a move, or without one of those asked for: there would be nothing to choose.
template <Rules P>
void require_moves(const P& root, const std::vector<Move>& only) {
    typename P::Moves list;
    root.moves(list);
    if (std::none_of(list.begin(), list.end(), [&](Move m) { return search::allowed(m, only); }))
        throw IllegalMove(list.empty() ? "there is no move in " + quote(root.str())
                                       : "none of the moves to choose from is legal in " + quote(root.str()));
}

// The bounds of a search; 0 nodes and 0 seconds are none.
inline search::Limits limits_of(int depth, std::int64_t nodes, double seconds, std::vector<Move> only, int lines) {
    return {not_below("depth", depth, 1), not_below("nodes", nodes, 0), not_below("seconds", seconds, 0),
            std::move(only), not_below("lines", lines, 1)};
}

// Objects that work without the interpreter's lock serve one thread at a time; a second gets an error, not a race.
class Turn {
  public:
    explicit Turn(const void* object) : object_(object) {
        const std::lock_guard lock(book().mutex);
        if (!book().taken.insert(object).second)
            throw Busy("this player is thinking already; wait until it is done, or make another");
    }
    ~Turn() {
        const std::lock_guard lock(book().mutex);
        book().taken.erase(object_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    struct Book {
        std::mutex mutex;
        std::set<const void*> taken;
    };
    static Book& book() {
        static Book& only = *new Book;  // never destroyed: threads may outlive all else
        return only;
    }
    const void* object_;
};

}  // namespace rookery
