#include "engine/launch/tf_config_files.h"

#include <gtest/gtest.h>

namespace engine::launch {
namespace {

const spec::ClusterSpec kTwoWorkers{{{"worker", {{0, "localhost:12345"}, {1, "localhost:23456"}}}}};
const std::string kWorker1 = R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 1}})";

TEST(TfConfigFiles, OneATaskAsTheTutorialsWriteThem) {
    const auto files = tfConfigFiles(kTwoWorkers, TfConfigFormat::kJson);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].file_name, "worker-0.json");
    EXPECT_EQ(files[1].file_name, "worker-1.json");
    EXPECT_EQ(files[1].text, R"({
  "cluster": {
    "worker": [
      "localhost:12345",
      "localhost:23456"
    ]
  },
  "task": {"type": "worker", "index": 1}
}
)");
}

TEST(TfConfigFiles, AreReadBackOnSeveralLines) {
    const spec::ClusterSpec odd{
        {{"worker", {{0, "a{b\"[c,:1"}, {1, "a very long name of a host, which is not to be broken:2"}}}, {"ps", {{3, "d:3"}}}}};
    const std::string text = tfConfigText(odd, {"worker", 1}, TfConfigFormat::kJson);
    EXPECT_EQ(spec::checkTfConfig(text).config.cluster, odd) << text;
}

TEST(TfConfigFiles, KnowsEveryShell) {
    const spec::TaskId task{"worker", 1};
    EXPECT_EQ(tfConfigText(kTwoWorkers, task, TfConfigFormat::kEnv), "TF_CONFIG=" + kWorker1);
    EXPECT_EQ(tfConfigText(kTwoWorkers, task, TfConfigFormat::kBash), "export TF_CONFIG='" + kWorker1 + "'");
    EXPECT_EQ(tfConfigText(kTwoWorkers, task, TfConfigFormat::kPowerShell), "$env:TF_CONFIG = '" + kWorker1 + "'");
    EXPECT_EQ(tfConfigFiles(kTwoWorkers, TfConfigFormat::kBash)[0].file_name, "worker-0.sh");
}

TEST(TfConfigFiles, QuotesAQuoteInAnAddress) {
    const spec::ClusterSpec odd{{{"worker", {{0, "it's:1"}}}}};
    EXPECT_NE(tfConfigText(odd, {"worker", 0}, TfConfigFormat::kBash).find(R"(it'\''s:1)"), std::string::npos);
    EXPECT_NE(tfConfigText(odd, {"worker", 0}, TfConfigFormat::kPowerShell).find("it''s:1"), std::string::npos);
}

TEST(TfConfigFiles, KeepsTheJobsOrderAndNamesFormats) {
    const spec::ClusterSpec cluster{{{"ps", {{0, "a:1"}}}, {"chief", {{0, "b:2"}}}}};
    const auto files = tfConfigFiles(cluster, *parseTfConfigFormat("env"));
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].file_name, "ps-0.env");
    EXPECT_EQ(files[1].file_name, "chief-0.env");
    EXPECT_EQ(parseTfConfigFormat("yaml"), std::nullopt);
    EXPECT_TRUE(tfConfigFiles({}, TfConfigFormat::kJson).empty());
}

}  // namespace
}  // namespace engine::launch
