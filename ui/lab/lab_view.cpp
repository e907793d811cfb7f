// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_view.h"

#include <QHeaderView>
#include <QPainter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/charts/chart_card.h"
#include "ui/lab/lab_choice.h"
#include "ui/lab/lab_table_model.h"
#include "ui/models/numbers.h"
#include "ui/parts/inset_delegate.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/lab.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/state_panel.h"

namespace ui::views {

using engine::lab::Verdict;
using models::LabTableModel;

namespace {

constexpr int kTableShare = 56, kChartShare = 44, kLeastChart = 190, kMarkSize = 16;
constexpr int kSolidColors = 8;
constexpr int kInset = InsetDelegate::kInset;  // of a cell's content and of its head
constexpr std::array<int, LabTableModel::kColumnCount> kWidths{320, 170, 150, 96, 116, 140, 100},
    kNarrowWidths{292, 160, 116, 76, 96, 126, 100};

// Texts in the small face, over the content of their columns.
class LabHeader : public QHeaderView {
public:
    LabHeader(const theme::ThemeController& themes, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), themes_(themes) {
        setFixedHeight(theme::kTableRowHeight);
        setStretchLastSection(true);
        setSectionsClickable(false);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const theme::Theme& t = themes_.theme();
        painter->fillRect(rect, t.surface);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.border_strong);
        widgets::paintText(*painter, QRectF(rect).adjusted(kInset, 0, -kInset, 0), model()->headerData(section, Qt::Horizontal).toString(),
                           themes_.font(theme::TextRole::kSmallMedium), t.text2,
                           (LabTableModel::isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }

private:
    const theme::ThemeController& themes_;
};

}  // namespace

LabView::LabView(session::Session& session, const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName("labView");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    column->addWidget(choice_ = new LabChoice(themes, this));
    stack_ = new QStackedWidget(this);
    stack_->addWidget(state_ = new widgets::StatePanel(themes, QStringLiteral("labState"), stack_));
    auto* result = new QWidget(stack_);
    auto* parts = new QVBoxLayout(result);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(theme::kSpace3);
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, result);
    auto* frame = new QVBoxLayout(card);
    frame->setContentsMargins(1, theme::kSpace1, 1, theme::kSpace1);
    table_ = new QTableView(card);
    table_->setObjectName("labTable");
    table_->setHorizontalHeader(new LabHeader(themes, table_));
    table_->setItemDelegate(new InsetDelegate(table_));
    table_->setModel(model_ = new LabTableModel(session.lab(), themes, this));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setWordWrap(false);
    table_->setIconSize({kMarkSize, kMarkSize});
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(theme::kListRowHeight);
    setNarrow(false);
    frame->addWidget(table_);
    chart_ = new charts::ChartCard(QStringLiteral("labLoss"), themes, result);
    chart_->setMinimumHeight(kLeastChart);
    parts->addWidget(card, kTableShare);
    parts->addWidget(chart_, kChartShare);
    stack_->addWidget(result);
    column->addWidget(stack_, 1);
    connect(choice_, &LabChoice::backWanted, this, &LabView::closeWanted);
    connect(choice_, &LabChoice::startWanted, this, &LabView::start);
    connect(choice_, &LabChoice::stopWanted, &session_.lab(), &session::Lab::cancel);
    connect(choice_, &LabChoice::chosen, this, &LabView::refresh);
    connect(state_, &widgets::StatePanel::firstClicked, this, [this] {
        if (!session_.project().isOpen()) emit projectWanted();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        chart_->setHighlighted(current.isValid() ? std::optional(current.row()) : std::nullopt);
    });
    connect(&session_.lab(), &session::Lab::changed, this, [this] {
        model_->reset();
        drawCurves();
        refresh();
    });
    connect(&session_.lab(), &session::Lab::rowChanged, this, &LabView::takeRow);
    connect(&session_.project(), &session::Project::changed, this, &LabView::refresh);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &LabView::refresh);
    connect(&session_.host(), &session::Host::agentChanged, this, &LabView::refresh);
    connect(&themes, &theme::ThemeController::themeChanged, model_, &LabTableModel::repaint);
    retranslate();
}

QString LabView::obstacle() const {
    return session_.launcher().obstacle();
}

void LabView::start() {
    if (session_.lab().isRunning() || !obstacle().isEmpty()) return;
    const engine::spec::RunSpec& project = session_.project().spec();
    engine::lab::LabSettings settings;
    settings.rows = choice_->rows();
    settings.steps = choice_->steps();
    settings.tolerance = engine::lab::toleranceOf(project);
    session_.lab().start(project, session_.project().baseFolder(), std::move(settings));
    table_->setFocus(Qt::OtherFocusReason);
}

void LabView::takeRow(int index) {
    model_->rowChanged(index);
    if (session_.lab().rows()[static_cast<std::size_t>(index)].result) drawCurves();
    setTexts();
}

// Row by row in the table's order, so that a selected row's curve is the one drawn wider.
void LabView::drawCurves() {
    chart_->clearSeries();
    const std::vector<session::LabRowState>& rows = session_.lab().rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int index = chart_->addSeries(
            LabTableModel::rowText(rows[i].row),
            {.color = static_cast<int>(i), .dashed = !isSynchronous(rows[i].row), .exact = true, .second_dash = i >= kSolidColors});
        if (!rows[i].result) continue;
        const engine::lab::LossCurve& curve = rows[i].result->curve;
        for (std::size_t k = 0; k < curve.step.size(); ++k) {
            if (std::isfinite(curve.loss[k])) chart_->series(index).append(curve.step[k], curve.step[k], static_cast<float>(curve.loss[k]));
        }
    }
    chart_->dataChanged();
}

void LabView::refresh() {
    const session::Lab& lab = session_.lab();
    choice_->setRunning(lab.isRunning());
    choice_->setObstacle(obstacle());
    choice_->setStartShown(session_.project().isOpen());
    stack_->setCurrentIndex(lab.rows().empty() || (!lab.error().isEmpty() && !lab.rows().front().result) ? 0 : 1);
    setTexts();
}

QString LabView::sentence() const {
    const session::Lab& lab = session_.lab();
    const auto count = [&](Verdict verdict) {
        return static_cast<int>(std::count_if(lab.rows().begin(), lab.rows().end(), [verdict](const session::LabRowState& row) {
            return row.result && row.result->verdict == verdict;
        }));
    };
    const auto over = static_cast<int>(
        std::count_if(lab.rows().begin(), lab.rows().end(), [](const session::LabRowState& row) { return row.result.has_value(); }));
    if (lab.rows().empty()) return tr("Do all strategies train the same?");
    if (lab.isRunning()) return tr("%1 of %2 strategies trained").arg(over).arg(lab.rows().size());
    if (!lab.error().isEmpty()) return lab.error();
    if (const int wrong = count(Verdict::kDiffers); wrong > 0) return tr("%n strategy(s) differ(s) and should not", nullptr, wrong);
    if (const int failed = count(Verdict::kFailed); failed > 0) return tr("%n run(s) failed", nullptr, failed);
    if (over < static_cast<int>(lab.rows().size())) return tr("Stopped: %1 of %2 strategies trained").arg(over).arg(lab.rows().size());
    return tr("%n strategy(s) equal to Default", nullptr, count(Verdict::kEqual));
}

void LabView::setTexts() {
    const session::Lab& lab = session_.lab();
    const bool is_open = session_.project().isOpen();
    QString facts;
    if (!lab.rows().empty()) {
        const QString steps = models::formatCount(lab.settings().steps), batch = models::formatCount(lab.batch());
        facts = lab.batch() == lab.ownBatch() ? tr("%1: %2 steps, global batch %3").arg(lab.projectName(), steps, batch)
                                              : tr("%1: %2 steps, global batch %3 (the project's is %4; all replicas get equal parts)")
                                                    .arg(lab.projectName(), steps, batch, models::formatCount(lab.ownBatch()));
    }
    choice_->setSentence(facts);
    const QString why = obstacle();
    if (!lab.error().isEmpty()) {
        state_->setContent({.icon = "error", .title = tr("The lab ended before its first row"), .sentence = lab.error()});
    } else if (!is_open) {
        state_->setContent(
            {.icon = "target",
             .title = tr("No project is open"),
             .sentence = tr("The lab trains the open project under every strategy. Choose a template, or open a project (Ctrl+O)."),
             .first = tr("Choose a template")});
    } else {
        state_->setContent(
            {.icon = "target",
             .title = tr("Do all strategies train the same?"),
             .sentence = why.isEmpty() ? tr("Each strategy trains the project for the same steps on the same samples; what should end with "
                                            "Default's weights and does not turns red. Every row is a run of its own.")
                                       : tr("It can't be started now: %1.").arg(why)});
    }
    emit sentenceChanged();
}

void LabView::setNarrow(bool narrow) {
    for (int i = 0; i < LabTableModel::kColumnCount; ++i)
        table_->setColumnWidth(i, (narrow ? kNarrowWidths : kWidths)[static_cast<std::size_t>(i)]);
}

void LabView::retranslate() {
    choice_->retranslate();
    table_->setAccessibleName(tr("Strategies and what came of each"));
    chart_->setTexts(tr("Loss by step, of each strategy"), tr("loss"));
    chart_->setEmptyText(tr("appears when the first strategy is trained"));
    drawCurves();  // named in the language of now
    chart_->retranslate();
    model_->repaint();
    refresh();
}

}  // namespace ui::views

#include "moc_lab_view.cpp"
