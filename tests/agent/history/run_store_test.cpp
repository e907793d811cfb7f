#include "agent/history/run_store.h"

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/history/database.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using agent::history::RunStore;
using engine::run::RunInfo;
using engine::run::RunState;

class RunStoreTest : public ::testing::Test {
protected:
    std::filesystem::path file() const { return dir_.path() / agent::history::kIndexFile; }
    static engine::run::RunInfo run(const std::string& id, std::int64_t created_unix_ns = 1) {
        engine::run::RunInfo run;
        run.id = id;
        run.name = "T4";
        run.created_unix_ns = created_unix_ns;
        run.run_dir = "/runs/" + id;
        run.tasks = 2;
        run.project_json = "{}";
        run.branch_of = "20261120-101010-0001";
        return run;
    }
    static engine::ErrorCode codeOf(const std::function<void()>& action) {
        try {
            action();
        } catch (const engine::Error& error) {
            return error.code();
        }
        ADD_FAILURE() << "no error";
        return engine::ErrorCode::kInternal;
    }
    tests::support::TempDir dir_;
};

TEST_F(RunStoreTest, KeepsRunsAcrossProcesses) {
    engine::run::RunInfo run = this->run("20261121-143205-7f3a");
    {
        RunStore store(file());
        store.insert(run);
        run.state = engine::run::RunState::kDone;
        run.detail = "한글";
        run.finished_unix_ns = 7;
        run.results = {{"test_loss", 0.25}, {"test_accuracy", 0.9858}};
        run.checkpoint = "checkpoints/ckpt_12";
        run.weights_sha256 = "9f86";
        run.attempts = 3;
        run.idle_ns = 5'000'000'000;
        run.followed = true;
        store.update(run);
    }
    const RunStore reopened(file(), RunStore::Access::kReadOnly);
    EXPECT_EQ(reopened.find(run.id), run);
    EXPECT_EQ(reopened.find("another"), std::nullopt);
}

TEST_F(RunStoreTest, ReadsAnIndexFromBeforeRunsHadAttempts) {
    {
        constexpr std::array kSchema1{
            "CREATE TABLE runs (id TEXT PRIMARY KEY, name TEXT NOT NULL, state INTEGER NOT NULL, detail TEXT NOT NULL,"
            " created_unix_ns INTEGER NOT NULL, finished_unix_ns INTEGER NOT NULL, run_dir TEXT NOT NULL, tasks INTEGER NOT NULL,"
            " project_json TEXT NOT NULL, results_json TEXT NOT NULL, checkpoint TEXT NOT NULL, weights_sha256 TEXT NOT NULL"
            ") WITHOUT ROWID;"};
        const agent::history::Database old(file(), kSchema1, agent::history::Database::Access::kCreate);
        old.execute("INSERT INTO runs VALUES ('a', 'T4', 4, '', 1, 2, '/runs/a', 2, '{}', '[]', '', '')");
    }
    const auto check = [](const RunStore& store) {
        const std::optional<engine::run::RunInfo> run = store.find("a");
        ASSERT_TRUE(run);
        EXPECT_EQ(run->attempts, 1);
        EXPECT_EQ(run->idle_ns, 0);
        EXPECT_FALSE(run->followed);
        EXPECT_EQ(store.list().size(), 1U);
        EXPECT_EQ(store.listIntact().size(), 1U);
    };
    check(RunStore(file(), RunStore::Access::kReadOnly));
    check(RunStore(file()));
    std::string record = agent::history::toJson(run("a"));
    for (const std::string_view field : {"\"attempts\":1,", "\"idle_ns\":0,", "\"followed\":false,"}) {
        record.erase(record.find(field), field.size());
    }
    EXPECT_EQ(agent::history::runInfoFromJson(record), run("a")) << "as a journal of that time carries it: " << record;
}

TEST_F(RunStoreTest, ListsTheNewestFirst) {
    RunStore store(file());
    store.insert(run("b", 20));
    store.insert(run("a", 30));
    store.insert(run("c", 10));
    std::vector<std::string> ids;
    for (const engine::run::RunInfo& run : store.list()) {
        ids.push_back(run.id);
    }
    EXPECT_THAT(ids, ::testing::ElementsAre("a", "b", "c"));
}

TEST_F(RunStoreTest, RefusesTheSameIdTwice) {
    RunStore store(file());
    store.insert(run("a"));
    EXPECT_EQ(codeOf([&] { store.insert(run("a")); }), engine::ErrorCode::kAlreadyExists);
}

TEST_F(RunStoreTest, RefusesToUpdateARunItDoesNotKnow) {
    RunStore store(file());
    EXPECT_EQ(codeOf([&] { store.update(run("a")); }), engine::ErrorCode::kNotFound);
}

TEST_F(RunStoreTest, FailsTheRunsThatAnEarlierAgentLeftUnfinished) {
    RunStore store(file());
    for (int state = 1; state <= 6; ++state) {
        engine::run::RunInfo entry = run("state " + std::to_string(state));
        store.insert(entry);
        entry.state = static_cast<engine::run::RunState>(state);
        store.update(entry);
    }
    EXPECT_THAT(store.failUnfinished("the agent was killed", 99), ::testing::UnorderedElementsAre("state 1", "state 2", "state 3"));
    EXPECT_EQ(store.find("state 2")->state, engine::run::RunState::kFailed);
    EXPECT_EQ(store.find("state 2")->detail, "the agent was killed");
    EXPECT_EQ(store.find("state 2")->finished_unix_ns, 99);
    EXPECT_EQ(store.find("state 5")->state, engine::run::RunState::kStopped);
    EXPECT_TRUE(store.failUnfinished("the agent was killed", 99).empty());
}

TEST_F(RunStoreTest, ListsPageByPage) {
    RunStore store(file());
    for (int i = 0; i < 5; ++i) store.insert(run("run " + std::to_string(i), i / 2));  // two of one time
    std::vector<std::string> ids;
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    std::string id;
    for (;;) {
        const auto page = store.listBehind(before, id, 2);
        for (const engine::run::RunInfo& one : page) ids.push_back(one.id);
        if (page.size() < 2) break;
        before = page.back().created_unix_ns;
        id = page.back().id;
    }
    EXPECT_THAT(ids, ::testing::ElementsAre("run 4", "run 3", "run 2", "run 1", "run 0"));
}

TEST_F(RunStoreTest, KeepsResultsThatAreNoNumbers) {
    RunStore store(file());
    engine::run::RunInfo entry = run("a");
    entry.results = {{"loss", std::numeric_limits<double>::quiet_NaN()}};
    store.insert(entry);
    EXPECT_TRUE(std::isnan(store.find("a")->results.at(0).second));
}

TEST_F(RunStoreTest, SaysThatAFileIsNoDatabase) {
    std::ofstream(file()) << std::string(4096, 'x');
    EXPECT_EQ(codeOf([&] { RunStore store(file()); }), engine::ErrorCode::kDataLoss);
}

TEST_F(RunStoreTest, SaysThatThereIsNoFile) {
    EXPECT_EQ(codeOf([&] { RunStore store(file(), RunStore::Access::kReadOnly); }), engine::ErrorCode::kPermissionDenied);
}

}  // namespace
