#include "agent/server/rpc/answer_queue.h"

#include <cstdint>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/thread/mutex.h"

namespace agent::server {

AnswerQueue::AnswerQueue() : cancelled_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

bool AnswerQueue::push(std::string answer) {
    const std::size_t size = answer.size();
    {
        engine::MutexLock lock(mutex_);
        room_.wait(lock,
                   [&]() TANDEM_REQUIRES(mutex_) { return state_ != State::kOpen || answers_.empty() || bytes_ + size <= kMostBytes; });
        if (state_ != State::kOpen) {
            return false;
        }
        bytes_ += size;
        answers_.push_back(std::move(answer));
    }
    wake();
    return true;
}

void AnswerQueue::finish(std::optional<engine::Error> error) {
    {
        const engine::MutexLock lock(mutex_);
        if (state_ != State::kOpen) {
            return;
        }
        state_ = State::kFinished;
        error_ = std::move(error);
    }
    room_.notify_all();
    wake();
}

bool AnswerQueue::isCancelled() const {
    const engine::MutexLock lock(mutex_);
    return state_ == State::kCancelled;
}

AnswerQueue::Next AnswerQueue::next() {
    Next next;
    const engine::MutexLock lock(mutex_);
    if (!answers_.empty()) {
        next.answer = std::move(answers_.front());
        answers_.pop_front();
        bytes_ -= next.answer->size();
        room_.notify_one();
    } else if (state_ != State::kOpen) {
        if (error_) {
            throw engine::Error(*error_);
        }
        next.is_end = true;
    }
    return next;
}

void AnswerQueue::setWaker(std::function<void()> waker) {
    const engine::MutexLock lock(waker_mutex_);
    waker_ = std::move(waker);
}

void AnswerQueue::wake() {
    const engine::MutexLock lock(waker_mutex_);
    if (waker_) {
        waker_();
    }
}

void AnswerQueue::cancel() {
    {
        const engine::MutexLock lock(mutex_);
        state_ = State::kCancelled;
    }
    room_.notify_all();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(cancelled_.get(), &one, sizeof one);
}

}  // namespace agent::server
