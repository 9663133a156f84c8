// How fast a belief follows what a view has heard.
#pragma once

#include "bind/bind.hpp"
#include "games/kriegspiel/view.hpp"

namespace rookery {

// Follows the log of a view again and again, each time with a belief that `begin` makes; gives how many moves that
// were, refused tries aside.
template <class Begin>
std::int64_t replay(const kriegspiel::View& view, std::int64_t updates, const Begin& begin) {
    Poll poll = signals();
    not_below("updates", updates, 0);
    const auto stood = [](const kriegspiel::Event& e) { return e.kind != kriegspiel::Event::refused; };
    if (std::none_of(view.log.begin(), view.log.end(), stood)) return 0;
    std::int64_t done = 0;
    while (done < updates) {
        auto known = begin();
        for (const kriegspiel::Event& event : view.log) {
            known.follow(event);
            done += stood(event);
        }
        poll.step(64);
    }
    return done;
}

}  // namespace rookery
