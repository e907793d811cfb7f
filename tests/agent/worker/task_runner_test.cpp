#include "agent/worker/task_runner.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/inspect/engine_answers.h"
#include "agent/local/file_descriptor.h"
#include "agent/local/secret.h"
#include "agent/proto/task_event.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/task_event_convert.h"
#include "agent/worker/project_loader.h"
#include "engine/spec/error.h"
#include "engine/thread/usable_cores.h"
#include "tests/support/reserved_port.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace agent::worker {
namespace {

namespace spec = engine::spec;
using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;

void writeIdx(const std::filesystem::path& folder, const std::string& part, const engine::data::Samples& samples) {
    const auto size = [](std::int64_t n) {
        return std::string{static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8), static_cast<char>(n)};
    };
    std::ofstream images(folder / (part + "-images"), std::ios::binary);
    images << std::string("\0\0\x08\x03", 4) << size(samples.count) << size(8) << size(8);
    images.write(reinterpret_cast<const char*>(samples.samples.data()), static_cast<std::streamsize>(samples.samples.size()));
    std::ofstream labels(folder / (part + "-labels"), std::ios::binary);
    labels << std::string("\0\0\x08\x01", 4) << size(samples.count);
    labels.write(reinterpret_cast<const char*>(samples.labels.data()), samples.count);
}

// A project of its own with its data, and what a task prints.
class TaskRunnerTest : public testing::Test {
protected:
    // Nobody else is given it while the test lives.
    int freePort() { return ports_.emplace_back().port(); }

    TaskRunnerTest() {
        ::setenv("XDG_STATE_HOME", (dir_.path() / "state").c_str(), 1);
        run_ = tests::support::quarterRun();
        run_.data.dataset = "idx";
        writeIdx(dir_.path(), "train", *tests::support::quarterImages(200));
        writeIdx(dir_.path(), "test", *tests::support::quarterImages(50, 8, 2));
        run_.data.train_images = "train-images";
        run_.data.train_labels = "train-labels";
        run_.data.test_images = "test-images";
        run_.data.test_labels = "test-labels";
    }
    TaskOptions options(const std::string& out = "run") {
        const auto project = dir_.path() / "project.tandem";
        std::ofstream(project) << spec::toProjectJson(run_);
        TaskOptions options;
        options.project = project;
        options.out = dir_.path() / out;
        options.threads = 1;
        options.make_executor = &engine::backend::makeReferenceExecutor;
        return options;
    }
    struct Printed {
        int exit_code = -1;
        std::string out, errors;
    };
    Printed runIt(const TaskOptions& options, std::function<bool()> stop = nullptr) {
        std::ostringstream out;
        std::ostringstream errors;
        Printed printed;
        printed.exit_code = runTask(options, {.out = out, .errors = errors, .stop_requested = std::move(stop), .agent_gone = [] {}});
        printed.out = out.str();
        printed.errors = errors.str();
        return printed;
    }
    static std::string weights(const Printed& printed) {
        const std::size_t at = printed.out.find("weights sha256: ");
        return at == std::string::npos ? "" : printed.out.substr(at, 80);
    }
    static std::string tfConfig(const std::vector<int>& ports, int index) {
        spec::ClusterSpec cluster;
        cluster.jobs.push_back({"worker", {}});
        for (std::size_t i = 0; i < ports.size(); ++i) {
            cluster.jobs[0].tasks[static_cast<int>(i)] = "localhost:" + std::to_string(ports[i]);
        }
        return spec::toTfConfigJson(cluster, {"worker", index});
    }

    tests::support::TempDir dir_;
    std::vector<tests::support::ReservedPort> ports_;
    spec::RunSpec run_;
};

TEST_F(TaskRunnerTest, TrainsAloneAndLeavesARunFolderThatCanBeEvaluated) {
    const Printed printed = runIt(options());
    EXPECT_EQ(printed.exit_code, kExitDone) << printed.errors;
    EXPECT_THAT(printed.out, HasSubstr("Epoch 2/2"));
    EXPECT_THAT(printed.out, HasSubstr("val_accuracy"));
    EXPECT_TRUE(std::filesystem::exists(dir_.path() / "run/run.json"));
    EXPECT_TRUE(std::filesystem::exists(dir_.path() / "run/checkpoints/ckpt_2.index"));

    const EngineSurroundings surroundings{.make_executor = &engine::backend::makeReferenceExecutor};
    spec::EvaluateQuestion evaluate{.checkpoint = dir_.path() / "run/checkpoints", .threads = 1};
    spec::EngineQuestion question{.run = run_, .base_dir = dir_.path(), .asked = evaluate};
    const auto evaluated = std::get<spec::Evaluation>(answer(question, surroundings));
    EXPECT_EQ(evaluated.samples, 50);
    EXPECT_GT(evaluated.accuracy, 0.2) << "it has learned";
    EXPECT_FALSE(evaluated.classification.has_value()) << "nobody asked for it";

    const auto classify = [&](bool pictures) -> spec::Classification {
        evaluate.mistakes = 1000;
        evaluate.pictures = pictures;
        question.asked = evaluate;
        return std::get<spec::Evaluation>(answer(question, surroundings)).classification.value();
    };
    const spec::Classification whole = classify(false), pictured = classify(true);
    EXPECT_NEAR(whole.accuracy(), evaluated.accuracy, 1e-9);
    EXPECT_EQ(static_cast<double>(whole.mistakes.size()), std::round(50 * (1 - evaluated.accuracy)));
    ASSERT_EQ(pictured.mistakes.size(), whole.mistakes.size());
    for (std::size_t i = 0; i < whole.mistakes.size(); ++i) {
        EXPECT_EQ(whole.mistakes[i].sample, pictured.mistakes[i].sample);
        EXPECT_TRUE(whole.mistakes[i].pixels.empty());
        EXPECT_EQ(pictured.mistakes[i].pixels.size(), 64U);
    }

    question.asked = spec::InspectQuestion{.checkpoint = evaluate.checkpoint, .sample = 7};
    const auto inspected = std::get<spec::Inspection>(answer(question, surroundings));
    EXPECT_EQ(inspected.sample_shape, (spec::Shape{8, 8}));
    EXPECT_EQ(inspected.pixels.size(), 64U);
    ASSERT_FALSE(inspected.top.empty());
    for (std::size_t i = 1; i < inspected.top.size(); ++i) {
        EXPECT_GE(inspected.top[i - 1].probability, inspected.top[i].probability);
    }
    EXPECT_EQ(inspected.layers.back().shown, 1);

    question.asked = spec::ExportQuestion{.checkpoint = evaluate.checkpoint, .out = dir_.path() / "model.keras"};
    const auto written = std::get<spec::WrittenFile>(answer(question, surroundings));
    EXPECT_EQ(written.bytes, static_cast<std::int64_t>(std::filesystem::file_size(dir_.path() / "model.keras")));
    question.asked = spec::ImportQuestion{dir_.path() / "model.keras"};
    const auto imported = std::get<spec::ImportedModel>(answer(question, surroundings));
    EXPECT_TRUE(imported.is_compiled);
    EXPECT_EQ(imported.run.model.layers.size(), run_.model.layers.size());
    EXPECT_EQ(imported.run.fit.initial_weights, dir_.path() / "model.keras");

    question.asked = spec::EvaluateQuestion{.checkpoint = dir_.path() / "nothing"};
    try {
        answer(question, surroundings);
        FAIL() << "no error";
    } catch (const engine::Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("expected a checkpoint"));
    }
}

TEST_F(TaskRunnerTest, OfASchedulerExitsWithZeroWhenTheRunIsDoneAndNotBefore) {
    TaskOptions again = options();
    again.until_done = true;
    const Printed stopped = runIt(again, [] { return true; });
    EXPECT_EQ(stopped.exit_code, kExitStopped) << stopped.errors;
    EXPECT_EQ(runIt(options("other"), [] { return true; }).exit_code, kExitDone) << "who stops a task by hand has what he wants";

    const Printed done = runIt(again);
    EXPECT_EQ(done.exit_code, kExitDone) << done.errors;
    EXPECT_THAT(done.out, HasSubstr("Epoch 2/2"));
    const Printed more = runIt(again);
    EXPECT_EQ(more.exit_code, kExitDone) << more.errors;
    EXPECT_THAT(more.out, testing::EndsWith("run: the run is done\n"));
    EXPECT_EQ(runIt(options()).exit_code, kExitFailed) << "a person is told that the folder is taken";
}

TEST_F(TaskRunnerTest, WaitsForTheNamesOfItsHostsNoLongerThanItIsTold) {
    TaskOptions waiting = options();
    waiting.tf_config = R"({"cluster": {"worker": ["localhost:1", "no-such-host.invalid:2"]}, "task": {"type": "worker", "index": 0}})";
    waiting.wait_for_hosts = 1s;
    const Printed printed = runIt(waiting);
    EXPECT_EQ(printed.exit_code, kExitFailed);
    EXPECT_THAT(printed.out, HasSubstr("waiting for the host of worker 1, no-such-host.invalid: "));
    EXPECT_THAT(printed.errors, HasSubstr("error: worker 1: expected an address of its host no-such-host.invalid within 1 s, got none: "));
}

TEST_F(TaskRunnerTest, TwoTasksFindEachOtherAndEndWithTheSameWeightsOnEveryTransport) {
    run_.cluster.start_timeout_s = 300;
    run_.strategy.name = "MultiWorkerMirroredStrategy";
    for (const std::int64_t devices : {1, 2}) {
        run_.strategy.logical_cpus = devices;
        std::string first;
        for (const spec::TransportChoice transport : {spec::TransportChoice::kGrpc, spec::TransportChoice::kShm}) {
            const std::vector<int> ports{freePort(), freePort()};
            const std::string which = std::to_string(devices) + (transport == spec::TransportChoice::kGrpc ? "grpc" : "shm");
            std::vector<TaskOptions> both{options("chief" + which), options("other" + which)};
            std::vector<std::future<Printed>> tasks;
            for (std::size_t index : {0U, 1U}) {
                both[index].tf_config = tfConfig(ports, static_cast<int>(index));
                both[index].transport = transport;
                tasks.push_back(std::async(std::launch::async, [this, one = both[index]] { return runIt(one); }));
            }
            const Printed chief = tasks[0].get();
            const Printed other = tasks[1].get();
            EXPECT_EQ(chief.exit_code, kExitDone) << chief.errors;
            EXPECT_EQ(other.exit_code, kExitDone) << other.errors;
            EXPECT_THAT(chief.out, HasSubstr("listening at localhost:"));
            EXPECT_THAT(other.out, HasSubstr("Epoch 2/2"));
            EXPECT_NE(weights(chief), "");
            EXPECT_EQ(weights(chief), weights(other));
            first = first.empty() ? weights(chief) : first;
            EXPECT_EQ(weights(chief), first) << devices << " devices a task";
            EXPECT_TRUE(std::filesystem::exists(dir_.path() / ("chief" + which) / "checkpoints/checkpoint"));
            EXPECT_FALSE(std::filesystem::exists(dir_.path() / ("other" + which) / "checkpoints"));
        }
    }
}

TEST_F(TaskRunnerTest, TasksOfAnAgentMeetByItsSecretAndNotByTheUsers) {
    run_.cluster.start_timeout_s = 300;
    run_.strategy.name = "MultiWorkerMirroredStrategy";
    const std::vector<int> ports{freePort(), freePort()};
    const convert::Secret secret = convert::makeSecret();
    // The options of both first: they write the project, which a running task reads.
    const std::vector<TaskOptions> both{options("run0"), options("run1")};
    std::vector<convert::FileDescriptor> agent_ends;
    std::vector<std::future<Printed>> tasks;
    for (const int index : {0, 1}) {
        int ends[2] = {-1, -1};
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        agent_ends.emplace_back(ends[0]);
        TaskOptions one = both[static_cast<std::size_t>(index)];
        one.agent_descriptor = ends[1];
        one.tf_config = tfConfig(ports, index);
        proto::TaskOrder order;
        order.set_secret(std::string(convert::bytesOf(secret)));
        ASSERT_TRUE(convert::DelimitedWriter(ends[0]).write(order, 1min));
        tasks.push_back(std::async(std::launch::async, [this, one] {
            Printed printed = runIt(one);
            ::close(one.agent_descriptor);
            return printed;
        }));
    }
    std::vector<std::future<bool>> readers;  // each says whether its task was done
    readers.reserve(agent_ends.size());
    for (const convert::FileDescriptor& end : agent_ends) {
        readers.push_back(std::async(std::launch::async, [&end] {
            convert::DelimitedReader reader(end.get());
            proto::TaskEvent message;
            bool done = false;
            while (reader.read(message) == convert::ReadResult::kMessage) {
                const auto event = convert::fromProto(message);
                const auto* state = std::get_if<spec::StateChanged>(&event.body);
                done = done || (state != nullptr && state->state == spec::TaskState::kDone);
            }
            return done;
        }));
    }
    for (const std::size_t index : {0U, 1U}) {
        const Printed printed = tasks[index].get();
        EXPECT_EQ(printed.exit_code, kExitDone) << printed.errors;
        EXPECT_TRUE(readers[index].get());
    }
    EXPECT_FALSE(std::filesystem::exists(dir_.path() / "state")) << "nobody has asked for the user's";
}

TEST_F(TaskRunnerTest, ATaskByHandRefusesASecretThatOthersMayKnow) {
    TaskOptions waiting = options();
    waiting.tf_config = tfConfig({freePort(), freePort()}, 0);
    std::filesystem::create_directories(dir_.path() / "state/tandem");
    std::ofstream(dir_.path() / "state/tandem/tasks.secret") << convert::toHex(convert::makeSecret()) << '\n';
    std::filesystem::permissions(dir_.path() / "state/tandem/tasks.secret", std::filesystem::perms(0644));
    const Printed printed = runIt(waiting);
    EXPECT_EQ(printed.exit_code, kExitFailed);
    EXPECT_THAT(printed.errors, HasSubstr("tasks.secret: expected mode 0600, got 0644"));
}

TEST_F(TaskRunnerTest, TellsItsAgentEverythingAndTakesItsControls) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    convert::FileDescriptor task_end(ends[0]);
    const convert::FileDescriptor agent_end(ends[1]);
    run_.fit.epochs = 100000;
    TaskOptions with_agent = options();
    with_agent.agent_descriptor = task_end.get();
    auto task = std::async(std::launch::async, [&] {
        Printed printed = runIt(with_agent);
        task_end.reset();
        return printed;
    });

    convert::DelimitedReader reader(agent_end.get());
    convert::DelimitedWriter writer(agent_end.get());
    std::vector<spec::TaskEvent> events;
    proto::TaskEvent message;
    bool asked = false;
    while (reader.read(message) == convert::ReadResult::kMessage) {
        events.push_back(convert::fromProto(message));
        if (!asked && std::holds_alternative<spec::StepPoints>(events.back().body)) {
            asked = true;
            proto::TaskOrder order;
            *order.mutable_control() = convert::toProto(spec::Control{spec::ControlVerb::kStop, 0});
            ASSERT_TRUE(writer.write(order, 1min));
        }
    }
    const Printed printed = task.get();
    EXPECT_EQ(printed.exit_code, kExitDone);
    EXPECT_EQ(printed.out + printed.errors, "") << "what the agent hears must not be heard twice";
    std::vector<spec::TaskState> states;
    std::int64_t next_step = 1;
    for (const spec::TaskEvent& event : events) {
        if (const auto* state = std::get_if<spec::StateChanged>(&event.body)) {
            states.push_back(state->state);
        } else if (const auto* points = std::get_if<spec::StepPoints>(&event.body)) {
            for (const std::int64_t step : points->step) {
                EXPECT_EQ(step, next_step++);
            }
        }
    }
    EXPECT_THAT(states, testing::ElementsAre(spec::TaskState::kConnecting, spec::TaskState::kReady, spec::TaskState::kTraining,
                                             spec::TaskState::kStopped));
    ASSERT_GE(events.size(), 2U);
    const auto* finished = std::get_if<spec::TaskFinished>(&events[events.size() - 2].body);
    ASSERT_NE(finished, nullptr);
    EXPECT_THAT(finished->checkpoint, testing::StartsWith("checkpoints/step_"));
    EXPECT_EQ(finished->weights_sha256.size(), 64U);
}

TEST_F(TaskRunnerTest, StopsWhileItWaitsForOthers) {
    run_.cluster.start_timeout_s = 300;
    TaskOptions waiting = options();
    waiting.tf_config = tfConfig({freePort(), freePort()}, 0);
    const Printed printed = runIt(waiting, [] { return true; });
    EXPECT_EQ(printed.exit_code, kExitDone) << "it has not given up";
    EXPECT_THAT(printed.out, HasSubstr("Stopped: before the first step"));
}

TEST_F(TaskRunnerTest, NamesTheMissingTask) {
    run_.cluster.start_timeout_s = 0.3;
    TaskOptions waiting = options();
    const int missing = freePort();
    waiting.tf_config = tfConfig({freePort(), missing}, 0);
    const Printed printed = runIt(waiting);
    EXPECT_EQ(printed.exit_code, kExitFailed);
    EXPECT_THAT(printed.errors, testing::AllOf(HasSubstr("worker 1"), HasSubstr(std::to_string(missing))));
    EXPECT_THAT(printed.out, HasSubstr("Failed: "));
}

TEST_F(TaskRunnerTest, SaysWhatIsWrongWithTheDataWithoutWaitingForOthers) {
    std::filesystem::resize_file(dir_.path() / "train-images", 100);
    TaskOptions broken = options();
    broken.tf_config = tfConfig({freePort(), freePort()}, 0);
    const Printed printed = runIt(broken);
    EXPECT_EQ(printed.exit_code, kExitFailed);
    EXPECT_THAT(printed.errors, testing::AllOf(HasSubstr("train-images"), HasSubstr("truncated")));
}

struct BadInput {
    const char* name;
    const char* tf_config;
    const char* setting;
    const char* message;
};

class BadInputTest : public TaskRunnerTest, public testing::WithParamInterface<BadInput> {};

TEST_P(BadInputTest, IsOneClearMessageAndExitCodeTwo) {
    TaskOptions bad = options();
    bad.tf_config = GetParam().tf_config;
    if (*GetParam().setting != '\0') {
        bad.settings = {GetParam().setting};
    }
    const Printed printed = runIt(bad);
    EXPECT_EQ(printed.exit_code, kExitUsage);
    EXPECT_THAT(printed.errors, HasSubstr(GetParam().message));
    EXPECT_FALSE(std::filesystem::exists(dir_.path() / "run"));
}

INSTANTIATE_TEST_SUITE_P(
    TaskRunner, BadInputTest,
    testing::Values(BadInput{"Setting", "", "fit.epochs=0", "fit.epochs"}, BadInput{"UnknownSetting", "", "fit.epoch=1", "fit.epoch"},
                    BadInput{"MpiWithoutMpirun",
                             R"({"cluster": {"worker": ["localhost:1111", "localhost:1112"]},)"
                             R"( "task": {"type": "worker", "index": 0}})",
                             "strategy.communication=MPI", "expected AUTO, RING or NCCL where no mpirun starts the tasks, got MPI"},
                    BadInput{"NoJson", "{", "", "TF_CONFIG"},
                    BadInput{"NoSuchTask", R"({"cluster": {"worker": ["localhost:1111"]}, "task": {"type": "worker", "index": 3}})", "",
                             "task.index"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(TaskRunnerTest, SaysThatMpisModuleIsMissingBeforeItWaitsForOthers) {
    TaskOptions rank = options();
    rank.settings = {"strategy.communication=MPI"};
    rank.ranked = {.addresses = {"localhost:1111", "localhost:1112"}, .rank = 0, .of = "MPI job"};
    rank.find_mpi = []() -> const engine::distribute::mpi::Functions& {
        throw engine::Error(engine::ErrorCode::kUnavailable, "no module");
    };
    const Printed printed = runIt(rank);
    EXPECT_EQ(printed.exit_code, kExitFailed);
    EXPECT_THAT(printed.errors, EndsWith("error: no module\n"));
    EXPECT_FALSE(std::filesystem::exists(dir_.path() / "run"));
}

TEST_F(TaskRunnerTest, NamesAProjectThatIsNotThere) {
    TaskOptions missing = options();
    missing.project = dir_.path() / "missing.tandem";
    const Printed printed = runIt(missing);
    EXPECT_EQ(printed.exit_code, kExitUsage);
    EXPECT_THAT(printed.errors, HasSubstr("missing.tandem"));
}

TEST_F(TaskRunnerTest, SharesTheCoresAmongTheTasksOfThisHost) {
    const int cores = engine::usableCores();
    EXPECT_EQ(threadsPerTask(run_, ""), cores);
    run_.cluster.spec.jobs = {{"worker", {{0, "localhost:1"}, {1, "127.0.0.1:2"}, {2, "elsewhere:2"}}}};
    EXPECT_EQ(threadsPerTask(run_, "localhost:1"), std::max(1, cores / 2));
    EXPECT_EQ(threadsPerTask(run_, "elsewhere:2"), cores);
    EXPECT_EQ(threadsPerTask(run_, "localhost:1", 1), 1) << "what a launcher granted";
    EXPECT_EQ(threadsPerTask(run_, "localhost:1", cores + 5), cores) << "it may run on no more";
    run_.cluster.threads_per_task = 3;
    EXPECT_EQ(threadsPerTask(run_, "localhost:1", 1), 3);
}

// As Slurm, mpirun and taskset bind a process to some processors.
TEST_F(TaskRunnerTest, UsesTheProcessorsThatItIsBoundTo) {
    cpu_set_t before, first;
    CPU_ZERO(&before);
    CPU_ZERO(&first);
    ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++cpu) {
        if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &first);
    }
    const int all = engine::usableCores();
    EXPECT_LE(all, CPU_COUNT(&before));
    ASSERT_EQ(::sched_setaffinity(0, sizeof first, &first), 0);
    const int bound = threadsPerTask(run_, ""), granted = threadsPerTask(run_, "", 8);
    ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
    EXPECT_EQ(bound, 1);
    EXPECT_EQ(granted, 1);
    EXPECT_EQ(engine::usableCores(), all);
}

}  // namespace
}  // namespace agent::worker
