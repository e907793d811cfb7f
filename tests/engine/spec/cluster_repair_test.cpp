#include "engine/spec/cluster/cluster_repair.h"

#include <gtest/gtest.h>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

constexpr auto kMwms = TfConfigUse::kMultiWorker;
constexpr auto kPss = TfConfigUse::kParameterServer;
constexpr auto kEstimator = TfConfigUse::kEstimator;
const RepairFacts kFacts{"laptop", {12345, 23456, 34567}};

struct Row {
    std::string name;
    TfConfigUse use;
    std::string text;
    std::string mended;  // by the first finding's repair after the other, until nothing is left
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

class TfConfigRepairs : public testing::TestWithParam<Row> {};

// Every finding of every bad example has a repair, and together they end in a text that holds every rule.
TEST_P(TfConfigRepairs, EndInATextThatHoldsEveryRule) {
    std::string text = GetParam().text;
    ASSERT_FALSE(checkTfConfig(text, GetParam().use).diagnostics.empty());
    for (int round = 0; round < 8; ++round) {
        const Diagnostics found = checkTfConfig(text, GetParam().use).diagnostics;
        if (found.empty()) break;
        const auto repair = repairTfConfig(text, GetParam().use, found.front(), kFacts);
        ASSERT_TRUE(repair) << toString(found.front()) << "\n" << text;
        EXPECT_FALSE(repair->text.empty());
        text = repair->tf_config;
    }
    EXPECT_TRUE(checkTfConfig(text, GetParam().use).diagnostics.empty()) << text;
    EXPECT_EQ(text, GetParam().mended);
}

std::string cluster(const std::string& jobs, const std::string& task = R"({"type": "worker", "index": 0})") {
    return R"({"cluster": {)" + jobs + R"(}, "task": )" + task + "}";
}
const std::string kTwo = R"("worker": ["h0:1", "h1:1"])";

INSTANTIATE_TEST_SUITE_P(
    Bad, TfConfigRepairs,
    testing::Values(
        Row{"Empty", kMwms, "", "{}"}, Row{"Wrapped", kMwms, "export TF_CONFIG='" + cluster(kTwo) + "'", cluster(kTwo)},
        Row{"NoTask", kMwms, R"({"cluster": {"worker": ["h0:1", "h1:1"]}})", cluster(kTwo)},
        Row{"TaskIsText", kMwms, cluster(kTwo, "\"worker\""), cluster(kTwo)},
        Row{"TaskIsNull", kMwms, cluster(kTwo, "null"), cluster(kTwo)},
        Row{"NoIndex", kMwms, cluster(kTwo, R"({"type": "worker"})"), cluster(kTwo)},
        Row{"NoType", kMwms, cluster(kTwo, R"({"index": 0})"), cluster(kTwo, R"({"index": 0, "type": "worker"})")},
        Row{"ClusterIsNull", kMwms, R"({"cluster": null, "task": {"type": "worker", "index": 0}})", "{}"},
        Row{"ClusterIsList", kMwms, R"({"cluster": ["h0:1", "h1:1"], "task": {"type": "worker", "index": 0}})", cluster(kTwo)},
        Row{"ClusterIsEmpty", kMwms, R"({"cluster": {}, "task": {"type": "worker", "index": 0}})",
            R"({"cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 0}})"},
        Row{"Master", kMwms, cluster(R"("master": ["h0:1"], "worker": ["h1:1"])", R"({"type": "master", "index": 0})"),
            cluster(R"("chief": ["h0:1"], "worker": ["h1:1"])", R"({"type": "chief", "index": 0})")},
        Row{"CapitalWorker", kMwms, cluster(R"("Worker": ["h0:1", "h1:1"])"), cluster(kTwo)},
        Row{"Trainer", kMwms, cluster(R"("trainer": ["h0:1", "h1:1"])", R"({"type": "trainer", "index": 1})"),
            cluster(kTwo, R"({"type": "worker", "index": 1})")},
        Row{"TypeNotListed", kMwms, cluster(kTwo, R"({"type": "chief", "index": 0})"), cluster(kTwo)},
        Row{"IndexTooLarge", kMwms, cluster(kTwo, R"({"type": "worker", "index": 2})"), cluster(kTwo, R"({"type": "worker", "index": 1})")},
        Row{"IndexNegative", kMwms, cluster(kTwo, R"({"type": "worker", "index": -1})"), cluster(kTwo)},
        Row{"IndexIsText", kMwms, cluster(kTwo, R"({"type": "worker", "index": "abc"})"), cluster(kTwo)},
        Row{"IndexIsNull", kMwms, cluster(kTwo, R"({"type": "worker", "index": null})"), cluster(kTwo)},
        Row{"IndexIsReal", kMwms, cluster(kTwo, R"({"type": "worker", "index": 1.7})"), cluster(kTwo, R"({"type": "worker", "index": 1})")},
        Row{"TwoChiefs", kMwms, cluster(R"("chief": ["h0:1", "h1:1"])", R"({"type": "chief", "index": 0})"),
            cluster(R"("chief": ["h0:1"], "worker": ["h1:1"])", R"({"type": "chief", "index": 0})")},
        Row{"TwoEvaluators", kMwms, cluster(kTwo + R"(, "evaluator": ["h2:1", "h3:1"])"), cluster(kTwo + R"(, "evaluator": ["h2:1"])")},
        Row{"JobIsText", kMwms, cluster(R"("worker": "h0:1")"), cluster(R"("worker": ["h0:1"])")},
        Row{"AddressIsNumber", kMwms, cluster(R"("worker": [2222])"), cluster(R"("worker": ["localhost:2222"])")},
        Row{"NoPort", kMwms, cluster(R"("worker": ["h0", "h1:1"])"), cluster(R"("worker": ["h0:12345", "h1:1"])")},
        Row{"PortIsWord", kMwms, cluster(R"("worker": ["h0:http", "h1:1"])"), cluster(R"("worker": ["h0:12345", "h1:1"])")},
        Row{"Scheme", kMwms, cluster(R"("worker": ["http://h0:1", "h1:1"])"), cluster(kTwo)},
        Row{"User", kMwms, cluster(R"("worker": ["me@h0:1", "h1:1"])"), cluster(kTwo)},
        Row{"PortTooLarge", kMwms, cluster(R"("worker": ["h0:99999", "h1:1"])"), cluster(R"("worker": ["h0:12345", "h1:1"])")},
        Row{"PortZero", kMwms, cluster(R"("worker": ["h0:0", "h1:1"])"), cluster(R"("worker": ["h0:12345", "h1:1"])")},
        Row{"SameAddress", kMwms, cluster(R"("worker": ["h0:1", "h0:1"])"), cluster(R"("worker": ["h0:1", "h0:12345"])")},
        Row{"LocalBesideOthers", kMwms, cluster(R"("worker": ["localhost:1", "h1:1"])"), cluster(R"("worker": ["laptop:1", "h1:1"])")},
        Row{"PsTask", kMwms, cluster(kTwo + R"(, "ps": ["h2:1"])", R"({"type": "ps", "index": 0})"), cluster(kTwo)},
        Row{"PsListed", kMwms, cluster(kTwo + R"(, "ps": ["h2:1"])"), cluster(kTwo)},
        Row{"EvaluatorNotListed", kMwms, cluster(kTwo, R"({"type": "evaluator", "index": 0})"),
            cluster(kTwo + R"(, "evaluator": ["laptop:12345"])", R"({"type": "evaluator", "index": 0})")},
        Row{"SparseGap", kMwms, cluster(R"("worker": {"1": "h:1"})", R"({"type": "worker", "index": 1})"), cluster(R"("worker": ["h:1"])")},
        Row{"EmptyJob", kMwms, cluster(kTwo + R"(, "chief": [])"), cluster(kTwo)},
        Row{"NoPs", kPss, cluster(kTwo), cluster(kTwo + R"(, "ps": ["laptop:12345"])")},
        Row{"NoWorker", kPss, cluster(R"("ps": ["h0:1"])", R"({"type": "ps", "index": 0})"),
            cluster(R"("ps": ["h0:1"], "worker": ["laptop:12345"])", R"({"type": "ps", "index": 0})")},
        Row{"NoCluster", kPss, "{}", R"({"cluster": {"ps": ["localhost:12345"], "worker": ["localhost:12346"]}})"},
        Row{"NoChief", kEstimator, cluster(kTwo, R"({"type": "worker", "index": 1})"), cluster(R"("worker": ["h1:1"], "chief": ["h0:1"])")},
        Row{"Service", kEstimator, R"({"service": [1]})", "{}"},
        Row{"UnknownKey", kMwms, R"({"Cluster": {"worker": ["h0:1"]}, "task": {"type": "worker", "index": 0}})",
            R"({"task": {"type": "worker", "index": 0}, "cluster": {"worker": ["h0:1"]}})"}),
    [](const auto& row) { return row.param.name; });

RunSpec twoWorkers() {
    RunSpec run;
    useTemplate(run, ClusterTemplate::kWorkers, 2, {12345, 23456});
    return run;
}

// The finding at `path`; an empty one when there is none.
Diagnostic findingAt(const RunSpec& run, const std::string& path) {
    for (const Diagnostic& d : validate(run)) {
        if (d.path == path) return d;
    }
    return {};
}

TEST(RunRepair, MendsWhatValidateFinds) {
    const std::pair<const char*, std::string> rows[] = {{"cluster.worker[1]", "localhost:99999"},
                                                        {"cluster.worker[1]", "localhost:12345"},
                                                        {"cluster.worker[1]", "localhost:x"},
                                                        {"cluster.worker[1]", "http://localhost:1"},
                                                        {"cluster.worker[0]", "node1:1"}};
    for (const auto& [path, address] : rows) {
        RunSpec run = twoWorkers();
        setAddress(run, {"worker", 1}, address);
        const Diagnostic finding = findingAt(run, path);
        ASSERT_FALSE(finding.message.empty()) << address;
        const auto repair = repairRun(run, finding, kFacts);
        ASSERT_TRUE(repair) << address;
        EXPECT_EQ(findingAt(repair->run, path).message, "") << address;
        EXPECT_EQ(repair->run.cluster.spec.taskCount("worker"), 2) << repair->text;
    }
}

TEST(RunRepair, MendsStrategyAndSettings) {
    const auto mended = [](const std::string& path, const std::function<void(RunSpec&)>& spoil) {
        RunSpec run = twoWorkers();
        spoil(run);
        const Diagnostic finding = findingAt(run, path);
        EXPECT_FALSE(finding.message.empty()) << path;
        const auto repair = repairRun(run, finding, kFacts);
        EXPECT_TRUE(repair) << path;
        return repair && findingAt(repair->run, path).message.empty();
    };
    EXPECT_TRUE(mended("strategy.name", [](RunSpec& run) { run.strategy.name = "MirroredStrategy"; }));
    EXPECT_TRUE(mended("strategy.name", [](RunSpec& run) { run.strategy.name = "Mirrored"; }));
    EXPECT_TRUE(mended("strategy.communication", [](RunSpec& run) { run.strategy.communication = "TREE"; }));
    EXPECT_TRUE(mended("strategy.communication", [](RunSpec& run) {
        run.strategy.communication = "NCCL";
        run.strategy.devices = {"CPU:0"};
    }));
    EXPECT_TRUE(mended("strategy.logical_gpus", [](RunSpec& run) { run.strategy.logical_gpus = -1; }));
    EXPECT_TRUE(mended("strategy.bytes_per_pack", [](RunSpec& run) { run.strategy.bytes_per_pack = -1; }));
    EXPECT_TRUE(mended("strategy.logical_cpus", [](RunSpec& run) { run.strategy.logical_cpus = 65; }));
    EXPECT_TRUE(mended("strategy.devices[0]", [](RunSpec& run) { run.strategy.devices = {"TPU:0"}; }));
    EXPECT_TRUE(mended("strategy.cross_device_ops", [](RunSpec& run) { run.strategy.cross_device_ops = {"Magic", {}}; }));
    EXPECT_TRUE(mended("cluster.start_timeout_s", [](RunSpec& run) { run.cluster.start_timeout_s = 0; }));
    EXPECT_TRUE(mended("cluster.heartbeat_fatal_s", [](RunSpec& run) { run.cluster.heartbeat_fatal_s = 0; }));
    EXPECT_TRUE(mended("cluster.evaluator[0]", [](RunSpec& run) {
        run.cluster.spec.jobs.push_back({"evaluator", {{0, "localhost:34567"}}});
    }));
    EXPECT_TRUE(mended("cluster.max_restarts", [](RunSpec& run) { run.cluster.max_restarts = -1; }));
    EXPECT_TRUE(mended("cluster.home_lost_s", [](RunSpec& run) { run.cluster.home_lost_s = 1; }));
    EXPECT_TRUE(mended("cluster.threads_per_task", [](RunSpec& run) { run.cluster.threads_per_task = -2; }));
    EXPECT_TRUE(mended("cluster.ps", [](RunSpec& run) { run.cluster.spec.jobs.push_back({"ps", {{0, "localhost:34567"}}}); }));
    EXPECT_TRUE(mended("cluster.trainer", [](RunSpec& run) { run.cluster.spec.jobs.front().name = "trainer"; }));
}

TEST(RunRepair, MendsWhatAHostKnows) {
    RunSpec run = twoWorkers();
    const Diagnostic taken{Severity::kError, "cluster.worker[1]", "worker 1: expected a free port, another program holds 23456", ""};
    auto repair = repairRun(run, taken, {"laptop", {34567}});
    ASSERT_TRUE(repair);
    EXPECT_EQ(*repair->run.cluster.spec.address({"worker", 1}), "localhost:34567");

    setAddress(run, {"worker", 1}, "node1:23456");
    setAddress(run, {"worker", 0}, "laptop:12345");
    repair = repairRun(run, foreignTask({"worker", 1}, "node1:23456"), kFacts);
    ASSERT_TRUE(repair);
    EXPECT_EQ(repair->text, "Move worker 1 to this computer");
    EXPECT_EQ(*repair->run.cluster.spec.address({"worker", 1}), "localhost:23456");
}

TEST(RunRepair, LeavesOtherPartsAlone) {
    RunSpec run = twoWorkers();
    run.fit.epochs = -3;
    EXPECT_FALSE(repairRun(run, findingAt(run, "fit.epochs"), kFacts));
    EXPECT_FALSE(repairRun(run, {Severity::kError, "cluster.worker[7]", "made up", ""}, kFacts));
}

}  // namespace
}  // namespace engine::spec
