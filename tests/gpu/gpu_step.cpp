// Training steps on the GPU: images a second, a JSON line for each combination as the peers in tests/bench/peers print them.
//   gpu_step [--models tutorial] [--batches 64] [--precisions float32 tf32 bfloat16] [--steps 100] [--repeats 5] [--plan]
// A repeat is so many steps with one wait at its end; the data stay on the device. multiply_adds and bytes are those of the plan: what a
// floor is reckoned from. Ends with 1 when a combination failed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench_models.h"
#include "bench_samples.h"
#include "engine/backend/cuda_backend.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/plan/cost.h"
#include "engine/spec/error.h"

namespace {

using Clock = std::chrono::steady_clock;
namespace backend = engine::backend;

struct Options {
    std::vector<std::string> models{"tutorial", "book", "vgg_wide"}, precisions{"float32", "tf32", "bfloat16"};
    std::vector<std::int64_t> batches{64, 256, 1024, 4096};
    std::int64_t steps = 100;
    int repeats = 5;
    bool plan = false;
};

struct Combination {
    std::string model, precision;
    std::int64_t batch = 64;
};

// Seconds of one repeat.
double repeat(backend::Executor& executor, tests::bench::Samples& samples, std::int64_t& iteration, std::int64_t steps) {
    constexpr std::uint64_t kSet = 1;
    const auto begin = Clock::now();
    std::int64_t asked = 0;
    executor.trainSteps(
        [&](engine::tensor::BatchView& batch, backend::StepControl& control) {
            if (asked++ == steps) return false;
            batch = samples.batch(iteration, kSet);
            control = {.learning_rate = 0.001F, .iteration = iteration};
            ++iteration;
            return true;
        },
        [](const backend::StepResult&) {});
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

nlohmann::json measure(backend::GpuBackend& gpus, const Combination& of, const Options& options) {
    engine::spec::RunSpec run = tests::bench::benchRun(of.model);
    run.model.dtype_policy = of.precision == "bfloat16" ? "mixed_bfloat16" : "float32";
    gpus.setOptions({.tensor_float_32_execution = of.precision == "tf32"});
    const engine::plan::Plan plan = engine::plan::compile(run, {.batch = of.batch, .devices = {"GPU:0"}});
    backend::Variables variables(plan);
    backend::initializeVariables(variables, run.model, 1);
    const auto begin = Clock::now();
    const auto executor = backend::makeExecutor(plan, variables, {});
    executor->reloadVariables();
    tests::bench::Samples samples(run.model, plan);
    std::int64_t iteration = 0;
    repeat(*executor, samples, iteration, options.steps);
    const double first = std::chrono::duration<double>(Clock::now() - begin).count();
    std::vector<double> seconds;
    for (int i = 0; i < options.repeats; ++i) seconds.push_back(repeat(*executor, samples, iteration, options.steps));
    std::sort(seconds.begin(), seconds.end());
    if (options.plan) std::printf("%s", executor->planText().c_str());
    const engine::plan::PlanCost cost = engine::plan::cost(plan);
    double multiply_adds = 0, bytes = 0;
    for (const auto& op : cost.ops) {
        multiply_adds += static_cast<double>(op.multiply_adds);
        bytes += static_cast<double>(op.bytes);
    }
    const auto images = static_cast<double>(options.steps * of.batch);
    return {{"mode", executor->describe()},
            {"images_per_s", images / seconds[seconds.size() / 2]},
            {"least", images / seconds.back()},
            {"most", images / seconds.front()},
            {"first_s", first},
            {"multiply_adds", multiply_adds},
            {"bytes", bytes}};
}

int run(const Options& options) {
    std::string reason;
    backend::GpuBackend* gpus = backend::gpuBackend(&reason);
    if (gpus == nullptr) {
        std::printf("SKIPPED: %s\n", reason.c_str());
        return 0;
    }
    std::printf("%s\n", gpus->describe().c_str());
    bool all = true;
    for (const std::int64_t batch : options.batches) {
        for (const std::string& model : options.models) {
            for (const std::string& precision : options.precisions) {
                nlohmann::json line{{"peer", "Tandem"}, {"model", model}, {"batch", batch}, {"precision", precision}};
                try {
                    line.update(measure(*gpus, {model, precision, batch}, options));
                } catch (const std::exception& error) {  // one that fails must not hide the others
                    line["error"] = error.what();
                    all = false;
                }
                std::printf("%s\n", line.dump().c_str());
                std::fflush(stdout);
            }
        }
    }
    return all ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Times training steps on a GPU");
    app.add_option("--models", options.models)->check(CLI::IsMember(tests::bench::benchModels()));
    app.add_option("--batches", options.batches)->check(CLI::PositiveNumber);
    app.add_option("--precisions", options.precisions)->check(CLI::IsMember({"float32", "tf32", "bfloat16"}));
    app.add_option("--steps", options.steps)->check(CLI::PositiveNumber);
    app.add_option("--repeats", options.repeats)->check(CLI::PositiveNumber);
    app.add_flag("--plan", options.plan, "the plan with the kernel of each op");
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpu_step: %s\n", error.what());
        return 1;
    }
}
