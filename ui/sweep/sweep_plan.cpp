// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_plan.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/spec/project/logged_metrics.h"
#include "engine/spec/validate/validate.h"
#include "engine/sweep/usual_field.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/runs/run_facts.h"
#include "ui/sweep/field_row.h"
#include "ui/sweep/place_fields.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/fit_scroll.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::sweep::Method;
using engine::sweep::SweepField;
using engine::sweep::SweepSettings;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kLeastRows = 120, kSpinWidth = 104, kComboWidth = 150, kColumns = 4, kMostTried = 8;
constexpr int kMostEpochs = 1'000'000;

QSpinBox* spinBox(QWidget* parent, const char* name, int low, int high, int value) {
    auto* made = new QSpinBox(parent);
    made->setObjectName(QLatin1String(name));
    made->setProperty("compact", true);
    made->setRange(low, high);
    made->setValue(value);
    made->setMinimumWidth(kSpinWidth);
    return made;
}

// What a sweep of the project improves unless it is told: the first metric, where the run validates on what it has not seen; else its loss.
std::string usualObjective(const engine::spec::RunSpec& project) {
    const std::set<std::string> logs = engine::spec::monitoredNames(project);
    const std::vector<engine::spec::LoggedMetric> metrics = engine::spec::loggedMetrics(project.compile);
    const std::string first = metrics.empty() ? "loss" : metrics.front().name;
    return logs.contains("val_" + first) ? "val_" + first : first;
}

}  // namespace

SweepPlan::SweepPlan(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("sweepPlan");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace3);
    column->addWidget(buildFields());
    column->addWidget(buildMethod());
    column->addWidget(sentence_ = new TextLabel(themes, TextRole::kBody, Ink::kText2, this));
    sentence_->setObjectName("sweepPlanSentence");
    sentence_->setWordWrap(true);
    column->addWidget(problem_label_ = new TextLabel(themes, TextRole::kBody, Ink::kWarn, this));
    problem_label_->setObjectName("sweepPlanProblem");
    problem_label_->setWordWrap(true);
    column->addStretch(1);
    retranslate();
}

QWidget* SweepPlan::buildFields() {
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, this);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(theme::kSpace4, theme::kSpace3, theme::kSpace4, theme::kSpace3);
    column->setSpacing(theme::kSpace2);
    auto* head = new QHBoxLayout;
    head->addWidget(fields_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, card));
    head->addStretch(1);
    head->addWidget(add_ = widgets::makeButton(themes_, {.object_name = "sweepAddField", .icon = "plus", .compact = true}, card));
    column->addLayout(head);
    auto* scroll = new widgets::FitScroll(kLeastRows, card);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget(scroll);
    rows_layout_ = new QVBoxLayout(content);
    rows_layout_->setContentsMargins(0, 0, 0, 0);
    rows_layout_->setSpacing(theme::kSpace1);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    column->addWidget(scroll);
    connect(add_, &QPushButton::clicked, this, &SweepPlan::addUsual);
    return card;
}

QWidget* SweepPlan::buildMethod() {
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, this);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(theme::kSpace4, theme::kSpace3, theme::kSpace4, theme::kSpace3);
    column->setSpacing(theme::kSpace3);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kSpace3);
    head->addWidget(method_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, card));
    head->addWidget(method_ = new widgets::SegmentedControl(themes_, card));
    method_->setObjectName("sweepMethod");
    head->addStretch(1);
    column->addLayout(head);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kSpace4);
    grid->setVerticalSpacing(theme::kSpace3);
    for (int i = 0; i < kColumns; ++i) grid->setColumnStretch(i, 1);
    column->addLayout(grid);
    trials_ = spinBox(card, "sweepTrials", 0, engine::sweep::kMostTrials, 0);
    at_once_ = spinBox(card, "sweepAtOnce", 1, engine::sweep::kMostAtOnce, 1);
    seeds_ = spinBox(card, "sweepSeeds", 1, engine::sweep::kMostSeeds, 1);
    epochs_ = spinBox(card, "sweepEpochs", 1, kMostEpochs, 1);
    min_epochs_ = spinBox(card, "sweepMinEpochs", 1, kMostEpochs, 1);
    reduction_ = spinBox(card, "sweepReduction", 2, engine::sweep::kMostReduction, 3);
    const auto combo = [&](const char* name) {
        auto* made = new QComboBox(card);
        made->setObjectName(QLatin1String(name));
        made->setProperty("compact", true);
        made->setMinimumWidth(kComboWidth);
        return made;
    };
    objective_ = combo("sweepObjective");
    objective_->setEditable(true);
    objective_->setInsertPolicy(QComboBox::NoInsert);
    objective_->setEditText(QString::fromStdString(engine::sweep::Objective().log));
    direction_ = combo("sweepDirection");
    int at = 0;
    for (QWidget* part :
         std::initializer_list<QWidget*>{objective_, direction_, epochs_, at_once_, trials_, min_epochs_, reduction_, seeds_}) {
        auto* label = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, card);
        label->setBuddy(part);
        labelled_.emplace_back(label, part);
        auto* cell = new QVBoxLayout;
        cell->setSpacing(theme::kSpace1);
        cell->addWidget(label);
        cell->addWidget(part);
        grid->addLayout(cell, at / kColumns, at % kColumns);
        ++at;
    }
    column->addWidget(place_ = new PlaceFields(themes_, kColumns, card));
    for (QSpinBox* one : {trials_, at_once_, seeds_, epochs_, min_epochs_, reduction_})
        connect(one, &QSpinBox::valueChanged, this, &SweepPlan::edited);
    connect(method_, &widgets::SegmentedControl::currentChanged, this, &SweepPlan::edited);
    connect(objective_, &QComboBox::currentTextChanged, this, [this](const QString& log) {
        direction_->setCurrentIndex(engine::sweep::objectiveOf(log.toStdString()).rises ? 0 : 1);
        edited();
    });
    connect(direction_, &QComboBox::currentIndexChanged, this, &SweepPlan::edited);
    connect(place_, &PlaceFields::edited, this, &SweepPlan::edited);
    return card;
}

void SweepPlan::setProject(const engine::spec::RunSpec& project, bool is_another) {
    const bool is_new = is_another || rows_.empty();
    project_ = project;
    std::vector<std::pair<std::string, std::string>> settings;
    for (const auto& [path, value] : session::settingsOf(QString::fromStdString(toProjectJson(project)))) {
        settings.emplace_back(path.toStdString(), value.toStdString());
    }
    known_ = engine::sweep::sweptFields(settings);
    for (FieldRow* row : rows_) row->setKnown(known_);
    const QString log = is_new ? QString::fromStdString(usualObjective(project)) : objective_->currentText();
    {
        const QSignalBlocker quiet(objective_);
        objective_->clear();
        for (const std::string& one : engine::spec::monitoredNames(project)) objective_->addItem(QString::fromStdString(one));
        objective_->setCurrentText(log);
    }
    if (is_new) {
        direction_->setCurrentIndex(engine::sweep::objectiveOf(log.toStdString()).rises ? 0 : 1);
        while (!rows_.empty()) removeRow(rows_.back());
        addUsual();
        const QSignalBlocker quiet(epochs_);
        epochs_->setValue(static_cast<int>(std::clamp<std::int64_t>(project.fit.epochs, 1, kMostEpochs)));
    }
    edited();
}

void SweepPlan::addRow(const SweepField& field) {
    auto* row = new FieldRow(themes_, this);
    row->setKnown(known_);
    row->setField(field);
    rows_.push_back(row);
    rows_layout_->addWidget(row);
    QWidget* before = add_;
    for (const FieldRow* one : rows_) before = widgets::continueTabOrder(before, *one);
    connect(row, &FieldRow::edited, this, &SweepPlan::edited);
    connect(row, &FieldRow::removeWanted, this, [this, row] {
        removeRow(row);
        edited();
    });
}

// Adds the likeliest field that is not in the plan yet.
void SweepPlan::addUsual() {
    const auto is_free = [&](const auto& known) {
        return std::none_of(rows_.begin(), rows_.end(), [&](const FieldRow* row) { return row->field().path == known.first; });
    };
    const auto next = std::find_if(known_.begin(), known_.end(), is_free);
    addRow(next == known_.end() ? SweepField{.path = {}, .kind = SweepField::Kind::kChoice}
                                : engine::sweep::usualField(next->first, next->second));
    edited();
}

void SweepPlan::removeRow(FieldRow* row) {
    std::erase(rows_, row);
    rows_layout_->removeWidget(row);
    row->hide();
    row->deleteLater();
}

Method SweepPlan::method() const {
    return static_cast<Method>(method_->current());
}

bool SweepPlan::isForGrid() const {
    return method() == Method::kGrid || trials_->value() == 0;
}

SweepSettings SweepPlan::settings() const {
    SweepSettings settings;
    settings.method = method();
    for (const FieldRow* row : rows_) settings.fields.push_back(row->field());
    settings.objective = {objective_->currentText().trimmed().toStdString(), direction_->currentIndex() == 0};
    settings.trials = settings.method == Method::kGrid ? 0 : trials_->value();
    settings.at_once = at_once_->value();
    settings.seeds = seeds_->value();
    settings.reduction = reduction_->value();
    settings.min_epochs = min_epochs_->value();
    const bool sweeps_epochs =
        std::any_of(settings.fields.begin(), settings.fields.end(), [](const SweepField& one) { return one.path == "fit.epochs"; });
    settings.max_epochs = sweeps_epochs ? 0 : epochs_->value();
    settings.place = place_->place();
    return settings;
}

// Returns what is wrong with the first value that makes errors of the project which it did not have.
QString SweepPlan::valueProblem(const SweepField& field) const {
    const engine::spec::Diagnostics before = validate(project_);
    std::vector<std::string> values = field.kind == SweepField::Kind::kChoice
                                          ? field.choices
                                          : std::vector{engine::sweep::valueAt(field, 0), engine::sweep::valueAt(field, 1)};
    if (values.size() > kMostTried) values.resize(kMostTried);
    for (const std::string& value : values) {
        engine::spec::RunSpec tried = project_;
        engine::spec::Diagnostics after = engine::spec::applySetting(tried, field.path + "=" + value);
        if (!hasErrors(after)) after = validate(tried);
        for (const engine::spec::Diagnostic& one : after) {
            if (one.severity != engine::spec::Severity::kError || std::find(before.begin(), before.end(), one) != before.end()) continue;
            return tr("%1 with the value %2: %3")
                .arg(QString::fromStdString(field.path), QString::fromStdString(value), models::findingText(one.message));
        }
    }
    return {};
}

QString SweepPlan::findProblem() const {
    if (rows_.empty()) return tr("Add a field");
    std::vector<std::string> paths;
    for (const FieldRow* row : rows_) {
        if (QString problem = row->problem(isForGrid()); !problem.isEmpty()) return problem;
        const SweepField field = row->field();
        if (std::find(paths.begin(), paths.end(), field.path) != paths.end()) {
            return tr("%1 is there twice").arg(QString::fromStdString(field.path));
        }
        paths.push_back(field.path);
        if (QString problem = valueProblem(field); !problem.isEmpty()) return problem;
    }
    const SweepSettings now = settings();
    const auto has = [&](const char* path) { return std::find(paths.begin(), paths.end(), path) != paths.end(); };
    if (has("fit.epochs") && now.method == Method::kAsha) return tr("ASHA says itself how many epochs a run trains: remove fit.epochs");
    if (has("fit.seed") && now.seeds > 1) return tr("The seed is a field: one run each");
    if (QString problem = place_->problem(); !problem.isEmpty()) return problem;
    if (now.objective.log.empty()) return tr("Say what is compared, such as val_accuracy");
    if (isForGrid() && engine::sweep::gridSize(now.fields) > engine::sweep::kMostTrials) {
        return tr("At most %1 configurations").arg(models::formatCount(engine::sweep::kMostTrials));
    }
    if (now.method == Method::kAsha && now.min_epochs > engine::sweep::longestOf(now, project_)) {
        return tr("The first rung is at most as long as the last");
    }
    const engine::spec::Diagnostics left = engine::sweep::checkSweep(now, project_);
    return left.empty() ? QString()
                        : models::withName(QString::fromStdString(left.front().path), models::findingText(left.front().message));
}

void SweepPlan::edited() {
    problem_ = findProblem();
    refresh();
    emit changed();
}

void SweepPlan::refresh() {
    const bool is_asha = method() == Method::kAsha;
    trials_->setEnabled(method() != Method::kGrid);
    for (QWidget* part : std::initializer_list<QWidget*>{min_epochs_, reduction_}) part->setEnabled(is_asha);
    const SweepSettings now = settings();
    epochs_->setEnabled(now.max_epochs > 0);
    problem_label_->setText(problem_);
    problem_label_->setVisible(!problem_.isEmpty());
    if (!problem_.isEmpty()) return sentence_->setText({});
    const int grid = engine::sweep::gridSize(now.fields);
    const int count = isForGrid()                                      ? grid
                      : grid > 0 && grid <= engine::sweep::kMostTrials ? std::min(now.trials, std::max(grid, now.trials))
                                                                       : now.trials;
    const std::vector<std::int64_t> rungs = engine::sweep::rungsOf(now, engine::sweep::longestOf(now, project_));
    QString text = tr("%n configuration(s)", nullptr, count);
    if (now.seeds > 1) text = tr("%1, %n run(s) each", nullptr, now.seeds).arg(text);
    if (rungs.size() > 1) {
        QStringList epochs;
        for (const std::int64_t one : rungs) epochs << models::formatCount(one);
        text = tr("%1; all train for %n epoch(s), and one of %2 goes on to each next rung: %3", nullptr, static_cast<int>(rungs.front()))
                   .arg(text, QString::number(now.reduction), epochs.join(QStringLiteral(", ")));
    } else if (now.max_epochs > 0) {
        text = tr("%1, each for %n epoch(s)", nullptr, static_cast<int>(rungs.back())).arg(text);
    }
    sentence_->setText(text);
}

void SweepPlan::retranslate() {
    fields_title_->setText(tr("Fields"));
    add_->setText(tr("Add field"));
    method_title_->setText(tr("Method"));
    method_->setAccessibleName(tr("Method"));
    const int current = method_->current();
    {
        const QSignalBlocker quiet(method_);
        method_->setEntries({tr("Grid"), tr("Random"), tr("ASHA")});
        method_->setCurrent(current);
    }
    method_->setToolTip(
        tr("Grid: every combination. Random: drawn ones. ASHA: of those that have trained for some epochs the best go on."));
    {
        const QSignalBlocker quiet(direction_);
        const int index = std::max(0, direction_->currentIndex());
        direction_->clear();
        direction_->addItems({tr("the greatest"), tr("the least")});
        direction_->setCurrentIndex(index);
    }
    trials_->setSpecialValueText(tr("all of the grid"));
    place_->retranslate();
    const QStringList texts{tr("Objective"),      tr("Best is"),    tr("Epochs"),         tr("Runs at once"),
                            tr("Configurations"), tr("First rung"), tr("One goes on of"), tr("Seeds")};
    for (qsizetype i = 0; i < texts.size(); ++i) {
        auto& [label, part] = labelled_[static_cast<std::size_t>(i)];
        label->setText(texts[i]);
        part->setAccessibleName(texts[i]);
    }
    for (FieldRow* row : rows_) row->retranslate();
    edited();
}

}  // namespace ui::views

#include "moc_sweep_plan.cpp"
