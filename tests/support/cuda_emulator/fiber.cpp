#include "tests/support/cuda_emulator/fiber.h"

#include <cstdint>
#include <new>

#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace cuda_emulator {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kStackBytes = 512 << 10;
#else
constexpr std::size_t kStackBytes = 256 << 10;
#endif

}  // namespace

#if defined(__x86_64__)

extern "C" void cuda_emulator_switch(void** from, void* to);
asm(R"(
.text
.globl cuda_emulator_switch
.type cuda_emulator_switch, @function
cuda_emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size cuda_emulator_switch, .-cuda_emulator_switch
)");

struct Context {
    void* stack_pointer = nullptr;
};
void change(Context& from, Context& to) {
    cuda_emulator_switch(&from.stack_pointer, to.stack_pointer);
}
void prepare(Context& context, std::byte* stack, void (*entry)()) {
    auto top = reinterpret_cast<std::uintptr_t>(stack + kStackBytes) & ~std::uintptr_t{15};
    auto* words = reinterpret_cast<void**>(top);
    *--words = nullptr;  // the entry finds its stack as a call would leave it: aligned but for one word
    *--words = reinterpret_cast<void*>(entry);
    for (int i = 0; i < 6; ++i) *--words = nullptr;
    context.stack_pointer = words;
}

#else

struct Context {
    ucontext_t context{};
};
void change(Context& from, Context& to) {
    swapcontext(&from.context, &to.context);
}
void prepare(Context& context, std::byte* stack, void (*entry)()) {
    getcontext(&context.context);
    context.context.uc_stack.ss_sp = stack;
    context.context.uc_stack.ss_size = kStackBytes;
    context.context.uc_link = nullptr;
    makecontext(&context.context, entry, 0);
}

#endif

struct Fiber::State {
    std::byte* stack = nullptr;
    Context own, caller;
    std::function<void()>* body = nullptr;
    bool ended = true;
#if defined(__SANITIZE_ADDRESS__)
    const void* caller_stack = nullptr;
    std::size_t caller_bytes = 0;
    void* caller_fake = nullptr;
    void* own_fake = nullptr;
#endif
#if defined(__SANITIZE_THREAD__)
    void* tsan = nullptr;
    void* tsan_caller = nullptr;
#endif

    static inline State* starting = nullptr;  // one thread runs fibers at a time

    void enter() {
#if defined(__SANITIZE_THREAD__)
        tsan_caller = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(tsan, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_start_switch_fiber(&caller_fake, stack, kStackBytes);
#endif
        change(caller, own);
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_finish_switch_fiber(caller_fake, nullptr, nullptr);
#endif
    }
    void leave() {
#if defined(__SANITIZE_THREAD__)
        __tsan_switch_to_fiber(tsan_caller, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_start_switch_fiber(ended ? nullptr : &own_fake, caller_stack, caller_bytes);
#endif
        change(own, caller);
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_finish_switch_fiber(own_fake, &caller_stack, &caller_bytes);
#endif
    }
    static void entry() {
        State* self = starting;
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_finish_switch_fiber(nullptr, &self->caller_stack, &self->caller_bytes);
#endif
        // The stack stays; a new body comes with each start.
        (*self->body)();
        self->ended = true;
        self->leave();
        __builtin_trap();
    }
};

Fiber::Fiber() : state_(std::make_unique<State>()) {
    void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    state_->stack = static_cast<std::byte*>(memory);
#if defined(__SANITIZE_THREAD__)
    state_->tsan = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(state_->tsan);
#endif
    munmap(state_->stack, kStackBytes);
}

void Fiber::start(std::function<void()>* body) {
    state_->body = body;
    state_->ended = false;
    State::starting = state_.get();
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(state_->stack, kStackBytes);  // a body given up left its marks
#endif
    prepare(state_->own, state_->stack, &State::entry);
    state_->enter();
}

void Fiber::resume() {
    state_->enter();
}

bool Fiber::ended() const {
    return state_->ended;
}

void Fiber::pause() {
    state_->leave();
}

}  // namespace cuda_emulator
