// Whole trainings on the GPU, without the readers and file formats of the engine: MNIST's four files lie unpacked in --data.
//   gpu_train --data DIR --compare [--out FILE]               losses and weights beside the processor's, a JSON line a case
//   gpu_train --data DIR --epochs 5 --least-accuracy 0.985    the tutorial's net to its accuracy on the test set
//   gpu_train --data DIR --steps 200 --twice                  op determinism: the same bytes twice
//   gpu_train --data DIR --steps 1000000 --quiet              to be killed
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench_models.h"
#include "engine/backend/cuda_backend.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"

namespace {

namespace backend = engine::backend;
namespace spec = engine::spec;

struct Options {
    std::string data, out;
    bool compare = false, twice = false, quiet = false;
    std::int64_t epochs = 0, steps = 0;
    double least_accuracy = 0;
};

// One of MNIST's pairs of files.
class Digits {
public:
    Digits(const std::string& folder, const std::string& part, std::uint64_t set)
        : images_(read(folder + "/" + part + "-images-idx3-ubyte", 16)),
          labels_(read(folder + "/" + part + "-labels-idx1-ubyte", 8)),
          set_(set) {
        if (labels_.empty() || images_.size() != labels_.size() * kElements) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument, part + ": expected 784 bytes an image, got " +
                                                                         std::to_string(images_.size()) + " for " +
                                                                         std::to_string(labels_.size()) + " labels");
        }
    }
    std::size_t count() const { return labels_.size(); }
    engine::tensor::BatchView view(std::span<const std::uint32_t> indices) const {
        engine::tensor::BatchView view{.samples = reinterpret_cast<const std::byte*>(images_.data()),
                                       .sample_elements = kElements,
                                       .scale = 1.0F / 255.0F,
                                       .labels = reinterpret_cast<const std::byte*>(labels_.data()),
                                       .indices = indices};
        view.set = set_;
        view.count = static_cast<std::int64_t>(count());
        return view;
    }

private:
    static constexpr std::int64_t kElements = 784;

    static std::vector<char> read(const std::string& file, std::size_t header) {
        std::ifstream in(file, std::ios::binary);
        std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        if (bytes.size() < header) throw engine::Error(engine::ErrorCode::kNotFound, file + ": expected an idx file, found none");
        bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header));
        return bytes;
    }

    const std::vector<char> images_, labels_;
    const std::uint64_t set_;
};

spec::RunSpec runOf(const std::string& model, const spec::ObjectSpec& optimizer, const std::string& policy = "float32") {
    spec::RunSpec run = tests::bench::benchRun(model);
    run.compile.optimizer = optimizer;
    run.compile.metrics = {"accuracy"};
    run.model.dtype_policy = policy;
    return run;
}

struct Trained {
    std::vector<double> losses;  // of each step
    std::vector<float> weights;
};

// The same batches on either device.
class Training {
public:
    Training(const spec::RunSpec& run, std::int64_t batch, const std::string& device)
        : run_(run),
          device_(device),
          plan_(engine::plan::compile(run, {.batch = batch, .devices = {device}})),
          variables_(plan_),
          rate_(static_cast<float>(run.compile.optimizer.config.getDouble("learning_rate", 0.001))) {
        backend::initializeVariables(variables_, run.model, 1);
        executor_ = backend::makeExecutor(plan_, variables_, {.threads = 4});
        executor_->reloadVariables();
    }

    // A pass over the set, or as many steps as are left of `steps`.
    void epoch(const Digits& digits, std::int64_t steps, std::vector<double>& losses) {
        std::vector<std::uint32_t> order(digits.count());
        std::iota(order.begin(), order.end(), 0U);
        std::shuffle(order.begin(), order.end(), random_);
        std::size_t at = 0;
        std::int64_t asked = 0;
        const auto batch = static_cast<std::size_t>(plan_.batch);
        executor_->trainSteps(
            [&](engine::tensor::BatchView& view, backend::StepControl& control) {
                if (at + batch > order.size() || asked == steps) return false;
                view = digits.view(std::span(order).subspan(at, batch));
                control = {.learning_rate = rate_, .iteration = iteration_++, .seed = 1};
                at += batch;
                ++asked;
                return true;
            },
            [&](const backend::StepResult& result) { losses.push_back(result.loss_sum / std::max(result.count, 1.0)); });
    }

    double accuracy(const Digits& digits) {
        constexpr std::int64_t kBatch = 1000;
        executor_->syncVariables();
        const engine::plan::Plan plan = engine::plan::compile(run_, {.batch = kBatch, .training = false, .devices = {device_}});
        const auto executor = backend::makeExecutor(plan, variables_, {.threads = 4});
        executor->reloadVariables();
        double correct = 0, count = 0;
        std::vector<std::uint32_t> indices(kBatch);
        for (std::size_t begin = 0; begin + indices.size() <= digits.count(); begin += indices.size()) {
            std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(begin));
            const backend::StepResult result = executor->evaluateStep(digits.view(indices));
            correct += result.correct;
            count += result.count;
        }
        return correct / std::max(count, 1.0);
    }

    std::vector<float> weights() {
        executor_->syncVariables();
        std::vector<float> all;
        for (const auto& entry : variables_.entries()) all.insert(all.end(), entry.values.begin(), entry.values.end());
        return all;
    }

private:
    const spec::RunSpec run_;
    const std::string device_;
    const engine::plan::Plan plan_;
    backend::Variables variables_;
    const float rate_;
    std::unique_ptr<backend::Executor> executor_;
    std::mt19937 random_{7};
    std::int64_t iteration_ = 0;
};

Trained train(const spec::RunSpec& run, const Digits& digits, const std::string& device, std::int64_t steps) {
    Training training(run, 64, device);
    Trained trained;
    training.epoch(digits, steps, trained.losses);
    trained.weights = training.weights();
    return trained;
}

// The largest difference beside the values' own size.
template <typename T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return INFINITY;
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        if (!std::isfinite(difference)) return INFINITY;
        most = std::max(most, difference / std::max(1.0, std::abs(static_cast<double>(b[i]))));
    }
    return most;
}

struct Case {
    const char* name;
    const char* model;
    spec::ObjectSpec optimizer;
    const char* policy;
    std::int64_t steps;
    double tolerance;
};

int compare(const Options& options) {
    const Digits digits(options.data, "train", 1);
    const spec::ObjectSpec sgd{"SGD", {{"learning_rate", 0.01}}}, momentum{"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}},
        adam{"Adam", {}};
    const std::array cases{Case{"tutorial, SGD", "tutorial", sgd, "float32", 300, 1e-4},
                           Case{"tutorial, momentum", "tutorial", momentum, "float32", 300, 1e-4},
                           Case{"tutorial, Adam", "tutorial", adam, "float32", 100, 1e-4},
                           Case{"book, momentum", "book", momentum, "float32", 100, 1e-4},
                           Case{"book, Adam", "book", adam, "float32", 50, 1e-4},
                           Case{"tutorial, Adam, bfloat16", "tutorial", adam, "mixed_bfloat16", 100, 5e-2},
                           Case{"book, momentum, bfloat16", "book", momentum, "mixed_bfloat16", 50, 5e-2}};
    std::ofstream out(options.out.empty() ? "/dev/null" : options.out);
    bool all = true;
    for (const Case& c : cases) {
        nlohmann::json line{{"case", c.name}, {"steps", c.steps}, {"tolerance", c.tolerance}};
        try {
            const spec::RunSpec run = runOf(c.model, c.optimizer, c.policy);
            const Trained cpu = train(run, digits, "CPU:0", c.steps), gpu = train(run, digits, "GPU:0", c.steps);
            const double losses = distance(gpu.losses, cpu.losses), weights = distance(gpu.weights, cpu.weights);
            const bool good = losses <= c.tolerance && weights <= c.tolerance && gpu.losses.size() == static_cast<std::size_t>(c.steps) &&
                              gpu.losses.back() < gpu.losses.front();
            line.update(
                {{"losses", losses}, {"weights", weights}, {"first", gpu.losses.front()}, {"last", gpu.losses.back()}, {"good", good}});
            all = all && good;
        } catch (const std::exception& error) {
            line.update({{"error", error.what()}, {"good", false}});
            all = false;
        }
        std::printf("%s\n", line.dump().c_str());
        std::fflush(stdout);
        out << line.dump() << std::endl;
    }
    return all ? 0 : 1;
}

int twice(const Options& options, backend::GpuBackend& gpus) {
    gpus.setOptions({.op_determinism = true});
    const Digits digits(options.data, "train", 1);
    for (const char* model : {"tutorial", "book"}) {
        const spec::RunSpec run = runOf(model, {"Adam", {}});
        const Trained a = train(run, digits, "GPU:0", options.steps), b = train(run, digits, "GPU:0", options.steps);
        const bool same =
            a.weights.size() == b.weights.size() && std::memcmp(a.weights.data(), b.weights.data(), a.weights.size() * sizeof(float)) == 0;
        std::printf("%s: %s after %ld steps\n", model, same ? "the same bytes" : "DIFFERENT bytes", static_cast<long>(options.steps));
        if (!same) return 1;
    }
    return 0;
}

int run(const Options& options) {
    std::string reason;
    backend::GpuBackend* gpus = backend::gpuBackend(&reason);
    if (gpus == nullptr) {
        std::printf("SKIPPED: %s\n", reason.c_str());
        return 0;
    }
    if (options.compare) return compare(options);
    if (options.twice) return twice(options, *gpus);
    const Digits digits(options.data, "train", 1), test(options.data, "t10k", 2);
    Training training(runOf("tutorial", {"Adam", {}}), 64, "GPU:0");
    std::vector<double> losses;
    std::int64_t left = options.steps > 0 ? options.steps : INT64_MAX;
    for (std::int64_t epoch = 0; left > 0 && (options.epochs == 0 || epoch < options.epochs); ++epoch) {
        const std::size_t before = losses.size();
        training.epoch(digits, left, losses);
        left -= static_cast<std::int64_t>(losses.size() - before);
        if (!options.quiet) std::printf("epoch %ld: loss %.4f after %zu steps\n", static_cast<long>(epoch), losses.back(), losses.size());
        std::fflush(stdout);
    }
    const double accuracy = training.accuracy(test);
    std::printf("test_accuracy: %.4f\n", accuracy);
    return accuracy >= options.least_accuracy ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Trains on a GPU");
    app.add_option("--data", options.data)->required();
    app.add_option("--out", options.out);
    app.add_flag("--compare", options.compare);
    app.add_flag("--twice", options.twice);
    app.add_flag("--quiet", options.quiet);
    app.add_option("--epochs", options.epochs)->check(CLI::PositiveNumber);
    app.add_option("--steps", options.steps)->check(CLI::PositiveNumber);
    app.add_option("--least-accuracy", options.least_accuracy);
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpu_train: %s\n", error.what());
        return 1;
    }
}
