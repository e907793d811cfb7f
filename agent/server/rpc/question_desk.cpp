#include "agent/server/rpc/question_desk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent/load/proc_text.h"
#include "agent/proto/agent.pb.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/size_limits.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"
#include "engine/thread/mutex.h"
#include "engine/thread/usable_cores.h"

namespace agent::server {

using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kDataFolder = "TANDEM_DATA_DIR";
constexpr std::chrono::milliseconds kLook{250};         // between two looks at the worker's memory
constexpr std::chrono::milliseconds kHandOver{10'000};  // until the worker has taken the question
constexpr std::size_t kKeptText = 16u << 10;            // of what the worker says on its standard error
constexpr std::size_t kAtOnce = 256u << 10;             // of what it says, between two looks at everything else

[[noreturn]] void refuse(ErrorCode code, const std::string& what) {
    throw Error(code, "tandem-worker: " + what);
}

std::string textOf(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::int64_t hostMemory() {
    return load::parseMemory(textOf("/proc/meminfo")).total_bytes;
}

std::int64_t residentBytes(int pid) {
    const std::optional<load::ProcessUse> use = load::parseProcess(textOf("/proc/" + std::to_string(pid) + "/stat"));
    return use ? use->resident_pages * ::sysconf(_SC_PAGESIZE) : 0;
}

QuestionLimits completed(QuestionLimits limits) {
    if (limits.at_once == 0) {
        limits.at_once = std::max(QuestionLimits::kLeastAtOnce, engine::usableCores());
    }
    if (limits.memory_bytes == 0) {
        limits.memory_bytes = hostMemory() / 10 * 9;
    }
    return limits;
}

// The last error that was said, without the word in front of it; where none was, the last line.
std::string reasonIn(std::string_view said) {
    constexpr std::string_view kMarker = "error: ";
    while (said.ends_with('\n')) {
        said.remove_suffix(1);
    }
    const std::size_t at = said.rfind(kMarker);
    if (at == std::string_view::npos) {
        return std::string(said.substr(said.rfind('\n') + 1));
    }
    const std::string_view reason = said.substr(at + kMarker.size());
    return std::string(reason.substr(0, reason.find('\n')));
}

// One worker and its answer. Throws engine::Error for everything but an answer.
class Conversation {
public:
    Conversation(const QuestionLimits& limits, ProcessLauncher& launcher, const ProcessSpec& worker, AnswerQueue& answer, int ending)
        : limits_(limits),
          answer_(answer),
          ending_(ending),
          process_(launcher.launch(worker)),
          reader_(process_->eventDescriptor()),
          heard_(Clock::now()) {}

    void hold(const proto::Question& question, std::chrono::milliseconds longest_silence) {
        silence_ = longest_silence;
        handOver(question);
        while (hears_ || !ended()) {
            listen();
        }
        readText(process_->errorDescriptor(), &said_);
        if (status_ != ExitStatus{0, 0}) {
            refuse(ErrorCode::kInternal, howItEnded());
        }
        if (!has_answered_) {
            refuse(ErrorCode::kDataLoss, "expected an answer, got none" + (said_.empty() ? "" : ": " + reasonIn(said_)));
        }
    }

    // Asks the worker to end and sees to it that it does.
    void dismiss() {
        process_->signalGroup(SIGTERM);
        pollfd entry{process_->exitDescriptor(), POLLIN, 0};
        ::poll(&entry, 1, static_cast<int>(limits_.grace.count()));  // the process' end kills what is left of it
    }

private:
    // A worker that is gone by now says why by the way in which it ended.
    void handOver(const proto::Question& question) {
        try {
            static_cast<void>(!convert::DelimitedWriter(process_->eventDescriptor()).write(question, kHandOver));
        } catch (const Error& error) {
            refuse(error.code(), error.what());
        }
    }

    bool ended() {
        if (!status_) {
            status_ = process_->tryReap();
        }
        return status_.has_value();
    }

    std::string howItEnded() const {
        const std::string reason = reasonIn(said_);
        return toString(*status_) + (reason.empty() ? "" : ": " + reason);
    }

    // Waits for the next thing to happen, kLook at the most, and takes it in.
    void listen() {
        std::array<pollfd, 6> entries{{{answer_.cancelDescriptor(), POLLIN, 0},
                                       {ending_, POLLIN, 0},
                                       {hears_ ? process_->eventDescriptor() : -1, POLLIN, 0},
                                       {errors_open_ ? process_->errorDescriptor() : -1, POLLIN, 0},
                                       {output_open_ ? process_->outputDescriptor() : -1, POLLIN, 0},
                                       {status_ ? -1 : process_->exitDescriptor(), POLLIN, 0}}};
        ::poll(entries.data(), entries.size(), status_ ? 0 : static_cast<int>(kLook.count()));
        if (entries[0].revents != 0) {
            throw Error(ErrorCode::kCancelled, "question: nobody waits for the answer any more");
        }
        if (entries[1].revents != 0) {
            throw Error(ErrorCode::kUnavailable, "agent: it is ending");
        }
        const bool is_over = ended();  // before what it wrote last is read
        errors_open_ = errors_open_ && readText(process_->errorDescriptor(), &said_);
        output_open_ = output_open_ && readText(process_->outputDescriptor(), nullptr);
        if (hears_) {
            readAnswers();
            hears_ = hears_ && !is_over;
        }
        judge();
    }

    void readAnswers() {
        proto::Answer message;
        for (;;) {
            convert::ReadResult result{};
            try {
                result = reader_.read(message);
            } catch (const Error& error) {
                refuseStream(error);
            }
            if (result != convert::ReadResult::kMessage) {
                hears_ = result != convert::ReadResult::kEnd;
                return;
            }
            if (message.body_case() == proto::Answer::BODY_NOT_SET) {
                refuse(ErrorCode::kDataLoss, "expected an answer, got a message without one");
            }
            bytes_ += message.ByteSizeLong();
            if (bytes_ > limits_.answer_bytes) {
                refuse(ErrorCode::kResourceExhausted,
                       "expected an answer of at most " + std::to_string(limits_.answer_bytes) + " bytes, got a larger one");
            }
            has_answered_ = has_answered_ || (!message.has_note() && !message.has_progress());
            if (!answer_.push(message.SerializeAsString())) {
                throw Error(ErrorCode::kCancelled, "question: nobody waits for the answer any more");
            }
            heard_ = Clock::now();  // the time in which the caller was slow is not the worker's
        }
    }

    // A stream that breaks off because the worker died is told as that.
    [[noreturn]] void refuseStream(const Error& error) {
        pollfd entry{process_->exitDescriptor(), POLLIN, 0};
        ::poll(&entry, 1, static_cast<int>(kLook.count()));
        if (ended() && *status_ != ExitStatus{0, 0}) {
            readText(process_->errorDescriptor(), &said_);
            refuse(ErrorCode::kInternal, howItEnded());
        }
        refuse(error.code(), error.what());
    }

    // Reads what has come so far and keeps the newest of it, kAtOnce at the most: a worker may write without an end. False at its end.
    static bool readText(int descriptor, std::string* text) {
        std::array<char, 4096> buffer{};
        for (std::size_t bytes = 0; bytes < kAtOnce; bytes += buffer.size()) {
            const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
            if (got <= 0) {
                return got < 0 && (errno == EAGAIN || errno == EINTR);
            }
            if (text != nullptr) {
                text->append(buffer.data(), static_cast<std::size_t>(got));
                text->erase(0, text->size() - std::min(text->size(), kKeptText));
            }
        }
        return true;
    }

    void judge() {
        const Clock::time_point now = Clock::now();
        if (silence_.count() > 0 && now - heard_ > silence_) {
            refuse(
                ErrorCode::kDeadlineExceeded,
                "expected an answer within " + std::to_string(std::chrono::ceil<std::chrono::seconds>(silence_).count()) + " s, got none");
        }
        if (now < next_look_ || status_) {
            return;
        }
        next_look_ = now + kLook;
        if (const std::int64_t used = residentBytes(process_->pid()); used > limits_.memory_bytes) {
            refuse(ErrorCode::kResourceExhausted,
                   "expected to get by with " + std::to_string(limits_.memory_bytes) + " bytes of memory, it used " + std::to_string(used));
        }
    }

    const QuestionLimits& limits_;
    AnswerQueue& answer_;
    const int ending_;
    const std::unique_ptr<Process> process_;
    convert::DelimitedReader reader_;
    std::chrono::milliseconds silence_{0};
    Clock::time_point heard_, next_look_{};
    std::string said_;
    std::size_t bytes_ = 0;
    bool hears_ = true, errors_open_ = true, output_open_ = true, has_answered_ = false;
    std::optional<ExitStatus> status_;
};

}  // namespace

QuestionDesk::QuestionDesk(const QuestionLimits& limits, ProcessLauncher& launcher, ProcessSpec worker)
    : limits_(completed(limits)), launcher_(launcher), worker_(std::move(worker)), ending_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

QuestionDesk::~QuestionDesk() {
    shutDown();
}

void QuestionDesk::shutDown() {
    std::vector<std::jthread> threads;
    {
        const engine::MutexLock lock(mutex_);
        ended_ = true;
        for (Job& job : jobs_) {
            answering_.push_back(std::move(job.answer));
        }
        jobs_.clear();
        for (const auto& answer : answering_) {
            answer->finish(Error(ErrorCode::kUnavailable, "agent: it is ending"));
        }
        threads.swap(threads_);
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(ending_.get(), &one, sizeof one);
    threads.clear();  // asks each to stop and joins it
}

std::shared_ptr<AnswerQueue> QuestionDesk::ask(const proto::AskRequest& request) {
    auto question = std::make_shared<proto::Question>();
    if (!question->ParseFromString(request.question())) {
        throw Error(ErrorCode::kInvalidArgument,
                    "question: expected an encoded one, got " + std::to_string(request.question().size()) + " bytes that can't be read");
    }
    convert::requireSize("data_dir", request.data_dir().size(), convert::kMaxPathBytes - 1);
    auto answer = std::make_shared<AnswerQueue>();
    {
        const engine::MutexLock lock(mutex_);
        if (ended_) {
            throw Error(ErrorCode::kUnavailable, "agent: it is ending");
        }
        std::erase_if(jobs_, [](const Job& job) { return job.answer->isCancelled(); });
        const bool is_full = idle_ == 0 && static_cast<int>(threads_.size()) == limits_.at_once;
        if (is_full && jobs_.size() >= limits_.waiting) {
            throw Error(ErrorCode::kResourceExhausted, "agent: expected at most " + std::to_string(limits_.waiting) +
                                                           " questions to wait for an answer, got one more: ask again later");
        }
        if (static_cast<int>(jobs_.size()) >= idle_ && static_cast<int>(threads_.size()) < limits_.at_once) {
            threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
        }
        jobs_.push_back({std::move(question), request.data_dir(), std::chrono::milliseconds(request.longest_silence_ms()), answer});
    }
    came_.notify_one();
    return answer;
}

void QuestionDesk::work(const std::stop_token& stop) {
    for (;;) {
        Job job;
        {
            engine::MutexLock lock(mutex_);
            ++idle_;
            const bool has_job = came_.wait(lock, stop, [this]() TANDEM_REQUIRES(mutex_) { return !jobs_.empty(); });
            --idle_;
            if (!has_job || stop.stop_requested()) {
                return;
            }
            job = std::move(jobs_.front());
            jobs_.pop_front();
            answering_.push_back(job.answer);
        }
        if (!job.answer->isCancelled()) {
            answer(job);
        }
        const engine::MutexLock lock(mutex_);
        std::erase(answering_, job.answer);
    }
}

void QuestionDesk::answer(const Job& job) const {
    ProcessSpec worker = worker_;
    worker.arguments = {"answer", "--agent-fd", "3"};
    if (!job.data_dir.empty()) {
        const std::string variable = std::string(kDataFolder) + "=";
        std::erase_if(worker.environment, [&](const std::string& entry) { return entry.starts_with(variable); });
        worker.environment.push_back(variable + job.data_dir);
    }
    std::optional<Conversation> conversation;
    try {
        conversation.emplace(limits_, launcher_, worker, *job.answer, ending_.get());
        conversation->hold(*job.question, job.longest_silence);
        job.answer->finish(std::nullopt);
    } catch (const Error& error) {
        job.answer->finish(error);
        if (conversation) {
            conversation->dismiss();
        }
    } catch (const std::exception& error) {
        job.answer->finish(Error(ErrorCode::kInternal, "agent: " + engine::exceptionText(error)));
    }
}

}  // namespace agent::server
