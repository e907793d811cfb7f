#include "engine/spec/cluster/cluster_text.h"

#include <gtest/gtest.h>

#include <string>

namespace engine::spec {
namespace {

// "node1:12345 node1:12346": the workers' addresses in order, then the findings.
std::string outcome(const ClusterText& read) {
    std::string text;
    for (const TaskId& task : read.cluster.trainingTasks()) {
        text += (text.empty() ? "" : " ") + *read.cluster.address(task);
    }
    for (const Diagnostic& d : read.diagnostics) {
        text += (text.empty() ? "" : "; ") + std::string(d.severity == Severity::kError ? "error" : "warning") +
                (d.path.empty() ? "" : " " + d.path);
    }
    return text;
}

struct Row {
    std::string name;
    std::string text;
    ClusterTextKind kind;
    std::string expected;
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

class ClusterTextTable : public testing::TestWithParam<Row> {};

TEST_P(ClusterTextTable, ReadsIt) {
    const ClusterText read = readClusterText(GetParam().text);
    EXPECT_EQ(toString(read.kind), toString(GetParam().kind));
    EXPECT_EQ(outcome(read), GetParam().expected) << GetParam().text;
    for (const Diagnostic& d : read.diagnostics) {
        EXPECT_NE(d.message.find("expected"), std::string::npos) << d.message;
    }
}

constexpr auto kTfConfig = ClusterTextKind::kTfConfig;
constexpr auto kHostfile = ClusterTextKind::kHostfile;
constexpr auto kSlurm = ClusterTextKind::kSlurm;
const std::string kJson = R"({"cluster": {"worker": ["h0:1", "h1:2"]}, "task": {"type": "worker", "index": 1}})";

INSTANTIATE_TEST_SUITE_P(
    TfConfig, ClusterTextTable,
    testing::Values(Row{"Json", kJson, kTfConfig, "h0:1 h1:2"}, Row{"Bash", "export TF_CONFIG='" + kJson + "'\n", kTfConfig, "h0:1 h1:2"},
                    Row{"Env", "TF_CONFIG=" + kJson, kTfConfig, "h0:1 h1:2"},
                    Row{"PowerShell", "$env:TF_CONFIG = '" + kJson + "'", kTfConfig, "h0:1 h1:2"},
                    Row{"PythonDumps",
                        "import os, json\nos.environ['TF_CONFIG'] = json.dumps({\n    'cluster': {\n        'worker': ['h0:1', \"h1:2\",]\n"
                        "    },\n    'task': {'type': 'worker', 'index': 1}\n})\n",
                        kTfConfig, "h0:1 h1:2"},
                    Row{"PythonText", "os.environ[\"TF_CONFIG\"] = '" + kJson + "'", kTfConfig, "h0:1 h1:2"},
                    Row{"CopyAllTakesTheFirst", "# worker-0.json\n" + kJson + "\n\n# worker-1.json\n" + kJson + "\n", kTfConfig,
                        "h0:1 h1:2"},
                    Row{"PythonClusterSpec",
                        "import tensorflow as tf\nworkers = ['h0:1', 'h1:2']\ncluster = tf.train.ClusterSpec({'worker': workers})\n",
                        kTfConfig, "h0:1 h1:2"},
                    Row{"PythonClusterSpecOfUnknown", "cluster = tf.train.ClusterSpec({'worker': args.workers})\n", kTfConfig,
                        "warning line 1; error ClusterSpec"},
                    Row{"Wrong", R"({"cluster": {"worker": "h0:1"}})", kTfConfig, "error cluster.worker; error task"},
                    Row{"NoJson", "TF_CONFIG=what", kTfConfig, "error"}, Row{"Nothing", "", kTfConfig, "error"},
                    Row{"UnclosedBrace", "{\"cluster\": {", kTfConfig, "error"}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(Hostfile, ClusterTextTable,
                         testing::Values(Row{"OpenMpi", "# two nodes\nnode1 slots=2 max_slots=4\nnode2\n", kHostfile,
                                             "node1:12345 node1:12346 node2:12345"},
                                         Row{"Mpich", "node1:2\nnode2:1 # spare\n", kHostfile, "node1:12345 node1:12346 node2:12345"},
                                         Row{"NamedAgain", "a\nb\na\n", kHostfile, "a:12345 a:12346 b:12345"},
                                         Row{"Number", "192.0.2.14 slots=1\r\n", kHostfile, "192.0.2.14:12345"},
                                         Row{"Ipv6", "2001:db8::7 slots=1\n", kHostfile, "[2001:db8::7]:12345"},
                                         Row{"NoSlots", "node1 slots=0\nnode2 slots=x\n", kHostfile, "error line 1; error line 2"},
                                         Row{"UnknownWord", "node1 speed=9\n", kHostfile, "node1:12345; warning line 1"},
                                         Row{"BadName", "ok\nuser@host slots=2\n", kHostfile, "error line 2"},
                                         Row{"CommentsOnly", "# nothing\n", kHostfile, "error"},
                                         Row{"TooMany", "node1 slots=99999\n", kHostfile, "error line 1"}),
                         [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Slurm, ClusterTextTable,
    testing::Values(Row{"Ranges", "SLURM_JOB_NODELIST=node[01-03,7],login2\n", kSlurm,
                        "node01:8888 node02:8888 node03:8888 node7:8888 login2:8888"},
                    Row{"PerNode", "SLURM_JOB_NODELIST=n[1-2]\nSLURM_NTASKS_PER_NODE=2\n", kSlurm, "n1:8888 n1:8889 n2:8888 n2:8889"},
                    Row{"TasksPerNode", "SLURM_JOB_NODELIST='n[1-3]' SLURM_TASKS_PER_NODE='2(x2),1'", kSlurm,
                        "n1:8888 n1:8889 n2:8888 n2:8889 n3:8888"},
                    Row{"Tasks", "export SLURM_JOB_NODELIST=a,b\nexport SLURM_NTASKS=3\n", kSlurm, "a:8888 a:8889 b:8888"},
                    Row{"StepGoesFirst", "SLURM_JOB_NODELIST=a,b\nSLURM_STEP_NODELIST=b\n", kSlurm, "b:8888"},
                    Row{"Declared", "declare -x SLURM_JOB_NODELIST=\"gpu[08-10]\"\n", kSlurm, "gpu08:8888 gpu09:8888 gpu10:8888"},
                    Row{"TwoBrackets", "SLURM_JOB_NODELIST=r[1-2]n[1-2]x\n", kSlurm, "r1n1x:8888 r1n2x:8888 r2n1x:8888 r2n2x:8888"},
                    Row{"NoList", "SLURM_NTASKS=4\n", kSlurm, "error SLURM_JOB_NODELIST"},
                    Row{"OpenBracket", "SLURM_JOB_NODELIST=node[01-04\n", kSlurm, "error SLURM_JOB_NODELIST"},
                    Row{"BackwardRange", "SLURM_JOB_NODELIST=node[4-1]\n", kSlurm, "error SLURM_JOB_NODELIST"},
                    Row{"EmptyItem", "SLURM_JOB_NODELIST=a,,b\n", kSlurm, "error SLURM_JOB_NODELIST"},
                    Row{"HugeRange", "SLURM_JOB_NODELIST=n[1-999999999]\n", kSlurm, "error SLURM_JOB_NODELIST"},
                    Row{"Product", "SLURM_JOB_NODELIST=a[1-3000]b[1-3000]\n", kSlurm, "error SLURM_JOB_NODELIST"},
                    Row{"CountsDiffer", "SLURM_JOB_NODELIST=a,b\nSLURM_TASKS_PER_NODE=1\n", kSlurm, "error SLURM_TASKS_PER_NODE"},
                    Row{"WrongCount", "SLURM_JOB_NODELIST=a\nSLURM_NTASKS_PER_NODE=two\n", kSlurm, "error SLURM_NTASKS_PER_NODE"},
                    Row{"WrongRank", "SLURM_JOB_NODELIST=a\nSLURM_PROCID=1\n", kSlurm, "a:8888; error SLURM_PROCID"}),
    [](const auto& row) { return row.param.name; });

// A .json file is for TensorFlow as it is: what Python alone takes is named, with the JSON that it means.
TEST(ClusterText, IsStrictWhereTheFileSaysJson) {
    EXPECT_EQ(readClusterText(kJson, {.strict_json = true}).diagnostics, Diagnostics());
    for (const std::string text : {"{'cluster': {'worker': ['a:1', 'b:2']}, 'task': {'type': 'worker', 'index': 0}}\n",
                                   R"({"cluster": {"worker": ["a:1", "b:2",]}, "task": {"type": "worker", "index": 0}})"}) {
        EXPECT_EQ(outcome(readClusterText(text)), "a:1 b:2") << "elsewhere it is taken as it is meant";
        const ClusterText read = readClusterText(text, {.strict_json = true});
        ASSERT_EQ(read.diagnostics.size(), 1U);
        EXPECT_TRUE(read.diagnostics[0].message.starts_with("expected JSON, as TensorFlow reads it, got a mistake at line 1, column "))
            << text;
        EXPECT_EQ(read.diagnostics[0].fix, R"(Write it as JSON: {"cluster":{"worker":["a:1","b:2"]},"task":{"type":"worker","index":0}})");
    }
}

TEST(ClusterText, TellsWhoseTextItIs) {
    EXPECT_EQ(readClusterText(kJson).task, (TaskId{"worker", 1}));
    EXPECT_EQ(readClusterText("SLURM_JOB_NODELIST=a,b\nSLURM_PROCID=1\n").task, (TaskId{"worker", 1}));
    EXPECT_EQ(readClusterText("a\nb\n").task, std::nullopt);
}

TEST(ClusterText, TakesJobsWithoutTasksForNoCluster) {
    const ClusterText read =
        readClusterText(R"({"cluster": {"chief":{"1": ["localhost::1]:"], "ps": {"1": "ClusterSpec(:3"}}, "task": 0}})");
    EXPECT_TRUE(hasErrors(read.diagnostics));
    EXPECT_EQ(read.tf_config, "");
}

TEST(ClusterText, CountsPortsFromTheOneAskedFor) {
    EXPECT_EQ(outcome(readClusterText("a slots=2\n", {.first_port = 2222})), "a:2222 a:2223");
    EXPECT_EQ(outcome(readClusterText("a slots=2\n", {.first_port = 65535})), "error port");
}

TEST(ClusterText, ReadsAsToldWhateverItLooksLike) {
    EXPECT_EQ(outcome(readClusterText("TF_CONFIG slots=2\n", {.kind = ClusterTextKind::kHostfile})), "TF_CONFIG:12345 TF_CONFIG:12346");
    EXPECT_EQ(outcome(readClusterText("node1\n", {.kind = ClusterTextKind::kTfConfig})), "error");
}

TEST(ClusterText, SurvivesEveryPrefixOfATextThatItReads) {
    for (const std::string& whole :
         {"export TF_CONFIG='" + kJson + "'", std::string("SLURM_JOB_NODELIST=r[1-2,07]n[3]\nSLURM_TASKS_PER_NODE=2(x3)"),
          std::string("node1 slots=2 max_slots=4\nnode2:3 # c\n")}) {
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            for (const auto kind : {kTfConfig, kHostfile, kSlurm}) {
                const ClusterText read = readClusterText(whole.substr(0, length), {.kind = kind});
                EXPECT_TRUE(!read.cluster.empty() || !read.diagnostics.empty() || kind == kTfConfig);
            }
        }
    }
}

}  // namespace
}  // namespace engine::spec
