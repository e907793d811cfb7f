// Training steps of one executor: images a second, and each op's time beside what the machine allows.
//   cpu_step [--model book] [--batch 64] [--threads 1] [--seconds 2] [--replicas 1] [--policy mixed_bfloat16]
//            [--piece 16] [--strips 8] [--json] [--plan]
// A second process on a core shows in the median; the least time of each op is what the machine can do. With two replicas updates stand
// apart from the gradients, as a worker of a cluster has them; nothing is really reduced.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench_models.h"
#include "bench_samples.h"
#include "engine/backend/cpu/cpu_executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/plan/cost.h"
#include "engine/plan/passes/passes.h"
#include "machine_peak.h"

namespace {

using engine::backend::cpu::CpuExecutor;
using Clock = std::chrono::steady_clock;

class AloneCollective final : public engine::distribute::Collective {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::span<std::byte> allocateRegion(std::size_t) override { return {}; }
    void allReduceSum(std::span<float>) override {}
    std::uint64_t startAllReduceSum(std::span<float>) override { return 0; }
    void wait(std::uint64_t) override {}
    void broadcast(std::span<std::byte>, int) override {}
    void allGather(std::span<const std::byte>, std::span<std::byte>) override {}
    void barrier() override {}
    std::string describe() const override { return "alone"; }
};

struct Options {
    std::string model = "tutorial", policy = "float32";
    std::int64_t batch = 64;
    int threads = 1, replicas = 1;
    std::int64_t piece = 0;
    int strips = 0;
    double seconds = 2;
    bool json = false, plan = false;
};

struct Timing {
    std::vector<double> step_us;
    std::vector<float> least_op_us;
};

Timing timeSteps(CpuExecutor& executor, const engine::spec::ModelSpec& model, const engine::plan::Plan& plan, const Options& options) {
    constexpr std::size_t kFewest = 5;
    tests::bench::Samples samples(model, plan);
    Timing timing{.step_us = {}, .least_op_us = std::vector<float>(executor.plan().ops.size(), 1e9F)};
    executor.trainStep(samples.batch(0), {});
    const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
    for (std::int64_t step = 1; timing.step_us.size() < kFewest || Clock::now() < end; ++step) {
        const engine::tensor::BatchView batch = samples.batch(step);
        const auto start = Clock::now();
        executor.trainStep(batch, {.learning_rate = 0.001F, .iteration = step});
        timing.step_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
        const std::vector<CpuExecutor::OpTime> times = executor.opTimes();
        for (std::size_t i = 0; i < times.size(); ++i) timing.least_op_us[i] = std::min(timing.least_op_us[i], times[i].us);
    }
    std::sort(timing.step_us.begin(), timing.step_us.end());
    return timing;
}

std::int64_t trainedValues(const engine::plan::Plan& plan) {
    std::int64_t count = 0;
    for (const engine::plan::TensorDesc& tensor : plan.tensors) {
        if (tensor.role == engine::plan::TensorRole::kParameter) count += engine::plan::elementCount(tensor);
    }
    return count;
}

nlohmann::json report(const CpuExecutor& executor, const engine::plan::Plan& plan, const Timing& timing, const Options& options) {
    const engine::plan::PlanCost cost = engine::plan::cost(executor.plan());
    rusage used{};  // before the peak's own memory
    getrusage(RUSAGE_SELF, &used);
    const tests::bench::MachinePeak peak = tests::bench::measurePeak(options.threads);
    nlohmann::json ops = nlohmann::json::array();
    for (std::size_t i = 0; i < cost.ops.size(); ++i) {
        const std::int64_t times =
            engine::plan::turnOf(executor.plan(), executor.plan().ops[i]) == engine::plan::Turn::kEveryPiece ? executor.pieces() : 1;
        ops.push_back({{"name", cost.ops[i].name},
                       {"us", timing.least_op_us[i]},
                       {"multiply_adds", cost.ops[i].multiply_adds * times},
                       {"bytes", cost.ops[i].bytes * times}});
    }
    const double least = timing.step_us.front(), median = timing.step_us[timing.step_us.size() / 2];
    const double images = static_cast<double>(options.batch) * 1e6;
    return {{"model", options.model},
            {"batch", options.batch},
            {"threads", options.threads},
            {"executor", executor.describe()},
            {"images_per_s", images / median},
            {"best_images_per_s", images / least},
            {"median_us", median},
            {"least_us", least},
            {"steps", timing.step_us.size()},
            {"parameters", trainedValues(plan)},
            {"peak_rss_bytes", used.ru_maxrss * 1024},
            {"peak_multiply_adds_per_s", peak.multiply_adds_per_s},
            {"peak_bytes_per_s", peak.bytes_per_s},
            {"ops", ops}};
}

void print(const nlohmann::json& r) {
    const double peak = r["peak_multiply_adds_per_s"], bandwidth = r["peak_bytes_per_s"], step = r["least_us"];
    std::printf("%s, %s, batch %ld: median %.0f images/s, best %.0f; peak %.1f G multiply-adds/s, %.1f GB/s\n",
                r["model"].get<std::string>().c_str(), r["executor"].get<std::string>().c_str(), r["batch"].get<long>(),
                r["images_per_s"].get<double>(), r["best_images_per_s"].get<double>(), peak / 1e9, bandwidth / 1e9);
    std::printf("%-36s %10s %7s %9s %7s %9s %7s\n", "op", "us", "share", "GMA/s", "% peak", "MB", "% GB/s");
    for (const nlohmann::json& op : r["ops"]) {
        const double us = op["us"], work = op["multiply_adds"], bytes = op["bytes"];
        if (us <= 0) continue;
        std::printf("%-36s %10.1f %6.1f%% %9.2f %6.0f%% %9.3f %6.0f%%\n", op["name"].get<std::string>().c_str(), us, 100 * us / step,
                    work / us / 1e3, 100 * work * 1e6 / us / peak, bytes / 1e6, 100 * bytes * 1e6 / us / bandwidth);
    }
    std::printf("%-36s %10.1f\n", "step", step);
}

void runOptions(const Options& options) {
    engine::spec::RunSpec run = tests::bench::benchRun(options.model);
    run.model.dtype_policy = options.policy;
    const engine::plan::Plan plan = engine::plan::compile(run, {.batch = options.batch, .replicas = options.replicas});
    engine::backend::Variables variables(plan);
    engine::backend::initializeVariables(variables, run.model, 1);
    AloneCollective alone;
    CpuExecutor executor(plan, variables,
                         {.threads = options.threads,
                          .collective = options.replicas > 1 ? &alone : nullptr,
                          .region = {},
                          .loss = {},
                          .piece = options.piece,
                          .strips = options.strips});
    const Timing timing = timeSteps(executor, run.model, plan, options);
    const nlohmann::json result = report(executor, plan, timing, options);
    if (options.plan) std::printf("%d barriers\n%s", executor.barriers(), executor.planText().c_str());
    if (options.json) {
        std::printf("%s\n", result.dump().c_str());
    } else {
        print(result);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Times training steps by op");
    app.add_option("--model", options.model)->check(CLI::IsMember(tests::bench::benchModels()));
    app.add_option("--batch", options.batch)->check(CLI::PositiveNumber);
    app.add_option("--threads", options.threads)->check(CLI::PositiveNumber);
    app.add_option("--seconds", options.seconds)->check(CLI::NonNegativeNumber);
    app.add_option("--replicas", options.replicas)->check(CLI::PositiveNumber);
    app.add_option("--strips", options.strips, "strips of a thread's samples, one after the other; 0: as many as training takes")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--piece", options.piece, "samples at once; 0: as many as training takes")->check(CLI::NonNegativeNumber);
    app.add_option("--policy", options.policy)->check(CLI::IsMember({"float32", "mixed_bfloat16"}));
    app.add_flag("--json", options.json, "one line of JSON");
    app.add_flag("--plan", options.plan, "the plan with the kernel of each op");
    CLI11_PARSE(app, argc, argv);
    try {
        runOptions(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cpu_step: %s\n", error.what());
        return 1;
    }
    return 0;
}
