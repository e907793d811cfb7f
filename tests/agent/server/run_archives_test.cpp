#include "agent/server/runs/run_archives.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "agent/history/journal.h"
#include "agent/local/folder_claim.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
using namespace agent::server;
using namespace engine::spec;
using agent::convert::FolderClaim;
using engine::Error;
using engine::ErrorCode;
using engine::run::ArchivedCheckpoints;
using engine::run::ImportedRun;
using engine::run::RunInfo;
using engine::run::RunState;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// One computer with its runs.
struct Computer {
    explicit Computer(const fs::path& folder) : runs(folder) { fs::create_directories(runs); }
    ArchivePlace place() {
        if (!book) book = std::make_unique<RunBook>(runs);
        return {*book, runs, "1.0.0"};
    }
    std::vector<RunInfo> list() { return place().book.listBehind(std::numeric_limits<std::int64_t>::max(), "", 100); }

    // A run below the runs folder whose log says `lines`, done unless it goes on.
    RunInfo train(const std::string& id, const std::vector<std::string>& lines, bool goes_on = false, fs::path folder = {}) {
        RunInfo run;
        run.id = id;
        run.name = "MNIST";
        run.created_unix_ns = ++created;
        run.run_dir = folder.empty() ? runs / id : folder;
        run.project_json = toProjectJson(RunSpec{});
        fs::create_directories(fs::path(run.run_dir) / "checkpoints");
        const std::shared_ptr<EventLog> log = place().book.open(run, FolderClaim::take(run.run_dir, "run " + id));
        std::vector<TaskEvent> events;
        for (const std::string& line : lines) events.push_back({0, created, {"worker", 0}, LogLine{LogLevel::kInfo, line}});
        log->publish(toldEvents(events));
        run.state = RunState::kTraining;
        if (goes_on) {
            place().book.update(run);
            return run;
        }
        run.state = RunState::kDone;
        run.results = {{"test_accuracy", 0.98}};
        run.finished_unix_ns = created + 9;
        place().book.close(run);
        return run;
    }
    std::vector<std::string> told(const std::string& id) {
        std::vector<std::string> events;
        const auto log = place().book.log(id)->subscribe(1, [] {});
        for (;;) {
            EventLog::Subscription::Batch batch = log->next();
            for (std::string& event : batch.events) events.push_back(std::move(event));
            if (batch.end) return events;
        }
    }
    std::vector<std::string> folders() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(runs)) {
            if (entry.is_directory()) names.push_back(entry.path().filename());
        }
        return names;
    }

    const fs::path runs;
    std::unique_ptr<RunBook> book;
    std::int64_t created = 0;
};

class RunArchivesTest : public ::testing::Test {
protected:
    fs::path file(const std::string& name = "a") const { return dir_.path() / (name + ".tandem-run"); }
    void archive(Computer& computer, const std::string& id, const fs::path& into, const agent::archive::Progress& progress = {}) {
        archiveRun(computer.place(), {id, into, ArchivedCheckpoints::kAll, true}, progress);
    }
    ImportedRun import(Computer& computer, const fs::path& from) { return importRun(computer.place(), from, {}); }
    template <typename Action>
    static std::string refusal(ErrorCode code, const Action& action) {
        try {
            action();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "expected an error";
        return {};
    }
    static void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }
    static std::string read(const fs::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    tests::support::TempDir dir_;
    Computer here_{dir_.path() / "here"}, there_{dir_.path() / "there"};
};

TEST_F(RunArchivesTest, TakeARunToAnotherComputer) {
    const RunInfo run = here_.train("20261121-100000-0001", {"one", "two", "three"});
    write(fs::path(run.run_dir) / "finished.json", R"({"checkpoint": "", "weights_sha256": ""})");
    archive(here_, run.id, file());
    const ImportedRun imported = import(there_, file());
    EXPECT_FALSE(imported.was_here);
    RunInfo expected = run;
    expected.run_dir = there_.runs / run.id;
    expected.imported_from = imported.run.imported_from;
    EXPECT_EQ(imported.run, expected);
    EXPECT_NE(imported.run.imported_from, "");
    EXPECT_EQ(there_.list(), std::vector<RunInfo>{expected});
    EXPECT_EQ(there_.told(run.id), here_.told(run.id));
    EXPECT_TRUE(fs::exists(there_.runs / run.id / "finished.json"));
    EXPECT_THAT(there_.folders(), UnorderedElementsAre(run.id));
    // The index is built again of what lies there.
    there_.book.reset();
    fs::remove(there_.runs / agent::history::kIndexFile);
    EXPECT_EQ(there_.list(), std::vector<RunInfo>{expected});
}

TEST_F(RunArchivesTest, ThatWereImportedAreFoundAgain) {
    const RunInfo run = here_.train("20261121-100000-0001", {"one"});
    archive(here_, run.id, file("a"));
    archive(here_, run.id, file("b"));
    const RunInfo first = import(there_, file("a")).run;
    for (const char* name : {"a", "b"}) {
        const ImportedRun again = import(there_, file(name));
        EXPECT_TRUE(again.was_here) << name;
        EXPECT_EQ(again.run, first);
    }
    EXPECT_EQ(there_.list().size(), 1U);
    EXPECT_TRUE(import(here_, file("a")).was_here) << "the run itself";
    EXPECT_EQ(here_.list(), std::vector<RunInfo>{run});
    // Of an imported one, too.
    archive(there_, run.id, file("c"));
    EXPECT_TRUE(import(here_, file("c")).was_here);
    // What was deleted comes back.
    fs::remove_all(first.run_dir);
    EXPECT_FALSE(import(there_, file("a")).was_here);
    EXPECT_EQ(there_.list(), std::vector<RunInfo>{first});
    EXPECT_EQ(there_.told(run.id).size(), 1U);
}

TEST_F(RunArchivesTest, OfAnotherRunWithTheSameIdStandBesideIt) {
    const RunInfo ours = here_.train("20261121-100000-0001", {"ours"});
    there_.created = 100;
    there_.train("20261121-100000-0001", {"theirs", "more"});
    archive(there_, ours.id, file());
    const ImportedRun imported = import(here_, file());
    EXPECT_FALSE(imported.was_here);
    EXPECT_EQ(imported.run.id, "20261121-100000-0001-2");
    EXPECT_EQ(here_.told(imported.run.id).size(), 2U);
    EXPECT_EQ(here_.told(ours.id).size(), 1U);
    EXPECT_TRUE(import(here_, file()).was_here);
    EXPECT_EQ(here_.list().size(), 2U);
    // A folder that nobody knows keeps its name.
    fs::create_directories(here_.runs / "20261121-100000-0002");
    const RunInfo other = there_.train("20261121-100000-0002", {"x"});
    archive(there_, other.id, file());
    EXPECT_EQ(import(here_, file()).run.id, "20261121-100000-0002-2");
}

TEST_F(RunArchivesTest, OfARunThatGoesOnAreRefused) {
    const RunInfo run = here_.train("20261121-100000-0001", {"one"}, true);
    EXPECT_THAT(refusal(ErrorCode::kFailedPrecondition, [&] { archive(here_, run.id, file()); }),
                HasSubstr("expected one that is over, got one that is Training"));
    EXPECT_FALSE(fs::exists(file()));
    refusal(ErrorCode::kNotFound, [&] { archive(here_, "unknown", file()); });
}

TEST_F(RunArchivesTest, KeepOthersOutOfTheFolderMeanwhile) {
    const RunInfo run = here_.train("20261121-100000-0001", {"one"});
    std::string said;
    archive(here_, run.id, file(), [&](const auto&) {
        said = refusal(ErrorCode::kAlreadyExists, [&] { FolderClaim::take(run.run_dir, "run 2"); });
        return true;
    });
    EXPECT_THAT(said, HasSubstr("the archive of run " + run.id + " is using this folder"));
    const FolderClaim by_hand = FolderClaim::take(run.run_dir, "a task by hand");
    EXPECT_THAT(refusal(ErrorCode::kAlreadyExists, [&] { archive(here_, run.id, file("b")); }), HasSubstr("a task by hand"));
}

TEST_F(RunArchivesTest, OfAnEarlierRunOfAFolderHaveNoneOfItsFiles) {
    const fs::path folder = dir_.path() / "shared";
    const RunInfo first = here_.train("20261121-100000-0001", {"first"}, false, folder);
    const RunInfo second = here_.train("20261121-100000-0002", {"second", "more"}, false, folder);
    write(folder / "finished.json", R"({"checkpoint": "", "weights_sha256": ""})");
    archive(here_, first.id, file("first"));
    archive(here_, second.id, file("second"));
    EXPECT_FALSE(fs::exists(fs::path(import(there_, file("first")).run.run_dir) / "finished.json"));
    EXPECT_TRUE(fs::exists(fs::path(import(there_, file("second")).run.run_dir) / "finished.json"));
    EXPECT_EQ(there_.told(first.id).size(), 1U);
    EXPECT_EQ(there_.told(second.id).size(), 2U);
}

TEST_F(RunArchivesTest, ThatAreRefusedLeaveNothingBehind) {
    const RunInfo run = here_.train("20261121-100000-0001", {"one", "two"});
    std::string noise(200'000, '\0');
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>(i * i % 251);
    write(fs::path(run.run_dir) / "run.json", noise);
    archive(here_, run.id, file());
    std::string bytes = read(file());
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write(file("damaged"), bytes);
    EXPECT_THAT(refusal(ErrorCode::kDataLoss, [&] { import(there_, file("damaged")); }), HasSubstr(file("damaged").string()));
    EXPECT_EQ(refusal(ErrorCode::kCancelled, [&] { importRun(there_.place(), file(), [](const auto&) { return false; }); }),
              file().string() + ": is not imported, it was cancelled");
    ArchivePlace full = there_.place();
    full.free_bytes = [](const fs::path&) { return std::int64_t{1000}; };
    EXPECT_THAT(refusal(ErrorCode::kResourceExhausted, [&] { importRun(full, file(), {}); }), HasSubstr("bytes free in"));
    EXPECT_THAT(there_.folders(), IsEmpty());
    EXPECT_THAT(there_.list(), IsEmpty());
    EXPECT_FALSE(import(there_, file()).was_here) << "and the whole one comes in afterwards";
}

TEST_F(RunArchivesTest, OfAKilledAgentAreNoRunsAndGo) {
    const RunInfo run = here_.train("20261121-100000-0001", {"one"});
    archive(here_, run.id, file());
    import(there_, file());
    there_.book.reset();
    // Killed while it unpacked: no run, and it goes with the next start.
    fs::rename(there_.runs / run.id, there_.runs / (".importing-" + run.id));
    fs::remove(there_.runs / agent::history::kIndexFile);
    EXPECT_THAT(there_.list(), IsEmpty());
    fs::copy(there_.runs / (".importing-" + run.id), there_.runs / run.id, fs::copy_options::recursive);
    removeHalfImports(there_.runs);
    EXPECT_THAT(there_.folders(), UnorderedElementsAre(run.id));
    // Killed before the index had it: the next import takes it as it lies there.
    EXPECT_TRUE(import(there_, file()).was_here);
    EXPECT_EQ(there_.list().size(), 1U);
}

// A run of 100,000 steps with 12 checkpoints.
TEST_F(RunArchivesTest, OfLongRunsTakeLittleMemory) {
    constexpr int kSteps = 100'000, kPack = 20, kCheckpoints = 12;
    RunInfo run;
    run.id = "20261121-100000-0001";
    run.created_unix_ns = 1;
    run.run_dir = here_.runs / run.id;
    run.project_json = toProjectJson(RunSpec{});
    fs::create_directories(fs::path(run.run_dir) / "checkpoints");
    const std::shared_ptr<EventLog> log = here_.place().book.open(run);
    std::vector<TaskEvent> events;
    for (int step = 1; step <= kSteps; step += kPack) {
        StepPoints points;
        points.columns = {{"loss", {}}, {"accuracy", {}}};
        for (int i = step; i < step + kPack; ++i) {
            points.step.push_back(i);
            points.time_unix_ns.push_back(1'700'000'000'000'000'000 + i * std::int64_t{1'003'331});
            points.epoch.push_back(0);
            points.columns[0].values.push_back(1.0F / static_cast<float>(i));
            points.columns[1].values.push_back(1.0F - 1.0F / static_cast<float>(i));
        }
        events.push_back({0, points.time_unix_ns.back(), {"worker", 0}, std::move(points)});
    }
    log->publish(toldEvents(events));
    run.state = RunState::kDone;
    run.finished_unix_ns = 9;
    here_.place().book.close(run);
    std::string lines;
    std::string weights(8'000'000, '\0');
    for (int i = 1; i <= kCheckpoints; ++i) {
        for (std::size_t at = 0; at < weights.size(); ++at)
            weights[at] = static_cast<char>((at * 2654435761U >> 13) + static_cast<unsigned>(i));
        const std::string name = "checkpoints/ckpt_" + std::to_string(i);
        write(fs::path(run.run_dir) / (name + ".data-00000-of-00001"), weights);
        write(fs::path(run.run_dir) / (name + ".index"), "index");
        lines += R"({"checkpoint": ")" + name + R"(", "epoch": )" + std::to_string(i) + R"(, "step": 1, "best": false})" + "\n";
    }
    write(fs::path(run.run_dir) / "checkpoints.jsonl", lines);

    const auto peak = [] {
        struct rusage used {};
        ::getrusage(RUSAGE_SELF, &used);
        return used.ru_maxrss / 1024;
    };
    const long before = peak();
    auto seconds = [begin = std::chrono::steady_clock::now()]() mutable {
        const auto since = std::exchange(begin, std::chrono::steady_clock::now());
        return std::chrono::duration<double>(begin - since).count();
    };
    const auto written = archiveRun(here_.place(), {run.id, file(), ArchivedCheckpoints::kAll, false}, {});
    const double to_write = seconds();
    EXPECT_EQ(written.checkpoints, kCheckpoints);
    EXPECT_EQ(written.events, kSteps / kPack);
    const ImportedRun imported = import(there_, file());
    const double to_read = seconds();
    std::printf("archive of %.1f MB: written in %.2f s, imported in %.2f s, peak of memory %ld MB above %ld MB\n",
                static_cast<double>(written.bytes) / 1e6, to_write, to_read, peak() - before, before);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed for a while
    EXPECT_LT(peak() - before, 64) << "megabytes, of 96 in checkpoints";
#endif
    EXPECT_EQ(there_.told(run.id), here_.told(run.id));
    EXPECT_EQ(read(there_.runs / run.id / "checkpoints/ckpt_12.data-00000-of-00001"), weights);
}

}  // namespace
