// The threads of one executor. They run one function together and meet at barriers; between steps they sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace engine::backend::cpu {

// Owned by an executor; run() comes from one thread, which takes part as thread 0. Every thread treats denormals as zero while it works.
// Waiting first spins, soon yields (another process may want the core), and after a while sleeps until it is woken.
class ThreadPool {
public:
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return size_; }

    // Work of one step. Only `runThread(0)` may throw: the others then leave at their next barrier and run() throws the same.
    class Work {
    public:
        virtual void runThread(int thread) = 0;

    protected:
        ~Work() = default;
    };
    void run(Work& work);

    // All threads of the current run() meet here. False: thread 0 has thrown, leave the work.
    bool barrier();

private:
    void serve(int thread);

    const int size_;
    Work* work_ = nullptr;  // written before `round_` moves, read after
    alignas(64) std::atomic<std::uint32_t> round_{0};
    alignas(64) std::atomic<int> working_{0};
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<std::uint32_t> phase_{0};
    std::atomic<bool> abandoned_{false}, ends_{false};
    std::vector<std::jthread> threads_;
};

}  // namespace engine::backend::cpu
