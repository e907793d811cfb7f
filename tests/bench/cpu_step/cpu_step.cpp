// Training steps of one executor: images a second, and each op's time beside what the machine allows.
//   cpu_step [--model book] [--batch 64] [--threads 1] [--seconds 2] [--replicas 1] [--policy mixed_bfloat16]
//            [--json] [--plan]
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
#include "engine/backend/cpu/cpu_executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/plan/cost.h"
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
    double seconds = 2;
    bool json = false, plan = false;
};

// Random pictures, or words where the model begins with an embedding.
class Samples {
public:
    Samples(const engine::spec::ModelSpec& model, const engine::plan::Plan& plan) : indices_(static_cast<std::size_t>(plan.batch)) {
        const engine::plan::TensorDesc& input = plan.tensors[static_cast<std::size_t>(plan.input)];
        const auto classes = static_cast<std::uint64_t>(plan.tensors[static_cast<std::size_t>(plan.output)].shape.back());
        elements_ = engine::plan::elementCount(input) / plan.batch;
        count_ = std::max(indices_.size(), kSamples);
        is_text_ = model.layers.front().class_name == "Embedding";
        const auto words = is_text_ ? static_cast<std::uint64_t>(model.layers.front().config.getInt("input_dim", 1)) : 256;
        for (std::size_t i = 0; i < count_ * static_cast<std::size_t>(elements_); ++i) {
            const std::uint64_t value = (i * 2654435761U >> 12) % words;
            is_text_ ? words_.push_back(static_cast<std::int32_t>(value)) : pixels_.push_back(static_cast<std::uint8_t>(value));
        }
        for (std::size_t i = 0; i < count_; ++i) labels_.push_back(static_cast<std::uint8_t>((i * 2654435761U >> 20) % classes));
    }

    engine::tensor::BatchView batch(std::int64_t step) {
        for (std::size_t i = 0; i < indices_.size(); ++i) {
            indices_[i] = static_cast<std::uint32_t>((static_cast<std::size_t>(step) * 7919 + i * 104729) % count_);
        }
        engine::tensor::BatchView view{
            .sample_elements = elements_, .labels = reinterpret_cast<const std::byte*>(labels_.data()), .indices = indices_};
        if (is_text_) {
            view.samples = reinterpret_cast<const std::byte*>(words_.data());
            view.sample_dtype = engine::tensor::DType::kInt32;
        } else {
            view.samples = reinterpret_cast<const std::byte*>(pixels_.data());
            view.scale = 1.0F / 255.0F;
        }
        return view;
    }

private:
    std::int64_t elements_ = 0;
    static constexpr std::size_t kSamples = 4096;  // as the peers have
    std::size_t count_ = 0;
    bool is_text_ = false;
    std::vector<std::uint8_t> pixels_, labels_;
    std::vector<std::int32_t> words_;
    std::vector<std::uint32_t> indices_;
};

struct Timing {
    std::vector<double> step_us;
    std::vector<float> least_op_us;
};

Timing timeSteps(CpuExecutor& executor, const engine::spec::ModelSpec& model, const engine::plan::Plan& plan, const Options& options) {
    constexpr std::size_t kFewest = 5;
    Samples samples(model, plan);
    Timing timing{.step_us = {}, .least_op_us = std::vector<float>(plan.ops.size(), 1e9F)};
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

nlohmann::json report(const CpuExecutor& executor, const engine::plan::Plan& plan, const Timing& timing, const Options& options) {
    const engine::plan::PlanCost cost = engine::plan::cost(plan);
    rusage used{};  // before the peak's own memory
    getrusage(RUSAGE_SELF, &used);
    const tests::bench::MachinePeak peak = tests::bench::measurePeak(options.threads);
    nlohmann::json ops = nlohmann::json::array();
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        ops.push_back({{"name", plan.ops[i].name},
                       {"us", timing.least_op_us[i]},
                       {"multiply_adds", cost.ops[i].multiply_adds},
                       {"bytes", cost.ops[i].bytes}});
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
    CpuExecutor executor(plan, variables, {.threads = options.threads, .collective = options.replicas > 1 ? &alone : nullptr});
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
