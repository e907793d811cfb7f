#include <gtest/gtest.h>

#include <string>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {
namespace {

constexpr TfConfigUse kAuto = TfConfigUse::kAuto;
constexpr TfConfigUse kMwms = TfConfigUse::kMultiWorker;
constexpr TfConfigUse kPss = TfConfigUse::kParameterServer;
constexpr TfConfigUse kEstimator = TfConfigUse::kEstimator;

// "error task.index; warning cluster.ps": severities and paths in order.
std::string verdict(const TfConfigReport& report) {
    std::string text;
    for (const Diagnostic& d : report.diagnostics) {
        text += (text.empty() ? "" : "; ") + std::string(d.severity == Severity::kError ? "error" : "warning") +
                (d.path.empty() ? "" : " " + d.path);
    }
    return text;
}

std::string cluster(const std::string& jobs, const std::string& task = R"({"type":"worker","index":0})") {
    return R"({"cluster":{)" + jobs + R"(},"task":)" + task + "}";
}
const std::string kTwo = R"("worker":["h0:12345","h1:23456"])";
const std::string kFull = R"("chief":["h0:2222"],"ps":["h1:2222","h2:2222"],"worker":["h3:2222","h4:2222"])";

struct Row {
    std::string name;
    TfConfigUse use;
    std::string text;
    std::string expected;  // empty: nothing to say
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

class TfConfigTable : public testing::TestWithParam<Row> {};

TEST_P(TfConfigTable, GivesItsVerdict) {
    const TfConfigReport report = checkTfConfig(GetParam().text, GetParam().use);
    EXPECT_EQ(verdict(report), GetParam().expected) << GetParam().text;
    for (const Diagnostic& d : report.diagnostics) {
        EXPECT_NE(d.message.find("expected"), std::string::npos) << d.message;
        EXPECT_NE(d.message.find("got"), std::string::npos) << d.message;
    }
}

const Row kGood[] = {
    {"NoVariablesContent", kAuto, "{}", ""},
    {"TwoWorkers", kAuto, cluster(kTwo), ""},
    {"ChiefAndWorkers", kAuto, cluster(R"("chief":["h0:2222"],"worker":["h1:2222","h2:2222"])", R"({"type":"worker","index":1})"), ""},
    {"ParameterServerTask", kAuto, cluster(kFull, R"({"type":"ps","index":1})"), ""},
    {"EvaluatorOutsideTheCluster", kAuto, cluster(kFull, R"({"type":"evaluator","index":0})"), ""},
    {"EvaluatorOutsideTheClusterOfAnEstimator", kEstimator, cluster(kFull, R"({"type":"evaluator","index":0})"), ""},
    {"CoordinatorWithoutTask", kAuto, R"({"cluster":{"ps":["h0:1"],"worker":["h1:1"]}})", ""},
    {"IndexAsText", kAuto, cluster(R"("worker":["localhost:12345"])", R"({"type":"worker","index":"0"})"), ""},
    {"RpcLayer", kAuto, R"({"cluster":{"worker":["h0:12345","h1:23456"]},"task":{"type":"worker","index":1},"rpc_layer":"grpc"})", ""},
    {"SparseWithoutGaps", kAuto, cluster(R"("worker":{"0":"h0:1","1":"h1:1"})", R"({"type":"worker","index":1})"), ""},
    {"OneChief", kAuto, cluster(R"("chief":["localhost:2222"])", R"({"type":"chief","index":0})"), ""},
    {"EvaluatorListed", kAuto, cluster(kTwo + R"(,"evaluator":["h2:1"])"), ""},
    {"EvaluatorListedAndItself", kAuto, cluster(kTwo + R"(,"evaluator":["h2:1"])", R"({"type":"evaluator","index":0})"), ""},
    {"EstimatorWithChief", kEstimator, cluster(R"("chief":["h0:1"],"worker":["h1:1"])"), ""},
    {"EstimatorWithMaster", kEstimator, cluster(R"("master":["h0:1"],"worker":["h1:1"])"), ""},
    {"EstimatorWithoutAnything", kEstimator, "{}", ""},
    {"PortZeroOfACLusterOfOne", kAuto, cluster(R"("worker":["localhost:0"])"), ""},
    {"EmptyHostMeansLocalhost", kAuto, cluster(R"("worker":[":2222"])"), ""},
    {"Ipv6", kAuto, cluster(R"("worker":["[::1]:2222"])"), ""},
    {"OtherKnownKeys", kAuto, R"({"environment":"google","model_dir":"/tmp","session_master":"","eval_session_master":"","service":{}})",
     ""},
};

const Row kBadText[] = {
    {"EmptyText", kAuto, "", "error"}, {"NoJson", kAuto, "{cluster", "error"},
    {"List", kAuto, "[]", "error"},    {"ListHoldingCluster", kAuto, R"(["cluster"])", "error"},
    {"Null", kAuto, "null", "error"},  {"Number", kAuto, "3", "error"},
};

const Row kBadTask[] = {
    {"NoTask", kAuto, R"({"cluster":{"worker":["h0:1"]}})", "error task"},
    {"EmptyTask", kAuto, cluster(kTwo, "{}"), "error task.type; error task.index"},
    {"TaskAsText", kAuto, cluster(kTwo, R"("worker")"), "error task"},
    {"TaskNull", kAuto, cluster(kTwo, "null"), "error task"},
    {"NoIndex", kAuto, cluster(kTwo, R"({"type":"worker"})"), "error task.index"},
    {"NoIndexForAnEstimator", kEstimator, cluster(R"("chief":["h0:1"],"worker":["h1:1"])", R"({"type":"worker"})"), "error task.index"},
    {"NoIndexForParameterServers", kPss, cluster(kFull, R"({"type":"worker"})"), "error task.index"},
    {"NoTypeForAnEstimator", kEstimator, cluster(R"("chief":["h0:1"])", R"({"index":0})"), "error task.type"},
    {"WorkerWithoutWorkers", kAuto, cluster(R"("chief":["h0:1"])"), "error task.type"},
    {"TypeMaster", kAuto, cluster(kTwo, R"({"type":"master","index":0})"), "error task.type"},
    {"TypeInCapitals", kAuto, cluster(kTwo, R"({"type":"Worker","index":0})"), "error task.type"},
    {"TypeAsNumber", kAuto, cluster(kTwo, R"({"type":3,"index":0})"), "error task.type"},
    {"IndexTooLarge", kAuto, cluster(kTwo, R"({"type":"worker","index":2})"), "error task.index"},
    {"IndexNegative", kAuto, cluster(kTwo, R"({"type":"worker","index":-1})"), "error task.index"},
    {"IndexNegativeForAnEstimator", kEstimator, cluster(R"("chief":["h0:1"],"worker":["h1:1"])", R"({"type":"worker","index":-1})"),
     "error task.index"},
    {"IndexNoNumber", kAuto, cluster(kTwo, R"({"type":"worker","index":"abc"})"), "error task.index"},
    {"IndexNull", kAuto, cluster(kTwo, R"({"type":"worker","index":null})"), "error task.index"},
    {"IndexCut", kAuto, cluster(kTwo, R"({"type":"worker","index":1.7})"), "warning task.index"},
    {"IndexTrue", kAuto, cluster(kTwo, R"({"type":"worker","index":true})"), "warning task.index"},
    {"PsWithMultiWorker", kMwms, cluster(kFull, R"({"type":"ps","index":0})"), "warning cluster.ps; error task.type"},
    {"EvaluatorNotListed", kAuto, cluster(kTwo, R"({"type":"evaluator","index":0})"), "error task.type"},
    {"TaskBesideAnEmptyCluster", kAuto, R"({"cluster":{},"task":{"type":"worker","index":0}})", "warning cluster"},
    {"EstimatorAloneAsChief", kEstimator, R"({"task":{"type":"chief","index":0}})", "error task.type"},
    {"EstimatorAloneAsWorkerOne", kEstimator, R"({"task":{"type":"worker","index":1}})", "error task.index"},
    {"EstimatorLocal", kEstimator, cluster(R"("chief":["h0:1"])", R"({"type":"local","index":0})"), "error task.type"},
    {"EstimatorsSecondEvaluator", kEstimator, cluster(R"("chief":["h0:1"])", R"({"type":"evaluator","index":1})"), "error task.index"},
    {"EstimatorsEvaluatorBesideMaster", kEstimator, cluster(R"("master":["h0:1"])", R"({"type":"evaluator","index":0})"),
     "error task.type"},
};

const Row kBadCluster[] = {
    {"ClusterNull", kAuto, R"({"cluster":null,"task":{"type":"worker","index":0}})", "error cluster"},
    {"ClusterList", kAuto, R"({"cluster":["h0:1"],"task":{"type":"worker","index":0}})", "error cluster"},
    {"JobMaster", kAuto, cluster(kTwo + R"(,"master":["h2:1"])"), "error cluster.master"},
    {"JobTrainer", kAuto, cluster(kTwo + R"(,"trainer":["h2:1"])"), "error cluster.trainer"},
    {"JobInCapitals", kAuto, cluster(R"("Worker":["h0:1"])"), "error cluster.Worker; error task.type"},
    {"TwoChiefs", kAuto, cluster(R"("chief":["h0:1","h1:1"],"worker":["h2:1"])"), "error cluster.chief"},
    {"TwoEvaluators", kAuto, cluster(kTwo + R"(,"evaluator":["h2:1","h3:1"])"), "error cluster.evaluator"},
    {"JobAsText", kAuto, cluster(R"("worker":"h0:1")"), "error cluster.worker"},
    {"JobAsTextBesideAnother", kAuto, cluster(R"("chief":["h1:1"],"worker":"h0:1")"), "error cluster.worker"},
    {"AddressAsNumber", kAuto, cluster(R"("worker":[2222])"), "error cluster.worker[0]"},
    {"AddressWithoutPort", kAuto, cluster(R"("worker":["h0"])"), "error cluster.worker[0]"},
    {"AddressWithAName", kAuto, cluster(R"("worker":["h0:http"])"), "error cluster.worker[0]"},
    {"OthersBadPort", kAuto, cluster(R"("worker":["h0:1","h1:port"])"), "error cluster.worker[1]"},
    {"AddressAsUrl", kAuto, cluster(R"("worker":["http://h0:1"])"), "error cluster.worker[0]"},
    {"PortAbove65535", kAuto, cluster(R"("worker":["h0:99999"])"), "error cluster.worker[0]"},
    {"PortAbove32Bits", kAuto, cluster(R"("worker":["h0:4294967296"])"), "error cluster.worker[0]"},
    {"PortZero", kAuto, cluster(R"("worker":["h0:0","h1:1"])"), "warning cluster.worker[0]"},
    {"PsListedWithMultiWorker", kMwms, cluster(kFull), "warning cluster.ps"},
    {"SparseWithAGap", kAuto, cluster(R"("worker":{"1":"h:1"})", R"({"type":"worker","index":1})"),
     "warning cluster.worker; error task.index"},
    {"SparseWithANameAsKey", kAuto, cluster(R"("worker":{"0":"h0:1","x":"h:1"})"), "error cluster.worker"},
    {"EmptyJob", kAuto, cluster(R"("worker":[])"), "warning cluster.worker; error task.index"},
    {"ParameterServersWithoutPs", kPss, cluster(kTwo), "error cluster"},
    {"ParameterServersWithoutWorker", kPss, cluster(R"("chief":["h0:1"],"ps":["h1:1"])", R"({"type":"chief","index":0})"), "error cluster"},
    {"ParameterServersWithoutCluster", kPss, "{}", "error cluster"},
    {"OneAddressTwice", kAuto, cluster(R"("worker":["h0:1","h0:1"])"), "warning cluster.worker[1]"},
    {"LocalBesideRealNames", kAuto, cluster(R"("worker":["localhost:1","h1:1"])"), "warning cluster.worker[0]"},
    {"UserInTheAddress", kAuto, cluster(R"("worker":["me@h0:1","h1:1"])"), "warning cluster.worker[0]"},
    {"ChiefAndMaster", kEstimator, cluster(R"("chief":["h0:1"],"master":["h1:1"])", R"({"type":"chief","index":0})"),
     "error cluster.master"},
    {"EstimatorWithoutChief", kEstimator, cluster(kTwo), "error cluster"},
    {"EstimatorWithTwoChiefs", kEstimator, cluster(R"("chief":["h0:1","h1:1"])", R"({"type":"chief","index":0})"), "error cluster.chief"},
    {"EstimatorsService", kEstimator, R"({"service":[1]})", "error service"},
    {"RpcLayerAsNumber", kAuto, R"({"rpc_layer":1})", "warning rpc_layer"},
    {"UnknownKey", kAuto, R"({"Cluster":{}})", "warning Cluster"},
};

auto rowName = [](const testing::TestParamInfo<Row>& row) { return row.param.name; };
INSTANTIATE_TEST_SUITE_P(Good, TfConfigTable, testing::ValuesIn(kGood), rowName);
INSTANTIATE_TEST_SUITE_P(BadText, TfConfigTable, testing::ValuesIn(kBadText), rowName);
INSTANTIATE_TEST_SUITE_P(BadTask, TfConfigTable, testing::ValuesIn(kBadTask), rowName);
INSTANTIATE_TEST_SUITE_P(BadCluster, TfConfigTable, testing::ValuesIn(kBadCluster), rowName);

TEST(TfConfigCheck, ReadsClusterAndTask) {
    const TfConfigReport report = checkTfConfig(cluster(kTwo, R"({"type":"worker","index":"1"})"));
    ASSERT_TRUE(report.is_json_object);
    ASSERT_TRUE(report.config.task.has_value());
    EXPECT_EQ(toString(*report.config.task), "worker 1");
    EXPECT_EQ(report.config.cluster.address(*report.config.task), "h1:23456");
}

TEST(TfConfigCheck, TellsTextThatIsNoObject) {
    for (const char* text : {"", " \n", "nonsense", "[1]", "null", "\"text\"", "1"}) {
        const TfConfigReport report = checkTfConfig(text);
        EXPECT_FALSE(report.is_json_object) << text;
        EXPECT_EQ(report.config, TfConfig{}) << text;
        EXPECT_EQ(report.diagnostics.size(), 1U) << text;
    }
}

TEST(TfConfigCheck, NamesLineAndColumnOfBrokenJson) {
    const TfConfigReport report = checkTfConfig("{\"cluster\":\n  {]}");
    ASSERT_EQ(report.diagnostics.size(), 1U);
    EXPECT_NE(report.diagnostics[0].message.find("line 2, column 4"), std::string::npos) << report.diagnostics[0].message;
}

TEST(TfConfigCheck, ReportsEverythingAtOnceInTheOrderOfTheText) {
    const std::string text = R"({"task":{"type":"worker","index":7},"cluster":{"trainer":["a:1"],"worker":["localhost:99999"]}})";
    EXPECT_EQ(verdict(checkTfConfig(text)), "error task.index; error cluster.trainer; error cluster.worker[0]; warning cluster.worker[0]");
}

}  // namespace
}  // namespace engine::spec
