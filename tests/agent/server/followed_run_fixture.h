// A run's folder in which tasks without an agent tell, for the tests of what follows it.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "agent/history/journal.h"
#include "agent/local/event_files.h"
#include "agent/local/process_mark.h"
#include "agent/proto/task_event.pb.h"
#include "agent/server/followed/followed_run.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/delimited.h"
#include "agent/wire/task_event_convert.h"
#include "tests/support/temp_dir.h"

namespace tests::agent_server {

inline constexpr std::int64_t kSecond = 1000000000;

// A run's folder, and tasks that write into it as theirs do.
class FollowedRunTest : public ::testing::Test {
protected:
    FollowedRunTest() {
        std::filesystem::create_directories(runs());
        std::filesystem::create_directories(run() / "events");
        begin_ = agent::server::nowUnixNs() - 6 * kSecond;
        now_ = std::chrono::steady_clock::now();
        makeBook();
    }
    std::filesystem::path runs() const { return dir_.path() / "runs"; }
    std::filesystem::path run() const { return dir_.path() / "run"; }
    void makeBook() {
        book_.reset();
        book_ = std::make_unique<agent::server::RunBook>(
            runs(), agent::server::RunBookOptions{
                        .may_go_on = [](const engine::run::RunInfo& one) { return agent::convert::isFollowed(one.run_dir, one.id); }});
    }
    // `second`: after the first start.
    void write(const engine::spec::TaskId& task, double second, const std::function<void(agent::proto::TaskEvent&)>& fill) {
        agent::proto::TaskEvent message;
        message.set_time_unix_ns(begin_ + static_cast<std::int64_t>(second * 1e9));
        *message.mutable_task() = agent::convert::toProto(task);
        fill(message);
        std::string bytes;
        agent::convert::appendDelimited(bytes, message);
        std::ofstream(run() / "events" / agent::convert::eventFileName(task), std::ios::binary | std::ios::app) << bytes;
    }
    void start(const engine::spec::TaskId& task, double second, const std::string& process = agent::convert::ownProcessMark(),
               int version = 1) {
        write(task, second, [&](agent::proto::TaskEvent& message) {
            agent::proto::TaskStart& start = *message.mutable_start();
            start.set_version(version);
            start.set_run_name("mnist");
            start.set_project_json(toProjectJson(told_));
            for (int i = 0; i < 2; ++i) *start.add_tasks() = agent::convert::toProto(engine::spec::TaskId{"worker", i});
            *start.mutable_chief() = agent::convert::toProto(engine::spec::TaskId{"worker", 0});
            start.set_independent(independent_);
            start.set_host("node" + std::to_string(task.index + 1));
            start.set_process(process);
        });
    }
    void tell(const engine::spec::TaskId& task, double second, engine::spec::EventBody body) {
        write(task, second, [&](agent::proto::TaskEvent& message) {
            message = agent::convert::toProto(engine::spec::TaskEvent{0, message.time_unix_ns(), task, std::move(body)});
        });
    }
    void state(const engine::spec::TaskId& task, double second, engine::spec::TaskState value, const std::string& detail = "") {
        tell(task, second, engine::spec::StateChanged{value, detail});
    }
    void points(const engine::spec::TaskId& task, double second, std::int64_t step) {
        engine::spec::StepPoints pack;
        pack.step = {step};
        pack.epoch = {0};
        pack.time_unix_ns = {begin_};
        pack.columns = {{"loss", {0.25F}}};
        tell(task, second, pack);
    }

    std::unique_ptr<agent::server::FollowedRun> follow(std::optional<engine::run::RunInfo> known = std::nullopt,
                                                       const std::string& id = "new-run") {
        return std::make_unique<agent::server::FollowedRun>(run(), std::move(known), id, options_, *book_, log(), now_);
    }
    agent::server::LogSink log() {
        return [this](engine::spec::LogLevel, const std::string& text) { log_.push_back(text); };
    }
    // Everything that the journal holds, one word an event.
    std::vector<std::string> journal() const {
        const agent::history::Journal file(run() / agent::history::kJournalFile, agent::history::Journal::Access::kReadOnly);
        std::vector<std::string> words;
        for (const auto& entry : file.read(1, 10000, 16u << 20)) {
            const engine::spec::TaskEvent event = agent::convert::decodeEvent(entry.event);
            std::string word = event.task.type.substr(0, 1) + std::to_string(event.task.index) + " ";
            if (const auto* change = std::get_if<engine::spec::StateChanged>(&event.body)) {
                word += toString(change->state);
            } else if (const auto* pack = std::get_if<engine::spec::StepPoints>(&event.body)) {
                word += "step " + std::to_string(pack->step.front());
            } else if (const auto* attempt = std::get_if<engine::spec::AttemptStarted>(&event.body)) {
                word += "attempt " + std::to_string(attempt->attempt) + ": " + attempt->reason;
                for (const engine::spec::TaskHost& one : attempt->hosts) word += " " + one.host;
            } else if (const auto* failed = std::get_if<engine::spec::TaskFailed>(&event.body)) {
                word += "failed: " + failed->reason;
            } else if (const auto* line = std::get_if<engine::spec::LogLine>(&event.body)) {
                word += line->text;
            } else {
                word += "other";
            }
            words.push_back(word);
        }
        return words;
    }
    engine::run::RunInfo indexed(const std::string& id) { return book_->find(id); }

    const tests::support::TempDir dir_;
    std::int64_t begin_ = 0;
    bool independent_ = false;
    engine::spec::RunSpec told_;  // the project that the tasks tell
    agent::server::FollowOptions options_;
    std::chrono::steady_clock::time_point now_;
    std::unique_ptr<agent::server::RunBook> book_;
    std::vector<std::string> log_;
    const engine::spec::TaskId chief_{"worker", 0}, other_{"worker", 1};
};

}  // namespace tests::agent_server
