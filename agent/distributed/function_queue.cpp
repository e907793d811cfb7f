#include "agent/distributed/function_queue.h"

#include <utility>

namespace agent::distributed {

using engine::Error;
using engine::ErrorCode;
using engine::MutexLock;

struct FunctionQueue::Result {
    std::optional<worker::FunctionValues> values;
    std::optional<Error> error;

    bool isThere() const { return values || error; }
};

FunctionQueue::FunctionQueue(std::size_t limit, int workers) : limit_(limit), workers_(workers) {
    ENGINE_CHECK(limit > 0 && workers > 0);
}
FunctionQueue::~FunctionQueue() = default;

void FunctionQueue::throwKept() {
    if (kept_) throw Error(*std::exchange(kept_, std::nullopt));
}

std::shared_ptr<FunctionQueue::Result> FunctionQueue::push(std::string function, worker::FunctionValues arguments) {
    MutexLock lock(mutex_);
    changed_.wait(lock, [this]() TANDEM_REQUIRES(mutex_) { return kept_ || no_worker_ || waiting_.size() < limit_; });
    throwKept();
    if (no_worker_) throw Error(*no_worker_);
    auto result = std::make_shared<Result>();
    waiting_.push_back({.function = std::move(function), .arguments = std::move(arguments), .result = result});
    changed_.notify_all();
    return result;
}

void FunctionQueue::wait() {
    MutexLock lock(mutex_);
    changed_.wait(lock, [this]() TANDEM_REQUIRES(mutex_) { return isEmpty(); });
    throwKept();
}

bool FunctionQueue::isDone() {
    const MutexLock lock(mutex_);
    throwKept();
    return isEmpty();
}

worker::FunctionValues FunctionQueue::fetch(const Result& result) {
    MutexLock lock(mutex_);
    changed_.wait(lock, [&result] { return result.isThere(); });
    if (result.error) throw Error(*result.error);
    return *result.values;
}

std::optional<FunctionQueue::Call> FunctionQueue::take(std::chrono::milliseconds may_wait) {
    MutexLock lock(mutex_);
    if (!changed_.wait_for(lock, may_wait, [this]() TANDEM_REQUIRES(mutex_) { return !waiting_.empty(); })) return std::nullopt;
    Call call = std::move(waiting_.front());
    waiting_.pop_front();
    ++under_way_;
    changed_.notify_all();
    return call;
}

void FunctionQueue::done(const Call& call, worker::FunctionValues values) {
    const MutexLock lock(mutex_);
    call.result->values = std::move(values);
    --under_way_;
    changed_.notify_all();
}

void FunctionQueue::failed(const Call& call, const Error& error) {
    const MutexLock lock(mutex_);
    call.result->error = error;
    --under_way_;
    failAll(error);
}

void FunctionQueue::lost(Call call, const Error& why) {
    const MutexLock lock(mutex_);
    --under_way_;
    ++call.losses;
    if (call.losses >= kMostLosses) {
        const Error error(why.code(), "function " + call.function + ": " + std::to_string(call.losses) +
                                          " workers were lost while they ran it, the last one: " + why.what());
        call.result->error = error;
        failAll(error);
    } else if (kept_ || no_worker_) {  // it would be one of those that wait
        call.result->error = Error(ErrorCode::kCancelled, "function " + call.function + ": " + why.what());
    } else {
        waiting_.push_front(std::move(call));
    }
    changed_.notify_all();
}

void FunctionQueue::giveUpWorker(const Error& why) {
    const MutexLock lock(mutex_);
    if (--workers_ > 0) return;
    no_worker_ = why;
    failAll(why);
}

void FunctionQueue::takeBackWorker() {
    const MutexLock lock(mutex_);
    ++workers_;
    no_worker_.reset();
}

void FunctionQueue::fail(const Error& error) {
    const MutexLock lock(mutex_);
    failAll(error);
}

// The first error stays.
void FunctionQueue::failAll(const Error& error) {
    if (!kept_) kept_ = error;
    for (Call& call : std::exchange(waiting_, {})) {
        call.result->error = Error(ErrorCode::kCancelled, "function " + call.function + ": not run, because of " + error.what());
    }
    changed_.notify_all();
}

}  // namespace agent::distributed
