#include "agent/inspect/evaluation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "agent/inspect/asked_samples.h"
#include "agent/worker/project_loader.h"
#include "engine/backend/cuda_backend.h"
#include "engine/data/dataset_catalog.h"
#include "engine/export/keras_file.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/device_name.h"
#include "engine/train/activation_probe.h"
#include "engine/train/classification.h"
#include "engine/train/predictor.h"
#include "engine/train/trainer.h"

namespace agent::worker {

namespace spec = engine::spec;
namespace train = engine::train;

namespace {

constexpr std::size_t kBest = 5;
constexpr std::size_t kMostMapBytes = std::size_t{1} << 18;

// An evaluation has nobody to tell.
class SilentObserver final : public train::TrainingObserver {
public:
    void report(spec::EventBody /*body*/) override {}
    std::optional<spec::Control> takeControl(std::chrono::milliseconds /*wait*/) override { return std::nullopt; }
};

// Returns the best classes by their probabilities. A single probability is that of class 1 and tells two classes apart.
std::vector<spec::ClassScore> bestOf(std::vector<float> scores, const std::vector<std::string>& names) {
    if (scores.size() == 1) {
        scores = {1 - scores[0], scores[0]};
    }
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    order.resize(std::min(order.size(), kBest));
    std::vector<spec::ClassScore> best;
    for (const std::size_t index : order) {
        best.push_back({index < names.size() ? names[index] : std::to_string(index), static_cast<std::int64_t>(index), scores[index]});
    }
    return best;
}

spec::LayerMaps mapsOf(const train::LayerActivation& activation) {
    const auto [least, greatest] = std::minmax_element(activation.values.begin(), activation.values.end());
    spec::LayerMaps layer{.name = activation.layer,
                          .class_name = activation.class_name,
                          .shape = activation.shape,
                          .least = *least,
                          .greatest = *greatest,
                          .maps = {}};
    const std::size_t channels = activation.shape.size() < 2 ? 1 : static_cast<std::size_t>(activation.shape.back());
    const std::size_t places = activation.values.size() / channels;
    const std::size_t shown = std::clamp<std::size_t>(kMostMapBytes / places, 1, channels);
    layer.shown = static_cast<std::int64_t>(shown);
    layer.maps.reserve(shown * places);
    for (std::size_t channel = 0; channel < shown; ++channel) {
        for (std::size_t place = 0; place < places; ++place) {
            const float value = activation.values[place * channels + channel];
            const float level = layer.greatest > layer.least ? (value - layer.least) / (layer.greatest - layer.least) * 255.0F : 0.0F;
            layer.maps.push_back(static_cast<std::uint8_t>(std::lround(level)));
        }
    }
    return layer;
}

}  // namespace

spec::Evaluation evaluate(const spec::EngineQuestion& question, const spec::EvaluateQuestion& asked,
                          const EngineSurroundings& surroundings) {
    spec::RunSpec run = modelAlone(question);
    engine::exporter::takeVocabulary(asked.checkpoint, run.model);
    if (spec::usesGpus(run.strategy) && engine::backend::gpuBackend() == nullptr) {  // trained elsewhere: a processor answers too
        run.strategy.devices.clear();
        run.strategy.logical_gpus = 0;
        run.model = spec::withoutFloat16(std::move(run.model));
        run.compile.loss_scale.reset();
    }
    SilentObserver observer;
    train::TrainerOptions options;
    options.make_executor = surroundings.make_executor;
    options.run_dir = std::filesystem::current_path();
    options.dataset =
        engine::data::loadRunDataset(run, surroundings.dataset_folders, question.base_dir, {surroundings.download_folder, {}});
    engine::data::takeAdapted(run, options.dataset);
    const int threads = asked.threads > 0 ? asked.threads : threadsPerTask(run, "");
    options.threads = threads;
    const std::shared_ptr<const engine::data::Samples> test = options.dataset.test;
    train::Trainer trainer(run, spec::planTask(run, {}), nullptr, observer, std::move(options));
    trainer.restore(asked.checkpoint);
    const train::Metrics metrics = trainer.evaluateTest();
    spec::Evaluation answer{.accuracy = metrics.accuracy, .loss = metrics.loss, .samples = metrics.samples, .classification = {}};
    if (asked.confusion || asked.mistakes > 0) {
        train::Predictor predictor(run, surroundings.make_executor, threads);
        predictor.loadWeights(asked.checkpoint);
        answer.classification = train::classify(run, predictor, test, static_cast<std::size_t>(asked.mistakes));
        for (spec::Mistake& mistake : answer.classification->mistakes) {
            if (!asked.pictures) {
                mistake.pixels.clear();
            }
        }
    }
    return answer;
}

spec::Inspection inspect(const spec::EngineQuestion& question, const spec::InspectQuestion& asked, const EngineSurroundings& surroundings) {
    spec::RunSpec run = modelAlone(question);
    engine::exporter::takeVocabulary(asked.checkpoint, run.model);
    train::ActivationProbe probe(run, surroundings.make_executor, 1);
    probe.loadWeights(asked.checkpoint);
    const auto samples = samplesOf(asked.data, run, surroundings.dataset_folders, question.base_dir);
    spec::Inspection answer;
    const std::vector<train::LayerActivation> activations = probe.look(samples, asked.sample);
    for (const train::LayerActivation& activation : activations) {
        answer.layers.push_back(mapsOf(activation));
    }
    std::vector<float> scores = activations.back().values;
    if (spec::lossLabels(run.compile.loss.class_name) == spec::LossLabels::kSequences) {
        const auto classes = static_cast<std::size_t>(activations.back().shape.back());
        answer.top = train::bestPath(std::move(scores), classes, samples->class_names);
    } else {
        train::toProbabilities(run.compile, scores, scores.size());
        answer.top = bestOf(std::move(scores), samples->class_names);
    }
    answer.sample_shape = samples->sample_shape;
    answer.pixels = train::pixelsOf(*samples, asked.sample);
    return answer;
}

}  // namespace agent::worker
