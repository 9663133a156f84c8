// The interpreter's lock, given back and taken again by native code; and calls into Python from any thread.
//
// A thread that wants the lock while the interpreter ends is ended by it, by an unwinding that C++ destructors
// must not see: the process would abort. Such a thread rests here instead, until the process is gone.
#pragma once

#include <nanobind/nanobind.h>

#include <unistd.h>

#include <atomic>
#include <memory>
#include <optional>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "bind/any.hpp"
#include "core/errors.hpp"
#include "core/poll.hpp"

namespace rookery {

[[noreturn]] inline void rest_for_ever() {
    for (;;) pause();
}

// Calls what may take the lock, or run Python with it. Such an unwinding has no object, so the reference to it is null,
// which is how GCC catches it; the sanitizer does not know.
template <class F>
#ifdef __GNUC__
__attribute__((no_sanitize("null")))
#endif
auto unless_ending(F&& call) {
#ifdef __GLIBCXX__  // elsewhere threads are ended without unwinding
    try {
        return call();
    } catch (abi::__forced_unwind&) {
        rest_for_ever();
    }
#else
    return call();
#endif
}

// Set once the interpreter is gone, and with it what the lock belongs to.
inline std::atomic<bool> interpreter_gone{false};

// Gives the lock back for a while.
class Unlocked {
  public:
    Unlocked() : thread_(PyEval_SaveThread()) {}
    ~Unlocked() {
        unless_ending([&] { PyEval_RestoreThread(thread_); });
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    PyThreadState* thread_;
};

// Takes the lock for a while, on any thread, whether it has it already or not.
class Locked {
  public:
    Locked() : state_(take()) {}
    ~Locked() { PyGILState_Release(state_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    static PyGILState_STATE take() {
        if (interpreter_gone) rest_for_ever();
        return unless_ending([] { return PyGILState_Ensure(); });
    }
    PyGILState_STATE state_;
};

// Throws what a signal handler raised, KeyboardInterrupt above all; on other threads than the main one, nothing.
inline void check_signals() {
    const Locked lock;
    if (unless_ending([] { return PyErr_CheckSignals(); })) throw nb::python_error();
}

// For long work on the thread that Python called from.
inline Poll signals() {
    return Poll(check_signals);
}

// Calls a Python function; needs the lock. Nothing with a destructor lies between the call and its end.
inline nb::object call_python(nb::handle function, nb::handle a = {}, nb::handle b = {}) {
    PyObject* const result = unless_ending([&] {
        return PyObject_CallFunctionObjArgs(function.ptr(), a.ptr(), b.ptr(), nullptr);  // either may end the list
    });
    if (!result) throw nb::python_error();
    return nb::steal(result);
}

using Wish = std::optional<nb::callable>;  // stop(): whether the work shall end

// What long work that may be given up asks: signals, and `stop` where there is one, which must outlive it.
inline Poll::Ask asking(const Wish& stop) {
    return [&stop] {
        check_signals();
        if (!stop) return;
        const Locked lock;
        if (nb::cast<bool>(call_python(*stop))) throw Interrupted("stopped before it was done");
    };
}

// A Python function that searches hold and call from whatever thread they run on.
class Callback {
  public:
    explicit Callback(nb::callable call) : call_(std::make_shared<nb::callable>(std::move(call))) {}
    ~Callback() {
        const Locked lock;
        call_.reset();
    }
    Callback(const Callback&) = default;
    Callback& operator=(const Callback&) = delete;

    // What it says of one position, or of two.
    template <class Result, class... Positions>
    Result ask(const Positions&... positions) const {
        const Locked lock;
        const nb::object answer = call_python(*call_, positions.python()...);
        Result result;
        if (!nb::try_cast(answer, result)) {
            const std::string kind = nb::cast<std::string>(nb::str(answer.type().attr("__name__")));
            throw BadEvaluation("an evaluator answered with " + kind + ", not with a number");
        }
        return result;
    }

  private:
    std::shared_ptr<nb::callable> call_;
};

}  // namespace rookery
