// A whole agent in this process, with fake workers as real processes, and a client that found it through its address file.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/client/agent_client.h"
#include "agent/local/address_file.h"
#include "agent/server/rpc/agent_server.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/eventually.h"
#include "tests/support/temp_dir.h"

namespace tests::agent_server {

using namespace std::chrono_literals;
namespace client = agent::client;
namespace spec = engine::spec;

inline constexpr std::chrono::seconds kDeadline{180};

using support::eventually;

// Whether a process runs; a zombie does not.
inline bool isRunning(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t end = text.rfind(')');
    return end != std::string::npos && text[end + 2] != 'Z';
}

// The process that a fake worker wrote down; 0 when it has not.
inline int pidIn(const std::filesystem::path& file) {
    int pid = 0;
    std::ifstream(file) >> pid;
    return pid;
}

// Collects what a watch delivers.
class Collected {
public:
    client::WatchHandler handler() {
        return {.events =
                    [this](std::vector<spec::TaskEvent> events) {
                        const std::lock_guard lock(mutex_);
                        events_.insert(events_.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
                        changed_.notify_all();
                        return true;
                    },
                .dropped =
                    [this](std::int64_t points) {
                        const std::lock_guard lock(mutex_);
                        dropped_ += points;
                    },
                .finished =
                    [this](std::optional<std::string> error) {
                        const std::lock_guard lock(mutex_);
                        finished_ = true;
                        error_ = error.value_or("");
                        changed_.notify_all();
                    }};
    }
    // Waits until an event satisfies `wanted`.
    bool waitFor(const std::function<bool(const spec::TaskEvent&)>& wanted) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kDeadline, [&] { return std::any_of(events_.begin(), events_.end(), wanted); });
    }
    bool waitForEnd() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kDeadline, [&] { return finished_; });
    }
    std::vector<spec::TaskEvent> events() const {
        const std::lock_guard lock(mutex_);
        return events_;
    }
    std::string error() const {
        const std::lock_guard lock(mutex_);
        return error_;
    }
    template <typename Body>
    std::vector<std::pair<spec::TaskId, Body>> all() const {
        std::vector<std::pair<spec::TaskId, Body>> found;
        for (const spec::TaskEvent& event : events()) {
            if (const Body* body = std::get_if<Body>(&event.body)) {
                found.emplace_back(event.task, *body);
            }
        }
        return found;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<spec::TaskEvent> events_;  // guarded by mutex_, as all below
    std::int64_t dropped_ = 0;
    bool finished_ = false;
    std::string error_;
};

inline bool isState(const spec::TaskEvent& event, spec::TaskState state) {
    const auto* change = std::get_if<spec::StateChanged>(&event.body);
    return change != nullptr && change->state == state;
}

// Folders, a program directory with the fake as tandem-worker, and a small project. XDG_RUNTIME_DIR points here while it lives.
class AgentWorld {
public:
    AgentWorld() {
        ::setenv("XDG_RUNTIME_DIR", (dir_.path() / "runtime").c_str(), 1);
        ::setenv("TANDEM_RUNS_DIR", (dir_.path() / "runs").c_str(), 1);
        std::filesystem::create_directories(dir_.path() / "bin");
        std::filesystem::create_symlink(std::filesystem::path(TANDEM_BIN) / "agent_fake_worker", dir_.path() / "bin" / "tandem-worker");
    }
    std::filesystem::path path() const { return dir_.path(); }
    std::filesystem::path bin() const { return dir_.path() / "bin"; }

    static spec::RunSpec project() {
        spec::RunSpec run;
        run.name = "small";
        run.model.input_shape = {28, 28, 1};
        run.model.layers = {{"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", "softmax"}}}};
        return run;
    }

private:
    tests::support::TempDir dir_;
};

class AgentTest : public ::testing::Test {
protected:
    // `behaviours`: "0:train,1:crash".
    void start(const std::string& behaviours = {}, agent::server::SupervisorOptions options = {},
               agent::server::QuestionLimits questions = {}) {
        agent::server::AgentServerConfig config;
        config.program_dir = world_.bin();
        config.environment = {"FAKE_WORKER=" + behaviours, "TF_CONFIG=left over from the shell"};
        config.version = "test";
        config.cores = 8;
        config.supervisor = options;
        config.questions = questions;
        server_ = std::make_unique<agent::server::AgentServer>(std::move(config));
        client_ = client::connectLocalAgent("/nonexistent/tandem-agent", kDeadline);
    }
    engine::run::RunInfo submit(int workers) {
        client::SubmitRequest request;
        request.run = AgentWorld::project();
        request.local_workers = workers;
        return client_->submit(request, kDeadline);
    }
    engine::run::RunInfo waitForEnd(const std::string& id) {
        EXPECT_TRUE(eventually([&] { return isFinal(client_->getRun(id, kDeadline).state); }));
        return client_->getRun(id, kDeadline);
    }
    void control(const std::string& id, spec::ControlVerb verb, double value = 0) { client_->control(id, {verb, value}, kDeadline); }

    static std::string messageOf(engine::ErrorCode expected, const std::function<void()>& action) {
        try {
            action();
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), expected) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "no error";
        return {};
    }

    AgentWorld world_;
    std::unique_ptr<agent::server::AgentServer> server_;
    std::unique_ptr<client::AgentClient> client_;
};

}  // namespace tests::agent_server
