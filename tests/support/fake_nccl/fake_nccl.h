// What a test tells the library of tests/support/fake_nccl, and what the library has seen. Tests find it by dlsym(), because the library is
// loaded as NCCL is.
#pragma once

#include <atomic>

struct FakeNccl {
    std::atomic<int> slow_calls{0};  // polls that a call takes
    std::atomic<int> graphs{0};      // captured and alive: no communicator ends before them
    std::atomic<bool> fails{false};  // every communicator, as its state tells
    const char* last_error = "";
    std::atomic<int> communicators{0}, sums{0}, broadcasts{0}, aborts_begun{0}, aborted{0}, destroyed{0};
};

extern "C" FakeNccl* fakeNccl();
