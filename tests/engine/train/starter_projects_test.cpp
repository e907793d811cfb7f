// The projects that ship: each is valid, and trains where its data ship, too.
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/data/dataset_catalog.h"
#include "engine/run/layer_anomalies.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/validate/validate.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::RecordingObserver;
using tests::support::replica;

const std::filesystem::path kResources = TANDEM_RESOURCES;

std::vector<std::string> starters() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kResources / "templates")) {
        if (entry.path().extension() != ".tandem") continue;
        names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

class StarterProject : public testing::TestWithParam<std::string> {
protected:
    spec::RunSpec read() const {
        std::ifstream file(kResources / "templates" / (GetParam() + ".tandem"));
        const spec::ProjectReport report = spec::parseProject(std::string{std::istreambuf_iterator<char>(file), {}});
        EXPECT_THAT(report.diagnostics, testing::IsEmpty());
        return report.run;
    }
};

TEST_P(StarterProject, IsValidAndSaysWhatItFetches) {
    const spec::RunSpec run = read();
    EXPECT_FALSE(run.name.empty());
    for (const spec::Diagnostic& diagnostic : spec::validate(run)) {
        EXPECT_NE(diagnostic.severity, spec::Severity::kError) << toString(diagnostic);
    }
    const spec::NamedDataset* set = spec::findNamedDataset(run.data.dataset);
    if (set != nullptr && set->download_bytes > 0) {
        EXPECT_THAT(run.name, testing::HasSubstr("downloads"));
    }
}

TEST_P(StarterProject, TrainsWhereItsDataShip) {
    spec::RunSpec run = read();
    const spec::NamedDataset* set = spec::findNamedDataset(run.data.dataset);
    if (set != nullptr && set->download_bytes > 0) {
        GTEST_SKIP() << set->title << " is not shipped";
    }
    run.fit.histogram_freq = 1;
    run.data.take = 64;
    run.data.batch_size_per_replica = 16;
    run.fit.epochs = 2;
    run.fit.initial_epoch = 0;
    run.cluster.spec = {};
    run.strategy.name = "MirroredStrategy";
    const tests::support::TempDir folder;
    RecordingObserver observer;
    TrainerOptions options;
    options.make_executor = &backend::makeCpuExecutor;
    options.run_dir = folder.path();
    options.dataset = data::loadDataset(run.data, {kResources / "datasets"}, kResources / "templates");
    options.dataset.test = nullptr;
    Trainer trainer(run, replica(run), nullptr, observer, options);
    EXPECT_EQ(trainer.fit().state, spec::TaskState::kDone);
    const std::vector<float> losses = observer.column("loss");
    ASSERT_EQ(losses.size(), 8U);
    EXPECT_LT(*std::min_element(losses.begin() + 4, losses.end()), losses.front());
    engine::run::AnomalyTeller teller;
    const std::vector<spec::LayerReport> layers = observer.all<spec::LayerReport>();
    EXPECT_FALSE(layers.empty());
    for (const spec::LayerReport& report : layers) {
        for (const engine::run::LayerAnomaly& anomaly : teller.add(report)) ADD_FAILURE() << engine::run::anomalyText(anomaly);
    }
}

INSTANTIATE_TEST_SUITE_P(All, StarterProject, testing::ValuesIn(starters()), [](const auto& row) { return row.param; });

}  // namespace
}  // namespace engine::train
