// Stacks that one thread changes between.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace cuda_emulator {

class Fiber {
public:
    Fiber();
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    // From the thread's own stack: goes on with `body` until it ends or pauses. A body that is not ended may be given up by the next start.
    void start(std::function<void()>* body);
    void resume();
    bool ended() const;
    // From within the body.
    void pause();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cuda_emulator
