// Tasks of several hosts, of which not every pair has a Link: rank 0 says when all are here. A host is an address of the loopback.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/spec/error.h"
#include "local_cluster.h"

namespace {

using namespace std::chrono_literals;
using agent::worker::ConnectCallbacks;
using agent::worker::ConnectOptions;
using engine::Error;
using engine::spec::TransportChoice;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using tests::support::LocalCluster;

constexpr int kTasks = 6;

LocalCluster clusterOfHosts() {
    LocalCluster cluster(kTasks);
    for (int rank = 0; rank < kTasks; ++rank) {
        cluster.spec.jobs[0].tasks[rank] =
            "127.0.1." + std::to_string(rank + 1) + ":" + std::to_string(cluster.ports[static_cast<std::size_t>(rank)].port());
    }
    return cluster;
}

struct Result {
    std::string sum;  // or why there is none
    std::vector<std::string> waiting;
};

// Tasks that wait until every one of so many has been told of the same missing task.
class Hearers {
public:
    Hearers(std::string missing, int count) : missing_(std::move(missing)), left_(count) {}
    bool concerns(const std::string& line) const { return line.find(missing_) != std::string::npos; }
    void oneHasHeard() { --left_; }
    bool all() const { return left_ <= 0; }

private:
    const std::string missing_;
    std::atomic<int> left_;
};

std::future<Result> start(const LocalCluster& cluster, int rank, const ConnectOptions& options, Hearers* hearers = nullptr) {
    return std::async(std::launch::async, [&cluster, rank, options, hearers] {
        Result result;
        ConnectCallbacks callbacks;
        bool has_heard = false;
        callbacks.on_waiting = [&](const std::string& line, const auto&) {
            result.waiting.push_back(line);
            if (hearers != nullptr && hearers->concerns(line) && !std::exchange(has_heard, true)) hearers->oneHasHeard();
        };
        callbacks.is_cancelled = [&] { return hearers != nullptr && hearers->all(); };
        try {
            const auto collective = cluster.connect(rank, TransportChoice::kAuto, options, callbacks);
            std::vector<float> ones(100, 1.0f);
            collective->allReduceSum(ones);
            result.sum = std::to_string(static_cast<int>(ones.back()));
        } catch (const Error& error) {
            result.sum = error.what();
        }
        return result;
    });
}

TEST(Hub, TellsEveryoneWhenAllAreHere) {
    const LocalCluster cluster = clusterOfHosts();
    std::vector<std::future<Result>> tasks;
    for (int rank = kTasks - 1; rank >= 0; --rank) tasks.push_back(start(cluster, rank, {.start_timeout = 180s}));
    for (auto& task : tasks) EXPECT_EQ(task.get().sum, std::to_string(kTasks));
}

TEST(Hub, TellsWhoIsAwaitedToThoseWhoCannotSeeIt) {
    const LocalCluster cluster = clusterOfHosts();
    constexpr int kMissing = 3, kFarAway = 1;                           // neither neighbours of each other
    Hearers hearers("worker " + std::to_string(kMissing) + " at ", 5);  // who has heard of it goes on until all have
    std::vector<std::future<Result>> tasks;
    for (const int rank : {0, kFarAway, 2, 4, 5}) {
        tasks.push_back(start(cluster, rank, {.start_timeout = 180s, .waiting_report = 200ms}, &hearers));
    }
    for (auto& task : tasks) {
        const Result result = task.get();
        EXPECT_THAT(result.sum, AllOf(HasSubstr("waiting for "), HasSubstr("worker " + std::to_string(kMissing) + " at ")));
        EXPECT_THAT(result.waiting, Contains(HasSubstr("worker 3 at 127.0.1.4:")));
        EXPECT_THAT(result.waiting, Each(Not(HasSubstr("has not proven"))));
    }
}

}  // namespace
