#include "agent/archive/run_archive.h"

#include <cstdio>

#include <gmock/gmock.h>

#include "agent/wire/size_limits.h"
#include "engine/spec/error.h"
#include "tests/support/archive_rig.h"
#include "tests/support/damage/damage.h"
#include "tests/support/small_disk.h"

namespace {

namespace fs = std::filesystem;
using agent::archive::RunArchive;
using engine::Error;
using engine::ErrorCode;
using engine::run::ArchivedCheckpoints;
using engine::run::RunInfo;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using tests::Unpacked;

class RunArchiveTest : public ::testing::Test, protected tests::ArchiveRig {};

TEST_F(RunArchiveTest, BringsTheRunAsItWas) {
    const auto written = write();
    EXPECT_EQ(written.checkpoints, 2);
    EXPECT_EQ(written.events, 8);
    EXPECT_EQ(written.bytes, static_cast<std::int64_t>(fs::file_size(file())));
    const Unpacked got(file());
    RunInfo expected = run;
    expected.run_dir.clear();
    expected.imported_from = "node1";
    EXPECT_EQ(got.record, expected);
    EXPECT_THAT(got.files(), ElementsAre("checkpoints.jsonl", "checkpoints/checkpoint", "checkpoints/ckpt_1.data-00000-of-00001",
                                         "checkpoints/ckpt_1.index", "checkpoints/ckpt_2.data-00000-of-00001", "checkpoints/ckpt_2.index",
                                         "finished.json", "logs/train/events.out.tfevents.1", "project.tandem", "run.json"));
    EXPECT_EQ(tests::readText(got.dir.path() / "project.tandem"), run.project_json);
    EXPECT_EQ(tests::readText(got.dir.path() / "checkpoints/ckpt_1.data-00000-of-00001"), std::string(5000, '1'));
    std::vector<std::string> events;
    for (const auto& event : got.events) events.push_back(event.bytes);
    std::vector<std::string> told = tests::lines(1, 3), later = tests::lines(5, 9);
    told.insert(told.end(), later.begin(), later.end());
    EXPECT_EQ(events, told);
    EXPECT_EQ(got.events[3].sequence, 5U);
    EXPECT_THAT(tests::readText(file()).find(run.run_dir), std::string::npos) << "whose folder it was is nobody's concern";
}

TEST_F(RunArchiveTest, IsAZipFileThatOthersRead) {
    write();
    const std::string command = "unzip -t " + file().string() + " > " + (dir.path() / "said").string() + " 2>&1";
    if (std::system("command -v unzip > /dev/null 2>&1") != 0) GTEST_SKIP() << "no unzip here";
    EXPECT_EQ(std::system(command.c_str()), 0) << tests::readText(dir.path() / "said");
    EXPECT_THAT(tests::readText(dir.path() / "said"), HasSubstr("No errors detected"));
}

TEST_F(RunArchiveTest, HasTheSameDigestWheneverItWasWritten) {
    write();
    const std::string first = digestOf(RunArchive(file()).manifest());
    write();
    EXPECT_EQ(digestOf(RunArchive(file()).manifest()), first);
    write(ArchivedCheckpoints::kLatest);
    EXPECT_NE(digestOf(RunArchive(file()).manifest()), first);
}

TEST_F(RunArchiveTest, IsWrittenWholeOrNotAtAll) {
    write();
    const std::string before = tests::readText(file());
    const auto refused = [&](const auto& action) {
        try {
            action();
        } catch (const Error& error) {
            EXPECT_EQ(tests::readText(file()), before);
            std::vector<std::string> names;
            for (const auto& entry : fs::directory_iterator(dir.path())) names.push_back(entry.path().filename());
            EXPECT_THAT(names, ::testing::UnorderedElementsAre("run", "a.tandem-run"));
            return error.code();
        }
        ADD_FAILURE() << "expected an error";
        return ErrorCode::kInternal;
    };
    EXPECT_EQ(refused([&] { write(ArchivedCheckpoints::kAll, {}, false); }), ErrorCode::kAlreadyExists);
    EXPECT_EQ(refused([&] { write(ArchivedCheckpoints::kAll, [](const auto&) { return false; }); }), ErrorCode::kCancelled);
    {
        const tests::support::SmallDisk small(2000);
        EXPECT_NE(refused([&] { write(); }), ErrorCode::kAlreadyExists);
    }
    EXPECT_EQ(refused([&] {
                  write(ArchivedCheckpoints::kAll, [this](const auto&) {
                      tests::writeText(folder() / "checkpoints/ckpt_2.data-00000-of-00001", std::string(6000, 'x'));
                      return true;
                  });
              }),
              ErrorCode::kAborted)
        << "a file that grows meanwhile";
    tests::writeText(file().string() + ".part", "of a writer that was killed");
    tests::writeText(file().string() + ".part.a1B2c3", "libzip's own");
    write();
    EXPECT_FALSE(fs::exists(file().string() + ".part"));
    EXPECT_FALSE(fs::exists(file().string() + ".part.a1B2c3"));
}

TEST_F(RunArchiveTest, TellsHowFarItIs) {
    std::vector<engine::run::ArchiveProgress> told;
    const auto note = [&](const engine::run::ArchiveProgress& progress) {
        told.push_back(progress);
        return true;
    };
    write(ArchivedCheckpoints::kAll, note);
    EXPECT_GT(told.back().done_bytes, 13000);
    EXPECT_LE(told.back().done_bytes, told.back().all_bytes);
    told.clear();
    const Unpacked got(file(), note);
    EXPECT_GT(told.back().done_bytes, 13000);
    try {
        const Unpacked cancelled(file(), [](const auto&) { return false; });
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
}

// Whatever byte changes: the archive is refused by name, or gives what it gave.
TEST_F(RunArchiveTest, WithAnyByteChangedIsRefusedOrTheSame) {
    fs::remove_all(folder() / "logs");
    fs::remove(folder() / "run.json");
    write(ArchivedCheckpoints::kNone);
    const std::string whole = tests::readText(file());
    const Unpacked before(file());
    const fs::path damaged = dir.path() / "damaged.tandem-run";
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
        tests::writeText(damaged, bytes);
        try {
            const Unpacked got(damaged);
            EXPECT_EQ(got.record, before.record) << at;
            EXPECT_EQ(got.files(), before.files()) << at;
            EXPECT_EQ(got.events.size(), before.events.size()) << at;
            for (const std::string& name : got.files()) {
                EXPECT_EQ(tests::readText(got.dir.path() / name), tests::readText(before.dir.path() / name)) << at << " " << name;
            }
        } catch (const Error& error) {
            ++refused;
            EXPECT_THAT(error.what(), HasSubstr(damaged.string())) << at;
        }
    }
    EXPECT_GT(refused, static_cast<int>(whole.size() / 2));
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        tests::writeText(damaged, whole.substr(0, size));
        EXPECT_THROW(Unpacked{damaged}, Error) << "cut short after " << size << " bytes";
    }
}

TEST_F(RunArchiveTest, SurvivesDamageOfEveryKind) {
    write();
    const fs::path damaged = dir.path() / "damaged.tandem-run";
    tests::support::forEachDamage(tests::readText(file()),
                                  [&](const std::string& bytes) {
                                      tests::writeText(damaged, bytes);
                                      const Unpacked got(damaged);
                                  },
                                  {.rounds = 40, .named = damaged.string()});
}

}  // namespace
