// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_tools.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/run/run_series.h"
#include "ui/charts/chart_group.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_parts.h"
#include "ui/monitor/xray/xray_view.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::PillTone;
using widgets::TextLabel;

namespace {

constexpr int kToolsHeight = 34, kSmoothingSteps = 99;

}  // namespace

MonitorTools::MonitorTools(MonitorCharts& charts, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), charts_(charts), themes_(themes) {
    setFixedHeight(kToolsHeight);
    build();
    connectCharts();
}

void MonitorTools::build() {
    faces_ = named(new widgets::SegmentedControl(themes_, this), "monitorFaces");
    faces_->setCompact(true);
    faces_->setEntries({QString(), QString()});
    chart_group_ = new QWidget(this);
    smoothing_label_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, chart_group_);
    smoothing_ = named(new QSlider(Qt::Horizontal, chart_group_), "monitorSmoothing");
    smoothing_->setRange(0, kSmoothingSteps);
    smoothing_->setMinimumWidth(90);
    smoothing_->setMaximumWidth(130);
    smoothing_box_ = named(new QDoubleSpinBox(chart_group_), "monitorSmoothingBox");
    smoothing_box_->setRange(0, 0.999);
    smoothing_box_->setDecimals(2);
    smoothing_box_->setSingleStep(0.01);
    smoothing_box_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    smoothing_box_->setAlignment(Qt::AlignCenter);
    smoothing_box_->setFixedWidth(52);
    smoothing_box_->setProperty("compact", true);
    x_label_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, chart_group_);
    x_axis_ = named(new QComboBox(chart_group_), "monitorXAxis");
    workers_group_ = new QWidget(chart_group_);
    workers_label_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, workers_group_);
    workers_ = named(new QComboBox(workers_group_), "monitorWorkers");
    for (QComboBox* one : {x_axis_, workers_})
        one->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // also after a switch of the language
    add_chart_ = named(new QPushButton(chart_group_), "monitorAddChart", "ghost");
    add_chart_->setIcon(themes_.icon(QStringLiteral("plus")));
    add_chart_->setMenu(new QMenu(add_chart_));
    live_ = named(new QPushButton(this), "monitorLive");
    live_pill_ = new widgets::StatusPill(themes_, this);
    time_ = named(new QToolButton(this), "monitorTime");
    time_->setCheckable(true);
    time_->setIcon(themes_.icon(QStringLiteral("clock")));
    picture_ = named(new QToolButton(this), "monitorPicture");
    export_ = named(new QToolButton(this), "monitorExport");
    picture_->setIcon(themes_.icon(QStringLiteral("camera")));
    export_->setIcon(themes_.icon(QStringLiteral("export")));
    for (QWidget* part : std::initializer_list<QWidget*>{x_axis_, workers_, add_chart_, live_, time_, picture_, export_})
        part->setProperty("compact", true);

    auto* workers_layout = new QHBoxLayout(workers_group_);
    workers_layout->setContentsMargins(0, 0, 0, 0);
    workers_layout->setSpacing(theme::kSpace2);
    workers_layout->addWidget(divider(workers_group_));
    workers_layout->addWidget(workers_label_);
    workers_layout->addWidget(workers_);
    auto* of_charts = new QHBoxLayout(chart_group_);
    of_charts->setContentsMargins(0, 0, 0, 0);
    of_charts->setSpacing(theme::kSpace2);
    for (QWidget* part :
         std::initializer_list<QWidget*>{divider(chart_group_), smoothing_label_, smoothing_, smoothing_box_, divider(chart_group_),
                                         x_label_, x_axis_, workers_group_, divider(chart_group_), add_chart_}) {
        of_charts->addWidget(part);
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpace2);
    layout->addWidget(faces_);
    layout->addWidget(chart_group_);
    layout->addStretch(1);
    for (QWidget* part : std::initializer_list<QWidget*>{live_pill_, live_, time_, picture_, export_}) layout->addWidget(part);
}

void MonitorTools::connectCharts() {
    charts::ChartGroup& group = charts_.group();
    connect(smoothing_, &QSlider::valueChanged, this, [this](int value) { smoothing_box_->setValue(value / 100.0); });
    connect(smoothing_box_, &QDoubleSpinBox::valueChanged, this, [this, &group](double value) {
        const QSignalBlocker blocker(smoothing_);
        smoothing_->setValue(static_cast<int>(std::lround(value * 100)));
        group.setSmoothing(value);
    });
    connect(x_axis_, &QComboBox::currentIndexChanged, this, [&group](int index) {
        if (index >= 0) group.setXAxis(static_cast<models::XAxis>(index));
    });
    connect(&group, &charts::ChartGroup::xAxisChanged, this,
            [this](models::XAxis axis) { x_axis_->setCurrentIndex(static_cast<int>(axis)); });
    connect(&group, &charts::ChartGroup::followChanged, this, &MonitorTools::refresh);
    connect(workers_, &QComboBox::currentIndexChanged, this,
            [this](int index) { charts_.setWorkers(index == 1 ? MonitorCharts::Workers::kEach : MonitorCharts::Workers::kMean); });
    connect(add_chart_->menu(), &QMenu::aboutToShow, this, &MonitorTools::fillChartMenu);
    connect(faces_, &widgets::SegmentedControl::currentChanged, this, [this] {
        refresh();
        emit faceChanged();
    });
    connect(live_, &QPushButton::clicked, &group, &charts::ChartGroup::followTail);
    connect(picture_, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setPixmap(charts_.grab()); });
    connect(export_, &QToolButton::clicked, this, &MonitorTools::exportWanted);
    connect(time_, &QToolButton::clicked, this, &MonitorTools::timeWanted);
    smoothing_box_->setValue(group.smoothing());
}

// Fills the menu with everything that the run streams and that is not shown yet.
void MonitorTools::fillChartMenu() {
    QMenu* menu = add_chart_->menu();
    menu->clear();
    const QStringList shown = charts_.addedCharts();
    for (const auto& [key, title] : charts_.addable()) {
        QAction* action = menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(shown.contains(key));
        connect(action, &QAction::triggered, this, [this, key = key](bool on) { on ? charts_.addChart(key) : charts_.removeChart(key); });
    }
    if (menu->isEmpty()) menu->addAction(tr("What a run streams is listed with its first step"))->setEnabled(false);
}

void MonitorTools::setRun(const session::RunRecord* run) {
    run_ = run;
    fillChoices();
    refresh();
}

// Names the axes and curves of the run. A run that is counted in steps has no epochs.
void MonitorTools::fillChoices() {
    const auto fill = [](QComboBox* box, const QStringList& texts) {
        const QSignalBlocker blocker(box);
        const int index = std::clamp(box->currentIndex(), 0, static_cast<int>(texts.size()) - 1);
        box->clear();
        box->addItems(texts);
        box->setCurrentIndex(index);
    };
    using models::XAxis;
    const bool of_all = run_ != nullptr && engine::run::countsStepsOfAll(run_->history());
    const bool has_epochs = run_ == nullptr || run_->run().fit.steps == 0;
    QStringList axes{of_all ? tr("Global step") : tr("Step"), tr("Relative"), tr("Wall")};
    std::vector<XAxis> kinds{XAxis::kStep, XAxis::kRelative, XAxis::kWall};
    if (has_epochs) {
        axes << tr("Epoch");
        kinds.push_back(XAxis::kEpoch);
    }
    charts_.group().setAxes(std::move(kinds));
    if (!has_epochs && charts_.group().xAxis() == XAxis::kEpoch) charts_.group().setXAxis(XAxis::kStep);
    fill(x_axis_, axes);
    fill(workers_, {of_all ? tr("Chief") : tr("Mean"), tr("Each")});
}

void MonitorTools::setHeard(bool heard) {
    heard_ = heard;
    refresh();
}

void MonitorTools::setTime(bool on) {
    time_->setChecked(on);
}

void MonitorTools::setNarrow(bool narrow) {
    narrow_ = narrow;
    refresh();
}

MonitorTools::Face MonitorTools::face() const {
    return faces_->current() == 1 ? Face::kXray : Face::kCharts;
}

void MonitorTools::refresh() {
    const QString no_xray = XrayView::obstacle(run_);
    faces_->setObstacle(1, no_xray);
    if (!no_xray.isEmpty()) faces_->setCurrent(0);
    const bool charts = face() == Face::kCharts;
    for (QWidget* part : std::initializer_list<QWidget*>{chart_group_, picture_, export_}) part->setVisible(charts);
    const bool active = run_ != nullptr && isActive(run_->state());
    const bool paused = run_ != nullptr && run_->state() == session::RunState::kPaused;
    add_chart_->setEnabled(run_ != nullptr);
    const bool follows = charts_.group().follows() || !charts;
    const bool live = active && follows && heard_;
    live_pill_->setState(paused ? PillTone::kWarn : PillTone::kOk, live ? tr("Live") : QString());  // hidden without a text
    live_->setVisible(!follows);
    live_->setText(active ? tr("Back to live") : tr("Show all"));
    workers_group_->setVisible(!narrow_ && run_ != nullptr && run_->tasks().size() > 1);
    workers_->setEnabled(charts_.hasEachWorker());
    workers_->setToolTip(charts_.hasEachWorker() ? QString() : tr("The workers report the mean of the global batch only"));
}

void MonitorTools::retranslate() {
    faces_->setEntries({tr("Charts"), tr("X-ray")});
    faces_->setAccessibleName(tr("What is shown of the run"));
    add_chart_->setText(tr("Chart"));
    add_chart_->setToolTip(tr("Adds a chart of anything that the run streams"));
    smoothing_label_->setText(tr("Smoothing"));
    smoothing_->setAccessibleName(tr("Smoothing"));
    smoothing_box_->setAccessibleName(tr("Smoothing"));
    x_label_->setText(tr("x"));
    x_axis_->setAccessibleName(tr("x axis"));
    workers_label_->setText(tr("Workers"));
    workers_->setAccessibleName(tr("Workers"));
    time_->setToolTip(tr("Go back in the run's time (T)"));
    time_->setAccessibleName(time_->toolTip());
    picture_->setToolTip(tr("Copy a picture of the charts"));
    picture_->setAccessibleName(picture_->toolTip());
    export_->setToolTip(tr("Export (Ctrl+E)"));
    export_->setAccessibleName(export_->toolTip());
    fillChoices();
    refresh();
}

}  // namespace ui::views

#include "moc_monitor_tools.cpp"
