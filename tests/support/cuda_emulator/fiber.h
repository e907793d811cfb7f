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

    // Called from the thread's own stack: runs `body` until it ends or pauses. The next start may give up a body that has not ended.
    void start(std::function<void()>* body);
    void resume();
    bool ended() const;
    // Called from within the body.
    void pause();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cuda_emulator
