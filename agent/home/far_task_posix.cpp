#include "agent/home/far_task.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::home {

namespace {

constexpr std::chrono::hours kTellDeadline{24};  // a supervisor that has ended closes its end

convert::FileDescriptor opened(int descriptor) {
    if (descriptor < 0) {
        throw engine::Error(engine::ErrorCode::kResourceExhausted,
                            std::string("a task on another computer: expected a file descriptor for it, got: ") + std::strerror(errno));
    }
    return convert::FileDescriptor(descriptor);
}

}  // namespace

// The supervisor's end. What a far task prints comes as events, so that its output streams are empty.
class FarTask::End final : public server::Process {
public:
    explicit End(std::shared_ptr<FarTask> task)
        : task_(std::move(task)),
          events_(std::move(task_->ends_.supervisor)),
          nothing_(opened(::open("/dev/null", O_RDONLY | O_CLOEXEC))) {}
    ~End() override { signalGroup(SIGKILL); }

    int pid() const override { return 0; }
    int exitDescriptor() const override { return task_->exit_.get(); }
    int eventDescriptor() const override { return events_.get(); }
    int outputDescriptor() const override { return nothing_.get(); }
    int errorDescriptor() const override { return nothing_.get(); }
    void signalGroup(int signal) override {
        if (!task_->hasEnded() && task_->wanted_signal_ != SIGKILL) {
            task_->wanted_signal_ = signal;
            task_->wake_();
        }
    }
    std::optional<server::ExitStatus> tryReap() override {
        const engine::MutexLock lock(task_->mutex_);
        return task_->status_;
    }
    std::string host() const override { return task_->host_; }
    bool isReached() const override { return task_->reached_; }
    std::string givenUp() const override {
        const engine::MutexLock lock(task_->mutex_);
        return task_->given_up_;
    }

private:
    const std::shared_ptr<FarTask> task_;
    const convert::FileDescriptor events_, nothing_;
};

FarTask::SocketPair FarTask::makePair() {
    int ends[2] = {-1, -1};
    const bool made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0;
    return {opened(made ? ends[0] : -1), convert::FileDescriptor(ends[1])};
}

FarTask::FarTask(engine::spec::TaskId id, std::string host, std::function<void()> wake)
    : id_(std::move(id)),
      host_(std::move(host)),
      wake_(std::move(wake)),
      ends_(makePair()),
      exit_(opened(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      writer_(ends_.part.get()),
      orders_(ends_.part.get()) {}

std::unique_ptr<server::Process> FarTask::process(const std::shared_ptr<FarTask>& task) {
    return std::make_unique<End>(task);
}

bool FarTask::tell(const engine::spec::TaskEvent& event) {
    try {
        return writer_.write(convert::toProto(event), kTellDeadline);
    } catch (const engine::Error&) {
        return false;
    }
}

void FarTask::end(const server::ExitStatus& status, const std::string& given_up) {
    {
        const engine::MutexLock lock(mutex_);
        if (status_) {
            return;
        }
        status_ = status;
        given_up_ = given_up;
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(exit_.get(), &one, sizeof one);
}

bool FarTask::hasEnded() const {
    const engine::MutexLock lock(mutex_);
    return status_.has_value();
}

}  // namespace agent::home
