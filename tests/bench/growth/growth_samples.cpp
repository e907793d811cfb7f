// Trains a small model on samples that nobody keeps, as many as are asked for: what is left is what the engine keeps for each of them.
//   growth_samples [--samples 1000000] [--shuffle 10000] [--batch 64] [--steps 2000]
// One line of JSON: the time of a step of the second epoch, when the first step of all was over, and the most that the process has had
// resident. A sample is made when it is decoded; its label is a byte that lies in memory, as every reader of this engine keeps labels.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/data/sample_decoder.h"
#include "engine/train/trainer.h"
#include "tests/support/model_builder.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace {

namespace data = engine::data;
namespace spec = engine::spec;
namespace train = engine::train;

constexpr std::int64_t kElements = 32, kClasses = 10;

struct Options {
    std::int64_t samples = 1000000, shuffle = 10000, batch = 64, steps = 2000;
};

std::uint64_t mixed(std::int64_t index) {
    return (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15ULL;
}

// Sample i is a function of i.
class MadeSamples final : public data::SampleDecoder {
public:
    void decode(std::int64_t index, std::byte* into) const override {
        std::uint64_t state = mixed(index);
        for (std::int64_t k = 0; k < kElements; ++k) {
            state ^= state >> 29U;
            state *= 0xBF58476D1CE4E5B9ULL;
            into[k] = static_cast<std::byte>(state >> 56U);
        }
    }
};

std::shared_ptr<const data::Samples> makeSamples(std::int64_t count) {
    auto samples = std::make_shared<data::Samples>();
    samples->source = samples->label_source = "made samples";
    samples->count = count;
    samples->sample_shape = {kElements};
    samples->decoder = std::make_shared<MadeSamples>();
    samples->labels = data::ByteBuffer(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        samples->labels.data()[i] = static_cast<std::byte>((mixed(i) >> 32U) % static_cast<std::uint64_t>(kClasses));
    }
    return samples;
}

spec::RunSpec runOf(const Options& options) {
    using tests::support::layer;
    spec::RunSpec run;
    run.name = "growth of samples";
    run.model =
        tests::support::model({kElements}, {layer("Dense", "hidden", {{"units", std::int64_t{64}}, {"activation", std::string("relu")}}),
                                            layer("Dense", "scores", {{"units", kClasses}})});
    run.compile = tests::support::compileWith({"SGD", {{"learning_rate", 0.01}}});
    run.data.scale = 1.0 / 255.0;
    run.data.batch_size_per_replica = options.batch;
    run.data.shuffle = options.shuffle;
    run.data.decode_threads = 1;
    run.fit.epochs = 2;  // the first warms up
    run.fit.steps_per_epoch = options.steps;
    return run;
}

// The kernel's own maximum; that of getrusage() counts the program that started this one, too.
std::int64_t peakResidentBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) * 1024;
    }
    throw std::runtime_error("/proc/self/status: expected a line VmHWM, found none");
}

nlohmann::json measure(const Options& options) {
    const tests::support::TempDir folder;
    const spec::RunSpec run = runOf(options);
    tests::support::RecordingObserver observer;
    train::TrainerOptions training{.make_executor = engine::backend::makeCpuExecutor, .run_dir = folder.path()};
    training.dataset.name = "made";
    training.dataset.train = makeSamples(options.samples);
    train::Trainer trainer(run, tests::support::replica(run), nullptr, observer, std::move(training));
    const train::FitOutcome outcome = trainer.fit();
    const double rate = tests::support::result(outcome, "images_per_s");
    if (rate <= 0) throw std::runtime_error("the run told no images_per_s: " + outcome.detail);
    return {{"samples", options.samples},
            {"shuffle", options.shuffle},
            {"step_s", static_cast<double>(options.batch) / rate},
            {"first_step_unix_s", tests::support::result(outcome, "first_step_unix_ns") * 1e-9},
            {"memory_bytes", peakResidentBytes()}};
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Trains on samples that are made when they are asked for");
    app.add_option("--samples", options.samples)->check(CLI::Range(std::int64_t{1}, std::int64_t{4000000000}));
    app.add_option("--shuffle", options.shuffle, "the buffer, in samples; 0: off")->check(CLI::NonNegativeNumber);
    app.add_option("--batch", options.batch)->check(CLI::PositiveNumber);
    app.add_option("--steps", options.steps, "of each of two epochs")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    try {
        std::printf("%s\n", measure(options).dump().c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "growth_samples: %s\n", error.what());
        return 1;
    }
    return 0;
}
