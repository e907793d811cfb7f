#include "agent/server/rpc/question_desk.h"

#include <atomic>
#include <future>

#include "tests/agent/server/agent_fixture.h"

namespace {

using namespace tests::agent_server;
using agent::server::QuestionLimits;
using engine::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class AskedAgent : public AgentTest {
protected:
    // Of a worker that behaves so.
    void open(const std::string& behaviour, QuestionLimits limits = {}) { start(behaviour, {}, limits); }

    std::filesystem::path pidFile() const { return world_.path() / "asked.npy"; }
    spec::Prediction ask(client::AskOptions options = {}) {
        options.deadline = options.deadline > kDeadline ? std::chrono::milliseconds(kDeadline) : options.deadline;
        const spec::EngineQuestion question{.run = AgentWorld::project(), .base_dir = world_.path(), .asked = {}};
        return client::ask(*client_, question, spec::PredictQuestion{.checkpoint = "/ckpt", .out = pidFile()}, options);
    }
    std::string failure(ErrorCode expected, const client::AskOptions& options = {}) {
        return messageOf(expected, [&] { ask(options); });
    }
    // The worker that answers, once it does.
    int worker() {
        EXPECT_TRUE(eventually([&] { return pidIn(pidFile()) > 0; }));
        return pidIn(pidFile());
    }
};

TEST_F(AskedAgent, AnswersWithWhatItsWorkerSays) {
    open("");
    std::vector<std::string> notes;
    std::vector<spec::EngineProgress> steps;
    const spec::Prediction answer = ask({.data_dir = "/data/of/mine",
                                         .note = [&](const std::string& line) { notes.push_back(line); },
                                         .progress = [&](const spec::EngineProgress& step) { steps.push_back(step); }});
    EXPECT_THAT(answer.shape, ElementsAre(2, 10)) << "two messages, merged";
    EXPECT_THAT(notes, ElementsAre("/data/of/mine"));
    EXPECT_THAT(steps, ElementsAre(spec::EngineProgress{spec::EngineProgress::Stage::kFetch, "train.gz", 7, 9}));
    EXPECT_TRUE(eventually([&] { return !isRunning(worker()); }));
}

TEST_F(AskedAgent, PassesOnWhatTheEngineFoundWrong) {
    open("refuse");
    EXPECT_EQ(failure(ErrorCode::kNotFound), "ckpt_9: expected a checkpoint, found none");
}

TEST_F(AskedAgent, SaysHowAWorkerFailed) {
    const struct {
        const char* behaviour;
        ErrorCode code;
        std::string words;
    } rows[] = {
        {"early", ErrorCode::kInternal, "tandem-worker: exit code 3: out of paper"},
        {"crash", ErrorCode::kInternal, "tandem-worker: killed by signal 6 (SIGABRT): out of ink"},
        {"silent", ErrorCode::kDataLoss, "tandem-worker: expected an answer, got none"},
        {"hopeful", ErrorCode::kDataLoss, "tandem-worker: expected an answer, got none"},
        {"empty", ErrorCode::kDataLoss, "tandem-worker: expected an answer, got a message without one"},
        {"half", ErrorCode::kDataLoss, "tandem-worker: message stream: ended inside a message, 1 bytes into it"},
        {"half-killed", ErrorCode::kInternal, "tandem-worker: killed by signal 9 (SIGKILL)"},
        {"rubbish", ErrorCode::kDataLoss, "tandem-worker: message stream: expected a length of at most 5 bytes"},
    };
    for (const auto& row : rows) {
        server_.reset();
        open(row.behaviour);
        EXPECT_THAT(failure(row.code), StartsWith(row.words)) << row.behaviour;
    }
    server_.reset();
    std::filesystem::remove(world_.bin() / "tandem-worker");
    open("");
    EXPECT_THAT(failure(ErrorCode::kAborted), HasSubstr((world_.bin() / "tandem-worker").string() + ": start: "));
}

TEST_F(AskedAgent, EndsAWorkerThatIsSilentTooLong) {
    open("hang");
    EXPECT_EQ(failure(ErrorCode::kDeadlineExceeded, {.longest_silence = 300ms}), "tandem-worker: expected an answer within 1 s, got none");
    EXPECT_TRUE(eventually([&] { return !isRunning(worker()); }));
}

TEST_F(AskedAgent, EndsTheWorkerAtTheCallsDeadline) {
    open("hang");
    EXPECT_EQ(failure(ErrorCode::kDeadlineExceeded, {.deadline = 900ms}), "tandem-worker: expected an answer within 1 s, got none");
    EXPECT_TRUE(eventually([&] { return pidIn(pidFile()) == 0 || !isRunning(pidIn(pidFile())); }));
}

TEST_F(AskedAgent, EndsTheWorkerOfACallerThatIsGone) {
    open("stubborn", {.grace = 100ms});
    std::atomic<bool> gone = false;
    auto asked =
        std::async(std::launch::async, [&] { return failure(ErrorCode::kCancelled, {.is_cancelled = [&] { return gone.load(); }}); });
    const int pid = worker();
    EXPECT_TRUE(isRunning(pid));
    gone = true;
    EXPECT_EQ(asked.get(), "question: cancelled");
    EXPECT_TRUE(eventually([&] { return !isRunning(pid); })) << "it takes no SIGTERM";
}

TEST_F(AskedAgent, BoundsWhatAWorkerSaysAndUses) {
    open("flood", {.answer_bytes = 1 << 20});
    EXPECT_EQ(failure(ErrorCode::kResourceExhausted), "tandem-worker: expected an answer of at most 1048576 bytes, got a larger one");
    server_.reset();
    open("hungry", {.memory_bytes = 100 << 20});
    EXPECT_THAT(failure(ErrorCode::kResourceExhausted),
                StartsWith("tandem-worker: expected to get by with 104857600 bytes of memory, it used "));
}

TEST_F(AskedAgent, LetsQuestionsWaitTheirTurnAndRefusesTooMany) {
    open("hang", {.at_once = 1, .waiting = 1});
    std::atomic<bool> first_gone = false, all_gone = false;
    const auto asking = [&](const std::atomic<bool>& gone) {
        return std::async(std::launch::async, [&]() -> std::string {
            try {
                ask({.is_cancelled = [&] { return gone.load(); }});
            } catch (const engine::Error& error) {
                return error.what();
            }
            return "answered";
        });
    };
    auto first = asking(first_gone);
    const int pid = worker();
    std::future<std::string> others[] = {asking(all_gone), asking(all_gone)};
    // Whichever comes first waits, the other one is refused.
    const auto is_over = [](std::future<std::string>& one) { return one.wait_for(0s) == std::future_status::ready; };
    ASSERT_TRUE(eventually([&] { return is_over(others[0]) || is_over(others[1]); }));
    const std::size_t refused = is_over(others[0]) ? 0 : 1;
    EXPECT_THAT(others[refused].get(), HasSubstr("expected at most 1 questions to wait"));
    EXPECT_EQ(pidIn(pidFile()), pid) << "nobody else answers yet";
    first_gone = true;
    EXPECT_EQ(first.get(), "question: cancelled");
    EXPECT_TRUE(eventually([&] { return pidIn(pidFile()) != pid; })) << "its turn";
    all_gone = true;
    EXPECT_EQ(others[1 - refused].get(), "question: cancelled");
}

TEST_F(AskedAgent, EndsWorkersWithItself) {
    open("hang");
    auto asked = std::async(std::launch::async, [&] { return failure(ErrorCode::kAborted); });
    const int pid = worker();
    server_.reset();
    EXPECT_EQ(asked.get(), "agent: it is ending");
    EXPECT_FALSE(isRunning(pid));
}

}  // namespace
