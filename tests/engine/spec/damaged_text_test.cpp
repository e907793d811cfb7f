// Every text that a user may hand over: it is read or answered by diagnostics, never by an exception.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "engine/spec/keras/keras_config.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"
#include "tests/support/damage/damage.h"

namespace engine::spec {
namespace {

std::string readText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool throwsNothing(const std::function<void()>& call) {
    try {
        call();
        return true;
    } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
        return false;
    }
}

TEST(DamagedText, OfAProjectIsReadOrExplained) {
    for (const char* name : {"mnist_multi_worker", "mnist_lenet5", "cifar10_vgg"}) {
        const std::string text = readText(std::string(TANDEM_RESOURCES "/templates/") + name + ".tandem");
        ASSERT_FALSE(text.empty()) << name;
        tests::support::forEachDamage(text, [](const std::string& damaged) {
            throwsNothing([&] {
                const ProjectReport report = parseProject(damaged);
                validate(report.run);
                toProjectJson(report.run);
            });
        });
    }
}

TEST(DamagedText, OfTfConfigIsReadOrExplained) {
    const std::string text =
        R"({"cluster":{"chief":["h0:2222"],"ps":["h1:2222"],"worker":{"0":"h3:2222","2":"[::1]:2222"}},"task":{"type":"worker","index":0},"rpc_layer":"grpc"})";
    for (const TfConfigUse use : {TfConfigUse::kAuto, TfConfigUse::kMultiWorker, TfConfigUse::kParameterServer, TfConfigUse::kEstimator}) {
        tests::support::forEachDamage(text, [&](const std::string& damaged) { throwsNothing([&] { checkTfConfig(damaged, use); }); },
                                      {.rounds = 200});
    }
}

TEST(DamagedText, OfASettingIsTakenOrExplained) {
    for (const char* setting :
         {"compile.optimizer.config.learning_rate=0.5", "model.layers[2].config.units=64", "data.train_files=[\"a*.csv\"]"}) {
        tests::support::forEachDamage(setting, [](const std::string& damaged) {
            throwsNothing([&] {
                RunSpec run = parseProject(readText(TANDEM_RESOURCES "/templates/mnist_multi_worker.tandem")).run;
                applySetting(run, damaged);
            });
        });
    }
}

TEST(DamagedText, OfAKerasModelIsReadOrExplained) {
    const std::string text = readText(TANDEM_TEST_DATA "/keras_files/plain_cnn_config.json");
    ASSERT_FALSE(text.empty());
    tests::support::forEachDamage(text, [&](const std::string& damaged) { throwsNothing([&] { parseKerasConfig(damaged); }); },
                                  {.rounds = 300});
}

TEST(DamagedText, NestedWithoutEndIsRefused) {
    const std::string open(200000, '[');
    const std::string deep = open + std::string(200000, ']');
    std::string objects;
    for (int i = 0; i < 100000; ++i) {
        objects += "{\"a\":";
    }
    for (const std::string& text : {open, deep, objects, R"({"version": 1, "model": {"layers": )" + deep + "}}",
                                    R"({"cluster": )" + deep + "}", R"({"class_name": "Sequential", "config": )" + deep + "}"}) {
        const ProjectReport report = parseProject(text);
        ASSERT_EQ(report.diagnostics.size(), 1U);
        EXPECT_NE(report.diagnostics[0].message.find("expected at most 64 values within each other"), std::string::npos)
            << report.diagnostics[0].message.substr(0, 200);
        EXPECT_TRUE(hasErrors(parseKerasConfig(text).diagnostics));
        EXPECT_TRUE(hasErrors(checkTfConfig(text).diagnostics));
        RunSpec run;
        EXPECT_TRUE(hasErrors(applySetting(run, "fit.epochs=" + text)));
    }
}

}  // namespace
}  // namespace engine::spec
