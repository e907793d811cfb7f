// Small projects for parameter servers, the samples of their steps, and what a task that trains alone makes of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/plan/compile.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/tensor/batch_view.h"
#include "tests/support/model_builder.h"

namespace tests::support {

inline constexpr std::int64_t kBatch = 16, kSamples = 64, kPixels = 64;

// Images in four classes, by the quarter that is bright.
struct Images {
    Images() : pixels(static_cast<std::size_t>(kSamples * kPixels)), labels(static_cast<std::size_t>(kSamples)) {
        std::uint32_t state = 7;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            labels[i] = static_cast<std::uint8_t>(i % 4);
            for (std::size_t p = 0; p < static_cast<std::size_t>(kPixels); ++p) {
                state = state * 1664525U + 1013904223U;
                const std::size_t here = (p / 8 >= 4 ? 2U : 0U) + (p % 8 >= 4 ? 1U : 0U);
                pixels[i * kPixels + p] = static_cast<float>(state >> 24U) / 512.0F + (here == labels[i] ? 0.5F : 0.0F);
            }
        }
    }
    std::vector<float> pixels;
    std::vector<std::uint8_t> labels;
};

inline constexpr std::int64_t kWords = 5, kVocabulary = 96;

// Sentences of numbers in four classes; those of a batch name a part of the vocabulary.
struct Sentences {
    Sentences() : words(static_cast<std::size_t>(kSamples * kWords)), labels(static_cast<std::size_t>(kSamples)) {
        std::uint32_t state = 11;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            labels[i] = static_cast<std::uint8_t>(i % 4);
            for (std::size_t w = 0; w < static_cast<std::size_t>(kWords); ++w) {
                state = state * 1664525U + 1013904223U;
                words[i * kWords + w] = static_cast<float>(labels[i] * (kVocabulary / 4) + (state >> 24U) % (kVocabulary / 4));
            }
        }
    }
    std::vector<float> words;
    std::vector<std::uint8_t> labels;
};

inline engine::spec::RunSpec withServers(engine::spec::RunSpec run, engine::spec::ObjectSpec partitioner) {
    run.strategy.name = engine::spec::strategyName(engine::spec::StrategyKind::kParameterServer);
    run.strategy.variable_partitioner = std::move(partitioner);
    run.strategy.bytes_per_pack = 512;  // several buckets
    return run;
}

// A table of kVocabulary rows, of which a step needs some.
inline engine::spec::RunSpec textProject(engine::spec::ObjectSpec optimizer, engine::spec::ObjectSpec partitioner = {},
                                         engine::spec::Fields embedding = {}) {
    engine::spec::RunSpec run;
    embedding.set("input_dim", kVocabulary);
    embedding.set("output_dim", std::int64_t{4});
    run.model = tests::support::model({kWords}, {layer("Embedding", "words", embedding), layer("Flatten", "flatten"),
                                                 layer("Dense", "dense", {{"units", std::int64_t{8}}, {"activation", std::string("relu")}}),
                                                 layer("Dense", "dense_1", {{"units", std::int64_t{4}}})});
    run.compile = tests::support::compileWith(std::move(optimizer));
    return withServers(std::move(run), std::move(partitioner));
}

inline engine::spec::RunSpec serverProject(engine::spec::ObjectSpec optimizer, engine::spec::ObjectSpec partitioner = {}) {
    engine::spec::RunSpec run;
    run.model = tests::support::model(
        {8, 8, 1},
        {layer("Conv2D", "conv2d", {{"filters", std::int64_t{4}}, {"kernel_size", std::int64_t{3}}, {"activation", std::string("relu")}}),
         layer("BatchNormalization", "norm"), layer("Flatten", "flatten"),
         layer("Dense", "dense", {{"units", std::int64_t{8}}, {"activation", std::string("relu")}}),
         layer("Dense", "dense_1", {{"units", std::int64_t{4}}})});
    run.compile = tests::support::compileWith(std::move(optimizer));
    return withServers(std::move(run), std::move(partitioner));
}

inline engine::plan::CompileTarget parameterTarget(int servers) {
    return {.batch = kBatch, .servers = servers, .task = {"worker", 0}, .has_cluster = true};
}

class Batches {
public:
    explicit Batches(const engine::spec::RunSpec& run) : reads_words_(run.model.layers.front().class_name == "Embedding") {}

    engine::tensor::BatchView at(std::int64_t step) {
        indices_.resize(static_cast<std::size_t>(kBatch));
        for (std::size_t i = 0; i < indices_.size(); ++i) {
            indices_[i] = static_cast<std::uint32_t>((step * kBatch + static_cast<std::int64_t>(i)) % kSamples);
        }
        engine::tensor::BatchView view;
        view.samples = reinterpret_cast<const std::byte*>(reads_words_ ? sentences_.words.data() : images_.pixels.data());
        view.sample_dtype = engine::tensor::DType::kFloat32;
        view.sample_elements = reads_words_ ? kWords : kPixels;
        view.labels = reinterpret_cast<const std::byte*>(reads_words_ ? sentences_.labels.data() : images_.labels.data());
        view.indices = indices_;
        return view;
    }

private:
    const bool reads_words_;
    const Images images_;
    const Sentences sentences_;
    std::vector<std::uint32_t> indices_;
};

inline constexpr float kRate = 0.01F;
inline constexpr std::int64_t kSteps = 100;

// The variables of a task that trains alone.
inline engine::backend::Variables trainedAlone(const engine::spec::RunSpec& run, std::int64_t steps,
                                               engine::parameter_server::ExecutorFactory make) {
    engine::spec::RunSpec alone = run;
    alone.strategy = {};
    const engine::plan::Plan plan = engine::plan::compile(alone, {.batch = kBatch});
    engine::backend::Variables variables(plan);
    engine::backend::initializeVariables(variables, run.model, 1);
    const auto executor = make(plan, variables, {.threads = 1});
    Batches batches(run);
    for (std::int64_t i = 0; i < steps; ++i) executor->trainStep(batches.at(i), {.learning_rate = kRate, .iteration = i});
    return variables;
}

inline float largestDifference(const engine::backend::Variables& a, const engine::backend::Variables& b) {
    float most = 0;
    for (const engine::backend::Variables::Entry& entry : a.entries()) {
        const std::span<const float> other = b.values(entry.name);
        for (std::size_t i = 0; i < other.size(); ++i) most = std::max(most, std::abs(entry.values[i] - other[i]));
    }
    return most;
}

}  // namespace tests::support
