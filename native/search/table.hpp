// A transposition table: what earlier visits found out about a position.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "search/knowledge.hpp"

namespace rookery::search {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct TableEntry {
    Move move = -1;
    Value value = 0;
    int depth = 0;
    Bound bound = Bound::none;
};

// Shared by threads without locks: an entry is two words, and the key is stored xor-ed with the other, so that a
// torn entry fits no position (Hyatt, Mann 2002).
class Table {
  public:
    static constexpr Move most_moves = (1 << 22) - 1;  // move numbers that an entry can tell apart

    explicit Table(std::size_t megabytes) {
        std::size_t size = 1024;
        while (size * 2 * sizeof(Slot) <= megabytes << 20) size *= 2;
        slots_ = std::make_unique<Slot[]>(size);
        mask_ = size - 1;
    }

    std::optional<TableEntry> find(std::uint64_t key) const {
        const Slot& e = slots_[key & mask_];
        const std::uint64_t data = e.data.load(std::memory_order_relaxed);
        if ((e.key.load(std::memory_order_relaxed) ^ data) != key || data == 0) return std::nullopt;
        return unpack(data);
    }

    // The deeper look wins, unless it is about another position.
    void keep(std::uint64_t key, const TableEntry& m) {
        Slot& e = slots_[key & mask_];
        const std::uint64_t old = e.data.load(std::memory_order_relaxed);
        if (old && (e.key.load(std::memory_order_relaxed) ^ old) == key && m.bound != Bound::exact &&
            unpack(old).depth > m.depth + 3)
            return;
        const std::uint64_t data = pack(m);
        e.key.store(key ^ data, std::memory_order_relaxed);
        e.data.store(data, std::memory_order_relaxed);
    }

    void clear() {
        for (std::size_t i = 0; i <= mask_; ++i) {
            slots_[i].key.store(0, std::memory_order_relaxed);
            slots_[i].data.store(0, std::memory_order_relaxed);
        }
    }

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[key & mask_]); }

  private:
    struct Slot {
        std::atomic<std::uint64_t> key{0}, data{0};
    };

    // 32 bits value, 22 bits move + 1, 8 bits depth, 2 bits bound.
    static std::uint64_t pack(const TableEntry& m) {
        return static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(m.value)) << 32 |
               static_cast<std::uint64_t>(m.move + 1) << 10 | static_cast<std::uint64_t>(m.depth & 0xff) << 2 |
               static_cast<std::uint64_t>(m.bound);
    }
    static TableEntry unpack(std::uint64_t data) {
        return {static_cast<Move>((data >> 10) & 0x3fffff) - 1,
                std::bit_cast<Value>(static_cast<std::uint32_t>(data >> 32)), static_cast<int>((data >> 2) & 0xff),
                static_cast<Bound>(data & 3)};
    }

    std::unique_ptr<Slot[]> slots_;
    std::size_t mask_;
};

}  // namespace rookery::search
