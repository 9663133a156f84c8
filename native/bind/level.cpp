// Which of the processor levels of CMakeLists.txt this machine runs, best first.
#include <nanobind/nanobind.h>

namespace {

const char* best() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return "x86-64-v4";
    if (__builtin_cpu_supports("x86-64-v3")) return "x86-64-v3";
    return "x86-64";
#else
    return "portable";
#endif
}

}  // namespace

NB_MODULE(_level, m) {
    m.def("best", &best);
}
