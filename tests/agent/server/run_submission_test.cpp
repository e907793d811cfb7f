#include "agent/server/runs/run_submission.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "agent/local/secret_file.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_book.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::server;
namespace spec = engine::spec;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What is submitted to a computer with so many GPUs becomes.
class RunSubmission : public testing::Test {
protected:
    RunSubmission() : book_(made(dir_.path() / "runs")) {
        run.name = "small";
        run.model.input_shape = {4};
        run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("softmax")}}}};
        host.driver_version = "580.65.06";
        host.cuda_version = 13000;
        host.nccl_version = "2.28.9";
    }

    // Into one folder.
    RunLaunch prepareIn(const std::filesystem::path& folder, bool overwrite = false) {
        const SubmissionContext context{dir_.path() / "runs", dir_.path() / "tandem-worker", {}, 8};
        Submission submission;
        submission.project_json = toProjectJson(run);
        submission.run_dir = folder.string();
        submission.overwrite = overwrite;
        RunLaunch launch = prepareRun(submission, context, book_);
        launch.record.state = engine::run::RunState::kDone;
        launch.record.finished_unix_ns = 1;
        book_.close(launch.record);
        return launch;
    }
    std::filesystem::path folder() const { return dir_.path() / "out"; }

    RunLaunch prepare(int gpus, int workers) {
        host.gpus.clear();
        for (int i = 0; i < gpus; ++i) host.gpus.push_back({"NVIDIA H200", "GPU-" + std::to_string(i), 1 << 30, 1 << 30, 9, 0});
        host.no_gpu_reason = gpus == 0 ? "no NVIDIA driver" : "";
        const SubmissionContext context{
            dir_.path() / "runs", dir_.path() / "tandem-worker", {"PATH=/bin", "CUDA_VISIBLE_DEVICES=9"}, 8, [this] { return host; }};
        return prepareRun({toProjectJson(run), workers, "", std::nullopt}, context, book_);
    }

    static std::vector<std::string> devicesOf(const RunLaunch& launch) {
        return spec::parseProject(launch.record.project_json).run.strategy.devices;
    }
    // CUDA_VISIBLE_DEVICES of each task.
    static std::vector<std::string> visible(const RunLaunch& launch) {
        std::vector<std::string> values;
        for (const TaskLaunch& task : launch.tasks) {
            values.emplace_back();
            for (const std::string& entry : task.process.environment) {
                if (entry.starts_with("CUDA_VISIBLE_DEVICES=")) values.back() += entry.substr(21);
            }
        }
        return values;
    }
    std::string refusal(int gpus, int workers, engine::ErrorCode code = engine::ErrorCode::kFailedPrecondition) {
        try {
            prepare(gpus, workers);
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "no error";
        return {};
    }

    const tests::support::TempDir& dir() const { return dir_; }
    RunBook& book() { return book_; }

    spec::RunSpec run;
    spec::GpuInventory host;

private:
    static std::filesystem::path made(const std::filesystem::path& folder) {
        std::filesystem::create_directories(folder);
        return folder;
    }

    tests::support::TempDir dir_;
    RunBook book_;
};

TEST_F(RunSubmission, MirrorsOverAllGpusByDefault) {
    const RunLaunch launch = prepare(2, 0);
    EXPECT_THAT(devicesOf(launch), ElementsAre("GPU:0", "GPU:1"));
    EXPECT_THAT(visible(launch), ElementsAre("GPU-0,GPU-1"));
}

TEST_F(RunSubmission, GivesEveryWorkerItsShare) {
    const RunLaunch launch = prepare(4, 2);
    EXPECT_THAT(devicesOf(launch), ElementsAre("GPU:0", "GPU:1"));
    EXPECT_THAT(visible(launch), ElementsAre("GPU-0,GPU-1", "GPU-2,GPU-3"));
}

TEST_F(RunSubmission, LetsWorkersShareAGpu) {
    const RunLaunch launch = prepare(1, 2);
    EXPECT_THAT(devicesOf(launch), ElementsAre("GPU:0"));
    EXPECT_THAT(visible(launch), ElementsAre("GPU-0", "GPU-0"));
}

TEST_F(RunSubmission, LeavesARunOnCpusAlone) {
    EXPECT_THAT(devicesOf(prepare(0, 2)), ElementsAre());
    run.strategy.devices = {"CPU:0"};
    EXPECT_THAT(devicesOf(prepare(2, 0)), ElementsAre("CPU:0"));
    EXPECT_THAT(visible(prepare(2, 0)), ElementsAre("9")) << "as it was inherited";
    run.strategy.devices.clear();
    host.no_backend_reason = "Tandem's back-end for GPUs is not installed";
    EXPECT_THAT(devicesOf(prepare(2, 0)), ElementsAre()) << "what can't be used is not chosen";
}

TEST_F(RunSubmission, RefusesDevicesThatAreNotHere) {
    run.strategy.devices = {"GPU:0", "GPU:1"};
    EXPECT_EQ(refusal(1, 0), "strategy.devices: expected 2 GPUs for each task, this computer has 1 for 1 task");
    EXPECT_EQ(refusal(0, 0), "strategy.devices: expected 2 GPUs for each task, this computer has 0 for 1 task: no NVIDIA driver");
    run.strategy.devices.clear();
    run.strategy.logical_gpus = 2;
    EXPECT_THAT(devicesOf(prepare(1, 0)), ElementsAre("GPU:0", "GPU:1")) << "two replicas on one card";
    EXPECT_THAT(refusal(0, 0), HasSubstr("strategy.logical_gpus: expected 1 GPU for each task"));
}

void touch(const std::filesystem::path& file) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "x";
}

TEST_F(RunSubmission, LeavesAFinishedRunAlone) {
    run.callbacks = {{"BackupAndRestore", {}}};
    prepareIn(folder());
    EXPECT_NO_THROW(prepareIn(folder())) << "it has left no checkpoint";
    touch(folder() / "checkpoints/ckpt_2.index");
    touch(folder() / "finished.json");
    try {
        prepareIn(folder());
        ADD_FAILURE() << "it would be overwritten";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kAlreadyExists);
        EXPECT_THAT(error.what(), HasSubstr(folder().string()));
        EXPECT_THAT(error.what(), HasSubstr("a finished run (1 checkpoint)"));
        EXPECT_THAT(error.what(), HasSubstr("--overwrite"));
    }
    std::filesystem::remove(folder() / "finished.json");
    EXPECT_THROW(prepareIn(folder()), engine::Error) << "the index of runs knows it, too";
    touch(folder() / "backup/latest.backup");
    EXPECT_NO_THROW(prepareIn(folder())) << "a backup that was kept is gone on from";
    touch(folder() / "notes.txt");
    prepareIn(folder(), true);
    EXPECT_FALSE(std::filesystem::exists(folder() / "checkpoints/ckpt_2.index"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "backup/latest.backup"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "notes.txt"));
}

TEST_F(RunSubmission, GoesOnFromABackupAsTheSameRun) {
    run.callbacks = {{"BackupAndRestore", {}}};
    const auto first = prepareIn(folder()).record;
    EXPECT_NE(prepareIn(folder()).record.id, first.id) << "without a backup a run begins";
    const auto before = book().lastRunIn(folder());
    ASSERT_TRUE(before);
    touch(folder() / "backup/latest.backup");
    run.name = "renamed";
    run.fit.epochs = 7;
    run.cluster.max_restarts = 3;
    run.cluster.on_task_lost = spec::OnTaskLost::kRestart;
    const RunLaunch again = prepareIn(folder());
    EXPECT_EQ(again.record.id, before->id);
    EXPECT_EQ(again.record.created_unix_ns, before->created_unix_ns);
    EXPECT_EQ(again.record.attempts, 2);
    EXPECT_EQ(again.record.name, "renamed");
    EXPECT_EQ(spec::parseProject(again.record.project_json).run.fit.epochs, 7);
    ASSERT_TRUE(again.attempt);
    EXPECT_EQ(*again.attempt, (spec::AttemptStarted{2, 5, true, "done", true})) << "and three more where a task is lost";
    const auto third = prepareIn(folder()).record;
    EXPECT_EQ(third.attempts, 3);
    EXPECT_GT(third.idle_ns, again.record.idle_ns) << "what passed before it was started is no time of the run's own";
    EXPECT_LE(third.created_unix_ns + third.idle_ns, nowUnixNs());
    EXPECT_EQ(book().listBehind(std::numeric_limits<std::int64_t>::max(), {}, 9).size(), 2U);
    const RunLaunch anew = prepareIn(folder(), true);
    EXPECT_NE(anew.record.id, third.id) << "--overwrite begins a run";
    EXPECT_FALSE(anew.attempt);
}

// A run that a scheduler trained, started again by hand here.
TEST_F(RunSubmission, ARunThatWasFollowedIsTheAgentsOwnOnceItGoesOnHere) {
    run.callbacks = {{"BackupAndRestore", {}}};
    engine::run::RunInfo followed = prepareIn(folder()).record;
    followed = *book().lastRunIn(folder());
    followed.followed = true;
    book().update(followed);
    ASSERT_TRUE(book().find(followed.id).followed);
    touch(folder() / "backup/latest.backup");
    const auto own = prepareIn(folder()).record;
    EXPECT_EQ(own.id, followed.id);
    EXPECT_FALSE(own.followed);
    EXPECT_FALSE(book().find(own.id).followed);
}

TEST_F(RunSubmission, OverwritesNothingThatIsNoRun) {
    touch(folder() / "checkpoints/thesis.index");
    prepareIn(folder(), true);
    EXPECT_TRUE(std::filesystem::exists(folder() / "checkpoints/thesis.index"));
}

std::string textOf(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

// A victim's folder, and links to it that somebody has planted where a run will write.
class PlantedLinks : public RunSubmission {
protected:
    PlantedLinks() {
        for (const char* name : {"file", "project.tandem", "checkpoint", "ckpt_1.index", "model.keras", "model.h5"}) {
            touch(victim() / name);
        }
        run.callbacks = {{"BackupAndRestore", {}}};
    }
    std::filesystem::path victim() const { return dir().path() / "victim"; }
    void plant(const std::filesystem::path& name, const std::filesystem::path& to) const {
        std::filesystem::create_directories((folder() / name).parent_path());
        std::filesystem::create_symlink(to, folder() / name);
    }
    void expectUnharmed() const {
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(victim()), {}), 6);
        for (const auto& entry : std::filesystem::directory_iterator(victim())) {
            EXPECT_EQ(textOf(entry.path()), "x") << entry.path();
        }
    }
    std::string refusal(bool overwrite = false) {
        try {
            prepareIn(folder(), overwrite);
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kPermissionDenied) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "no error";
        return {};
    }
};

TEST_F(PlantedLinks, AreReplacedByTheProject) {
    for (const char* name : {"project.tandem", "project.tandem.new"}) {
        plant(name, victim() / "file");
    }
    prepareIn(folder());
    EXPECT_EQ(textOf(folder() / "project.tandem").front(), '{');
    EXPECT_FALSE(std::filesystem::is_symlink(folder() / "project.tandem"));
    expectUnharmed();
}

TEST_F(PlantedLinks, AreNoFoldersOfARun) {
    for (const char* name : {"checkpoints", "logs"}) {
        plant(name, victim());
        EXPECT_THAT(refusal(), HasSubstr("expected no link below"));
        std::filesystem::remove(folder() / name);
    }
    expectUnharmed();
}

TEST_F(PlantedLinks, LoseNothingWithOverwrite) {
    touch(folder() / "finished.json");
    for (const char* name : {"checkpoints", "backup", "checkpoints/old"}) {
        plant(name, victim());
        touch(folder() / "project.tandem");
        if (std::string(name) == "checkpoints/old") {
            EXPECT_NO_THROW(prepareIn(folder(), true)) << "a link among the checkpoints is not gone into";
            EXPECT_TRUE(std::filesystem::is_symlink(folder() / name));
        } else {
            EXPECT_THAT(refusal(true), HasSubstr("expected no link below"));
            std::filesystem::remove(folder() / name);
        }
        expectUnharmed();
    }
}

TEST_F(PlantedLinks, AreNoJournal) {
    for (const char* name : {"journal", "journal-wal", "journal-shm", "journal-journal"}) {
        plant(name, victim() / "file");
        try {
            prepareIn(folder());
        } catch (const engine::Error&) {
            // Refused or replaced; never written through.
        }
        std::filesystem::remove_all(folder());
        expectUnharmed();
    }
}

TEST_F(PlantedLinks, MayLeadToTheFolderThatTheUserNames) {
    std::filesystem::create_directories(dir().path() / "real");
    std::filesystem::create_directory_symlink(dir().path() / "real", folder());
    prepareIn(folder());
    EXPECT_TRUE(std::filesystem::exists(dir().path() / "real/project.tandem"));
}

TEST_F(RunSubmission, MakesItsFoldersForTheirUserAlone) {
    const mode_t before = ::umask(0);
    prepareIn(folder());
    ::umask(before);
    for (const std::filesystem::path& made : {folder(), folder() / "checkpoints", folder() / "logs"}) {
        EXPECT_EQ(std::filesystem::status(made).permissions(), std::filesystem::perms::owner_all) << made;
    }
    EXPECT_EQ(std::filesystem::status(folder() / "project.tandem").permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(RunSubmission, WritesWeightsWhereTheUserSaysAndWhereAProjectMay) {
    const SubmissionContext context{dir().path() / "runs", dir().path() / "tandem-worker", {}, 8};
    const auto prepareWith = [&](const std::string& of_project, const std::string& of_user) {
        run.fit.save_weights = of_project;
        Submission submission;
        submission.project_json = toProjectJson(run);
        submission.local_workers = 2;
        submission.save_weights = of_user;
        return prepareRun(submission, context, book());
    };
    const RunLaunch launch = prepareWith("below.keras", "/home/user/weights.keras");
    EXPECT_THAT(launch.tasks[0].process.arguments, testing::IsSupersetOf({"--save-weights", "/home/user/weights.keras"}));
    EXPECT_THAT(launch.tasks[1].process.arguments, testing::Not(testing::Contains("--save-weights")));
    EXPECT_EQ(spec::parseProject(launch.record.project_json).run.fit.save_weights, "below.keras");
    EXPECT_THROW(prepareWith("/home/user/weights.keras", ""), engine::Error) << "a project's own";
    EXPECT_THROW(prepareWith("../weights.keras", ""), engine::Error);
    EXPECT_THROW(prepareWith("", "weights.keras"), engine::Error) << "of which folder?";
    EXPECT_THROW(prepareWith("", "/home/user/.bashrc"), engine::Error);
}

TEST_F(RunSubmission, IsStartedAgainWhereABackupIsKept) {
    EXPECT_EQ(prepare(0, 2).restarts.most, 0) << "without the callback";
    run.callbacks = {{"BackupAndRestore", {}}};
    const RunLaunch launch = prepare(0, 2);
    EXPECT_EQ(launch.restarts.most, 3);
    EXPECT_FALSE(launch.restarts.has_backup());
    touch(std::filesystem::path(launch.record.run_dir) / "backup/latest.backup");
    EXPECT_TRUE(launch.restarts.has_backup());
    EXPECT_EQ(launch.heartbeat_fatal, std::chrono::seconds(10));
    run.cluster.heartbeat_fatal_s = 25;
    EXPECT_EQ(prepare(0, 2).heartbeat_fatal, std::chrono::seconds(25));
    run.cluster.max_restarts = 7;
    EXPECT_EQ(prepare(0, 2).restarts.most, 7);
    EXPECT_EQ(prepare(0, 2).restarts.without_lost, nullptr);
    run.cluster.on_task_lost = spec::OnTaskLost::kContinue;
    EXPECT_EQ(prepare(0, 2).restarts.most, 7);
    EXPECT_NE(prepare(0, 2).restarts.without_lost, nullptr);
    run.cluster.on_task_lost = spec::OnTaskLost::kFail;
    EXPECT_EQ(prepare(0, 2).restarts.most, 0);
}

TEST_F(RunSubmission, RefusesWhatItsFilesSay) {
    const SubmissionContext context{dir().path() / "runs",
                                    dir().path() / "tandem-worker",
                                    {"TANDEM_DATA_DIR=/agents", "A=b"},
                                    8,
                                    {},
                                    [](const spec::RunSpec&, const std::filesystem::path&, const std::vector<std::string>& environment) {
                                        EXPECT_THAT(environment, testing::UnorderedElementsAre("A=b", "TANDEM_DATA_DIR=/users"));
                                        return std::string("data: no");
                                    }};
    try {
        prepareRun({toProjectJson(run), 0, folder().string(), std::nullopt, false, "/users"}, context, book());
        ADD_FAILURE() << "no error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kInvalidArgument);
        EXPECT_STREQ(error.what(), "data: no");
    }
    EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(RunSubmission, TasksLookForDataWhereTheUserSays) {
    const SubmissionContext context{dir().path() / "runs", dir().path() / "tandem-worker", {"TANDEM_DATA_DIR=/agents"}, 8};
    const auto environment = [&](const std::string& data_dir) {
        return prepareRun({toProjectJson(run), 0, "", std::nullopt, false, data_dir}, context, book()).tasks.front().process.environment;
    };
    EXPECT_THAT(environment("/users"), testing::Contains("TANDEM_DATA_DIR=/users"));
    EXPECT_THAT(environment("/users"), testing::Not(testing::Contains("TANDEM_DATA_DIR=/agents")));
    EXPECT_THAT(environment(""), testing::Contains("TANDEM_DATA_DIR=/agents"));
}

TEST_F(RunSubmission, RefusesARelativeDataFolderAndANumberOfWorkersThatIsNone) {
    const SubmissionContext context{dir().path() / "new_runs", dir().path() / "tandem-worker", {}, 8};
    const auto refusalOf = [&](int workers, const std::string& data_dir) -> std::string {
        try {
            prepareRun({toProjectJson(run), workers, "", std::nullopt, false, data_dir}, context, book());
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kInvalidArgument);
            return error.what();
        }
        ADD_FAILURE() << "no error";
        return {};
    };
    EXPECT_EQ(refusalOf(0, "users/data"), "data_dir: expected an absolute path, got \"users/data\"");
    EXPECT_EQ(refusalOf(-1, ""), "local_workers: expected 0 to 256, got -1");
    EXPECT_EQ(refusalOf(257, ""), "local_workers: expected 0 to 256, got 257");
    EXPECT_FALSE(std::filesystem::exists(dir().path() / "new_runs"));
}

TEST_F(RunSubmission, MakesAClusterWithParameterServersAtPortsOfItsOwn) {
    const SubmissionContext context{dir().path() / "runs", dir().path() / "tandem-worker", {}, 8};
    Submission submission{toProjectJson(run), 2, "", std::nullopt, false, ""};
    submission.local_servers = 1;
    const RunLaunch launch = prepareRun(submission, context, book());
    ASSERT_EQ(launch.tasks.size(), 3U);
    EXPECT_TRUE(launch.tasks_are_independent);
    const spec::RunSpec made = spec::parseProject(launch.record.project_json).run;
    EXPECT_EQ(made.strategy.name, "ParameterServerStrategy");
    for (const TaskLaunch& task : launch.tasks) {
        EXPECT_EQ(made.cluster.spec.address(task.task), "localhost:" + std::to_string(task.port.port())) << toString(task.task);
    }
    submission.local_workers = 1;
    EXPECT_EQ(prepareRun(submission, context, book()).tasks.size(), 2U);
    submission.local_workers = 0;
    try {
        prepareRun(submission, context, book());
        ADD_FAILURE() << "no error";
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "local_workers: expected at least 1 beside local_servers, got 0");
    }
}

TEST_F(RunSubmission, RefusesPoliciesThatItsProcessorsLack) {
    run.model.dtype_policy = "mixed_float16";
    EXPECT_EQ(prepare(1, 1).tasks.size(), 1U);
    try {
        prepare(0, 1);
        ADD_FAILURE() << "no error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), HasSubstr("model.dtype_policy: expected float32 or mixed_bfloat16 on a processor"));
    }
}

TEST_F(RunSubmission, RefusesNcclWithTaskAndReason) {
    run.strategy.communication = "NCCL";
    EXPECT_EQ(prepare(2, 2).tasks.size(), 2U);
    EXPECT_THAT(refusal(1, 2), HasSubstr("but worker 0 and worker 1 share a GPU"));
    EXPECT_THAT(refusal(0, 2), HasSubstr("but worker 0 has no GPU: no NVIDIA driver"));
    host.nccl_version.clear();
    host.no_nccl_reason = "libnccl.so.2 is not installed";
    EXPECT_THAT(refusal(2, 2), HasSubstr("but worker 0 has no NCCL: libnccl.so.2 is not installed"));
}

TEST_F(RunSubmission, RefusesMpiBetweenTasksThatItStarts) {
    run.strategy.communication = "MPI";
    EXPECT_EQ(prepare(0, 1).tasks.size(), 1U) << "nothing to sum";
    EXPECT_THAT(refusal(0, 2, engine::ErrorCode::kInvalidArgument),
                HasSubstr("strategy.communication: expected AUTO, RING or NCCL where no mpirun starts the tasks, got MPI"));
}

// The others of its cluster are started by hand, in a terminal of the same user.
TEST_F(RunSubmission, HandsASingleTaskOfAClusterTheSecretOfTheUser) {
    ::setenv("XDG_STATE_HOME", (dir().path() / "state").c_str(), 1);
    const SubmissionContext context{dir().path() / "runs", dir().path() / "tandem-worker", {}, 8};
    Submission submission;
    {
        const PortReservation ports[] = {PortReservation::anyPort(), PortReservation::anyPort()};
        spec::useLocalWorkers(run, {ports[0].port(), ports[1].port()});
    }
    submission.project_json = toProjectJson(run);
    submission.only_task = spec::TaskId{"worker", 1};
    const RunLaunch one = prepareRun(submission, context, book());
    EXPECT_EQ(one.tasks.size(), 1U);
    EXPECT_EQ(one.secret, agent::convert::userSecret());
    for (const TaskLaunch& task : one.tasks) {
        EXPECT_THAT(task.process.arguments, testing::Each(testing::Not(HasSubstr(agent::convert::toHex(*one.secret)))));
        EXPECT_THAT(task.process.environment, testing::Each(testing::Not(HasSubstr(agent::convert::toHex(*one.secret)))));
    }
    EXPECT_EQ(one.record.project_json.find(agent::convert::toHex(*one.secret)), std::string::npos);
    ::unsetenv("XDG_STATE_HOME");
}

TEST_F(RunSubmission, GivesAWholeRunASecretOfItsOwn) {
    EXPECT_EQ(prepare(0, 2).secret, std::nullopt) << "made when its tasks are started";
}

}  // namespace
