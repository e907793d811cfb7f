// Answers questions to the engine: each by a tandem-worker of its own, a few at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/server/process/process.h"
#include "agent/server/rpc/answer_queue.h"
#include "engine/thread/mutex.h"

namespace agent::proto {
class AskRequest;
class Question;
}  // namespace agent::proto

namespace agent::server {

struct QuestionLimits {
    int at_once = 0;                                    // workers that answer at the same time; 0: the host's cores, kLeastAtOnce at least
    std::size_t waiting = 64;                           // questions that wait for one of them
    std::chrono::milliseconds grace{1500};              // between the request to end and the end
    std::size_t answer_bytes = std::size_t{256} << 20;  // of one answer, all its messages together
    std::int64_t memory_bytes = 0;                      // resident, of one worker; 0: nine tenths of the host's
    static constexpr int kLeastAtOnce = 4;
};

// Safe from any thread. `launcher` outlives it.
class QuestionDesk {
public:
    // `worker`: program, environment and working folder of a worker.
    QuestionDesk(const QuestionLimits& limits, ProcessLauncher& launcher, ProcessSpec worker);
    ~QuestionDesk();  // shuts down
    QuestionDesk(const QuestionDesk&) = delete;
    QuestionDesk& operator=(const QuestionDesk&) = delete;

    // The answer comes through the queue; cancelling that ends the worker. Throws Error: kInvalidArgument for bytes that are no question,
    // kResourceExhausted when too many of them wait, kUnavailable when the agent is ending.
    std::shared_ptr<AnswerQueue> ask(const proto::AskRequest& request);
    // Ends the workers, within QuestionLimits::grace and a little; whoever waits for them hears at once that the agent is ending.
    void shutDown();

private:
    struct Job {
        std::shared_ptr<const proto::Question> question;
        std::string data_dir;
        std::chrono::milliseconds longest_silence{0};
        std::shared_ptr<AnswerQueue> answer;
    };

    void work(const std::stop_token& stop);
    void answer(const Job& job) const;

    const QuestionLimits limits_;  // as completed
    ProcessLauncher& launcher_;
    const ProcessSpec worker_;
    const convert::FileDescriptor ending_;  // eventfd, readable once the desk ends
    engine::Mutex mutex_;
    std::condition_variable_any came_;
    std::deque<Job> jobs_ TANDEM_GUARDED_BY(mutex_);
    std::vector<std::shared_ptr<AnswerQueue>> answering_ TANDEM_GUARDED_BY(mutex_);
    int idle_ TANDEM_GUARDED_BY(mutex_) = 0;  // threads that wait for a job
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    // Each starts one worker after the other and outlives it: the worker's death signal is tied to it. Last: joined
    // before anything that they use goes.
    std::vector<std::jthread> threads_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::server
