// A block's threads are fibers of one thread that does nothing else: __shared__ variables are its thread_local ones, so that the
// program's piece of thread-local memory, as a whole, is the shared memory of all kernels, and can be filled with NaNs before a block.
#include "tests/support/cuda_emulator/blocks.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include <link.h>

#include "tests/support/cuda_emulator/emulator.h"
#include "tests/support/cuda_emulator/fiber.h"

uint3 threadIdx{}, blockIdx{};
dim3 blockDim{}, gridDim{};

namespace cuda_emulator {
namespace {

constexpr int kLanes = 32;
constexpr int kFilledBlocks = 2;  // of a launch: what the first ones find undefined, the others do, too

struct Trap : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Choice {
    Order order = Order::kForward;
    std::uint64_t seed = 1;
};
Choice orderOfEnvironment() {
    const char* text = std::getenv("TANDEM_EMULATOR_ORDER");
    const std::string name = text == nullptr ? "" : text;
    return {.order = name == "reverse" ? Order::kReverse : name == "shuffled" ? Order::kShuffled : Order::kForward};
}
Choice& choice() {
    static Choice chosen = orderOfEnvironment();
    return chosen;
}

std::vector<std::size_t> orderOf(std::size_t count, std::uint64_t salt) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (choice().order == Order::kReverse) std::reverse(order.begin(), order.end());
    if (choice().order == Order::kShuffled) std::shuffle(order.begin(), order.end(), std::mt19937_64(choice().seed * 7919 + salt));
    return order;
}

// Of the program itself, on this thread. No sanitizer looks at the piece as a whole.
__attribute__((no_sanitize("address", "thread"))) void fillThreadLocals() {
    struct Found {
        void* data = nullptr;
        std::size_t bytes = 0;
    } found;
    const auto look = [](dl_phdr_info* info, std::size_t, void* result) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            if (info->dlpi_phdr[i].p_type == PT_TLS) *static_cast<Found*>(result) = {info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz};
        }
        return 1;  // the first is the program
    };
    dl_iterate_phdr(look, &found);
    auto* words = static_cast<volatile std::uint64_t*>(found.data);
    const std::size_t count = words == nullptr ? 0 : found.bytes / sizeof *words;
    for (std::size_t i = 0; i < count; ++i) words[i] = ~std::uint64_t{0};
    auto* rest = reinterpret_cast<volatile unsigned char*>(words + count);
    for (std::size_t i = 0; words != nullptr && i < found.bytes % sizeof *words; ++i) rest[i] = 0xFF;
}

enum class Wait { kReady, kBarrier, kWarp, kEnded };

struct Group {  // lanes of a warp that meet, by their mask
    unsigned mask = 0, arrived = 0;
    int turn = 0;
    std::uint64_t values[kLanes] = {};
    Exchange results[2];
};
struct Thread {
    Wait wait = Wait::kReady;
    Fiber* fiber = nullptr;
    Group* group = nullptr;
};

class Machine {
public:
    Machine() : thread_([this] { loop(); }) {}
    ~Machine() {
        {
            const std::lock_guard lock(mutex_);
            stops_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    void call(const std::function<void()>& work) {
        if (std::this_thread::get_id() == thread_.get_id()) return work();
        std::unique_lock lock(mutex_);
        work_ = &work;
        wake_.notify_all();
        done_.wait(lock, [&] { return work_ == nullptr; });
    }
    std::string run(const Kernel& kernel) {
        std::string error;
        call([&] {
            try {
                runBlocks(kernel);
            } catch (const std::exception& problem) {
                error = problem.what();
            }
        });
        return error;
    }

    // --- From a fiber ---
    int meetAll(int predicate, const Line& line) {
        if (arrived_ == 0) barrier_ = line;
        if (line.line() != barrier_.line() || std::strcmp(line.file_name(), barrier_.file_name()) != 0) {
            throw Trap("threads of a block meet at two barriers: " + nameOf(barrier_) + " and " + nameOf(line));
        }
        Thread& self = *current_;
        const std::size_t turn = barrier_turn_;
        counts_[turn % 2] += predicate != 0 ? 1 : 0;
        if (++arrived_ == threads_.size()) {
            arrived_ = 0;
            ++barrier_turn_;
            counts_[barrier_turn_ % 2] = 0;
            for (Thread& thread : threads_)
                if (thread.wait == Wait::kBarrier) thread.wait = Wait::kReady;
        } else {
            self.wait = Wait::kBarrier;
            pause();
        }
        return counts_[turn % 2];
    }
    const Exchange& meet(unsigned mask, std::uint64_t value) {
        const std::size_t index = static_cast<std::size_t>(current_ - threads_.data());
        const std::size_t first = index / kLanes * kLanes;
        const std::size_t lanes = std::min<std::size_t>(kLanes, threads_.size() - first);
        const unsigned existing = lanes == kLanes ? ~0U : (1U << lanes) - 1;
        const unsigned own = 1U << (index - first);
        if ((mask & own) == 0) throw Trap("a lane calls a collective of lanes that it is not among");
        std::vector<std::unique_ptr<Group>>& groups = warps_[first / kLanes];
        auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group->mask == (mask & existing); });
        if (found == groups.end()) {
            found = groups.insert(groups.end(), std::make_unique<Group>());
            (*found)->mask = mask & existing;
        }
        Group& group = **found;
        const int turn = group.turn;
        group.values[index - first] = value;
        group.arrived |= own;
        if (group.arrived == group.mask) {
            Exchange& result = group.results[turn % 2];
            result.arrived = group.arrived;
            std::copy(std::begin(group.values), std::end(group.values), std::begin(result.values));
            group.arrived = 0;
            ++group.turn;
            for (std::size_t i = first; i < first + lanes; ++i) {
                if (threads_[i].wait == Wait::kWarp && threads_[i].group == &group) threads_[i].wait = Wait::kReady;
            }
        } else {
            current_->wait = Wait::kWarp;
            current_->group = &group;
            pause();
        }
        return group.results[turn % 2];
    }
    int lane() const { return static_cast<int>((current_ - threads_.data()) % kLanes); }
    void* shared() { return shared_.data(); }

private:
    static std::string nameOf(const Line& line) { return std::string(line.file_name()) + ":" + std::to_string(line.line()); }

    void loop() {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return stops_ || work_ != nullptr; });
            if (stops_) return;
            (*work_)();
            work_ = nullptr;
            done_.notify_all();
        }
    }

    void runBlocks(const Kernel& kernel) {
        gridDim = kernel.grid;
        blockDim = kernel.block;
        const std::size_t blocks = std::size_t{kernel.grid.x} * kernel.grid.y * kernel.grid.z;
        const std::size_t threads = std::size_t{kernel.block.x} * kernel.block.y * kernel.block.z;
        threads_.resize(threads);
        warps_.resize((threads + kLanes - 1) / kLanes);
        // Exactly of the size asked for, for the address sanitizer.
        shared_ = std::vector<Aligned>();
        shared_.resize((kernel.shared_bytes + sizeof(Aligned) - 1) / sizeof(Aligned));
        int filled = 0;
        for (std::size_t b : orderOf(blocks, 1)) {
            if (filled++ < kFilledBlocks) {
                fillThreadLocals();
                std::fill(shared_.begin(), shared_.end(), Aligned{});
            }
            blockIdx = {static_cast<unsigned>(b % kernel.grid.x), static_cast<unsigned>(b / kernel.grid.x % kernel.grid.y),
                        static_cast<unsigned>(b / kernel.grid.x / kernel.grid.y)};
            runBlock(kernel);
        }
    }

    void runBlock(const Kernel& kernel) {
        const std::vector<std::size_t> order = orderOf(threads_.size(), 2 + blockIdx.x);
        for (auto& groups : warps_) groups.clear();
        arrived_ = 0;
        barrier_turn_ = 0;
        counts_[0] = counts_[1] = 0;
        for (Thread& thread : threads_) thread = {};
        body_ = [&] {
            try {
                kernel.body();
            } catch (const Trap& trap) {
                trapped_ = trap.what();
            }
        };
        trapped_.clear();
        free_.clear();
        for (const auto& fiber : fibers_) free_.push_back(fiber.get());
        std::size_t left = threads_.size();
        while (left > 0) {
            bool any = false;
            for (std::size_t i : order) {
                Thread& thread = threads_[i];
                if (thread.wait != Wait::kReady) continue;
                any = true;
                advance(i);
                if (!trapped_.empty()) throw std::runtime_error(trapped_);
                if (thread.fiber->ended()) {
                    thread.wait = Wait::kEnded;
                    free_.push_back(thread.fiber);
                    --left;
                }
            }
            if (!any) throw std::runtime_error("threads of a block wait at a barrier that others never reach");
        }
    }

    void advance(std::size_t i) {
        Thread& thread = threads_[i];
        current_ = &thread;
        const auto x = static_cast<unsigned>(i);
        threadIdx = {x % blockDim.x, x / blockDim.x % blockDim.y, x / blockDim.x / blockDim.y};
        if (thread.fiber != nullptr) return thread.fiber->resume();
        if (free_.empty()) {
            fibers_.push_back(std::make_unique<Fiber>());
            free_.push_back(fibers_.back().get());
        }
        thread.fiber = free_.back();
        free_.pop_back();
        thread.fiber->start(&body_);
    }

    // The other threads' coordinates are restored by advance().
    void pause() { current_->fiber->pause(); }

    struct alignas(16) Aligned {
        std::uint64_t words[2] = {~0ULL, ~0ULL};
    };

    std::mutex mutex_;
    std::condition_variable wake_, done_;
    const std::function<void()>* work_ = nullptr;
    bool stops_ = false;
    std::string trapped_;

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber*> free_;
    std::function<void()> body_;
    std::vector<Thread> threads_;
    std::vector<std::vector<std::unique_ptr<Group>>> warps_;
    Thread* current_ = nullptr;
    std::size_t arrived_ = 0, barrier_turn_ = 0;
    Line barrier_;  // of those that have arrived
    int counts_[2] = {};
    std::vector<Aligned> shared_;
    std::thread thread_;
};

Machine& machine() {
    static Machine the_machine;
    return the_machine;
}

}  // namespace

void onMachine(const std::function<void()>& work) {
    machine().call(work);
}
std::string runKernel(const Kernel& kernel) {
    return machine().run(kernel);
}

void setOrder(Order order, std::uint64_t seed) {
    choice() = {order, seed};
}

void* dynamicShared() {
    return machine().shared();
}
void syncThreads(const Line& line) {
    machine().meetAll(0, line);
}
int syncThreadsCount(int predicate, const Line& line) {
    return machine().meetAll(predicate, line);
}
int syncThreadsOr(int predicate, const Line& line) {
    return machine().meetAll(predicate, line) > 0 ? 1 : 0;
}
int syncThreadsAnd(int predicate, const Line& line) {
    return machine().meetAll(predicate == 0 ? 1 : 0, line) == 0 ? 1 : 0;
}
const Exchange& exchange(unsigned mask, std::uint64_t value) {
    return machine().meet(mask, value);
}
int lane() {
    return machine().lane();
}
void trap(const char* what) {
    throw Trap(what);
}

}  // namespace cuda_emulator
