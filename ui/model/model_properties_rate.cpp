// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate in the panel of Compile: how it is given, its fields or its table by epoch, and the curve that they make.
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/schedule.h"
#include "ui/canvas/layer_look.h"
#include "ui/model/model_properties.h"
#include "ui/model/rate_curve.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/object_fields.h"
#include "ui/session/project/project.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using namespace engine::spec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr std::int64_t kGuessedSteps = 100;

}  // namespace

std::int64_t ModelProperties::runSteps() const {
    const std::int64_t steps = project_.stepsPerEpoch();
    if (project_.spec().fit.steps > 0) return project_.spec().fit.steps;
    return (steps > 0 ? steps : kGuessedSteps) * std::max<std::int64_t>(1, project_.spec().fit.epochs);
}

// Builds the choice of how the rate is given, the fields of that way, and the curve that they make.
void ModelProperties::buildRate() {
    addSection(tr("Learning rate"));
    std::vector<std::string> kinds{std::string(kConstantRate), std::string(kRateTable)};
    for (const std::string& name : classNames(scheduleSchemas())) kinds.push_back(name);
    addChoice(
        tr("Course"), QStringLiteral("compile.rate_kind"), kinds, [](const RunSpec& run) { return FieldValue(rateKind(run)); },
        [this](RunSpec& run, const FieldValue& value) { setRateKind(run, std::get<std::string>(value), runSteps(), run.fit.epochs); });
    const RunSpec& project = project_.spec();
    const std::string kind = rateKind(project);
    const ObjectSchema* optimizer =
        findSchema(optimizerSchemas(), canonicalClass(optimizerSchemas(), project.compile.optimizer.class_name));
    if (kind == kRateTable) {
        buildRateTable();
    } else if (kind == kConstantRate) {
        for (const FieldSchema& field : optimizer->fields) {
            if (field.name == "learning_rate")
                addObjectRows({field}, QStringLiteral("compile.optimizer.config"), [](RunSpec& run) { return &run.compile.optimizer; });
        }
    } else if (const ObjectSchema* schema = findSchema(scheduleSchemas(), kind)) {
        for (const FieldSchema& field : schema->fields) {
            addRow(
                field, canvas::fieldLabel(field.name),
                QStringLiteral("compile.optimizer.learning_rate.") + QString::fromStdString(field.name),
                [field](const RunSpec& run) {
                    const ObjectSpec* schedule = run.compile.optimizer.config.getObject("learning_rate");
                    return schedule == nullptr ? field.fallback : valueOr(schedule->config, field);
                },
                [field](RunSpec& run, const FieldValue& value) {
                    const ObjectSpec* schedule = run.compile.optimizer.config.getObject("learning_rate");
                    if (schedule == nullptr) return;
                    ObjectSpec changed = *schedule;
                    put(changed.config, field, value);
                    run.compile.optimizer.config.set("learning_rate", ObjectBox(std::move(changed)));
                });
        }
    }
    layout_->addSpacing(theme::kSpace2);
    curve_ = new RateCurve(themes_, body_);
    layout_->addWidget(curve_);
}

namespace {

ObjectSpec* schedulerOf(RunSpec& run) {
    for (ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "LearningRateScheduler") return &callback;
    }
    return nullptr;
}

// Changes the table as pairs; they stay in the order of epochs.
void editTable(RunSpec& run, const std::function<void(std::vector<std::pair<std::int64_t, double>>&)>& edit) {
    ObjectSpec* scheduler = schedulerOf(run);
    if (scheduler == nullptr) return;
    const std::vector<std::int64_t> epochs = scheduler->config.getInts("epochs", {});
    const std::vector<double> rates = scheduler->config.getDoubles("rates", {});
    std::vector<std::pair<std::int64_t, double>> rows;
    for (std::size_t i = 0; i < std::min(epochs.size(), rates.size()); ++i) rows.emplace_back(epochs[i], rates[i]);
    edit(rows);
    std::vector<std::int64_t> new_epochs;
    std::vector<double> new_rates;
    for (const auto& [epoch, rate] : rows) {
        new_epochs.push_back(epoch);
        new_rates.push_back(rate);
    }
    scheduler->config.set("epochs", std::move(new_epochs));
    scheduler->config.set("rates", std::move(new_rates));
}

}  // namespace

// What the two columns say stands above them once: beside each line it would take the room of a narrow panel.
void ModelProperties::addRateTableHead() {
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    const auto add = [&](const QString& text) {
        auto* head = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
        head->setText(text);
        head->setElided(true);
        row->addWidget(head);
        return head;
    };
    TextLabel* from = add(tr("from epoch"));
    rate_lines_.push_back({from, add(canvas::fieldLabel("rates"))});
    row->addStretch();
    layout_->addLayout(row);
}

void ModelProperties::addRateTableRow(std::size_t index) {
    FieldSchema epoch{.name = "epoch", .kind = FieldKind::kInt, .required = true, .minimum = 0};
    FieldSchema rate{.name = "rate", .kind = FieldKind::kDouble, .required = true, .minimum = 0};
    const auto row_of = [index](const RunSpec& run, const char* field) -> FieldValue {
        RunSpec copy = run;
        const ObjectSpec* scheduler = schedulerOf(copy);
        if (scheduler == nullptr) return {};
        if (std::string_view(field) == "epochs") {
            const auto epochs = scheduler->config.getInts(field, {});
            return index < epochs.size() ? FieldValue(epochs[index]) : FieldValue();
        }
        const auto rates = scheduler->config.getDoubles(field, {});
        return index < rates.size() ? FieldValue(rates[index]) : FieldValue();
    };
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    const auto add = [&](const FieldSchema& schema, const char* field) {
        auto* editor = new FieldEditor(schema, themes_, body_);
        editor->setObjectName(QStringLiteral("%1_%2").arg(QString::fromStdString(schema.name)).arg(index));
        row->addWidget(editor);
        rows_.push_back({editor, [row_of, field](const RunSpec& run) { return row_of(run, field); },
                         QStringLiteral("callbacks.learning_rate_scheduler.") + QLatin1String(field)});
        return editor;
    };
    FieldEditor* epoch_editor = add(epoch, "epochs");
    FieldEditor* rate_editor = add(rate, "rates");
    rate_lines_.push_back({epoch_editor, rate_editor});
    auto* remove = new QToolButton(body_);
    remove->setObjectName(QStringLiteral("removeEpoch_%1").arg(index));
    remove->setIcon(themes_.icon(QStringLiteral("close")));
    remove->setProperty("compact", true);
    remove->setFixedSize(theme::kCompactHeight, theme::kCompactHeight);
    remove->setToolTip(tr("Remove this line"));
    remove->setAccessibleName(remove->toolTip());
    row->addStretch();
    row->addWidget(remove);
    layout_->addLayout(row);
    const QString path = QStringLiteral("callbacks.learning_rate_scheduler.%1.").arg(index);
    connect(epoch_editor, &FieldEditor::valueChanged, this, [this, index, path](const FieldValue& value) {
        project_.change(
            tr("Change epoch"),
            [&](RunSpec& run) {
                editTable(run, [&](auto& rows) {
                    if (index < rows.size()) rows[index].first = std::get<std::int64_t>(value);
                });
            },
            session::Project::mergeKey(path + QStringLiteral("epoch")));
    });
    connect(rate_editor, &FieldEditor::valueChanged, this, [this, index, path](const FieldValue& value) {
        project_.change(
            tr("Change rate"),
            [&](RunSpec& run) {
                editTable(run, [&](auto& rows) {
                    if (index < rows.size()) rows[index].second = std::get<double>(value);
                });
            },
            session::Project::mergeKey(path + QStringLiteral("rate")));
    });
    connect(remove, &QToolButton::clicked, this, [this, index] {
        project_.change(tr("Remove epoch"), [&](RunSpec& run) {
            editTable(run, [&](auto& rows) {
                if (index < rows.size() && rows.size() > 1) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(index));
            });
        });
    });
}

void ModelProperties::buildRateTable() {
    RunSpec copy = project_.spec();
    const ObjectSpec* scheduler = schedulerOf(copy);
    const std::size_t count = scheduler == nullptr ? 0 : scheduler->config.getInts("epochs", {}).size();
    if (count > 0) addRateTableHead();
    for (std::size_t i = 0; i < count; ++i) addRateTableRow(i);
    auto* add =
        widgets::makeButton(themes_, {.object_name = QStringLiteral("addEpoch"), .icon = QStringLiteral("plus"), .compact = true}, body_);
    add->setText(tr("Add a line"));
    layout_->addWidget(add, 0, Qt::AlignLeft);
    connect(add, &QPushButton::clicked, this, [this] {
        project_.change(tr("Add epoch"), [](RunSpec& run) {
            editTable(run, [](auto& rows) {
                constexpr double kTenth = 0.1;
                if (rows.empty())
                    rows.emplace_back(0, 1e-3);
                else
                    rows.emplace_back(rows.back().first + 1, rows.back().second * kTenth);
            });
        });
    });
}

void ModelProperties::refreshCurve() {
    if (curve_ == nullptr) return;
    const auto epochs = std::max<std::int64_t>(1, project_.spec().fit.epochs);
    const std::int64_t steps = runSteps();
    curve_->setRates(rateCurve(project_.spec(), steps, steps / epochs, RateCurve::kPoints), static_cast<double>(epochs));
}

}  // namespace ui::views
