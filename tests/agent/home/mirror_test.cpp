// Files of a run of an agent in this process, brought into another folder.
#include "agent/home/mirror.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/client/local_agent.h"
#include "agent/server/runs/run_book.h"
#include "tests/agent/server/agent_fixture.h"
#include "tests/agent/server/fake_agent.h"

namespace {

namespace fs = std::filesystem;
using namespace tests::agent_server;
using agent::home::Mirror;
using engine::ErrorCode;
using engine::run::RunInfo;
using ::testing::ElementsAre;

class MirrorTest : public AgentTest {
protected:
    void SetUp() override {
        fs::create_directories(there());
        fs::create_directories(here());
        {
            agent::server::RunBook book(world_.path() / "runs");
            RunInfo run;
            run.id = kRun;
            run.name = "small";
            run.run_dir = there().string();
            run.project_json = spec::toProjectJson(AgentWorld::project());
            book.open(run);
            run.state = engine::run::RunState::kDone;
            ASSERT_TRUE(book.close(run));
        }
        start();
        parts_ = std::make_unique<client::PartClient>(client::reachLocalAgent("/nonexistent/tandem-agent", kDeadline));
        mirror_.emplace(here());
    }
    fs::path there() const { return world_.path() / "runs" / "there"; }
    fs::path here() const { return world_.path() / "here"; }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((there() / name).parent_path());
        std::ofstream(there() / name, std::ios::binary) << text;
    }
    void update(
        const std::function<void()>& between = [] {}, const std::string& below = "") {
        mirror_->update(*parts_, kRun, below, between);
    }
    // Sorted names, of files alone.
    std::vector<std::string> brought() const {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(here())) {
            if (entry.is_regular_file()) {
                names.push_back(entry.path().lexically_relative(here()).string());
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    static std::string contents(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    static constexpr const char* kRun = "20270115-080000-abcd";
    std::unique_ptr<client::PartClient> parts_;
    std::optional<Mirror> mirror_;
};

TEST_F(MirrorTest, BringsWhatIsNewAndRemovesWhatHasGone) {
    write("checkpoints/ckpt_1", "one");
    write("backup/state", "state");
    update([] {}, "backup/");
    EXPECT_THAT(brought(), ElementsAre("backup/state"));
    update();
    EXPECT_THAT(brought(), ElementsAre("backup/state", "checkpoints/ckpt_1"));
    fs::remove(there() / "checkpoints/ckpt_1");
    write("checkpoints/ckpt_2", "two");
    update();
    EXPECT_THAT(brought(), ElementsAre("backup/state", "checkpoints/ckpt_2"));
    EXPECT_EQ(contents(here() / "checkpoints/ckpt_2"), "two");
}

// After a restart nobody knows what of the folder was fetched.
TEST_F(MirrorTest, LeavesAloneWhatIsNotKnownToBeFetched) {
    fs::create_directories(here() / "checkpoints");
    std::ofstream(here() / "notes.txt") << "mine";
    std::ofstream(here() / "checkpoints" / "ckpt_1") << "of an attempt that trained here";
    mirror_->takeForFetched();
    write("checkpoints/ckpt_2", "two");
    update();
    EXPECT_THAT(brought(), ElementsAre("checkpoints/ckpt_1", "checkpoints/ckpt_2", "notes.txt"));
    fs::remove(there() / "checkpoints/ckpt_2");
    update();
    EXPECT_THAT(brought(), ElementsAre("checkpoints/ckpt_1", "notes.txt")) << "what it has fetched goes with its original";
}

TEST_F(MirrorTest, BringsNothingInPlaceOfWhatIsTheAgentsHere) {
    FakeAgent wrong;
    for (const char* name : {"journal", "./journal", "journal-wal", "lock", "submission.json", "part.worker-0.json", "project.tandem",
                             "far_run.json", "logs/../submission.json", "lock/x", "logs/journal"}) {
        wrong.files[name] = "of the other computer";
    }
    client::PartClient parts = wrong.parts();
    mirror_->update(parts, kRun, "", [] {});
    EXPECT_THAT(brought(), ElementsAre("logs/journal"));
}

TEST_F(MirrorTest, AFileThatIsRefusedHoldsUpNoOther) {
    write("logs/events", "old");
    fs::create_hard_link(there() / "logs/events", world_.path() / "second name");
    write("checkpoints/ckpt_1", "one");
    try {
        update();
        ADD_FAILURE() << "expected the refusal of logs/events";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kPermissionDenied);
    }
    EXPECT_THAT(brought(), ElementsAre("checkpoints/ckpt_1"));
}

TEST_F(MirrorTest, EndsBetweenTwoPiecesOfAFileAndBringsItAnotherTime) {
    const std::string large(3'000'000, 'x');
    write("checkpoints/ckpt_1", large);
    int pieces = 0;
    const std::string text = messageOf(ErrorCode::kCancelled, [&] {
        update([&] {
            if (++pieces == 2) {
                throw engine::Error(ErrorCode::kCancelled, "nobody waits for it");
            }
        });
    });
    EXPECT_EQ(text, "nobody waits for it");
    EXPECT_EQ(pieces, 2) << "no further piece is taken";
    EXPECT_THAT(brought(), ElementsAre()) << "whole or not at all";
    pieces = 0;
    update([&] { ++pieces; });
    EXPECT_GT(pieces, 2);
    EXPECT_EQ(contents(here() / "checkpoints/ckpt_1"), large);
}

}  // namespace
