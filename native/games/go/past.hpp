// The boards of a game so far, as superko needs them: a list whose tail all later positions share.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace rookery::go {

class Past {
  public:
    bool has(std::uint64_t board) const {
        for (const Link* l = last_.get(); l; l = l->before.get())
            if (l->board == board) return true;
        return false;
    }

    void add(std::uint64_t board) { last_ = std::make_shared<const Link>(board, std::move(last_)); }

  private:
    struct Link {
        std::uint64_t board;
        std::shared_ptr<const Link> before;

        Link(std::uint64_t key, std::shared_ptr<const Link> link) : board(key), before(std::move(link)) {}
        Link(const Link&) = delete;
        Link& operator=(const Link&) = delete;

        // A long game is a long list: let it go link by link, not by recursion down the stack.
        ~Link() {
            while (before && before.use_count() == 1) {
                auto up = std::move(const_cast<Link&>(*before).before);
                before = std::move(up);
            }
        }
    };
    std::shared_ptr<const Link> last_;
};

}  // namespace rookery::go
