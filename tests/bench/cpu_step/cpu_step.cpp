// Microseconds of each op of a training step of the tutorial's CNN, and images a second.
//   cpu_step [threads = 1] [batch = 64] [steps = 2000] [tutorial | book] [replicas = 1]
// A second process on a core shows in the mean; the least time of each op is what the machine can do. With two replicas updates stand apart
// from the gradients, as a worker of a cluster has them; nothing is really reduced.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/backend/cpu/cpu_executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "tests/support/model_builder.h"

namespace {

using engine::backend::cpu::CpuExecutor;

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

engine::spec::ModelSpec bookModel() {
    using tests::support::layer;
    const auto conv = [](const char* name, std::int64_t filters) {
        return layer("Conv2D", name, {{"filters", filters}, {"kernel_size", std::int64_t{5}}, {"activation", std::string("relu")}});
    };
    return tests::support::model({28, 28, 1}, {conv("conv2d", 20), layer("MaxPooling2D", "max_pooling2d"), conv("conv2d_1", 50),
                                               layer("MaxPooling2D", "max_pooling2d_1"), layer("Flatten", "flatten"),
                                               layer("Dense", "dense", {{"units", std::int64_t{500}}, {"activation", std::string("relu")}}),
                                               layer("Dense", "dense_1", {{"units", std::int64_t{10}}})});
}

long argument(int argc, char** argv, int index, long fallback) {
    return argc > index ? std::atol(argv[index]) : fallback;
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = static_cast<int>(argument(argc, argv, 1, 1));
    const long batch = argument(argc, argv, 2, 64), steps = argument(argc, argv, 3, 2000);
    const bool book = argc > 4 && std::string(argv[4]) == "book";
    const int replicas = static_cast<int>(argument(argc, argv, 5, 1));

    engine::spec::RunSpec run;
    run.model = book ? bookModel() : tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"Adam", {}});
    const engine::plan::Plan plan = engine::plan::compile(run, {.batch = batch, .replicas = replicas});
    engine::backend::Variables variables(plan);
    engine::backend::initializeVariables(variables, run.model, 1);
    AloneCollective alone;
    CpuExecutor executor(plan, variables, {.threads = threads, .collective = replicas > 1 ? &alone : nullptr});

    constexpr std::size_t kSamples = 60000, kElements = 784;
    std::vector<std::uint8_t> samples(kSamples * kElements), labels(kSamples);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 24);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint8_t>((i * 2654435761U >> 20) % 10);
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(batch));
    std::vector<float> least(plan.ops.size(), 1e9F);
    std::vector<double> sum(plan.ops.size());
    double best_step = 1e9, total = 0;
    for (long step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            indices[i] = static_cast<std::uint32_t>((static_cast<std::size_t>(step) * 7919 + i * 104729) % kSamples);
        }
        const engine::tensor::BatchView view{.samples = reinterpret_cast<const std::byte*>(samples.data()),
                                             .sample_elements = kElements,
                                             .scale = 1.0F / 255.0F,
                                             .labels = reinterpret_cast<const std::byte*>(labels.data()),
                                             .indices = indices};
        const auto start = std::chrono::steady_clock::now();
        executor.trainStep(view, {.learning_rate = 0.001F, .iteration = step});
        const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
        best_step = std::min(best_step, us);
        total += us;
        const std::vector<CpuExecutor::OpTime> times = executor.opTimes();
        for (std::size_t i = 0; i < times.size(); ++i) {
            least[i] = std::min(least[i], times[i].us);
            sum[i] += times[i].us;
        }
    }
    std::printf("%s, %d barriers\n%s", executor.describe().c_str(), executor.barriers(), executor.planText().c_str());
    const std::vector<CpuExecutor::OpTime> times = executor.opTimes();
    std::printf("%-32s %10s %10s\n", "op", "least us", "mean us");
    for (std::size_t i = 0; i < times.size(); ++i) {
        std::printf("%-32s %10.1f %10.1f\n", std::string(times[i].name).c_str(), static_cast<double>(least[i]),
                    sum[i] / static_cast<double>(steps));
    }
    const auto images = static_cast<double>(batch);
    std::printf("step: least %.1f us (%.0f images/s), mean %.1f us (%.0f images/s)\n", best_step, images * 1e6 / best_step,
                total / static_cast<double>(steps), images * 1e6 * static_cast<double>(steps) / total);
}
