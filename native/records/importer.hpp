// PGN in, games of a store out: each once, and only those that are asked for.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/poll.hpp"
#include "records/header.hpp"
#include "records/pgn.hpp"

namespace rookery::records {

// Which games are kept. An unknown rating or date fits no bound of it.
struct Filter {
    int min_elo = 0, max_elo = 0;                         // of both players; 0: any
    std::array<bool, 4> results{true, true, true, true};  // Black won, drawn, White won, unknown
    int min_plies = 1, max_plies = 0xffff;
    std::uint32_t since = 0, until = 0;  // yyyymmdd; 0: any
};

// The ids that have been seen: open addressing, as there may be a hundred million.
class Seen {
  public:
    Seen() : slots_(1024, 0) {}
    // Whether it is new.
    bool add(std::uint64_t id);

  private:
    std::vector<std::uint64_t> slots_;  // 0: free
    std::size_t used_ = 0;
    bool zero_ = false;  // whether the id 0 was seen
};

class Importer {
  public:
    // ids: of the games that the store has; moves, text: how long its parts are.
    Importer(Filter filter, std::span<const std::uint64_t> ids, std::uint64_t moves, std::uint64_t text);

    // The next bytes of a file; `last` ends it. What was found waits in the three parts below.
    void feed(std::string_view bytes, bool last, Poll& poll);

    struct Counts {
        std::int64_t read = 0, kept = 0, duplicates = 0, plies = 0;
        std::array<std::int64_t, skip_names.size()> skipped{};
    };
    const Counts& counts() const { return counts_; }
    // Bytes of this file that are done with: the next game begins there.
    std::uint64_t consumed() const { return consumed_; }
    // To be written behind the parts of the store, and forgotten here.
    struct Parts {
        std::string headers, moves, text;
    };
    Parts take();

  private:
    Skip wanted(const PgnGame& game) const;
    void keep(PgnGame& game);

    Filter filter_;
    Seen seen_;
    Counts counts_;
    std::string buffer_;      // from the beginning of the first game that is not done
    std::size_t enough_ = 0;  // how long the buffer must be before it is worth another look
    bool marked_ = false;     // whether the first bytes of the file were looked at
    std::uint64_t consumed_ = 0, moves_, text_;
    Parts parts_;
    PgnGame game_;
};

}  // namespace rookery::records
