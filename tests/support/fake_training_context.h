// A training that happens in the test alone, for callbacks.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/plan/compile.h"
#include "engine/train/callbacks/callback.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace tests::support {

// Remembers what callbacks did.
class FakeContext final : public engine::train::TrainingContext {
public:
    bool isChief() const override { return chief; }
    const std::filesystem::path& runDir() const override { return dir_.path(); }
    const engine::files::SafeFolder& runFolder() const override { return folder_; }
    float learningRate() const override { return rate; }
    void setLearningRate(float value) override { rate = value; }
    engine::train::Logs runningLogs() const override { return {{"accuracy", 0.5}, {"loss", running_loss}}; }
    void log(spec::LogLevel /*level*/, const std::string& text) override { lines.push_back(text); }
    void saveCheckpoint(const std::filesystem::path& prefix, std::int32_t /*epoch*/, bool best) override {
        saved.push_back(prefix.lexically_relative(dir_.path()).string() + (best ? " best" : ""));
    }
    const spec::RunSpec& run() const override { return run_; }
    std::vector<engine::train::GradientProbe::Gradient> gradients() override { return {}; }
    std::int64_t iterations() const override { return done; }
    engine::backend::Variables& currentVariables() override { return variables_; }
    void variablesChanged() override { ++changed; }
    void stopTraining() override { stopped = true; }
    double lastLoss() const override { return running_loss; }
    engine::train::Logs evaluate() override { return evaluated; }
    void keepCheckpoints(std::int64_t most, double /*one_in_hours*/) override { kept = most; }
    void backUp() override { ++backups; }
    std::string read(const std::string& file) const {
        std::ostringstream text;
        text << std::ifstream(dir_.path() / file, std::ios::binary).rdbuf();
        return text.str();
    }

    bool chief = true;
    float rate = 0.001F;
    std::vector<std::string> lines;
    std::vector<std::string> saved;
    std::int64_t done = 0;
    double running_loss = 1.5;
    int changed = 0;
    bool stopped = false;
    engine::train::Logs evaluated{{"accuracy", 0.75}, {"loss", 0.5}};
    std::int64_t kept = 0;
    int backups = 0;

    // The first weight, by which tests tell epochs apart.
    float& weight() { return variables_.entries().front().values[0]; }

private:
    spec::RunSpec run_ = quarterRun();
    engine::backend::Variables variables_{engine::plan::compile(run_, {.batch = 4})};
    TempDir dir_;
    engine::files::SafeFolder folder_ = engine::files::SafeFolder::open(dir_.path());
};

}  // namespace tests::support
