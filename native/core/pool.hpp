// Threads that wait for work, and bring its failures back to whoever asked for it.
//
// They are started by the first work that wants them and kept, since many short jobs follow each other.
// Nothing here ends the process: a thread that cannot be started, or a job that throws, is an error of run().
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "core/errors.hpp"

namespace rookery {

class Pool {
  public:
    using Job = std::function<void(int)>;

    // `threads`: how many work, the caller's among them. `stride`: how many jobs a thread takes at a time; 1 where
    // they are long.
    explicit Pool(int threads, int stride = 1) : size_(std::max(1, threads)), stride_(std::max(1, stride)) {}
    ~Pool() { leave(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int size() const { return size_; }

    // Calls job(i) for each i below count, in any order and on any thread; job 0 on the caller's, which works
    // along. Once a job has thrown, no other is begun; when those under way have ended, the failure of the lowest
    // of them is thrown here. While the caller only waits for the others it calls `poll` ten times a second,
    // whose failure counts as that of a job. A job must not call run().
    void run(int count, const Job& job, const std::function<void()>& poll = {}) {
        const std::lock_guard turn(turn_);
        if (count <= 0) return;
        if (size_ == 1 || count == 1) {
            broken_ = false;
            for (int i = 0; i < count; ++i) job(i);
            return;
        }
        Room& room = enter();
        {
            const std::lock_guard lock(room.mutex);
            room.job = &job, room.count = count, room.next = stride_;
            room.busy = static_cast<int>(room.threads.size());
            room.failure = nullptr;
            broken_ = false;
            ++room.round;
        }
        room.begin.notify_all();
        work(room, 0);
        wait_for_others(room, poll);
        if (room.failure) std::rethrow_exception(std::exchange(room.failure, nullptr));
    }

    // For jobs that last: whether one has failed, so that what the others do is thrown away.
    bool broken() const { return broken_.load(std::memory_order_relaxed); }

  private:
    struct Room {
        std::mutex mutex;
        std::condition_variable begin, done;
        const Job* job = nullptr;
        std::atomic<std::int64_t> next{0};
        std::int64_t count = 0, round = 0;
        int busy = 0;  // threads that have not ended this round
        bool ending = false;
        std::exception_ptr failure;
        std::int64_t failed = 0;  // the job whose failure it is
        std::vector<std::thread> threads;
    };

    // The room with all its threads at work.
    Room& enter() {
        // A forked child has the room but none of its threads: it cannot be tidied up, only left alone.
        if (room_ && home_ != getpid()) static_cast<void>(room_.release());
        if (room_) return *room_;
        room_ = std::make_unique<Room>();
        home_ = getpid();
        try {
            room_->threads.reserve(static_cast<std::size_t>(size_ - 1));
            for (int i = 1; i < size_; ++i) room_->threads.emplace_back([this, room = room_.get()] { attend(*room); });
        } catch (const std::system_error& error) {
            const std::string started = std::to_string(room_->threads.size() + 1);
            leave();
            throw NoThread("only " + started + " of " + std::to_string(size_) + " threads can be started (" +
                           error.code().message() + "); ask for fewer");
        } catch (...) {
            leave();
            throw;
        }
        return *room_;
    }

    void leave() {
        if (!room_) return;
        if (home_ != getpid()) {
            static_cast<void>(room_.release());
            return;
        }
        {
            const std::lock_guard lock(room_->mutex);
            room_->ending = true;
        }
        room_->begin.notify_all();
        for (std::thread& thread : room_->threads) thread.join();
        room_.reset();
    }

    void work(Room& room, std::int64_t from) {
        for (std::int64_t i = from; i < room.count; i = room.next.fetch_add(stride_))
            for (std::int64_t j = i; j < std::min(i + stride_, room.count); ++j) {
                if (broken()) return;
                try {
                    (*room.job)(static_cast<int>(j));
                } catch (...) {
                    fail(room, j);
                    return;
                }
            }
    }

    void fail(Room& room, std::int64_t job) {
        const std::lock_guard lock(room.mutex);
        if (!room.failure || job < room.failed) room.failure = std::current_exception(), room.failed = job;
        broken_ = true;
    }

    void attend(Room& room) {
        for (std::int64_t seen = 0;;) {
            {
                std::unique_lock lock(room.mutex);
                room.begin.wait(lock, [&] { return room.ending || room.round != seen; });
                if (room.ending) return;
                seen = room.round;
            }
            work(room, room.next.fetch_add(stride_));
            const std::lock_guard lock(room.mutex);
            if (--room.busy == 0) room.done.notify_one();
        }
    }

    void wait_for_others(Room& room, const std::function<void()>& poll) {
        std::unique_lock lock(room.mutex);
        const auto idle = [&] { return room.busy == 0; };
        while (poll && !broken()) {
            if (room.done.wait_for(lock, std::chrono::milliseconds(100), idle)) return;
            lock.unlock();
            try {
                poll();
            } catch (...) {
                fail(room, room.count);
            }
            lock.lock();
        }
        room.done.wait(lock, idle);
    }

    const int size_;
    const std::int64_t stride_;
    std::mutex turn_;  // of callers, if there are several
    std::unique_ptr<Room> room_;
    pid_t home_ = 0;  // the process whose threads those are
    std::atomic<bool> broken_{false};
};

}  // namespace rookery
