// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_compare.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QSet>
#include <QStackedWidget>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_group.h"
#include "ui/models/numbers.h"
#include "ui/parallel/parallel_view.h"
#include "ui/runs/run_curves.h"
#include "ui/runs/run_diff_view.h"
#include "ui/runs/run_log_view.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::RunRecord;
using session::RunSummary;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kToolRow = 34, kChartsShare = 68, kDiffShare = 32, kSmoothingWidth = 68;
constexpr double kMostSmoothing = 0.999, kSmoothingStep = 0.05;
constexpr std::array kAxes{models::XAxis::kEpoch, models::XAxis::kStep, models::XAxis::kRelative};

const RunSummary* findRun(const std::vector<RunSummary>& runs, const QString& id) {
    const auto at = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& run) { return run.id == id; });
    return at == runs.end() ? nullptr : &*at;
}

void fillCombo(QComboBox* combo, const QStringList& texts) {
    const int index = std::max(0, combo->currentIndex());
    const QSignalBlocker quiet(combo);
    combo->clear();
    combo->addItems(texts);
    combo->setCurrentIndex(index);
}

}  // namespace

RunCompare::RunCompare(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), runs_(runs), themes_(themes), diff_(new models::RunDiffModel(this)) {
    setObjectName("runCompare");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    column->addWidget(buildTools());
    stack_ = new QStackedWidget(this);
    auto* curves = new QWidget(stack_);
    auto* row = new QHBoxLayout(curves);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace3);
    curves_ = new RunCurves(runs, themes, curves);
    beside_ = new RunDiffView(*diff_, themes, RunDiffView::Heads::kDots, curves);
    row->addWidget(curves_, kChartsShare);
    row->addWidget(beside_, kDiffShare);
    settings_ = new RunDiffView(*diff_, themes, RunDiffView::Heads::kNames, stack_);
    parallel_ = new ParallelView(themes, stack_);
    log_ = new RunLogView(themes, stack_);
    for (QWidget* page : std::initializer_list<QWidget*>{curves, settings_, parallel_, buildCode(), log_}) stack_->addWidget(page);
    column->addWidget(stack_, 1);
    connect(tabs_, &widgets::SegmentedControl::currentChanged, this, &RunCompare::showTab);
    connect(source_, &QComboBox::currentIndexChanged, this, [this](int index) {
        curves_->setSource(static_cast<RunCurves::Source>(index));
        refreshTools();
    });
    connect(seeds_, &QComboBox::currentIndexChanged, this, [this](int index) { curves_->setSeeds(static_cast<RunCurves::Seeds>(index)); });
    connect(x_axis_, &QComboBox::currentIndexChanged, this,
            [this](int index) { curves_->group().setXAxis(kAxes[static_cast<std::size_t>(index)]); });
    connect(&curves_->group(), &charts::ChartGroup::xAxisChanged, this, [this](models::XAxis axis) {
        x_axis_->setCurrentIndex(static_cast<int>(std::find(kAxes.begin(), kAxes.end(), axis) - kAxes.begin()));
    });
    connect(smoothing_, &QDoubleSpinBox::valueChanged, this, [this](double weight) { curves_->group().setSmoothing(weight); });
    connect(curves_, &RunCurves::twinsChanged, this, &RunCompare::refreshTools);
    connect(parallel_, &ParallelView::checkWanted, this, &RunCompare::checkWanted);
    connect(parallel_, &ParallelView::runClicked, this, &RunCompare::selectWanted);
    connect(parallel_, &ParallelView::brushesChanged, this, &RunCompare::refreshTools);
    connect(&runs_, &session::Runs::comparedChanged, this, &RunCompare::refreshLogs);
    connect(&themes, &theme::ThemeController::themeChanged, this, [this] {
        code_of_.clear();
        refreshCode();
    });
    retranslate();
}

QWidget* RunCompare::buildTools() {
    auto* tools = new QWidget(this);
    tools->setFixedHeight(kToolRow);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace2);
    tabs_ = new widgets::SegmentedControl(themes_, tools);
    tabs_->setObjectName("compareTabs");
    row->addWidget(tabs_);
    row->addStretch();
    brushed_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, tools);
    row->addWidget(brushed_);
    const auto combo = [&](const char* name) {
        auto* made = new QComboBox(tools);
        made->setObjectName(QLatin1String(name));
        made->setProperty("compact", true);
        made->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // also after a switch of the language
        return made;
    };
    const auto label = [&] { return new TextLabel(themes_, TextRole::kSmall, Ink::kText2, tools); };
    source_ = combo("compareSource");
    seeds_ = combo("compareSeeds");
    x_label_ = label();
    x_axis_ = combo("compareXAxis");
    smoothing_label_ = label();
    smoothing_ = new QDoubleSpinBox(tools);
    smoothing_->setObjectName("compareSmoothing");
    smoothing_->setProperty("compact", true);
    smoothing_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    smoothing_->setRange(0, kMostSmoothing);
    smoothing_->setSingleStep(kSmoothingStep);
    smoothing_->setFixedWidth(kSmoothingWidth);
    smoothing_->setFont(themes_.font(TextRole::kMono));
    for (QWidget* part : std::initializer_list<QWidget*>{source_, seeds_, x_label_, x_axis_, smoothing_label_, smoothing_}) {
        row->addWidget(part);
    }
    return tools;
}

QWidget* RunCompare::buildCode() {
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, this);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(theme::kSpace5, theme::kSpace3, theme::kSpace3, theme::kSpace3);
    code_title_ = new TextLabel(themes_, TextRole::kStrong, Ink::kText, card);
    code_title_->setElided(true);
    code_ = new QPlainTextEdit(card);
    code_->setObjectName("compareCode");
    code_->setReadOnly(true);
    code_->setFrameShape(QFrame::NoFrame);
    code_->setLineWrapMode(QPlainTextEdit::NoWrap);
    code_->setTabChangesFocus(true);
    code_->setFont(themes_.font(TextRole::kMono));
    column->addWidget(code_title_);
    column->addWidget(code_, 1);
    return card;
}

void RunCompare::setTab(Tab tab) {
    tabs_->setCurrent(static_cast<int>(tab));
}

RunCompare::Tab RunCompare::tab() const {
    return static_cast<Tab>(stack_->currentIndex());
}

void RunCompare::showTab(int index) {
    stack_->setCurrentIndex(index);
    emit tabChanged();
    if (tab() == Tab::kParallel) parallel_->setRuns(shown_);
    refreshCode();
    refreshLogs();
    refreshTools();
}

void RunCompare::setRuns(std::vector<RunSummary> compared, std::vector<RunSummary> shown, const QString& selected,
                         const QString& baseline) {
    compared_ = std::move(compared);
    shown_ = std::move(shown);
    selected_ = selected;
    baseline_ = baseline;
    diff_->setRuns(compared_);
    refreshRates();
    curves_->setSelected(selected);
    if (tab() == Tab::kParallel) parallel_->setRuns(shown_);
    parallel_->setSelected(selected);
    refreshCode();
    refreshLogs();
    refreshTools();
}

void RunCompare::refreshRates() {
    constexpr auto kRate = "learning_rate ";
    std::map<QString, QString> rates;
    for (const session::RunRecord* run : runs_.compared()) {
        connect(run, &session::RunRecord::controlsChanged, this, &RunCompare::refreshRates, Qt::UniqueConnection);
        QStringList changes;
        for (const auto& control : run->controls()) {
            const QString what = QString::fromStdString(control.applied.what);
            if (what.startsWith(QLatin1String(kRate)))
                changes << tr("%1 from step %2")
                               .arg(models::formatRate(what.mid(QLatin1String(kRate).size()).toDouble()),
                                    models::formatCount(control.applied.step));
        }
        if (!changes.isEmpty()) rates[run->id()] = changes.join(QStringLiteral(", "));
    }
    diff_->setLiveRates(std::move(rates));
}

void RunCompare::refreshTools() {
    const bool curves = tab() == Tab::kCurves;
    for (QWidget* part : std::initializer_list<QWidget*>{source_, x_label_, x_axis_}) part->setVisible(curves);
    seeds_->setVisible(curves && curves_->hasTwins());
    const bool smoothed = curves && source_->currentIndex() == static_cast<int>(RunCurves::Source::kTraining);
    smoothing_label_->setVisible(smoothed);
    smoothing_->setVisible(smoothed);
    brushed_->setVisible(tab() == Tab::kParallel && !parallel_->plot().axes.empty());
    const bool brushed =
        std::any_of(parallel_->brushes().begin(), parallel_->brushes().end(), [](const auto& brush) { return brush.has_value(); });
    const int let_by = static_cast<int>(parallel_->letBy().size());
    const bool all = shown_.size() < kMostLines;
    brushed_->setText(brushed ? tr("%n run(s) let by; Enter checks them", nullptr, let_by)
                      : all
                          ? tr("Drag along an axis to brush it")
                          : tr("The first %n run(s) of the table; drag along an axis to brush it", nullptr, static_cast<int>(kMostLines)));
}

// Shows the project as the run resolved it; lines that the reference does not have are marked, the others stand back.
void RunCompare::refreshCode() {
    if (tab() != Tab::kCode) return;
    const RunSummary* run = findRun(runs_.list(), selected_);
    const RunSummary* reference = nullptr;
    for (const RunSummary& other : compared_) {
        if (run && other.id != run->id && (!reference || other.id == baseline_)) reference = &other;
    }
    const QString key = (run ? run->id : QString()) + '|' + (reference ? reference->id : QString());
    if (key == code_of_) return;
    code_of_ = key;
    code_title_->setText(!run        ? tr("Choose a run in the table to read its project.")
                         : reference ? tr("%1, with what differs from %2").arg(run->name, reference->name)
                                     : run->name);
    code_->setPlainText(run ? run->project_json : QString());
    const theme::Theme& t = themes_.theme();
    QSet<QString> known;
    if (reference) {
        for (const QString& line : reference->project_json.split('\n')) known.insert(line);
    }
    QList<QTextEdit::ExtraSelection> marks;
    for (QTextBlock block = code_->document()->begin(); block.isValid(); block = block.next()) {
        const bool differs = reference && !known.contains(block.text());
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        if (differs) {
            mark.format.setBackground(t.accent_tint);
            mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        } else {
            mark.cursor.select(QTextCursor::LineUnderCursor);
            mark.format.setForeground(reference ? t.text3 : t.text);
        }
        marks << mark;
    }
    code_->setExtraSelections(marks);
}

void RunCompare::refreshLogs() {
    if (tab() != Tab::kLogs) return;
    const RunRecord* run = runs_.record(selected_);
    if (!run && !runs_.compared().empty()) run = runs_.compared().front();
    log_->setRun(run);
}

void RunCompare::setNarrow(bool narrow) {
    beside_->setMinimumWidth(narrow ? 260 : 312);
}

void RunCompare::retranslate() {
    tabs_->setEntries({tr("Curves"), tr("Settings"), tr("Parallel coordinates"), tr("Code"), tr("Logs")});
    tabs_->setAccessibleName(tr("Comparison"));
    fillCombo(source_, {tr("Validation"), tr("Training")});
    fillCombo(seeds_, {tr("Each seed"), tr("Mean \u00B1 std of seeds")});
    fillCombo(x_axis_, {tr("Epoch"), tr("Step"), tr("Relative")});
    source_->setAccessibleName(tr("Curves of"));
    seeds_->setAccessibleName(tr("Runs that differ by their seed alone"));
    x_label_->setText(tr("x"));
    x_axis_->setAccessibleName(tr("x axis"));
    smoothing_label_->setText(tr("Smoothing"));
    smoothing_->setAccessibleName(tr("Smoothing"));
    code_->setAccessibleName(tr("Project of the run"));
    log_->retranslate();
    curves_->retranslate();
    beside_->retranslate();
    settings_->retranslate();
    parallel_->retranslate();
    refreshRates();
    diff_->retranslate();
    code_of_.clear();
    refreshCode();
    refreshLogs();
    refreshTools();
}

}  // namespace ui::views

#include "moc_run_compare.cpp"
