#include "agent/server/runs/home_submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/server/host/host_probe.h"
#include "agent/server/process/port_reservation.h"
#include "agent/server/process/wall_clock.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::server;
namespace spec = engine::spec;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A computer that has said yes.
class AgreedPart final : public FarPart {
public:
    AgreedPart(const PartRequest& request, std::vector<std::string>& dropped)
        : host_(request.host),
          address_("10.77.0." + request.host.substr(request.host.size() - 1)),
          ports_(request.ports),
          dropped_(dropped) {
        for (int i = 0; ports_.size() < static_cast<std::size_t>(request.tasks); ++i) ports_.push_back(7000 + i);
    }
    ~AgreedPart() override { dropped_.push_back(host_); }
    const std::string& host() const override { return host_; }
    const std::string& address() const override { return address_; }
    const std::vector<int>& ports() const override { return ports_; }
    const std::string& addressOfHome() const override { return home_; }
    void plan(PartPlan plan) override { planned = std::move(plan); }
    void goOnWith(PartChange) override {}
    std::unique_ptr<Process> launch(const spec::TaskId&) override { return nullptr; }
    std::optional<PartPlan> planned;

private:
    const std::string host_, address_, home_ = "10.77.0.1";
    std::vector<int> ports_;
    std::vector<std::string>& dropped_;
};

class HomeSubmission : public testing::Test {
protected:
    HomeSubmission() : book_(dir_.path()) {
        run.name = "small";
        run.model.input_shape = {4};
        run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("softmax")}}}};
        context.runs_dir = dir_.path();
        context.worker_program = dir_.path() / "tandem-worker";
        context.cores = 8;
        context.parts = [this](const std::vector<PartRequest>& requests, const std::string& project_json, const std::string& agent) {
            ssh_agent = agent;
            sketch = project_json;
            std::vector<std::shared_ptr<FarPart>> parts;
            for (const PartRequest& request : requests) {
                parts.push_back(made.emplace_back(std::make_shared<AgreedPart>(request, dropped)));
            }
            return parts;
        };
    }
    // Empty: the hosts of the run's own cluster.
    RunLaunch prepare(const std::string& hosts, int servers = 0) {
        Submission submission;
        submission.project_json = toProjectJson(run);
        if (!hosts.empty()) {
            submission.hosts = spec::parseHostShares(hosts);
            spec::dealServers(submission.hosts, servers);
        }
        submission.save_weights = save_weights;
        submission.ssh_agent = "/tmp/agent";
        return prepareRunOnHosts(submission, context, book_);
    }
    std::string refusal(const std::string& hosts) {
        try {
            prepare(hosts);
        } catch (const engine::Error& error) {
            return error.what();
        }
        return "no error";
    }
    void useWorkers(const std::vector<std::string>& addresses) {
        run.strategy.name = "MultiWorkerMirroredStrategy";
        spec::Job job{"worker", {}};
        for (const std::string& address : addresses) job.tasks[static_cast<int>(job.tasks.size())] = address;
        run.cluster.spec.jobs = {job};
    }
    // As its tasks get it.
    static spec::ClusterSpec meetingPlaces(const AgreedPart& part) {
        return spec::parseProject(part.planned->project_json).run.cluster.spec;
    }
    static spec::ClusterSpec clusterOf(const RunLaunch& launch) { return spec::parseProject(launch.record.project_json).run.cluster.spec; }

    tests::support::TempDir dir_;
    RunBook book_;
    spec::RunSpec run;
    SubmissionContext context;
    std::string save_weights, sketch, ssh_agent;
    std::vector<std::string> dropped;
    std::vector<std::shared_ptr<AgreedPart>> made;
    const std::string own = hostName();
};

TEST_F(HomeSubmission, MakesOneClusterOfTheHostsPorts) {
    const RunLaunch launch = prepare(own + ",node2:2");
    const spec::ClusterSpec cluster = meetingPlaces(*made[0]);
    const std::string port = ":" + std::to_string(launch.tasks[0].port.port());
    EXPECT_EQ(cluster.address({"worker", 1}), "10.77.0.2:7000");
    EXPECT_EQ(cluster.address({"worker", 2}), "10.77.0.2:7001");
    EXPECT_EQ(cluster.address({"worker", 0}), "10.77.0.1" + port);
    EXPECT_EQ(clusterOf(launch).address({"worker", 1}), "node2:7000") << "the record keeps the names";
    EXPECT_EQ(clusterOf(launch).address({"worker", 0}), own + port);
    EXPECT_TRUE(launch.across_hosts);
    ASSERT_EQ(launch.tasks.size(), 3U);
    EXPECT_EQ(launch.tasks[0].part, nullptr);
    EXPECT_TRUE(launch.tasks[0].chief);
    EXPECT_EQ(launch.tasks[1].part, made[0]);
    EXPECT_EQ(launch.tasks[2].task, (spec::TaskId{"worker", 2}));
    EXPECT_EQ(launch.record.tasks, 3);
}

TEST_F(HomeSubmission, TellsEachHostItsTasksAndTheWholeCluster) {
    const RunLaunch launch = prepare(own + ",node2,node3");
    ASSERT_TRUE(made[1]->planned);
    EXPECT_THAT(made[1]->planned->tasks, ElementsAre(spec::TaskId{"worker", 2}));
    EXPECT_EQ(meetingPlaces(*made[1]).trainingTasks(), clusterOf(launch).trainingTasks());
    EXPECT_EQ(meetingPlaces(*made[1]), meetingPlaces(*made[0]));
    EXPECT_EQ(made[1]->planned->chief, (spec::TaskId{"worker", 0})) << "which is here";
}

TEST_F(HomeSubmission, BringsHomeWhatAChiefElsewhereWrites) {
    const RunLaunch launch = prepare("node2,node3");
    EXPECT_EQ(made[0]->planned->folder, launch.record.run_dir);
    EXPECT_EQ(made[0]->planned->chief, made[0]->planned->tasks[0]);
    ASSERT_EQ(launch.tasks.size(), 2U) << "this computer has no task";
    EXPECT_TRUE(launch.tasks[0].chief);
}

TEST_F(HomeSubmission, ShowsTheHostsTheRightKindOfRunBeforeThePortsAreKnown) {
    prepare(own + ",node2:0,node3", 1);
    const spec::RunSpec shown = spec::parseProject(sketch).run;
    EXPECT_EQ(shown.strategy.name, "ParameterServerStrategy");
    EXPECT_EQ(shown.cluster.spec.taskCount("ps"), 1);
    EXPECT_EQ(shown.cluster.spec.taskCount("worker"), 2);
    EXPECT_EQ(ssh_agent, "/tmp/agent");
}

TEST_F(HomeSubmission, NeedsNobodyElseForThisComputerAlone) {
    context.parts = {};
    const RunLaunch launch = prepare(own + ":2");
    EXPECT_FALSE(launch.across_hosts);
    EXPECT_THAT(*clusterOf(launch).address({"worker", 1}), HasSubstr(own + ":"));
    EXPECT_THAT(launch.tasks[1].process.environment, Contains(HasSubstr("TF_CONFIG={\"cluster\": {\"worker\": [\"localhost:")));
    context.parts = {};
    EXPECT_THAT(refusal(own + ",node2"), HasSubstr("expected an agent that reaches other computers"));
}

TEST_F(HomeSubmission, StartsTheProjectsOwnClusterOnItsPorts) {
    const int port = PortReservation::anyPort().port();
    useWorkers({"node3:6001", own + ":" + std::to_string(port), "node2:6002", "node3:6003"});
    const RunLaunch launch = prepare("");
    ASSERT_EQ(made.size(), 2U);
    EXPECT_EQ(made[0]->host(), "node3");
    EXPECT_THAT(made[0]->planned->tasks, ElementsAre(spec::TaskId{"worker", 0}, spec::TaskId{"worker", 3}));
    EXPECT_THAT(made[0]->ports(), ElementsAre(6001, 6003));
    EXPECT_EQ(made[0]->planned->chief, (spec::TaskId{"worker", 0}));
    const spec::ClusterSpec meets = meetingPlaces(*made[1]);
    EXPECT_EQ(meets.address({"worker", 0}), "10.77.0.3:6001");
    EXPECT_EQ(meets.address({"worker", 1}), "10.77.0.1:" + std::to_string(port));
    EXPECT_EQ(meets.address({"worker", 2}), "10.77.0.2:6002");
    EXPECT_EQ(clusterOf(launch), run.cluster.spec) << "as it was written";
    EXPECT_EQ(launch.tasks[0].port.port(), port);
}

TEST_F(HomeSubmission, KeepsNumbersThatWereWritten) {
    useWorkers({"192.0.2.7:6001", "node2:6002", "[2001:db8::5]:6003"});
    prepare("");
    EXPECT_EQ(made[0]->host(), "192.0.2.7");
    const spec::ClusterSpec meets = meetingPlaces(*made[1]);
    EXPECT_EQ(meets.address({"worker", 0}), "192.0.2.7:6001") << "another network than that of ssh, perhaps";
    EXPECT_EQ(meets.address({"worker", 1}), "10.77.0.2:6002");
    EXPECT_EQ(meets.address({"worker", 2}), "[2001:db8::5]:6003");
}

TEST_F(HomeSubmission, KnowsWhichRunsSpanComputers) {
    const auto spans = [&] { return spansComputers({.project_json = toProjectJson(run)}); };
    EXPECT_FALSE(spans());
    useWorkers({"localhost:6001", own + ":6002"});
    EXPECT_FALSE(spans());
    useWorkers({"localhost:6001", "node2:6002"});
    EXPECT_TRUE(spans());
    EXPECT_FALSE(spansComputers({.project_json = toProjectJson(run), .local_workers = 2})) << "its cluster is put aside";
    EXPECT_FALSE(spansComputers({.project_json = toProjectJson(run), .only_task = spec::TaskId{"worker", 0}}));
    EXPECT_FALSE(spansComputers({.project_json = "{"}));
    EXPECT_TRUE(spansComputers({.project_json = "{", .hosts = {{"node2", 1, 0}}}));
}

TEST_F(HomeSubmission, SendsFilesToTheOtherComputersOfARun) {
    std::vector<std::string> asked;
    context.share = [&](const std::vector<std::string>& hosts, const std::string&, const std::string& agent, const ShareHandler&) {
        asked = hosts;
        ssh_agent = agent;
    };
    const std::string project = toProjectJson(run);
    shareFiles({.project_json = project, .hosts = spec::parseHostShares(hostName() + ",node2:2,node3"), .ssh_agent = "/tmp/agent"}, context,
               {});
    EXPECT_THAT(asked, ElementsAre("node2", "node3"));
    EXPECT_EQ(ssh_agent, "/tmp/agent");
    asked.clear();
    shareFiles({.project_json = project, .local_workers = 2}, context, {});
    shareFiles({.project_json = project, .hosts = spec::parseHostShares(hostName() + ":2")}, context, {});
    shareFiles({.project_json = "{"}, context, {});
    EXPECT_THAT(asked, ElementsAre());
    context.share = {};
    shareFiles({.project_json = project, .hosts = spec::parseHostShares("node2")}, context, {});
}

TEST_F(HomeSubmission, PutsAnEvaluatorBesideItsChief) {
    useWorkers({"node2:6002"});
    run.cluster.spec.jobs.insert(run.cluster.spec.jobs.begin(), {"chief", {{0, "node3:6001"}}});
    run.cluster.spec.jobs.push_back({"evaluator", {{0, "node2:6003"}}});
    EXPECT_EQ(refusal(""), "evaluator 0: expected it on node3, where the checkpoints of chief 0 are written, got it on node2");
    run.cluster.spec.jobs.back().tasks[0] = "node3:6003";
    prepare("");
    EXPECT_THAT(made[0]->planned->tasks, ElementsAre(spec::TaskId{"chief", 0}, spec::TaskId{"evaluator", 0}));
}

TEST_F(HomeSubmission, TakesThisComputerOnce) {
    EXPECT_THAT(refusal(own + ",localhost"), HasSubstr("both this one"));
}

TEST_F(HomeSubmission, WritesWeightsWhereTheChiefIs) {
    save_weights = (dir_.path() / "w.weights.h5").string();
    EXPECT_THAT(refusal("node2," + own),
                HasSubstr("save_weights: expected a run whose worker 0 is on this computer, where it writes the weights, got it on node2"));
    EXPECT_TRUE(made.empty()) << "before anybody was asked";
}

TEST_F(HomeSubmission, LeavesNothingWhenAHostSaysNo) {
    context.parts = [](const std::vector<PartRequest>&, const std::string&, const std::string&) -> std::vector<std::shared_ptr<FarPart>> {
        throw engine::Error(engine::ErrorCode::kUnavailable, "node2: no route");
    };
    EXPECT_EQ(refusal(own + ",node2"), "node2: no route");
    EXPECT_TRUE(book_.listBehind(nowUnixNs(), "", 10).empty());
}

TEST_F(HomeSubmission, LetsTheHostsGoWhenTheRunIsRefusedHere) {
    context.input_errors = [](const auto&, const auto&, const auto&) { return std::string("data: no such file"); };
    EXPECT_EQ(refusal(own + ",node2"), "data: no such file");
    made.clear();
    EXPECT_THAT(dropped, ElementsAre("node2"));
}

TEST_F(HomeSubmission, LeavesThreadsToEachComputer) {
    const RunLaunch launch = prepare(own + ",node2");
    EXPECT_EQ(spec::parseProject(launch.record.project_json).run.cluster.threads_per_task, 8);
    EXPECT_EQ(spec::parseProject(made[0]->planned->project_json).run.cluster.threads_per_task, 0);
}

}  // namespace
