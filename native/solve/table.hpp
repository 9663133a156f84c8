// What the search knows of the positions that it has met: a table that threads share without locks. An entry is
// two words, and the first is stored crossed with the second (Hyatt, Mann 2002), so that a torn one is not found.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "core/rng.hpp"
#include "solve/board.hpp"

namespace rookery::solve {

struct Known {
    static constexpr int never = 31, no_move = 31;
    int yes = never;     // proven with this many moves of the prover, and so with more
    int no = -1;         // not proven with this many, and so not with fewer
    int move = no_move;  // the one that settled it
};

class Table {
  public:
    explicit Table(std::size_t megabytes) {
        std::size_t lines = 1;
        while (lines * 2 * sizeof(Line) <= megabytes << 20) lines *= 2;
        mask_ = lines - 1;
        void* const memory = ::operator new(bytes(), align);
#if defined(__linux__)
        madvise(memory, bytes(), MADV_HUGEPAGE);  // Nearly every look at a large table would miss a small page.
#endif
        lines_.reset(new (memory) Line[lines]);
    }

    std::size_t bytes() const { return (mask_ + 1) * sizeof(Line); }
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&line(key)); }

    Known find(std::uint64_t key) const {
        for (const Entry& e : line(key).entries) {
            const std::uint64_t data = e.data.load(std::memory_order_relaxed);
            if ((e.key.load(std::memory_order_relaxed) ^ data) == key) return unpack(data);
        }
        return {};
    }

    // Adds to what is known, or takes the place of the entry that cost the least work.
    void store(std::uint64_t key, Known known, std::uint64_t work) {
        Entry* place = nullptr;
        std::uint64_t least = ~std::uint64_t{0};
        for (Entry& e : line(key).entries) {
            const std::uint64_t old = e.data.load(std::memory_order_relaxed);
            if ((e.key.load(std::memory_order_relaxed) ^ old) == key) {
                const Known before = unpack(old);
                known.yes = std::min(known.yes, before.yes);
                known.no = std::max(known.no, before.no);
                place = &e;
                break;
            }
            if (old >> 15 < least) {
                least = old >> 15;
                place = &e;
            }
        }
        const std::uint64_t data =
            static_cast<std::uint64_t>(known.yes) | static_cast<std::uint64_t>(known.no + 1) << 5 |
            static_cast<std::uint64_t>(known.move) << 10 | static_cast<std::uint64_t>(std::bit_width(work) + 1) << 15;
        place->key.store(key ^ data, std::memory_order_relaxed);
        place->data.store(data, std::memory_order_relaxed);
    }

  private:
    struct Entry {
        std::atomic<std::uint64_t> key{0}, data{0};
    };
    struct alignas(64) Line {
        std::array<Entry, 4> entries;
    };

    static Known unpack(std::uint64_t data) {
        return {static_cast<int>(data & 31), static_cast<int>(data >> 5 & 31) - 1, static_cast<int>(data >> 10 & 31)};
    }
    static constexpr std::align_val_t align{std::size_t{1} << 21};
    struct Free {
        void operator()(Line* lines) const { ::operator delete(lines, align); }
    };

    Line& line(std::uint64_t key) const { return lines_.get()[mix(key) & mask_]; }

    std::unique_ptr<Line, Free> lines_;  // plain memory: a Line needs no destructor
    std::size_t mask_ = 0;
};

}  // namespace rookery::solve
