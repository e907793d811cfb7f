#include "engine/spec/cluster/host_share.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusalOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
    return "no error";
}

TEST(HostShares, AreNamesWithANumberOfWorkers) {
    EXPECT_THAT(parseHostShares("node1,node2:2,node3:0"), ElementsAre(HostShare{"node1", 1}, HostShare{"node2", 2}, HostShare{"node3", 0}));
}

TEST(HostShares, NameWhatIsWrongWithAText) {
    EXPECT_THAT(refusalOf([] { parseHostShares(""); }), HasSubstr("got an empty one"));
    EXPECT_THAT(refusalOf([] { parseHostShares("a,"); }), HasSubstr("got an empty one"));
    EXPECT_THAT(refusalOf([] { parseHostShares("a:,b"); }), HasSubstr("a: expected a number of workers, 0 to 256, got \"\""));
    EXPECT_THAT(refusalOf([] { parseHostShares("a:257"); }), HasSubstr("got \"257\""));
    EXPECT_THAT(refusalOf([] { parseHostShares("a:-1"); }), HasSubstr("got \"-1\""));
    EXPECT_THAT(refusalOf([] { parseHostShares("a:2x"); }), HasSubstr("got \"2x\""));
    EXPECT_THAT(refusalOf([] { parseHostShares("a,b,a:2"); }), HasSubstr("got a twice"));
}

TEST(HostShares, GiveServersToHostsWithoutWorkersFirst) {
    std::vector<HostShare> shares = parseHostShares("a:0,b,c,d:0");
    dealServers(shares, 3);
    EXPECT_EQ(shares[0].servers, 2);
    EXPECT_EQ(shares[1].servers, 0);
    EXPECT_EQ(shares[3].servers, 1);
}

TEST(HostShares, GiveServersToAllInTurnWhereEveryHostHasAWorker) {
    std::vector<HostShare> shares = parseHostShares("a,b");
    dealServers(shares, 3);
    EXPECT_EQ(shares[0].servers, 2);
    EXPECT_EQ(shares[1].servers, 1);
}

TEST(HostShares, LeaveNoHostWithoutATask) {
    EXPECT_THAT(refusalOf([] {
                    std::vector<HostShare> shares = parseHostShares("a,b:0,c:0");
                    dealServers(shares, 1);
                }),
                HasSubstr("c: expected a worker or a parameter server there, got neither"));
    EXPECT_THAT(refusalOf([] {
                    std::vector<HostShare> shares = parseHostShares("a:0");
                    dealServers(shares, 1);
                }),
                HasSubstr("expected a host with a worker"));
}

TEST(HostShares, NumberTheTasksThroughAllHosts) {
    std::vector<HostShare> shares = parseHostShares("a:2,b");
    dealServers(shares, 2);
    EXPECT_THAT(tasksOf(shares), ElementsAre(ElementsAre(TaskId{"worker", 0}, TaskId{"worker", 1}, TaskId{"ps", 0}),
                                             ElementsAre(TaskId{"worker", 2}, TaskId{"ps", 1})));
}

TEST(HostShares, BecomeTheClusterOfARun) {
    RunSpec run;
    useHosts(run, {{"a", 2}, {"b", 1}}, {{"10.0.0.1", {7001, 7002}}, {"fd00::2", {7003}}});
    EXPECT_EQ(run.strategy.name, "MultiWorkerMirroredStrategy");
    EXPECT_EQ(run.cluster.spec.address({"worker", 1}), "10.0.0.1:7002");
    EXPECT_EQ(run.cluster.spec.address({"worker", 2}), "[fd00::2]:7003");
    EXPECT_EQ(run.cluster.spec.jobs.size(), 1u);
}

TEST(HostShares, BecomeAClusterWithParameterServers) {
    RunSpec run;
    useHosts(run, {{"a", 0, 1}, {"b", 1}}, {{"node-a", {7001}}, {"node-b", {7002}}});
    EXPECT_EQ(run.strategy.name, "ParameterServerStrategy");
    EXPECT_EQ(run.cluster.spec.address({"ps", 0}), "node-a:7001");
    EXPECT_EQ(run.cluster.spec.address({"worker", 0}), "node-b:7002");
}

TEST(HostShares, MakeNoClusterForOneTask) {
    RunSpec run;
    useHosts(run, {{"a", 1}}, {{"node-a", {7001}}});
    EXPECT_TRUE(run.cluster.spec.empty());
}

}  // namespace
}  // namespace engine::spec
