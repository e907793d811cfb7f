#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "app/cli/completion.h"

namespace app::cli {
namespace {

class Completion : public testing::Test {
protected:
    Completion() : app("Tandem", "tandem-cli") {
        CLI::App* train = app.add_subcommand("train", "Train a project (and more)");
        train->add_option("PROJECT", project, "what to train")->required();
        train->add_option("--device,-d", device, "it's cpu or gpu")->check(CLI::IsMember({"cpu", "gpu"}));
        train->add_option("--secret", device, "hidden")->group("");
        train->add_flag("--json", json, "lines of JSON");
        CLI::App* exports = app.add_subcommand("export", "Write what others take");
        exports->add_subcommand("keras", "A file for Keras")->add_option("RUN", project, "its id");
    }

    CLI::App app;
    std::string project, device;
    bool json = false;
};

TEST_F(Completion, KnowsEachVerbWithItsOptionsAndWhatComesFirst) {
    const std::vector<CompletionVerb> verbs = completionVerbs(app);
    ASSERT_EQ(verbs.size(), 4u);
    EXPECT_EQ(verbs[0].path, "");
    EXPECT_EQ(verbs[0].verbs, (std::vector<std::string>{"train", "export"}));
    EXPECT_EQ(verbs[1].path, "train");
    EXPECT_EQ(verbs[1].positional, "PROJECT");
    EXPECT_EQ(verbs[2].verbs, std::vector<std::string>{"keras"});
    EXPECT_EQ(verbs[3].path, "export keras");
    EXPECT_EQ(verbs[3].positional, "RUN");

    const auto device_option = std::find_if(verbs[1].options.begin(), verbs[1].options.end(),
                                            [](const CompletionOption& one) { return one.names.front() == "-d"; });
    ASSERT_NE(device_option, verbs[1].options.end());
    EXPECT_EQ(device_option->names, (std::vector<std::string>{"-d", "--device"}));
    EXPECT_TRUE(device_option->takes_value);
    EXPECT_EQ(device_option->values, (std::vector<std::string>{"cpu", "gpu"}));
    EXPECT_FALSE(verbs[1].options.back().takes_value) << "a flag";
}

TEST_F(Completion, EveryScriptHasAllVerbsAndOptionsButHiddenOnes) {
    const std::vector<CompletionVerb> verbs = completionVerbs(app);
    for (const std::string& script : {bashCompletion(verbs), zshCompletion(verbs)}) {
        for (const char* word : {"train", "export", "keras", "--device", "-d", "--json", "--help", "cpu gpu", "'export keras'"}) {
            EXPECT_NE(script.find(word), std::string::npos) << word << " in\n" << script;
        }
        EXPECT_EQ(script.find("secret"), std::string::npos) << script;
    }
    const std::string fish = fishCompletion(verbs);
    EXPECT_NE(fish.find(R"(-n '__tandem_cli_at "train"' -s d -l device -x -a 'cpu gpu' -d 'it\'s cpu or gpu')"), std::string::npos) << fish;
    EXPECT_NE(fish.find(R"(-n '__tandem_cli_at "export"' -a keras)"), std::string::npos) << fish;
    EXPECT_EQ(fish.find("secret"), std::string::npos) << fish;
}

}  // namespace
}  // namespace app::cli
