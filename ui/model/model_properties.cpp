// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_properties.h"

#include <QApplication>
#include <QCheckBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPointer>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/metric_spec.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/project/schedule.h"
#include "engine/spec/project/strategy_table.h"
#include "ui/canvas/layer_look.h"
#include "ui/model/layer_error_card.h"
#include "ui/models/numbers.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/object_fields.h"
#include "ui/session/project/project.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using namespace engine::spec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

FieldSchema choiceSchema(std::string name, std::vector<std::string> choices) {
    FieldSchema schema;
    schema.name = std::move(name);
    schema.kind = FieldKind::kChoice;
    schema.required = true;
    schema.choices = std::move(choices);
    return schema;
}

// Steps in place of epochs are for workers that do not wait for each other; elsewhere the field is there only where it has to be undone.
bool hasStepsField(const RunSpec& run) {
    const StrategyRow* row = findStrategy(run.strategy.name);
    return (row != nullptr && row->has_servers) || run.fit.steps != 0;
}

// A check box that shortens its name when the dock is narrow.
class MetricBox : public QCheckBox {
public:
    MetricBox(const QString& name, QWidget* parent) : QCheckBox(name, parent), name_(name) {
        setAccessibleName(name);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // a check box's own policy never goes below its text
    }
    QSize minimumSizeHint() const override { return {kLeastWidth, QCheckBox::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QCheckBox::resizeEvent(event);
        const int mark = QCheckBox::sizeHint().width() - fontMetrics().horizontalAdvance(text());
        setText(fontMetrics().elidedText(name_, Qt::ElideMiddle, width() - mark));
        setToolTip(text() == name_ ? QString() : name_);
    }

private:
    static constexpr int kLeastWidth = 80;
    const QString name_;
};

}  // namespace

ModelProperties::ModelProperties(session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QScrollArea(parent), project_(project), themes_(themes) {
    setObjectName(QStringLiteral("modelProperties"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&project_, &session::Project::changed, this, &ModelProperties::refreshValues);
    rebuild();
}

void ModelProperties::setNode(int node) {
    if (node == node_ && form_key_ == formKey()) return refreshValues();
    if (node != node_) open_member_.clear();
    node_ = node;
    rebuild();
}

void ModelProperties::retranslate() {
    rebuild();
}

QString ModelProperties::formKey() const {
    const RunSpec& run = project_.spec();
    const int layers = static_cast<int>(run.model.layers.size());
    if (!project_.isOpen() || node_ < 0 || node_ > layers + 1) return QStringLiteral("none");
    if (node_ == 0) return QStringLiteral("input ") + columnsKey();
    if (node_ <= layers)
        return QStringLiteral("layer ") + QString::fromStdString(run.model.layers[static_cast<std::size_t>(node_ - 1)].class_name) +
               chainKey();
    std::size_t table = 0;
    for (const ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "LearningRateScheduler") table = callback.config.getInts("epochs", {}).size();
    }
    return QStringLiteral("compile %1 %2 %3 %4 %5 %6 %7 %8 %9")
        .arg(QString::fromStdString(run.compile.loss.class_name), QString::fromStdString(run.compile.optimizer.class_name),
             QString::fromStdString(rateKind(run)))
        .arg(table)
        .arg(run.compile.loss_scale.has_value())
        .arg(run.estimator.has_value())
        .arg(callbacksKey())
        .arg(hasStepsField(run))
        .arg(!run.fit.initial_weights.empty() || run.fit.initial_state);
}

void ModelProperties::rebuild() {
    form_key_ = formKey();
    rows_.clear();
    rate_lines_.clear();
    members_.clear();
    side_ = input_ = output_ = parameters_ = work_ = activations_ = nullptr;
    error_ = nullptr;
    curve_ = nullptr;
    // The focus stays in the form: on the field of the same name, else on the form itself.
    const QWidget* focus = QApplication::focusWidget();
    QString field;
    if (focus != nullptr && body_ != nullptr && body_->isAncestorOf(focus)) {
        for (const QWidget* at = focus; at != body_; at = at->parentWidget()) {
            const bool is_switch = at->objectName().startsWith(QLatin1String("callback"));
            if (is_switch || qobject_cast<const FieldEditor*>(at) != nullptr) field = at->objectName();
        }
        if (field.isEmpty()) field = focus->objectName();
        setFocus(Qt::OtherFocusReason);
    }
    const int scrolled = std::exchange(built_node_, node_) == node_ ? verticalScrollBar()->value() : 0;
    // The editor that caused this may still be on the stack: the old form goes when the event is over.
    if (QWidget* old = takeWidget()) old->deleteLater();
    body_ = new QWidget;
    body_->setAutoFillBackground(true);
    body_->setBackgroundRole(QPalette::Base);
    layout_ = new QVBoxLayout(body_);
    layout_->setContentsMargins(18, theme::kSpace5, theme::kSpace5, theme::kSpace4);
    layout_->setSpacing(theme::kSpace1);
    const int layers = static_cast<int>(project_.spec().model.layers.size());
    if (form_key_ == QLatin1String("none")) {
        auto* hint = new TextLabel(themes_, TextRole::kBody, Ink::kText2, body_);
        hint->setWordWrap(true);
        hint->setText(tr("Choose a layer to see its settings. Add one from the list at the left, or type A and a letter."));
        layout_->addWidget(hint);
    } else if (node_ == 0) {
        buildInput();
    } else if (node_ <= layers) {
        buildLayer(node_ - 1);
    } else {
        buildCompile();
    }
    layout_->addStretch();
    setWidget(body_);
    fitEditors();
    refreshValues();
    widgets::continueTabOrder(this, *body_);
    // The form stays scrolled to the same place, as far as the new form is as long.
    layout_->activate();
    QCoreApplication::sendPostedEvents(body_, QEvent::LayoutRequest);
    verticalScrollBar()->setValue(scrolled);
    auto* again = field.isEmpty() ? nullptr : body_->findChild<QWidget*>(field);
    if (auto* editor = qobject_cast<FieldEditor*>(again))
        editor->focusEditor();
    else if (again != nullptr)
        again->setFocus(Qt::OtherFocusReason);
}

void ModelProperties::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fitEditors();
}

void ModelProperties::fitEditors() {
    constexpr int kLabel = 112, kMost = 150;
    const QMargins margins = layout_->contentsMargins();
    const int width = viewport()->width() - margins.left() - margins.right();
    const int room = width - theme::kSpace2 - kLabel;
    for (const Row& row : rows_) {
        if (row.fits) row.editor->setFieldWidth(std::clamp(room, FieldEditor::kLeastWidth, kMost));
    }
    // A line of the table of rates has its two fields and the button that removes it.
    constexpr int kEpochLeast = 52, kEpochMost = 84, kRateLeast = 58, kRateMost = 110;
    const int both = width - 2 * theme::kSpace2 - theme::kCompactHeight;
    const int epoch = std::clamp(both * 2 / 5, kEpochLeast, kEpochMost), rate = std::clamp(both - epoch, kRateLeast, kRateMost);
    const auto fit = [](QWidget* part, int part_width) {
        auto* editor = qobject_cast<FieldEditor*>(part);
        editor != nullptr ? editor->setFieldWidth(part_width) : part->setFixedWidth(part_width);
    };
    for (const RateLine& line : rate_lines_) {
        fit(line.epoch, epoch);
        fit(line.rate, rate);
    }
}

void ModelProperties::addHeading(const QString& title, const QString& side) {
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    auto* heading = new TextLabel(themes_, TextRole::kSection, Ink::kText, body_);
    heading->setText(title);
    side_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
    side_->setText(side);
    const int layers = static_cast<int>(project_.spec().model.layers.size());
    const bool is_layer = node_ >= 1 && node_ <= layers;
    heading->setElided(true);
    side_->setElided(!is_layer);  // "layer 3 of 6" is short: a long class gives way to it
    row->addWidget(heading);
    row->addWidget(side_, 1);
    if (is_layer) {
        auto* more = new QToolButton(body_);
        more->setObjectName(QStringLiteral("layerMore"));
        more->setIcon(themes_.icon(QStringLiteral("more")));
        more->setProperty("compact", true);
        more->setFixedSize(theme::kCompactHeight, theme::kCompactHeight);
        more->setToolTip(tr("Move, duplicate, delete"));
        more->setAccessibleName(more->toolTip());
        row->addWidget(more);
        connect(more, &QToolButton::clicked, this, [this, more] { emit menuWanted(more->mapToGlobal(QPoint(0, more->height()))); });
    }
    layout_->addLayout(row);
    layout_->addSpacing(theme::kSpace2);
}

void ModelProperties::addSection(const QString& title) {
    layout_->addSpacing(theme::kSpace3);
    auto* heading = new TextLabel(themes_, TextRole::kStrong, Ink::kText, body_);
    heading->setText(title);
    layout_->addWidget(heading);
    layout_->addSpacing(theme::kSpace1);
}

FieldEditor* ModelProperties::addRow(const FieldSchema& schema, const QString& label, const QString& path, Read read, Edit edit) {
    auto* editor = new FieldEditor(schema, themes_, body_);
    auto* name = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
    name->setText(label);
    if (!schema.hint.empty()) name->setToolTip(QCoreApplication::translate("FieldHints", schema.hint.c_str()));
    name->setObjectName(QStringLiteral("label_") + QString::fromStdString(schema.name));
    name->setMinimumHeight(theme::kFieldRowHeight);
    name->setElided(true);
    name->setWordWrap(true);  // what has no room beside the field goes on below
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    row->addWidget(name, 1);
    row->addWidget(editor);
    layout_->addLayout(row);
    const QString text = tr("Change %1").arg(label.toLower());
    connect(editor, &FieldEditor::valueChanged, this, [this, edit, text, path](const FieldValue& value) {
        project_.change(
            text, [&](RunSpec& run) { edit(run, value); }, session::Project::mergeKey(path));
    });
    rows_.push_back({editor, std::move(read), path, true});
    return editor;
}

void ModelProperties::addObjectRows(const std::vector<FieldSchema>& fields, const QString& path,
                                    const std::function<ObjectSpec*(RunSpec&)>& object) {
    for (const FieldSchema& schema : fields) {
        addRow(
            schema, canvas::fieldLabel(schema.name), path + QLatin1Char('.') + QString::fromStdString(schema.name),
            [schema, object](const RunSpec& run) {
                RunSpec copy = run;
                return valueOr(object(copy)->config, schema);
            },
            [schema, object](RunSpec& run, const FieldValue& value) { put(object(run)->config, schema, value); });
    }
}

void ModelProperties::addChoice(const QString& label, const QString& path, const std::vector<std::string>& choices, Read read, Edit edit) {
    addRow(choiceSchema(path.section(QLatin1Char('.'), -1).toStdString(), choices), label, path, std::move(read), std::move(edit));
}

void ModelProperties::buildInput() {
    addHeading(tr("Input"), QString::fromStdString(project_.spec().data.dataset));
    addErrorCard();
    FieldSchema shape;
    shape.name = "input_shape";
    shape.kind = FieldKind::kIntList;
    shape.required = true;
    shape.minimum = 1;
    shape.hint = "Sizes without the batch, channels last";
    addRow(
        shape, tr("Shape"), QStringLiteral("model.input_shape"), [](const RunSpec& run) { return FieldValue(run.model.input_shape); },
        [](RunSpec& run, const FieldValue& value) {
            if (const auto* sizes = std::get_if<engine::spec::Shape>(&value)) run.model.input_shape = *sizes;
        });
    addChoice(
        tr("Type"), QStringLiteral("model.input_dtype"), {"float32", "int32", std::string(engine::spec::kTextInput)},
        [](const RunSpec& run) { return FieldValue(run.model.input_dtype); },
        [](RunSpec& run, const FieldValue& value) {
            if (const auto* type = std::get_if<std::string>(&value)) run.model.input_dtype = *type;
        });
    FieldSchema scale;
    scale.name = "scale";
    scale.kind = FieldKind::kDouble;
    scale.required = true;
    scale.hint = "Every value is multiplied by it before the first layer";
    addRow(
        scale, tr("Scale"), QStringLiteral("data.scale"), [](const RunSpec& run) { return FieldValue(run.data.scale); },
        [](RunSpec& run, const FieldValue& value) {
            if (const auto* number = std::get_if<double>(&value)) run.data.scale = *number;
        });
    buildColumns();
}

void ModelProperties::addErrorCard() {
    error_ = new LayerErrorCard(project_, themes_, body_);
    connect(error_, &LayerErrorCard::nodeWanted, this, &ModelProperties::nodeWanted);
    connect(error_, &LayerErrorCard::explanationWanted, this, &ModelProperties::explanationWanted);
    layout_->addWidget(error_);
    layout_->addSpacing(theme::kSpace1);
}

void ModelProperties::buildLayer(int layer) {
    const LayerSpec& spec = project_.spec().model.layers[static_cast<std::size_t>(layer)];
    addHeading(QString::fromStdString(spec.class_name), {});
    addErrorCard();
    // The row finds its layer by the node that is shown now: the form outlives moves of the layer.
    const auto at = [this](RunSpec& run) -> LayerSpec& { return run.model.layers[static_cast<std::size_t>(node_ - 1)]; };
    const QString path = QStringLiteral("model.layers[%1]").arg(layer);
    FieldSchema name;
    name.name = "name";
    name.kind = FieldKind::kString;
    name.required = true;
    addRow(
        name, tr("Name"), path + QStringLiteral(".name"),
        [this](const RunSpec& run) { return FieldValue(run.model.layers[static_cast<std::size_t>(node_ - 1)].name); },
        [at](RunSpec& run, const FieldValue& value) {
            if (const auto* text = std::get_if<std::string>(&value)) at(run).name = *text;
        });
    if (const LayerSchema* schema = findLayerSchema(spec.class_name)) {
        for (const FieldSchema& field : schema->fields) {
            if (field.kind == FieldKind::kLayerList) {
                buildChain(field, path);
                continue;
            }
            addRow(
                field, canvas::fieldLabel(field.name), path + QLatin1Char('.') + QString::fromStdString(field.name),
                [this, field](const RunSpec& run) { return valueOr(run.model.layers[static_cast<std::size_t>(node_ - 1)].config, field); },
                [at, field](RunSpec& run, const FieldValue& value) { put(at(run).config, field, value); });
        }
    }
    addSection(tr("Computed"));
    input_ = addFact(tr("Input"));
    output_ = addFact(tr("Output"));
    parameters_ = addFact(tr("Parameters"));
    work_ = addFact(tr("Multiply-adds"));
    activations_ = addFact(tr("Activations, batch %1").arg(project_.spec().data.batch_size_per_replica));
}

namespace {

// A setting of model.fit(); 0 has a meaning of its own where it is allowed.
struct FitField {
    const char* name;
    std::int64_t FitSpec::*value;
    double least;
    const char* hint;
};
constexpr FitField kFitFields[] = {
    {"steps", &FitSpec::steps, 0, QT_TRANSLATE_NOOP("FieldHints", "Steps of all workers together, in place of epochs; 0: as epochs say")},
    {"epochs", &FitSpec::epochs, 1, QT_TRANSLATE_NOOP("FieldHints", "How often training goes through the data")},
    {"steps_per_epoch", &FitSpec::steps_per_epoch, 0, QT_TRANSLATE_NOOP("FieldHints", "Batches of an epoch; 0: all samples once")},
    {"validation_freq", &FitSpec::validation_freq, 1, QT_TRANSLATE_NOOP("FieldHints", "Epochs from one validation to the next")},
    {"validation_steps", &FitSpec::validation_steps, 0, QT_TRANSLATE_NOOP("FieldHints", "Batches of a validation; 0: all samples")},
    {"log_every", &FitSpec::log_every, 1, QT_TRANSLATE_NOOP("FieldHints", "Steps from one line of the log to the next")},
    {"histogram_freq", &FitSpec::histogram_freq, 0,
     QT_TRANSLATE_NOOP("FieldHints",
                       "Epochs between two reports on weights and gradients, in runs that measure their layers, too; 0: none")},
};

[[maybe_unused]] constexpr const char* kFitLabels[] = {
    QT_TRANSLATE_NOOP("FieldLabels", "Epochs"),          QT_TRANSLATE_NOOP("FieldLabels", "Steps per epoch"),
    QT_TRANSLATE_NOOP("FieldLabels", "Validation freq"), QT_TRANSLATE_NOOP("FieldLabels", "Validation steps"),
    QT_TRANSLATE_NOOP("FieldLabels", "Log every"),       QT_TRANSLATE_NOOP("FieldLabels", "Histogram freq"),
    QT_TRANSLATE_NOOP("FieldLabels", "Steps"),           QT_TRANSLATE_NOOP("FieldLabels", "Initial weights"),
    QT_TRANSLATE_NOOP("FieldLabels", "Initial state"),
};

// A run is counted in steps or in epochs: the one that is set takes the place of the other.
void setFitField(FitSpec& fit, std::int64_t FitSpec::*value, std::int64_t number) {
    fit.*value = number;
    if (value == &FitSpec::steps && number > 0) fit.epochs = FitSpec{}.epochs;
    if (value == &FitSpec::epochs && number > 1) fit.steps = 0;
}

}  // namespace

void ModelProperties::buildFit() {
    for (const FitField& field : kFitFields) {
        if (field.value == &FitSpec::steps && !hasStepsField(project_.spec())) continue;
        FieldSchema schema;
        schema.name = field.name;
        schema.kind = FieldKind::kInt;
        schema.required = true;
        schema.minimum = field.least;
        schema.hint = field.hint;
        addRow(
            schema, canvas::fieldLabel(schema.name), QStringLiteral("fit.") + QLatin1String(field.name),
            [value = field.value](const RunSpec& run) { return FieldValue(run.fit.*value); },
            [value = field.value](RunSpec& run, const FieldValue& given) {
                if (const auto* number = std::get_if<std::int64_t>(&given)) setFitField(run.fit, value, *number);
            });
    }
}

// Shows what training begins with when it is not the seed alone.
void ModelProperties::buildBeginning() {
    if (project_.spec().fit.initial_weights.empty() && !project_.spec().fit.initial_state) return;
    FieldSchema file{.name = "initial_weights", .kind = FieldKind::kString};
    file.hint = QT_TRANSLATE_NOOP("FieldHints", "The file whose weights training begins with; empty: weights are drawn from the seed");
    addRow(
        file, canvas::fieldLabel(file.name), QStringLiteral("fit.initial_weights"),
        [](const RunSpec& run) { return FieldValue(run.fit.initial_weights); },
        [](RunSpec& run, const FieldValue& value) {
            const auto* name = std::get_if<std::string>(&value);
            run.fit.initial_weights = name == nullptr ? std::string() : *name;
            if (run.fit.initial_weights.empty()) run.fit.initial_state = false;
        });
    FieldSchema state{.name = "initial_state", .kind = FieldKind::kBool, .required = true};
    state.hint = QT_TRANSLATE_NOOP("FieldHints",
                                   "The training goes on that wrote the file: with its optimizer, its steps and its place in the data");
    addRow(
        state, canvas::fieldLabel(state.name), QStringLiteral("fit.initial_state"),
        [](const RunSpec& run) { return FieldValue(run.fit.initial_state); },
        [](RunSpec& run, const FieldValue& value) { run.fit.initial_state = std::get<bool>(value); });
}

// Keras wraps it round the optimizer; here it is a switch of its own.
void ModelProperties::buildLossScale() {
    FieldSchema scaled{.name = "loss_scale", .kind = FieldKind::kBool, .required = true};
    scaled.hint = QT_TRANSLATE_NOOP("FieldHints", "Losses are scaled up before the way back, so that small gradients of float16 are kept");
    addRow(
        scaled, QStringLiteral("LossScaleOptimizer"), QStringLiteral("compile.loss_scale"),
        [](const RunSpec& run) { return FieldValue(run.compile.loss_scale.has_value()); },
        [](RunSpec& run, const FieldValue& value) {
            run.compile.loss_scale = std::get<bool>(value) ? std::optional(LossScaleSpec{}) : std::nullopt;
        });
    if (!project_.spec().compile.loss_scale) return;
    const FieldSchema scale{.name = "initial_scale", .kind = FieldKind::kDouble, .required = true, .minimum = 0, .minimum_excluded = true};
    addRow(
        scale, canvas::fieldLabel(scale.name), QStringLiteral("compile.loss_scale.initial_scale"),
        [](const RunSpec& run) { return run.compile.loss_scale ? FieldValue(run.compile.loss_scale->initial_scale) : FieldValue(); },
        [](RunSpec& run, const FieldValue& value) {
            if (const auto* number = std::get_if<double>(&value); number && run.compile.loss_scale)
                run.compile.loss_scale->initial_scale = *number;
        });
    const FieldSchema steps{.name = "dynamic_growth_steps", .kind = FieldKind::kInt, .required = true, .minimum = 1};
    addRow(
        steps, canvas::fieldLabel(steps.name), QStringLiteral("compile.loss_scale.dynamic_growth_steps"),
        [](const RunSpec& run) { return run.compile.loss_scale ? FieldValue(run.compile.loss_scale->dynamic_growth_steps) : FieldValue(); },
        [](RunSpec& run, const FieldValue& value) {
            if (const auto* number = std::get_if<std::int64_t>(&value); number && run.compile.loss_scale)
                run.compile.loss_scale->dynamic_growth_steps = *number;
        });
}

void ModelProperties::buildCompile() {
    addHeading(tr("Compile"), {});
    addErrorCard();
    const RunSpec& project = project_.spec();
    addChoice(
        tr("Loss"), QStringLiteral("compile.loss"), classNames(lossSchemas()),
        [](const RunSpec& run) { return FieldValue(run.compile.loss.class_name); },
        [](RunSpec& run, const FieldValue& value) {
            run.compile.loss = {std::get<std::string>(value), {}};
        });
    if (const ObjectSchema* schema = findSchema(lossSchemas(), canonicalClass(lossSchemas(), project.compile.loss.class_name))) {
        addObjectRows(schema->fields, QStringLiteral("compile.loss.config"), [](RunSpec& run) { return &run.compile.loss; });
    }
    addSection(tr("Optimizer"));
    addChoice(
        tr("Optimizer"), QStringLiteral("compile.optimizer"), classNames(optimizerSchemas()),
        [](const RunSpec& run) { return FieldValue(run.compile.optimizer.class_name); },
        [](RunSpec& run, const FieldValue& value) {
            run.compile.optimizer = {std::get<std::string>(value), {}};
        });
    if (const ObjectSchema* schema =
            findSchema(optimizerSchemas(), canonicalClass(optimizerSchemas(), project.compile.optimizer.class_name))) {
        std::vector<FieldSchema> fields = schema->fields;
        std::erase_if(fields, [](const FieldSchema& field) { return field.name == "learning_rate"; });
        buildRate();
        addSection(tr("Settings of %1").arg(QString::fromStdString(schema->class_name)));
        addObjectRows(fields, QStringLiteral("compile.optimizer.config"), [](RunSpec& run) { return &run.compile.optimizer; });
    }
    buildLossScale();
    buildApi();
    if (!project.estimator) buildCallbacks();
    addSection(tr("Metrics"));
    for (const MetricSpec& metric : offeredMetrics()) {
        const QString name = QString::fromStdString(logName(metric));
        auto* box = new MetricBox(name, body_);
        box->setObjectName(QStringLiteral("metric_") + name);
        // A box speaks of its class, with whatever settings the project has it.
        const auto is_of_class = [wanted = canonicalClass(metricSchemas(), metric.name)](const MetricSpec& one) {
            return canonicalClass(metricSchemas(), one.name) == wanted;
        };
        const auto& chosen = project.compile.metrics;
        box->setChecked(std::any_of(chosen.begin(), chosen.end(), is_of_class));
        layout_->addWidget(box);
        connect(box, &QCheckBox::toggled, this, [this, metric, is_of_class](bool on) {
            project_.change(tr("Change metrics"), [&](RunSpec& run) {
                auto& metrics = run.compile.metrics;
                std::erase_if(metrics, is_of_class);
                if (on) metrics.push_back(metric);
            });
        });
    }
}

TextLabel* ModelProperties::addFact(const QString& label) {
    auto* name = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
    name->setText(label);
    auto* value = new TextLabel(themes_, TextRole::kMono, Ink::kText, body_);
    auto* row = new QHBoxLayout;
    row->addWidget(name);
    row->addStretch();
    row->addWidget(value);
    name->setMinimumHeight(24);
    layout_->addLayout(row);
    return value;
}

void ModelProperties::refreshFacts(int layer) {
    const auto& infos = project_.layerInfos();
    if (input_ == nullptr || layer < 0 || layer >= static_cast<int>(infos.size())) return;
    const LayerInfo& info = infos[static_cast<std::size_t>(layer)];
    const QString dash{QChar(models::kMissing)};
    input_->setText(info.known || !info.error.empty() ? models::formatShape(info.input_shape) : dash);
    output_->setText(info.known ? models::formatShape(info.output_shape) : dash);
    parameters_->setText(info.known ? models::formatCount(info.parameters) : dash);
    work_->setText(info.known ? models::formatCount(info.multiply_adds) : dash);
    activations_->setText(info.known ? models::formatBytes(info.activation_bytes * project_.spec().data.batch_size_per_replica) : dash);
}

void ModelProperties::refreshValues() {
    if (form_key_ != formKey()) return rebuild();
    if (form_key_ == QLatin1String("none")) return;
    const RunSpec& run = project_.spec();
    for (const Row& row : rows_) row.editor->setValue(row.read(run));
    refreshMembers();
    refreshCurve();
    const int layers = static_cast<int>(run.model.layers.size());
    error_->setNode(node_);
    if (node_ < 1 || node_ > layers) return;
    side_->setText(tr("layer %1 of %2").arg(node_).arg(layers));
    refreshFacts(node_ - 1);
}

void ModelProperties::focusFirst(const QString& field) {
    const QString callback = field.section(QLatin1Char('.'), 0, 0);
    const bool of_column = field.startsWith(QLatin1String("feature_columns"));
    const bool of_callback = !of_column && (openCallback(callback) || field.contains(QLatin1Char('.')));
    // A form that was just made has its places with the next event.
    const auto show = [this](QWidget* widget) {
        QTimer::singleShot(0, this, [this, shown = QPointer<QWidget>(widget)] {
            if (shown) ensureWidgetVisible(shown);
        });
    };
    for (const Row& row : rows_) {
        const QString name = QString::fromStdString(row.editor->schema().name);
        const bool is_first = field.isEmpty() && name != QLatin1String("name");
        const bool is_it = of_column     ? row.path.startsWith(QLatin1String("data.") + field)
                           : of_callback ? row.path == QLatin1String("callbacks.") + field
                                         : name == field;
        if (!is_first && !is_it) continue;
        row.editor->focusEditor();
        return show(row.editor);
    }
    if (auto* button = body_->findChild<QWidget*>(QStringLiteral("callback_") + callback)) {
        button->setFocus(Qt::ShortcutFocusReason);
        return show(button);
    }
    if (auto* chain = body_->findChild<QWidget*>(QStringLiteral("chain_") + field)) {
        chain->setFocus(Qt::ShortcutFocusReason);
        return show(chain);
    }
    if (field == QLatin1String("callbacks")) {
        auto* first = body_->findChild<QWidget*>(QStringLiteral("callback_model_checkpoint"));
        if (first == nullptr) return;
        first->setFocus(Qt::ShortcutFocusReason);
        // All of them, from the first: the section comes to the top.
        QTimer::singleShot(0, this, [this, top = QPointer<QWidget>(first)] {
            if (top) verticalScrollBar()->setValue(top->y() - theme::kTwoLineRowHeight);
        });
        return;
    }
    if (!rows_.empty()) rows_.front().editor->focusEditor();
}

}  // namespace ui::views

#include "moc_model_properties.cpp"
