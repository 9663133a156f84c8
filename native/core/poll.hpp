// Long work asks now and then whether it is still wanted, so that Ctrl-C is heard inside it.
#pragma once

#include <chrono>
#include <functional>

namespace rookery {

// Used by one thread: the one that Python called from.
class Poll {
  public:
    using Ask = std::function<void()>;  // throws to break the work off

    Poll() = default;
    explicit Poll(Ask ask) : ask_(std::move(ask)), next_(Clock::now() + every) {}

    // Looks at the clock, and asks five times a second. Costs some 25 ns: for every thousandth step of hot loops.
    void look() {
        if (!ask_) return;
        const auto now = Clock::now();
        if (now < next_) return;
        next_ = now + every;
        ask_();
    }
    // The same for every 1024th call, or as many as that.
    void step(unsigned every_so_many = 1024) {
        if (++steps_ % every_so_many == 0) look();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds every{200};
    Ask ask_;
    Clock::time_point next_{};
    unsigned steps_ = 0;
};

}  // namespace rookery
