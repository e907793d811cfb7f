// Keras' TensorBoard callback: what it writes, when and under which tags (runs `train` and `validation` below log_dir).
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/export/event_file.h"
#include "engine/export/tensor_board/run_pages.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/callbacks/save_frequency.h"
#include "engine/train/callbacks/weight_pictures.h"
#include "engine/train/classification.h"

namespace engine::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kValidation = "val_";
constexpr std::chrono::seconds kFlushEvery{1};  // who looks on while a run goes on sees it

std::int64_t updateFrequency(const spec::Settings& settings) {
    const spec::FieldValue* value = settings.find("update_freq");
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text != nullptr && *text == "batch" ? 1 : saveFrequency(settings, "update_freq", "callbacks.tensor_board");
}

// log_dir, histogram_freq, write_graph, write_images, write_steps_per_second, update_freq. Event files for TensorBoard in log_dir/train and
// log_dir/validation, with Keras' tags; histograms of weights come with those of gradients (".../gradient/histogram") and the norm of both.
// Beyond Keras': the project as text, the model's graph with shapes, hyperparameters; with histogram_freq also PR curves and the surest
// mistakes of the first validation samples.
class TensorBoard final : public Callback {
public:
    explicit TensorBoard(const spec::Settings& settings)
        : log_dir_(settings.getString("log_dir")),
          histogram_freq_(settings.getInt("histogram_freq")),
          writes_graph_(settings.getBool("write_graph")),
          writes_images_(settings.getBool("write_images")),
          writes_speed_(settings.getBool("write_steps_per_second")),
          every_steps_(updateFrequency(settings)) {}

    bool wantsSteps() const override { return every_steps_ > 0; }

    void onTrainBegin(TrainingContext& context) override {
        beginClock(context);  // an epoch that a resumed run is in the middle of does not begin
        if (!context.isChief()) {
            return;
        }
        guarded(context, [&] {
            const files::Place folder(context.runFolder(), log_dir_);
            train_.open(folder / "train", resumed_);
            if (!resumed_ && writes_graph_) {
                exporter::addModelGraph(train_.file(), context.run().model);
            }
            if (!resumed_) {
                exporter::addProjectText(train_.file(), context.run());
                exporter::addHyperparameters(train_.file(), context.run());
            }
            if (validation_.wasOpen()) {
                validation_.open(folder / "validation", resumed_);
            }
            train_.file().flush();
        });
    }

    void onEpochBegin(TrainingContext& context, std::int32_t /*epoch*/) override { beginClock(context); }

    void onStepEnd(TrainingContext& context, std::int32_t /*epoch*/, std::int64_t /*batch*/) override {
        const std::int64_t step = context.iterations();
        const auto now = Clock::now();
        if (train_.isOpen() && step % every_steps_ == 0) {
            guarded(context, [&] {
                for (const auto& [name, value] : context.runningLogs()) {
                    train_.file().addScalar("batch_" + name, step, static_cast<float>(value));
                }
                if (writes_speed_) {
                    train_.file().addScalar("batch_steps_per_second", step, perSecond(1, now - step_begin_));
                }
                if (now - flushed_ > kFlushEvery) {
                    flushed_ = now;
                    train_.file().flush();
                }
            });
        }
        step_begin_ = now;
    }

    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& logs) override {
        const bool looks_closer = histogram_freq_ > 0 && epoch % histogram_freq_ == 0;
        if (!train_.isOpen()) {
            return;
        }
        guarded(context, [&] {
            writeEpoch(context, epoch, logs);
            if (looks_closer) {
                writeWeights(context, epoch);
                writeGradients(context, epoch);
                if (validation_.isOpen()) writeScores(context, epoch);
            }
            train_.file().flush();
            if (validation_.isOpen()) {
                validation_.file().flush();
            }
        });
    }

    void onTrainEnd(TrainingContext& context) override {
        if (train_.isOpen()) guarded(context, [&] { train_.file().addSessionEnd(true); });
        train_.close();
        validation_.close();
    }

    void save(exporter::SavedObject& state) const override {
        train_.save(state, "train");
        validation_.save(state, "validation");
    }

    void restore(const exporter::SavedObject& state) override {
        resumed_ = true;
        train_.restore(state, "train");
        validation_.restore(state, "validation");
    }

private:
    // An event file that a resumed run goes on with.
    class Log {
    public:
        void open(const files::Place& folder, bool resumes) {
            if (resumes && !name_.empty() && (folder / name_).exists()) {
                file_.emplace(folder / name_, static_cast<std::uintmax_t>(bytes_));
            } else {
                file_.emplace(folder);
            }
        }
        void close() { file_.reset(); }
        bool isOpen() const { return file_.has_value(); }
        bool wasOpen() const { return !name_.empty(); }
        exporter::EventFile& file() { return *file_; }
        void save(exporter::SavedObject& state, const std::string& name) const {
            state.set(name + ".name", file_ ? file_->path().filename().string() : "");
            state.set(name + ".bytes", file_ ? static_cast<std::int64_t>(file_->bytes()) : std::int64_t{0});
        }
        void restore(const exporter::SavedObject& state, const std::string& name) {
            name_ = state.get<std::string>(name + ".name", "");
            bytes_ = state.get<std::int64_t>(name + ".bytes", 0);
        }

    private:
        std::optional<exporter::EventFile> file_;
        std::string name_;
        std::int64_t bytes_ = 0;
    };

    void beginClock(const TrainingContext& context) {
        epoch_begin_ = Clock::now();
        epoch_begin_iterations_ = context.iterations();
        step_begin_ = epoch_begin_;
    }

    // A log that cannot be written ends the log, not the training.
    template <typename Write>
    void guarded(TrainingContext& context, const Write& write) {
        try {
            write();
        } catch (const Error& error) {
            context.log(spec::LogLevel::kError, std::string("TensorBoard: ") + error.what() + "; the logs end here");
            train_.close();
            validation_.close();
        }
    }

    static float perSecond(std::int64_t steps, Clock::duration time) {
        const std::chrono::duration<double> seconds = time;
        return static_cast<float>(seconds.count() > 0 ? static_cast<double>(steps) / seconds.count() : 0.0);
    }

    void writeEpoch(TrainingContext& context, std::int32_t epoch, const Logs& logs) {
        for (const auto& [name, value] : logs) {
            if (!name.starts_with(kValidation)) {
                train_.file().addScalar("epoch_" + name, epoch, static_cast<float>(value));
                continue;
            }
            if (!validation_.isOpen()) {
                validation_.open(files::Place(context.runFolder(), log_dir_) / "validation", false);
            }
            const std::string metric = name.substr(kValidation.size());
            validation_.file().addScalar("evaluation_" + metric + "_vs_iterations", context.iterations(), static_cast<float>(value));
            validation_.file().addScalar("epoch_" + metric, epoch, static_cast<float>(value));
        }
        if (findLog(logs, "learning_rate") == nullptr) {
            train_.file().addScalar("epoch_learning_rate", epoch, context.learningRate());
        }
        if (writes_speed_) {
            const auto steps = context.iterations() - epoch_begin_iterations_;
            train_.file().addScalar("epoch_steps_per_second", epoch, perSecond(steps, Clock::now() - epoch_begin_));
        }
    }

    void writeDistribution(const std::string& path, std::int32_t epoch, std::span<const float> values) {
        const exporter::Histogram histogram = exporter::histogramOf(values);
        train_.file().addHistogram(path + "/histogram", epoch, histogram);
        train_.file().addScalar(path + "/norm", epoch, static_cast<float>(histogram.norm));
    }

    void writeWeights(TrainingContext& context, std::int32_t epoch) {
        const std::string model = context.run().model.name + "/";
        for (const backend::Variables::Entry& entry : context.currentVariables().entries()) {
            if (entry.is_slot) {
                continue;
            }
            writeDistribution(model + entry.name, epoch, entry.values);
            if (!writes_images_) {
                continue;
            }
            if (const auto pictures = weightPictures(entry.shape, entry.values); !pictures.empty()) {
                train_.file().addImages(model + entry.name + "/image", epoch, pictures);
            }
        }
    }

    void writeGradients(TrainingContext& context, std::int32_t epoch) {
        const std::string model = context.run().model.name + "/";
        for (const GradientProbe::Gradient& gradient : context.gradients()) {
            writeDistribution(model + gradient.name + "/gradient", epoch, gradient.values);
        }
    }

    // Writes scores of the first validation samples: how precision and recall of each class go together, and what was wrong though the
    // model was sure.
    void writeScores(TrainingContext& context, std::int32_t epoch) {
        const spec::StrategyRow* strategy = spec::findStrategy(context.run().strategy.name);
        if (strategy != nullptr && strategy->has_servers) return;  // the weights are not here
        TrainingContext::Validated validated = context.predictValidated(kMostScored);
        if (validated.samples == nullptr || validated.outputs.empty()) return;
        const std::size_t columns = validated.outputs.size() / static_cast<std::size_t>(validated.count);
        const auto scores = scoresOf(context.run(), *validated.samples, validated.first, std::move(validated.outputs), columns);
        if (!scores) return;
        writePrCurves(*scores, epoch);
        writeMistakes(*validated.samples, *scores, epoch);
    }

    void writePrCurves(const Scores& scores, std::int32_t epoch) {
        constexpr std::size_t kMostClasses = 20;
        const std::size_t classes = scores.columns == 1 ? 1 : std::min(scores.columns, kMostClasses);
        for (std::size_t column = 0; column < classes; ++column) {
            const std::int64_t wanted = scores.columns == 1 ? 1 : static_cast<std::int64_t>(column);
            std::vector<float> probabilities;
            std::vector<std::uint8_t> is_class;
            for (std::size_t sample = 0; sample < scores.labels.size(); ++sample) {
                probabilities.push_back(scores.probabilities[sample * scores.columns + column]);
                is_class.push_back(scores.labels[sample] == wanted ? 1 : 0);
            }
            validation_.file().addPrCurve("class " + scores.class_names[static_cast<std::size_t>(wanted)], epoch,
                                          exporter::prCurveOf(probabilities, is_class));
        }
    }

    void writeMistakes(const data::Samples& samples, const Scores& scores, std::int32_t epoch) {
        constexpr std::size_t kMostMistakes = 16;
        const spec::Shape& shape = samples.sample_shape;
        const bool is_picture = shape.size() == 2 || (shape.size() == 3 && (shape[2] == 1 || shape[2] == 3));
        if (!is_picture) return;
        std::vector<std::pair<float, std::int64_t>> wrong;  // how sure, which
        for (std::size_t sample = 0; sample < scores.labels.size(); ++sample) {
            const std::span<const float> row = std::span(scores.probabilities).subspan(sample * scores.columns, scores.columns);
            const auto best = std::max_element(row.begin(), row.end());
            const std::int64_t predicted = scores.columns == 1 ? (row[0] > 0.5F ? 1 : 0) : best - row.begin();
            const float sure = scores.columns == 1 && predicted == 0 ? 1 - row[0] : *best;
            if (predicted != scores.labels[sample]) wrong.emplace_back(sure, scores.samples[sample]);
        }
        std::stable_sort(wrong.begin(), wrong.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        wrong.resize(std::min(wrong.size(), kMostMistakes));
        std::vector<exporter::Picture> pictures;
        for (const auto& [sure, sample] : wrong) {
            pictures.push_back(
                {.height = shape[0], .width = shape[1], .channels = shape.size() == 3 ? shape[2] : 1, .pixels = pixelsOf(samples, sample)});
        }
        if (!pictures.empty()) validation_.file().addImages("wrong samples", epoch, pictures);
    }

    static constexpr std::int64_t kMostScored = 1000;

    const std::string log_dir_;
    const std::int64_t histogram_freq_;
    const bool writes_graph_;
    const bool writes_images_;
    const bool writes_speed_;
    const std::int64_t every_steps_;  // 0: after each epoch alone
    bool resumed_ = false;
    Log train_;
    Log validation_;  // opened with the first validation
    Clock::time_point flushed_{};
    Clock::time_point epoch_begin_{};
    Clock::time_point step_begin_{};
    std::int64_t epoch_begin_iterations_ = 0;
};

}  // namespace

std::span<const CallbackRow> tensorBoardRows() {
    static constexpr CallbackRow kRows[] = {
        {"TensorBoard", makeFromSettings<TensorBoard>},
    };
    return kRows;
}

}  // namespace engine::train
