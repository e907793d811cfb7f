// Processes that are none: what the supervisor sees of a task, with the task's ends in the hands of the test.
#pragma once

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/proto/task_event.pb.h"
#include "agent/server/process/process.h"
#include "agent/wire/delimited.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace tests::agent_server {

using namespace std::chrono_literals;
using namespace agent::server;
using namespace engine::spec;
using agent::convert::FileDescriptor;

// What the test does to a process and what was done to it. Outlives the process object.
struct FakeTask {
    FileDescriptor events, output, error, exit;  // the task's ends
    std::optional<agent::convert::DelimitedReader> reader;
    std::optional<ExitStatus> ended;
    std::vector<int> signals;

    void tell(EventBody body) {
        agent::convert::DelimitedWriter writer(events.get());
        EXPECT_TRUE(writer.write(agent::convert::toProto(TaskEvent{0, 0, {}, std::move(body)}), 60s));
    }
    // A heartbeat as a task sends it that exchanges with others.
    void tellLive(const engine::spec::ExchangeState& exchange) {
        agent::proto::TaskEvent message = agent::convert::toProto(TaskEvent{0, 0, {}, Heartbeat{}});
        *message.mutable_heartbeat()->mutable_exchange() = agent::convert::toProto(exchange);
        EXPECT_TRUE(agent::convert::DelimitedWriter(events.get()).write(message, 60s));
    }
    void print(const std::string& text) { EXPECT_EQ(::write(output.get(), text.data(), text.size()), static_cast<ssize_t>(text.size())); }
    void end(ExitStatus status) {
        ended = status;
        EXPECT_EQ(::write(exit.get(), "x", 1), 1);
    }
    void askForReceipt(std::uint64_t number) {
        agent::proto::TaskEvent question;
        question.set_receipt_wanted(number);
        EXPECT_TRUE(agent::convert::DelimitedWriter(events.get()).write(question, 60s));
    }
    // Number and answer of the receipt that arrived.
    std::pair<std::uint64_t, bool> receipt() {
        auto next = order();
        while (next && !next->has_receipt()) {
            next = order();
        }
        return next ? std::pair(next->receipt().number(), next->receipt().kept()) : std::pair(std::uint64_t{0}, false);
    }
    // The next order that arrived; nothing when there is none.
    std::optional<agent::proto::TaskOrder> order() {
        ::fcntl(events.get(), F_SETFL, O_NONBLOCK);
        if (!reader) {
            reader.emplace(events.get());
        }
        agent::proto::TaskOrder message;
        return reader->read(message) == agent::convert::ReadResult::kMessage ? std::optional(message) : std::nullopt;
    }
    // The next control that arrived; nothing when there is none.
    std::optional<Control> control() {
        auto next = order();
        while (next && !next->has_control()) {
            next = order();
        }
        return next ? std::optional(agent::convert::fromProto(next->control())) : std::nullopt;
    }
};

class FakeProcess : public Process {
public:
    explicit FakeProcess(std::shared_ptr<FakeTask> task) : task_(std::move(task)) {
        int pair[2];
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        events_ = FileDescriptor(pair[0]);
        task_->events = FileDescriptor(pair[1]);
        for (auto [ours, theirs] :
             {std::pair{&output_, &task_->output}, std::pair{&error_, &task_->error}, std::pair{&exit_, &task_->exit}}) {
            EXPECT_EQ(::pipe(pair), 0);
            *ours = FileDescriptor(pair[0]);
            *theirs = FileDescriptor(pair[1]);
        }
        for (const int descriptor : {events_.get(), output_.get(), error_.get()}) {
            ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
        }
    }
    int pid() const override { return 1; }
    int exitDescriptor() const override { return exit_.get(); }
    int eventDescriptor() const override { return events_.get(); }
    int outputDescriptor() const override { return output_.get(); }
    int errorDescriptor() const override { return error_.get(); }
    void signalGroup(int signal) override { task_->signals.push_back(signal); }
    std::optional<ExitStatus> tryReap() override { return task_->ended; }

private:
    const std::shared_ptr<FakeTask> task_;
    FileDescriptor events_, output_, error_, exit_;
};

class FakeLauncher final : public ProcessLauncher {
public:
    std::unique_ptr<Process> launch(const ProcessSpec& spec) override {
        if (spec.program == "missing") {
            throw engine::Error(engine::ErrorCode::kUnavailable, "missing: start: No such file or directory");
        }
        tasks.push_back(std::make_shared<FakeTask>());
        return std::make_unique<FakeProcess>(tasks.back());
    }
    std::vector<std::shared_ptr<FakeTask>> tasks;
};

}  // namespace tests::agent_server
