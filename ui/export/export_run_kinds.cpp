// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_run_kinds.h"

#include <QComboBox>
#include <QFileInfo>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <array>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/model_summary.h"
#include "engine/spec/project/run_spec.h"
#include "ui/parts/commands_pane.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::launch::LaunchFile;
using session::RunFile;

namespace {

constexpr std::array kKerasEndings{".keras", ".h5", ".weights.h5", ".npz"};
constexpr int kMostBatch = 1'000'000;
constexpr auto kCodeFile = "train.py";
constexpr auto kDiagramFile = "model.dot";

std::vector<ExportEntry> entriesOf(const std::vector<RunFile>& files) {
    std::vector<ExportEntry> entries;
    for (const RunFile& file : files) entries.push_back({file.name, file.bytes});
    return entries;
}

ExportKind::Writer copying(std::vector<RunFile> files) {
    return [files = std::move(files)](const QString& folder, const std::atomic<bool>& cancelled) {
        return copyRunFiles(files, folder, cancelled);
    };
}

}  // namespace

// ---- of a checkpoint ---------------------------------------------------------------------------------------------------

OfCheckpoint::OfCheckpoint(ExportContext& context, KindLook look, const QString& name_of_list, QWidget* parent)
    : ExportKind(context, std::move(look), parent) {
    checkpoint_label_ = addLabel();
    checkpoints_ = new QComboBox(this);
    checkpoints_->setObjectName(name_of_list);
    column_->addWidget(checkpoints_);
    column_->addStretch();
    auto all = session::Evaluation::checkpoints(runFolder());
    std::reverse(all.begin(), all.end());  // the latest first
    for (const auto& one : all) checkpoints_->addItem(QFileInfo(one.file).fileName(), one.file);
    connect(checkpoints_, &QComboBox::currentIndexChanged, this, &ExportKind::changed);
}

void OfCheckpoint::retranslate() {
    ExportKind::retranslate();
    checkpoint_label_->setText(tr("Checkpoint"));
    checkpoints_->setAccessibleName(tr("Checkpoint"));
}

QString OfCheckpoint::checkpoint() const {
    return checkpoints_->currentData().toString();
}

QString OfCheckpoint::runFolder() const {
    const auto* run = context_.session.runs().current();
    return run == nullptr ? QString() : run->summary().run_dir;
}

QString OfCheckpoint::runObstacle() const {
    const auto* run = context_.session.runs().current();
    if (run == nullptr) return tr("no run yet");
    if (const QString gone = session::Evaluation::obstacle(run->summary(), context_.session.host().info()); !gone.isEmpty()) return gone;
    return checkpoint().isEmpty() ? tr("no checkpoint yet") : QString();
}

QString OfCheckpoint::modelText() const {
    const auto* run = context_.session.runs().current();
    if (run == nullptr) return {};
    return QString::fromStdString(engine::spec::modelSummary(run->run().model, &run->run().compile.optimizer));
}

// ---- TensorFlow's checkpoint -------------------------------------------------------------------------------------------

CheckpointKind::CheckpointKind(ExportContext& context, QWidget* parent)
    : OfCheckpoint(context, {.icon = QStringLiteral("save"), .formats_name = {}, .formats = {QStringLiteral("TensorFlow")}},
                   QStringLiteral("exportCheckpoint"), parent) {}

KindTexts CheckpointKind::texts() const {
    return {tr("Checkpoint"), tr("Weights and optimizer, as tf.train.latest_checkpoint and model.load_weights read them."), runObstacle()};
}

std::vector<ExportEntry> CheckpointKind::entries() {
    return entriesOf(session::checkpointFiles(runFolder(), checkpoint()));
}

void CheckpointKind::preview(int entry, ExportPreview& preview) {
    const auto files = session::checkpointFiles(runFolder(), checkpoint());
    const bool is_known = entry >= 0 && entry < static_cast<int>(files.size());
    const QByteArray text = is_known ? files[static_cast<std::size_t>(entry)].text : QByteArray();
    preview.showText(text.isEmpty() ? modelText() : QString::fromUtf8(text));
}

QString CheckpointKind::command(const QString& folder) {
    QStringList files;
    for (const RunFile& file : session::checkpointFiles(runFolder(), checkpoint())) {
        if (!file.path.isEmpty()) files << shellQuoted(file.path);
    }
    return QStringLiteral("mkdir -p %1 && cp %2 %1").arg(folder, files.join(QLatin1Char(' ')));
}

ExportKind::Writer CheckpointKind::writer() {
    return copying(session::checkpointFiles(runFolder(), checkpoint()));
}

// ---- Keras' file -------------------------------------------------------------------------------------------------------

KerasKind::KerasKind(ExportContext& context, QWidget* parent)
    : OfCheckpoint(context,
                   {.icon = QStringLiteral("layers"),
                    .formats_name = QStringLiteral("exportKerasFormat"),
                    .formats = {QStringLiteral(".keras"), QStringLiteral(".h5"), QStringLiteral(".weights.h5"), QStringLiteral(".npz")}},
                   QStringLiteral("exportKerasCheckpoint"), parent) {}

KindTexts KerasKind::texts() const {
    return {tr("Keras model"),
            tr("One file that keras.saving.load_model opens; .weights.h5 holds the weights alone, for load_weights, and .npz as NumPy's "
               "arrays."),
            runObstacle()};
}

QString KerasKind::fileName() const {
    return context_.fileStem() + QLatin1String(kKerasEndings[static_cast<std::size_t>(chosenFormat())]);
}

std::vector<ExportEntry> KerasKind::entries() {
    return {{fileName()}};
}

void KerasKind::preview(int, ExportPreview& preview) {
    preview.showText(modelText());
}

QString KerasKind::command(const QString& folder) {
    return QStringLiteral("tandem-cli export keras %1 --checkpoint %2 --out %3/%4")
        .arg(context_.runId(), shellQuoted(checkpoint()), folder, shellQuoted(fileName()));
}

ExportKind::Writer KerasKind::writer() {
    return [order = session::ModelFileOrder{context_.session.clientSlot(), runFolder(), checkpoint(), fileName()}](
               const QString& folder, const std::atomic<bool>& cancelled) {
        session::ModelFileOrder whole = order;
        whole.path = folder + QLatin1Char('/') + order.path;
        return writeModelFile(whole, cancelled);
    };
}

// ---- ONNX ---------------------------------------------------------------------------------------------------------------

OnnxKind::OnnxKind(ExportContext& context, QWidget* parent)
    : OfCheckpoint(context, {.icon = QStringLiteral("layers"), .formats_name = {}, .formats = {QStringLiteral(".onnx")}},
                   QStringLiteral("exportOnnxCheckpoint"), parent) {
    batch_label_ = new widgets::TextLabel(context.themes, theme::TextRole::kSmall, widgets::Ink::kText2, this);
    batch_ = new QSpinBox(this);
    batch_->setObjectName("exportOnnxBatch");
    batch_->setRange(0, kMostBatch);
    column_->insertWidget(column_->count() - 1, batch_label_);  // the stretch stays behind them
    column_->insertWidget(column_->count() - 1, batch_);
    connect(batch_, &QSpinBox::valueChanged, this, &ExportKind::changed);
}

void OnnxKind::retranslate() {
    OfCheckpoint::retranslate();
    batch_label_->setText(tr("Samples at once"));
    batch_->setAccessibleName(tr("Samples at once"));
    batch_->setSpecialValueText(tr("any number"));
}

KindTexts OnnxKind::texts() const {
    return {tr("ONNX model"),
            tr("One file that onnxruntime and other programs predict with: opset 17, channels last, samples as the model takes them."),
            runObstacle()};
}

QString OnnxKind::fileName() const {
    return context_.fileStem() + QStringLiteral(".onnx");
}

std::vector<ExportEntry> OnnxKind::entries() {
    return {{fileName()}};
}

void OnnxKind::preview(int, ExportPreview& preview) {
    preview.showText(modelText());
}

QString OnnxKind::command(const QString& folder) {
    const QString batch = batch_->value() > 0 ? QStringLiteral(" --batch %1").arg(batch_->value()) : QString();
    return QStringLiteral("tandem-cli export onnx %1 --checkpoint %2%3 --out %4/%5")
        .arg(context_.runId(), shellQuoted(checkpoint()), batch, folder, shellQuoted(fileName()));
}

ExportKind::Writer OnnxKind::writer() {
    return [order = session::ModelFileOrder{context_.session.clientSlot(), runFolder(), checkpoint(), fileName(), batch_->value()}](
               const QString& folder, const std::atomic<bool>& cancelled) {
        session::ModelFileOrder whole = order;
        whole.path = folder + QLatin1Char('/') + order.path;
        return writeModelFile(whole, cancelled);
    };
}

// ---- TensorBoard -------------------------------------------------------------------------------------------------------

LogsKind::LogsKind(ExportContext& context, QWidget* parent)
    : ExportKind(context, {.icon = QStringLiteral("chart"), .formats_name = {}, .formats = {QStringLiteral("events.out.tfevents")}},
                 parent) {
    column_->addStretch();
}

std::vector<RunFile> LogsKind::files() const {
    const auto* run = context_.session.runs().current();
    return run == nullptr ? std::vector<RunFile>() : session::logFiles(run->run(), run->summary().run_dir);
}

KindTexts LogsKind::texts() const {
    KindTexts texts{tr("TensorBoard logs"), tr("What the callback TensorBoard wrote: scalars, histograms, the graph.")};
    const auto* run = context_.session.runs().current();
    if (run == nullptr) {
        texts.obstacle = tr("no run yet");
        return texts;
    }
    texts.obstacle = session::Evaluation::obstacle(run->summary(), context_.session.host().info());
    const auto& callbacks = run->run().callbacks;
    const bool logs = std::any_of(callbacks.begin(), callbacks.end(), [](const auto& one) { return one.class_name == "TensorBoard"; });
    if (texts.obstacle.isEmpty() && !logs) texts.obstacle = tr("the callback TensorBoard is off");
    if (texts.obstacle.isEmpty() && files().empty()) texts.obstacle = tr("no log yet");
    return texts;
}

std::vector<ExportEntry> LogsKind::entries() {
    return entriesOf(files());
}

void LogsKind::preview(int, ExportPreview& preview) {
    QString text = QStringLiteral("tensorboard --logdir .\n\n");
    for (const RunFile& file : files()) text += file.name + QLatin1Char('\n');
    preview.showText(text);
}

QString LogsKind::command(const QString& folder) {
    const auto* run = context_.session.runs().current();
    if (run == nullptr) return {};
    QString logs = QStringLiteral("logs");
    for (const auto& callback : run->run().callbacks) {
        if (callback.class_name == "TensorBoard")
            logs = QString::fromStdString(engine::spec::callbackSettings(callback).getString("log_dir"));
    }
    return QStringLiteral("mkdir -p %1 && cp -r %2/. %1").arg(folder, shellQuoted(run->summary().run_dir + QLatin1Char('/') + logs));
}

ExportKind::Writer LogsKind::writer() {
    return copying(files());
}

// ---- of the project ----------------------------------------------------------------------------------------------------

const engine::spec::RunSpec* OfProject::run() const {
    if (context_.session.project().isOpen()) return &context_.session.project().spec();
    const auto* run = context_.session.runs().current();
    return run == nullptr ? nullptr : &run->run();
}

ExportSubject OfProject::subject() const {
    return context_.session.project().isOpen() ? projectSubject() : ExportKind::subject();
}

QString OfProject::obstacle() const {
    if (run() == nullptr) return tr("No project is open");
    return run()->model.layers.empty() ? tr("no layer yet") : QString();
}

QString OfProject::projectPath() const {
    QString project = context_.session.project().path();
    if (!context_.session.project().isOpen())
        project = context_.session.runs().current()->summary().run_dir + QStringLiteral("/project.tandem");
    return shellQuoted(project.isEmpty() ? QStringLiteral("PROJECT.tandem") : project);
}

// ---- code --------------------------------------------------------------------------------------------------------------

CodeKind::CodeKind(ExportContext& context, QWidget* parent)
    : OfProject(context, {.icon = QStringLiteral("terminal"), .formats_name = {}, .formats = {QStringLiteral("Python")}}, parent) {
    column_->addStretch();
}

std::string CodeKind::code() const {
    const auto* of = run();
    return of == nullptr ? std::string() : engine::spec::projectCode(*of);
}

KindTexts CodeKind::texts() const {
    return {tr("Keras script"), tr("Model, compile and fit as Keras Python, as the page Model shows it."), obstacle()};
}

std::vector<ExportEntry> CodeKind::entries() {
    return {{QLatin1String(kCodeFile), static_cast<qint64>(code().size())}};
}

void CodeKind::preview(int, ExportPreview& preview) {
    preview.showCode(QString::fromStdString(code()));
}

QString CodeKind::command(const QString& folder) {
    return QStringLiteral("tandem-cli export code %1 --out %2/%3").arg(projectPath(), folder, QLatin1String(kCodeFile));
}

ExportKind::Work CodeKind::work() {
    return [text = code()] { return std::vector<LaunchFile>{{kCodeFile, text}}; };
}

// ---- the project as a diagram ------------------------------------------------------------------------------------------

DiagramKind::DiagramKind(ExportContext& context, QWidget* parent)
    : OfProject(context, {.icon = QStringLiteral("dense"), .formats_name = {}, .formats = {QStringLiteral("Graphviz")}}, parent) {
    direction_label_ = addLabel();
    direction_ = addChoice(QStringLiteral("exportDiagramDirection"), {QString(), QString()});
    boxes_label_ = addLabel();
    boxes_ = addChoice(QStringLiteral("exportDiagramBoxes"), {QString(), QString(), QString()});
    boxes_->setCurrent(2);
    column_->addStretch();
}

void DiagramKind::retranslate() {
    OfProject::retranslate();
    direction_label_->setText(tr("Direction"));
    direction_->setAccessibleName(tr("Direction"));
    direction_->setEntries({tr("Top down"), tr("Left to right")});
    boxes_label_->setText(tr("In each box"));
    boxes_->setAccessibleName(tr("In each box"));
    boxes_->setEntries({tr("Name"), tr("Shapes"), tr("All")});
}

KindTexts DiagramKind::texts() const {
    return {tr("Diagram"), tr("The layers as boxes and arrows, as keras.utils.plot_model has them; dot -Tpng or -Tsvg draws them."),
            obstacle()};
}

engine::report::DotOptions DiagramKind::options() const {
    const bool all = boxes_->current() == 2;
    return {.show_shapes = boxes_->current() > 0,
            .show_layer_activations = all,
            .show_params = all,
            .left_to_right = direction_->current() == 1};
}

std::string DiagramKind::diagram() const {
    const auto* of = run();
    return of == nullptr ? std::string() : engine::report::modelDot(of->model, options());
}

std::vector<ExportEntry> DiagramKind::entries() {
    return {{QLatin1String(kDiagramFile), static_cast<qint64>(diagram().size())}};
}

void DiagramKind::preview(int, ExportPreview& preview) {
    preview.showText(QString::fromStdString(diagram()));
}

QString DiagramKind::command(const QString& folder) {
    const engine::report::DotOptions chosen = options();
    QString said;
    if (chosen.left_to_right) said += QStringLiteral(" --rankdir LR");
    if (!chosen.show_shapes) said += QStringLiteral(" --no-shapes");
    if (!chosen.show_params) said += QStringLiteral(" --no-activations --no-params");
    return QStringLiteral("tandem-cli export diagram %1%2 --out %3/%4").arg(projectPath(), said, folder, QLatin1String(kDiagramFile));
}

ExportKind::Work DiagramKind::work() {
    return [text = diagram()] { return std::vector<LaunchFile>{{kDiagramFile, text}}; };
}

}  // namespace ui::views

#include "moc_export_run_kinds.cpp"
