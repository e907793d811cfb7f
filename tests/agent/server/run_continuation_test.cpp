// A run that goes on without the tasks that it has lost: what its tasks, its record and its folder say then.
#include "agent/server/runs/run_continuation.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/local/run_folder.h"
#include "agent/server/runs/run_submission.h"
#include "agent/server/runs/submission_note.h"
#include "agent/server/supervision/supervised_run.h"
#include "agent/wire/task_event_convert.h"
#include "tests/agent/server/fake_process.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::server;
namespace convert = agent::convert;
namespace spec = engine::spec;
using spec::TaskId;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kept = spec::SmallerCluster::Kept;
using tests::agent_server::FakeLauncher;
using tests::agent_server::FakeProcess;
using tests::agent_server::FakeTask;

// Another computer, which remembers what became of its part.
class ChangingPart final : public FarPart {
public:
    const std::string& host() const override { return text_; }
    const std::string& address() const override { return text_; }
    const std::vector<int>& ports() const override { return ports_; }
    const std::string& addressOfHome() const override { return text_; }
    void plan(PartPlan) override {}
    void goOnWith(PartChange change) override { changed = std::move(change); }
    std::unique_ptr<Process> launch(const TaskId&) override { return std::make_unique<FakeProcess>(std::make_shared<FakeTask>()); }
    std::optional<PartChange> changed;

private:
    const std::string text_;
    const std::vector<int> ports_;
};

class RunContinuationTest : public testing::Test {
protected:
    RunContinuationTest() {
        run.name = "small";
        run.model.input_shape = {4};
        run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("softmax")}}}};
        run.strategy.name = "MultiWorkerMirroredStrategy";
        run.cluster.on_task_lost = spec::OnTaskLost::kContinue;
        run.callbacks = {{"BackupAndRestore", {}}};
        record.id = "run";
        record.run_dir = dir.path().string();
    }

    // A worker for each entry: on this computer (null), or on another one.
    void use(const std::vector<std::shared_ptr<ChangingPart>>& places) {
        spec::Job tasks{"worker", {}}, names{"worker", {}};
        for (std::size_t i = 0; i < places.size(); ++i) {
            const int index = static_cast<int>(i);
            tasks.tasks[index] = "10.77.0." + std::to_string(i + 1) + ":7000";
            names.tasks[index] = "node" + std::to_string(i + 1) + ":7000";
            TaskLaunch launch{.task = {"worker", index}, .chief = i == 0, .process = {}, .port = {}, .part = places[i]};
            launch.process.environment = {"A=b", "TF_CONFIG=before"};
            launch.process.program = "worker";
            launches.push_back(std::move(launch));
        }
        run.cluster.spec.jobs = {names};
        record.project_json = toProjectJson(run);
        record.tasks = static_cast<int>(places.size());
        run.cluster.spec.jobs = {tasks};
        continuation.emplace(toProjectJson(run));
    }
    RunContinuation::Outcome lose(const std::vector<TaskId>& lost, bool has_backup = true) {
        return continuation->leaveOut(lost, has_backup, launches, record);
    }
    std::vector<TaskId> tasks() const {
        std::vector<TaskId> all;
        for (const TaskLaunch& launch : launches) all.push_back(launch.task);
        return all;
    }
    static spec::ClusterSpec clusterOf(const std::string& project_json) { return spec::parseProject(project_json).run.cluster.spec; }
    std::string textOf(const char* name) const {
        std::ostringstream text;
        text << std::ifstream(dir.path() / name).rdbuf();
        return text.str();
    }

    tests::support::TempDir dir;
    spec::RunSpec run;
    engine::run::RunInfo record;
    std::vector<TaskLaunch> launches;
    std::optional<RunContinuation> continuation;
};

TEST_F(RunContinuationTest, MakesASmallerClusterOfThoseThatAreLeft) {
    use({nullptr, nullptr, nullptr});
    const auto outcome = lose({{"worker", 1}});
    EXPECT_EQ(outcome.obstacle, "");
    EXPECT_EQ(outcome.warning, "");
    EXPECT_EQ(outcome.told, "the run goes on with 2 of 3 workers, without worker 1");
    EXPECT_THAT(outcome.left_out, ElementsAre(TaskId{"worker", 1}));
    EXPECT_THAT(outcome.gone, ElementsAre(TaskId{"worker", 2}));
    EXPECT_THAT(tasks(), ElementsAre(TaskId{"worker", 0}, TaskId{"worker", 1}));
    EXPECT_TRUE(launches[0].chief);
    EXPECT_FALSE(launches[1].chief);
    EXPECT_THAT(launches[1].process.environment,
                ElementsAre("A=b", R"(TF_CONFIG={"cluster": {"worker": ["10.77.0.1:7000", "10.77.0.3:7000"]}, )"
                                   R"("task": {"type": "worker", "index": 1}})"));
    EXPECT_EQ(record.tasks, 2);
    EXPECT_EQ(clusterOf(record.project_json).address({"worker", 1}), "node3:7000") << "the record keeps the names";
    EXPECT_EQ(textOf("project.tandem"), record.project_json);
}

TEST_F(RunContinuationTest, LosesOneAfterTheOtherUntilNobodyIsLeft) {
    run.cluster.scale_learning_rate = true;
    use({nullptr, nullptr, nullptr});
    EXPECT_EQ(lose({{"worker", 2}}).told, "the run goes on with 2 of 3 workers, without worker 2, its learning rate times 2/3");
    EXPECT_EQ(lose({{"worker", 0}}).told, "the run goes on with 1 of 2 workers, without worker 0, its learning rate times 1/2");
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_TRUE(launches[0].chief);
    EXPECT_EQ(clusterOf(record.project_json).address({"worker", 0}), "node2:7000");
    const std::string before = record.project_json;
    EXPECT_EQ(lose({{"worker", 0}}).obstacle, "no worker is left to go on");
    EXPECT_EQ(record.project_json, before) << "nothing has changed";
    EXPECT_EQ(launches.size(), 1U);
}

TEST_F(RunContinuationTest, HandsTheNextChiefWhatTheLostOneWasToWrite) {
    use({nullptr, nullptr});
    launches[0].process.arguments = {"project.tandem", "--save-weights", "/home/ann/w.h5"};
    launches[1].process.arguments = {"project.tandem"};
    lose({{"worker", 0}});
    EXPECT_THAT(launches[0].process.arguments, ElementsAre("project.tandem", "--save-weights", "/home/ann/w.h5"));
}

TEST_F(RunContinuationTest, TellsEachComputerWhatItHasOfTheRunNow) {
    const auto gone = std::make_shared<ChangingPart>(), stays = std::make_shared<ChangingPart>();
    use({nullptr, gone, stays, stays});
    lose({{"worker", 1}});
    EXPECT_FALSE(gone->changed);
    ASSERT_TRUE(stays->changed);
    EXPECT_THAT(stays->changed->kept, ElementsAre(Kept{{"worker", 2}, {"worker", 1}}, Kept{{"worker", 3}, {"worker", 2}}));
    EXPECT_EQ(stays->changed->chief, (TaskId{"worker", 0}));
    EXPECT_FALSE(stays->changed->lacks_backup);
    EXPECT_EQ(clusterOf(stays->changed->project_json).address({"worker", 2}), "10.77.0.4:7000") << "tasks meet at numbers";
}

TEST_F(RunContinuationTest, BringsTheBackupToAChiefOnAnotherComputer) {
    const auto one = std::make_shared<ChangingPart>(), other = std::make_shared<ChangingPart>();
    use({nullptr, one, other});
    lose({{"worker", 0}});
    EXPECT_TRUE(one->changed->lacks_backup);
    EXPECT_FALSE(other->changed->lacks_backup) << "it has no chief";
    lose({{"worker", 1}});
    EXPECT_FALSE(one->changed->lacks_backup) << "its folder has it by now";
}

TEST_F(RunContinuationTest, BringsNoBackupWhereNoneWasWritten) {
    const auto there = std::make_shared<ChangingPart>();
    use({nullptr, there});
    lose({{"worker", 0}}, false);
    EXPECT_FALSE(there->changed->lacks_backup);
}

TEST_F(RunContinuationTest, NotesForTheNextAgentWhatIsLeft) {
    const auto there = std::make_shared<ChangingPart>(), gone = std::make_shared<ChangingPart>();
    use({nullptr, gone, there, there});
    convert::writePartNote(dir.path(), "part.worker-1.json", {.host = "node2", .folder = "/a", .tasks = {"worker 1"}, .ports = {1}});
    convert::writePartNote(dir.path(), "part.worker-2.json",
                           {.host = "node3", .folder = "/b", .run = "r", .tasks = {"worker 2", "worker 3"}, .ports = {2, 3}});
    SubmissionNote note{.run = "run"};
    note.submission.hosts = {{"node1", 1}, {"node2", 1}, {"node3", 2}};
    note.submission.project_json = record.project_json;
    note.tasks_project_json = toProjectJson(run);
    writeSubmissionNote(dir.path(), note);
    lose({{"worker", 1}, {"worker", 3}});
    const auto parts = convert::partNotes(dir.path());
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts[0], (convert::PartNote{.host = "node3", .folder = "/b", .run = "r", .tasks = {"worker 1"}, .ports = {2}}));
    const auto left = readSubmissionNote(dir.path(), "run");
    ASSERT_TRUE(left);
    EXPECT_THAT(left->submission.hosts, ElementsAre(spec::HostShare{"node1", 1}, spec::HostShare{"node3", 1}));
    EXPECT_EQ(left->submission.project_json, record.project_json);
    EXPECT_EQ(clusterOf(left->tasks_project_json).address({"worker", 1}), "10.77.0.3:7000");
}

TEST_F(RunContinuationTest, AnAgentThatComesNextStartsAsManyWorkersHere) {
    use({nullptr, nullptr, nullptr});
    SubmissionNote note{.run = "run"};
    note.submission.local_workers = 3;
    writeSubmissionNote(dir.path(), note);
    lose({{"worker", 0}});
    EXPECT_EQ(readSubmissionNote(dir.path(), "run")->submission.local_workers, 2);
}

// The same in the life of a run, with fake processes and a clock that the test moves on.
class ContinuedRun : public RunContinuationTest {
protected:
    void start(int workers, int most = 3) {
        use(std::vector<std::shared_ptr<ChangingPart>>(static_cast<std::size_t>(workers)));
        RunLaunch launch{record, book.open(record), std::move(launches)};
        launch.restarts = restartPolicy(run, dir.path(), toProjectJson(run));
        launch.restarts.most = most;
        launch.restarts.has_backup = [] { return true; };
        launch.across_hosts = true;
        watch = launch.log->subscribe(1, [] {});
        supervised =
            std::make_unique<SupervisedRun>(std::move(launch), SupervisorOptions(), book, [](spec::LogLevel, const std::string&) {});
        supervised->start(launcher, now);
    }
    void step(std::chrono::milliseconds later = 0ms) {
        now += later;
        std::vector<pollfd> descriptors;
        supervised->addDescriptors(descriptors);
        ::poll(descriptors.data(), descriptors.size(), 0);
        supervised->step(descriptors, now);
    }
    // Of the present attempt, whose processes begin at `first`: all train, these are killed, the others notice it.
    void kill(std::size_t first, const std::vector<std::size_t>& killed) {
        for (std::size_t i = first; i < launcher.tasks.size(); ++i)
            launcher.tasks[i]->tell(spec::StateChanged{spec::TaskState::kTraining, {}});
        step();
        for (const std::size_t i : killed) launcher.tasks[first + i]->end({-1, SIGKILL});
        step();
        for (std::size_t i = first; i < launcher.tasks.size(); ++i) launcher.tasks[i]->end({-1, SIGTERM});
        step();
    }
    std::vector<std::string> attempts() {
        std::vector<std::string> out;
        for (auto batch = watch->next(); !batch.events.empty(); batch = watch->next()) {
            for (const std::string& bytes : batch.events) {
                const spec::TaskEvent event = convert::decodeEvent(bytes);
                if (const auto* attempt = std::get_if<spec::AttemptStarted>(&event.body); attempt != nullptr && beginsAgain(*attempt)) {
                    out.push_back(toString(event.task) + ": " + attempt->reason);
                } else if (const auto* change = std::get_if<spec::StateChanged>(&event.body);
                           change != nullptr && change->detail == "left out") {
                    out.push_back(toString(event.task) + " is " + std::string(toString(change->state)));
                }
            }
        }
        return out;
    }

    RunBook book{dir.path()};
    FakeLauncher launcher;
    SteadyTime now = SteadyTime() + 1h;
    std::unique_ptr<EventLog::Subscription> watch;
    std::unique_ptr<SupervisedRun> supervised;
};

TEST_F(ContinuedRun, StartsThoseThatAreLeft) {
    start(3);
    kill(0, {1});
    EXPECT_THAT(attempts(), ElementsAre("worker 1: killed by signal 9 (SIGKILL); the run goes on with 2 of 3 workers, without worker 1",
                                        "worker 2 is Stopped"));
    EXPECT_EQ(book.find("run").tasks, 2);
    EXPECT_EQ(clusterOf(book.find("run").project_json).taskCount("worker"), 2);
    step(500ms);
    ASSERT_EQ(launcher.tasks.size(), 5U);
    kill(3, {0, 1});
    EXPECT_TRUE(supervised->finished());
    EXPECT_EQ(book.find("run").state, engine::run::RunState::kFailed);
    EXPECT_EQ(book.find("run").detail, "worker 0: killed by signal 9 (SIGKILL); no worker is left to go on, after 1 restart");
}

TEST_F(ContinuedRun, SaysWhereTheTasksOfEachAttemptAre) {
    start(3);
    kill(0, {1});
    std::vector<spec::AttemptStarted> told;
    for (auto batch = watch->next(); !batch.events.empty(); batch = watch->next()) {
        for (const std::string& bytes : batch.events) {
            const spec::TaskEvent event = convert::decodeEvent(bytes);
            if (const auto* attempt = std::get_if<spec::AttemptStarted>(&event.body)) told.push_back(*attempt);
        }
    }
    ASSERT_EQ(told.size(), 2U) << "the first one, since its tasks are on several computers, and that of those that are left";
    EXPECT_EQ(told[0].attempt, 1);
    EXPECT_EQ(told[0].attempts, 4);
    EXPECT_THAT(told[0].hosts, ElementsAre(spec::TaskHost{{"worker", 0}, "node1"}, spec::TaskHost{{"worker", 1}, "node2"},
                                           spec::TaskHost{{"worker", 2}, "node3"}));
    EXPECT_THAT(told[0].left_out, IsEmpty());
    EXPECT_EQ(told[1].attempt, 2);
    EXPECT_THAT(told[1].hosts, ElementsAre(spec::TaskHost{{"worker", 0}, "node1"}, spec::TaskHost{{"worker", 1}, "node3"}));
    EXPECT_THAT(told[1].left_out, ElementsAre(TaskId{"worker", 1}));
}

TEST_F(ContinuedRun, NamesAllThatWereLost) {
    start(4);
    kill(0, {0, 3});
    EXPECT_THAT(attempts(),
                Contains("worker 0: killed by signal 9 (SIGKILL); the run goes on with 2 of 4 workers, without worker 0, worker 3"));
}

TEST_F(ContinuedRun, GoesOnNoMoreOftenThanItMayBeRestarted) {
    start(3, 1);
    kill(0, {1});
    step(500ms);
    kill(3, {1});
    EXPECT_TRUE(supervised->finished());
    EXPECT_EQ(book.find("run").detail, "worker 1: killed by signal 9 (SIGKILL), after 1 restart");
    EXPECT_EQ(launcher.tasks.size(), 5U);
}

}  // namespace
