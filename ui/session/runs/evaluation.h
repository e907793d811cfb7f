// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's model makes of its test set, of one sample and of a drawing, as the engine behind the agent computes it: the same numbers as
// `tandem-cli evaluate --confusion` and `tandem-cli inspect` print. Owned by Session; GUI thread; every call has a deadline.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/run/host_info.h"
#include "ui/session/engine_call.h"
#include "ui/session/values.h"

class QTemporaryDir;

namespace ui::session {

// The weights that are asked: a run's checkpoint.
struct ModelOfRun {
    QString run_id, run_dir;
    QString checkpoint;  // "checkpoints/ckpt_3", below run_dir; empty: the latest
    friend bool operator==(const ModelOfRun&, const ModelOfRun&) = default;
};

struct PixelPicture {
    int width = 0, height = 0, channels = 1;
    QByteArray pixels;  // (height, width, channels)
    friend bool operator==(const PixelPicture&, const PixelPicture&) = default;
};

struct WrongAnswer {
    std::int64_t sample = 0;
    int label = 0, predicted = 0;
    double confidence = 0;
    PixelPicture picture;  // empty when the samples are no pictures
};

struct EvaluationResult {
    ModelOfRun model;
    double accuracy = 0, loss = 0;
    std::int64_t samples = 0;
    QStringList classes;
    std::vector<std::vector<std::int64_t>> confusion;  // [label][prediction]
    std::vector<double> class_accuracy;                // NaN for a class without samples
    std::vector<WrongAnswer> mistakes;                 // surest first
};

struct LayerMaps {
    QString layer, class_name;
    std::vector<std::int64_t> shape;  // without the batch
    double least = 0, greatest = 0;
    int shown = 0;  // maps in `maps`
    int width = 0, height = 0;
    QByteArray maps;  // (shown, height, width), 0 = least, 255 = greatest
};

struct BestClass {
    QString name;
    int index = 0;
    double probability = 0;
};

struct InspectionResult {
    ModelOfRun model;
    std::optional<std::int64_t> sample;  // of the test set; nullopt: a drawing
    PixelPicture picture;
    std::vector<BestClass> best;  // as of engine::spec::Inspection::top
    std::vector<LayerMaps> layers;
};

class Evaluation : public QObject {
    Q_OBJECT
public:
    // `scratch_dir` is a folder of the caller's for drawings that are asked about; empty: a temporary one of its own.
    explicit Evaluation(std::shared_ptr<ClientSlot> slot, const QString& scratch_dir = {}, QObject* parent = nullptr);

    ~Evaluation() override;

    // Only one evaluation and one inspection are made at a time: a new one takes the place of the one before.
    void evaluate(const ModelOfRun& model);
    void inspectSample(const ModelOfRun& model, std::int64_t sample);
    // Asks about a drawing, whose pixels are in the source's values: bytes, (height, width) or with channels.
    void inspectDrawing(const ModelOfRun& model, const PixelPicture& drawing);
    void cancelEvaluation();
    void cancelInspection();  // nothing is told of it
    bool isEvaluating() const { return evaluate_.isRunning(); }
    // Returns why a run can't be evaluated by this computer: its folder with the checkpoints is on another one, or gone. `host` is the
    // agent's. Empty when it can.
    static QString obstacle(const RunSummary& run, const std::optional<engine::run::HostInfo>& host);
    struct Checkpoint {
        QString file;  // "training_checkpoints/ckpt_3", below the run's folder
        bool best = false;
    };
    // Returns the checkpoints in a run's folder, in every form, in the order in which they were written.
    static std::vector<Checkpoint> checkpoints(const QString& run_dir);

signals:
    void evaluationChanged();  // isEvaluating()
    void evaluated(ui::session::EvaluationResult result);
    void inspected(ui::session::InspectionResult result);
    void evaluationFailed(ui::session::ErrorInfo error);
    void inspectionFailed(ui::session::ErrorInfo error);

private:
    void inspect(const ModelOfRun& model, const QString& data, std::int64_t sample);

    EngineCall evaluate_, inspect_;
    ModelOfRun evaluated_model_, inspected_model_;
    std::optional<std::int64_t> inspected_sample_;
    std::unique_ptr<QTemporaryDir> own_drawings_;  // null where the caller has a folder
    QString drawings_;                             // the folder of the drawing that is asked about
};

// These turn the engine's answers into what views show.
EvaluationResult toResult(const engine::spec::Evaluation& answer);
InspectionResult toResult(const engine::spec::Inspection& answer);

}  // namespace ui::session
