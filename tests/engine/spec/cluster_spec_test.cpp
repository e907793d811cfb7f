#include "engine/spec/project/cluster_spec.h"

#include <gtest/gtest.h>

namespace engine::spec {
namespace {

ClusterSpec twoLocalWorkers() {
    return {{{"worker", {{0, "localhost:12345"}, {1, "localhost:23456"}}}}};
}

TEST(ClusterSpec, WritesTfConfigAsTheTutorialsDo) {
    EXPECT_EQ(toTfConfigJson(twoLocalWorkers(), {"worker", 0}),
              R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}})");
}

TEST(ClusterSpec, WritesJobsInTheUsersOrderAndGapsAsAnObject) {
    const ClusterSpec cluster{{{"ps", {{0, "h0:1"}}}, {"chief", {{0, "h1:1"}}}, {"worker", {{1, "h2:1"}}}}};
    EXPECT_EQ(toTfConfigJson(cluster, {"chief", 0}),
              R"({"cluster": {"ps": ["h0:1"], "chief": ["h1:1"], "worker": {"1": "h2:1"}}, "task": {"type": "chief", "index": 0}})");
}

// What Python's json.dumps does with these: escapes beyond ASCII, pairs of surrogates, short forms.
TEST(ClusterSpec, EscapesAsJsonDumpsDoes) {
    const ClusterSpec cluster{{{"worker", {{0, "h\xC3\xA9\"\\\n\t\x01\x7F\xF0\x9F\x98\x80:1"}}}}};
    EXPECT_EQ(toTfConfigJson(cluster, {"worker", 0}),
              "{\"cluster\": {\"worker\": [\"h\\u00e9\\\"\\\\\\n\\t\\u0001\\u007f\\ud83d\\ude00:1\"]}, "
              "\"task\": {\"type\": \"worker\", \"index\": 0}}");
}

TEST(ClusterSpec, ReadsBackWhatItWrites) {
    const TfConfigReport report = checkTfConfig(toTfConfigJson(twoLocalWorkers(), {"worker", 1}));
    EXPECT_TRUE(report.diagnostics.empty());
    EXPECT_EQ(report.config.cluster, twoLocalWorkers());
    EXPECT_EQ(report.config.task, (TaskId{"worker", 1}));
}

TEST(ClusterSpec, TrainsChiefFirstThenWorkers) {
    const ClusterSpec cluster{
        {{"worker", {{0, "h1:1"}, {1, "h2:1"}}}, {"ps", {{0, "h3:1"}}}, {"chief", {{0, "h0:1"}}}, {"evaluator", {{0, "h4:1"}}}}};
    const std::vector<TaskId> expected{{"chief", 0}, {"worker", 0}, {"worker", 1}};
    EXPECT_EQ(cluster.trainingTasks(), expected);
    EXPECT_TRUE(cluster.isChief({"chief", 0}));
    EXPECT_FALSE(cluster.isChief({"worker", 0}));
    EXPECT_FALSE(cluster.isChief({"evaluator", 0}));
}

TEST(ClusterSpec, TakesWorkerZeroAsChiefWithoutOne) {
    EXPECT_TRUE(twoLocalWorkers().isChief({"worker", 0}));
    EXPECT_FALSE(twoLocalWorkers().isChief({"worker", 1}));
    EXPECT_FALSE(twoLocalWorkers().isChief({"ps", 0}));
}

TEST(ClusterSpec, AnswersNothingForATaskThatIsNotListed) {
    EXPECT_EQ(twoLocalWorkers().address({"worker", 2}), std::nullopt);
    EXPECT_EQ(twoLocalWorkers().address({"chief", 0}), std::nullopt);
    EXPECT_EQ(twoLocalWorkers().taskCount("ps"), 0);
    EXPECT_TRUE(ClusterSpec{}.empty());
}

TEST(HostPort, SplitsAtTheLastColon) {
    struct Row {
        const char* text;
        const char* host;
        int port;
    };
    for (const Row& row : {Row{"localhost:12345", "localhost", 12345}, Row{"[::1]:80", "::1", 80}, Row{":2222", "", 2222},
                           Row{"h:0", "h", 0}, Row{"h:99999", "h", 99999}}) {
        const std::optional<HostPort> parsed = parseHostPort(row.text);
        ASSERT_TRUE(parsed.has_value()) << row.text;
        EXPECT_EQ(parsed->host, row.host);
        EXPECT_EQ(parsed->port, row.port);
    }
    for (const char* text : {"", "h", "h:", "h:http", "h:-1", "h:1x", "h: 1", "h:4294967296"}) {
        EXPECT_FALSE(parseHostPort(text).has_value()) << text;
    }
}

}  // namespace
}  // namespace engine::spec
