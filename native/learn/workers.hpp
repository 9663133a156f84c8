// Threads that wait for work: many short jobs follow each other, and starting threads would cost too much.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rookery::learn {

class Workers {
  public:
    // `stride`: how many jobs a thread takes at a time; 1 where they are long.
    explicit Workers(int threads, int stride = 4) : stride_(stride) {
        for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { wait(); });
    }
    ~Workers() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        begin_.notify_all();
        for (std::thread& t : threads_) t.join();
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int size() const { return static_cast<int>(threads_.size()) + 1; }

    // Calls job(i) for each i below count, in any order and on any thread; the caller's is one of them.
    void run(int count, const std::function<void(int)>& job) {
        {
            const std::lock_guard lock(mutex_);
            job_ = &job, count_ = count, next_ = 0, busy_ = static_cast<int>(threads_.size());
            ++round_;
        }
        begin_.notify_all();
        work();
        std::unique_lock lock(mutex_);
        done_.wait(lock, [&] { return busy_ == 0; });
    }

  private:
    void work() {
        for (int i; (i = next_.fetch_add(stride_)) < count_;)
            for (int j = i; j < std::min(i + stride_, count_); ++j) (*job_)(j);
    }

    void wait() {
        for (std::int64_t seen = 0;;) {
            {
                std::unique_lock lock(mutex_);
                begin_.wait(lock, [&] { return ending_ || round_ != seen; });
                if (ending_) return;
                seen = round_;
            }
            work();
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) done_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable begin_, done_;
    std::vector<std::thread> threads_;
    const std::function<void(int)>* job_ = nullptr;
    std::atomic<int> next_{0};
    int count_ = 0, busy_ = 0;
    std::int64_t round_ = 0;
    const int stride_;
    bool ending_ = false;
};

}  // namespace rookery::learn
