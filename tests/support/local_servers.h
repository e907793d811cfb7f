// Parameter servers in the test's process, as a worker's trainer finds them. A test takes one away whenever it likes.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/parameter_server/local_link.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/spec/error.h"
#include "engine/train/fit/parameter_servers.h"
#include "engine/train/task_plans.h"

namespace tests::support {

namespace parameter_server = engine::parameter_server;

// The ps tasks of a run. Any thread.
class LocalServers {
public:
    struct Server {
        std::unique_ptr<parameter_server::ParameterStore> store;
        std::atomic<bool> is_lost = false;
    };

    // `task` is any worker of the run; its `servers` says how many there are.
    LocalServers(const engine::spec::RunSpec& run, const engine::spec::TaskPlan& task) : plans_(engine::train::parameterPlans(run, task)) {
        for (int k = 0; k < task.servers; ++k) servers_.push_back(make(k));
    }

    // The server is gone with all that it held; one without values is at its place already.
    void lose(int server) {
        std::shared_ptr<Server>& place = servers_[static_cast<std::size_t>(server)];
        place->is_lost = true;
        place = make(server);
    }
    parameter_server::ParameterStore& store(int server) { return *servers_[static_cast<std::size_t>(server)]->store; }
    std::shared_ptr<Server> server(int server) const { return servers_[static_cast<std::size_t>(server)]; }
    int count() const { return static_cast<int>(servers_.size()); }

private:
    std::shared_ptr<Server> make(int server) const {
        auto made = std::make_shared<Server>();
        made->store = std::make_unique<parameter_server::ParameterStore>(
            plans_.servers[static_cast<std::size_t>(server)], plans_.worker.buckets.size(),
            parameter_server::StoreOptions{.make_executor = engine::backend::makeCpuExecutor});
        return made;
    }

    const parameter_server::ParameterPlans plans_;
    std::vector<std::shared_ptr<Server>> servers_;
};

// A worker's link to a server, which throws as soon as the server is lost.
class LosableLink final : public parameter_server::ServerLink {
public:
    LosableLink(std::shared_ptr<LocalServers::Server> server, int index, int worker, std::span<std::byte> region)
        : server_(std::move(server)), name_("ps " + std::to_string(index)), link_(*server_->store, worker, region) {}

    State state() override { return link().state(); }
    void give(const parameter_server::GivenValues& values) override { link().give(values); }
    void begin(std::chrono::steady_clock::time_point deadline) override { link().begin(deadline); }
    State pull(std::span<const parameter_server::ByteRange> ranges, std::span<std::byte> values,
               std::span<std::int64_t> versions) override {
        return link().pull(ranges, values, versions);
    }
    void startPush(const parameter_server::PushRequest& request, const parameter_server::PushedRanges& ranges) override {
        link().startPush(request, ranges);
    }
    parameter_server::PushReply awaitPush() override { return link().awaitPush(); }
    void read(std::span<std::byte> variables) override { link().read(variables); }
    void tellEpoch(const parameter_server::EpochSums& sums) override { link().tellEpoch(sums); }
    parameter_server::EpochSums epochSums(std::int64_t epoch) override { return link().epochSums(epoch); }
    void setLearningRate(float rate) override { link().setLearningRate(rate); }
    void openEpochs(std::int64_t epochs) override { link().openEpochs(epochs); }
    std::string way() const override { return link_.way(); }

private:
    parameter_server::LocalLink& link() {
        if (server_->is_lost) throw engine::Error(engine::ErrorCode::kUnavailable, name_ + " is lost: it closed its connection");
        return link_;
    }

    const std::shared_ptr<LocalServers::Server> server_;
    const std::string name_;
    parameter_server::LocalLink link_;
};

// What one worker has of them; one thread.
class WorkersServers final : public engine::train::ParameterServers {
public:
    WorkersServers(LocalServers& servers, const engine::spec::RunSpec& run, const engine::spec::TaskPlan& task)
        : servers_(servers),
          rank_(task.rank),
          plans_(engine::train::parameterPlans(run, task)),
          region_(static_cast<std::size_t>(plans_.worker.shared_bytes)) {}

    const parameter_server::ParameterPlans& plans() const override { return plans_; }
    Connection connect() override {
        ++connections;
        links_.clear();
        if (!refuses.empty()) throw engine::Error(engine::ErrorCode::kDeadlineExceeded, refuses);
        std::vector<parameter_server::ServerLink*> links;
        for (int k = 0; k < servers_.count(); ++k) {
            links_.push_back(std::make_unique<LosableLink>(servers_.server(k), k, rank_, region_.span()));
            links.push_back(links_.back().get());
        }
        if (connected) connected();
        return {.links = links, .region = region_.span(), .description = "loopback", .chief = "chief 0 at localhost:2222"};
    }
    void leave(bool complete) override {
        for (int k = 0; complete && k < servers_.count(); ++k) servers_.store(k).end();
    }

    int connections = 0;              // so far
    std::function<void()> connected;  // called when the links of one are made
    std::string refuses;              // why no server is found; empty: all are

private:
    LocalServers& servers_;
    const int rank_;
    const parameter_server::ParameterPlans plans_;
    engine::distribute::AlignedMemory region_;
    std::vector<std::unique_ptr<LosableLink>> links_;
};

}  // namespace tests::support
