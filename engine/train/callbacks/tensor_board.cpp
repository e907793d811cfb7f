// Keras' TensorBoard callback: what it writes, when and under which tags (runs `train` and `validation` below log_dir).
#include <chrono>
#include <optional>

#include "engine/export/event_file.h"
#include "engine/spec/error.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/callbacks/save_frequency.h"
#include "engine/train/callbacks/weight_pictures.h"

namespace engine::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kValidation = "val_";
constexpr std::chrono::seconds kFlushEvery{1};  // who looks on while a run goes on sees it

std::int64_t updateFrequency(const spec::Fields& config) {
    const spec::FieldValue* value = config.find("update_freq");
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text != nullptr && *text == "batch" ? 1 : saveFrequency(config, "update_freq", "callbacks.tensor_board");
}

class TensorBoard final : public Callback {
public:
    explicit TensorBoard(const spec::Fields& config)
        : log_dir_(config.getString("log_dir", "logs")),
          histogram_freq_(config.getInt("histogram_freq", 0)),
          writes_graph_(config.getBool("write_graph", true)),
          writes_images_(config.getBool("write_images", false)),
          writes_speed_(config.getBool("write_steps_per_second", false)),
          every_steps_(updateFrequency(config)) {}

    bool wantsSteps() const override { return every_steps_ > 0; }

    void onTrainBegin(TrainingContext& context) override {
        if (!context.isChief()) {
            return;
        }
        guarded(context, [&] {
            const files::Place folder(context.runFolder(), log_dir_);
            train_.open(folder / "train", resumed_);
            if (!resumed_ && writes_graph_) {
                train_.file().addKerasModel("keras", spec::toKerasModelConfig(context.run().model));
            }
            if (validation_.wasOpen()) {
                validation_.open(folder / "validation", resumed_);
            }
            train_.file().flush();
        });
    }

    void onEpochBegin(TrainingContext& context, std::int32_t /*epoch*/) override {
        epoch_begin_ = Clock::now();
        epoch_begin_iterations_ = context.iterations();
        step_begin_ = epoch_begin_;
    }

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
            }
            train_.file().flush();
            if (validation_.isOpen()) {
                validation_.file().flush();
            }
        });
    }

    void onTrainEnd(TrainingContext& /*context*/) override {
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

std::unique_ptr<Callback> makeTensorBoard(const spec::Fields& config) {
    return std::make_unique<TensorBoard>(config);
}

}  // namespace engine::train
