#include "agent/history/run_store.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using agent::history::RunRecord;
using agent::history::RunState;
using agent::history::RunStore;

class RunStoreTest : public ::testing::Test {
protected:
    std::filesystem::path file() const { return dir_.path() / agent::history::kIndexFile; }
    static RunRecord run(const std::string& id, std::int64_t created_unix_ns = 1) {
        RunRecord run;
        run.id = id;
        run.name = "T4";
        run.created_unix_ns = created_unix_ns;
        run.run_dir = "/runs/" + id;
        run.tasks = 2;
        run.project_json = "{}";
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
    RunRecord run = this->run("20261121-143205-7f3a");
    {
        RunStore store(file());
        store.insert(run);
        run.state = RunState::kDone;
        run.detail = "한글";
        run.finished_unix_ns = 7;
        run.results = {{"test_loss", 0.25}, {"test_accuracy", 0.9858}};
        run.checkpoint = "checkpoints/ckpt_12";
        run.weights_sha256 = "9f86";
        store.update(run);
    }
    const RunStore reopened(file(), RunStore::Access::kReadOnly);
    EXPECT_EQ(reopened.find(run.id), run);
    EXPECT_EQ(reopened.find("another"), std::nullopt);
}

TEST_F(RunStoreTest, ListsTheNewestFirst) {
    RunStore store(file());
    store.insert(run("b", 20));
    store.insert(run("a", 30));
    store.insert(run("c", 10));
    std::vector<std::string> ids;
    for (const RunRecord& run : store.list()) {
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
        RunRecord entry = run("state " + std::to_string(state));
        store.insert(entry);
        entry.state = static_cast<RunState>(state);
        store.update(entry);
    }
    EXPECT_THAT(store.failUnfinished("the agent was killed", 99), ::testing::UnorderedElementsAre("state 1", "state 2", "state 3"));
    EXPECT_EQ(store.find("state 2")->state, RunState::kFailed);
    EXPECT_EQ(store.find("state 2")->detail, "the agent was killed");
    EXPECT_EQ(store.find("state 2")->finished_unix_ns, 99);
    EXPECT_EQ(store.find("state 5")->state, RunState::kStopped);
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
        for (const RunRecord& one : page) ids.push_back(one.id);
        if (page.size() < 2) break;
        before = page.back().created_unix_ns;
        id = page.back().id;
    }
    EXPECT_THAT(ids, ::testing::ElementsAre("run 4", "run 3", "run 2", "run 1", "run 0"));
}

TEST_F(RunStoreTest, KeepsResultsThatAreNoNumbers) {
    RunStore store(file());
    RunRecord entry = run("a");
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
