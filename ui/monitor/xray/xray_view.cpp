// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/xray/xray_view.h"

#include <QDateTime>
#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/monitor/monitor_parts.h"
#include "ui/monitor/xray/rank_ring.h"
#include "ui/monitor/xray/rank_table_model.h"
#include "ui/monitor/xray/rank_texts.h"
#include "ui/session/host/host_history.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::run::ExchangeRank;
using theme::TextRole;
using widgets::Ink;

namespace {

constexpr int kRingShare = 62, kTableShare = 38, kTableRows = 3, kAgeMs = 1000;
constexpr double kOld = 1.5;  // seconds after which a reading's words are older than they say
constexpr std::array<int, RankTableModel::kColumnCount> kWidths{110, 130, 96, 76, 96, 88, 110, 104, 104},
    kNarrowWidths{92, 92, 84, 64, 80, 72, 92, 92, 84};

// Returns the newest reading of each host, with the age that its words have by now.
std::vector<ExchangeRank> ranksOf(const session::HostHistory& history, const QString& host_name, const session::RunRecord& run) {
    std::vector<engine::run::HostReading> readings;  // the newest of each computer
    if (history.newest() != nullptr) readings.push_back({host_name.toStdString(), history.newest()});
    for (const auto& [name, loads] : history.others()) readings.push_back({name, &loads.back()});
    if (readings.empty()) return {};
    const auto& cluster = run.run().cluster.spec;
    std::vector<engine::spec::TaskId> tasks = cluster.trainingTasks();
    for (const engine::spec::TaskId& server : cluster.serverTasks()) tasks.push_back(server);
    std::vector<ExchangeRank> ranks = engine::run::exchangeRanks(readings, run.id().toStdString(), tasks);
    const double now_s = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3;
    for (ExchangeRank& rank : ranks) {
        const auto reading = std::find_if(readings.begin(), readings.end(), [&](const auto& one) { return one.host == rank.host; });
        if (!rank.state || reading == readings.end()) continue;
        const double old_s = now_s - static_cast<double>(reading->load->time_unix_ns) / 1e9;
        if (old_s > kOld) rank.state->age_s += old_s;
    }
    return ranks;
}

}  // namespace

XrayView::XrayView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("xrayView"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace3);
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(theme::kSpace5, theme::kSpace4, theme::kSpace5, theme::kSpace4);
    inside->setSpacing(theme::kSpace1);
    title_ = new widgets::TextLabel(themes, TextRole::kStrong, Ink::kText, card);
    sentence_ = named(new widgets::TextLabel(themes, TextRole::kBody, Ink::kText2, card), "xraySentence");
    sentence_->setElided(true);
    ring_ = new RankRing(themes, card);
    inside->addWidget(title_);
    inside->addWidget(sentence_);
    inside->addWidget(ring_, 1);
    auto* frame = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    auto* rows = new QVBoxLayout(frame);
    rows->setContentsMargins(1, theme::kSpace1, 1, theme::kSpace1);
    table_ = named(new QTableView(frame), "xrayTable");
    table_->setModel(model_ = new RankTableModel(themes, this));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    table_->setWordWrap(false);
    table_->horizontalHeader()->setSectionsClickable(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(theme::kListRowHeight);
    table_->setMinimumHeight(theme::kTableRowHeight + kTableRows * theme::kListRowHeight);
    rows->addWidget(table_);
    column->addWidget(card, kRingShare);
    column->addWidget(frame, kTableShare);
    setFocusProxy(table_);

    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { ring_->setChosen(current.isValid() ? current.row() : -1); });
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit taskActivated(model_->ranks()[static_cast<std::size_t>(index.row())].task); });
    connect(ring_, &RankRing::rankClicked, this, &XrayView::choose);
    connect(&themes, &theme::ThemeController::themeChanged, model_, &RankTableModel::repaint);
    connect(&age_timer_, &QTimer::timeout, this, &XrayView::refresh);
    age_timer_.setInterval(kAgeMs);
    setNarrow(false);
    retranslate();
}

QString XrayView::obstacle(const session::RunRecord* run) {
    if (run == nullptr) return tr("No run is shown");
    const auto& cluster = run->run().cluster.spec;
    if (cluster.trainingTasks().size() + cluster.serverTasks().size() < 2) return tr("One task, nothing to exchange");
    return isActive(run->state()) ? QString() : tr("The run is over: an X-ray is of tasks that run now");
}

void XrayView::setRun(const session::RunRecord* run) {
    run_ = run;
    setRanks({});
    refresh();
}

void XrayView::setHost(const session::HostHistory* history, const QString& host_name) {
    if (host_ != nullptr) disconnect(host_, nullptr, this, nullptr);
    host_ = history;
    host_name_ = host_name;
    if (host_ != nullptr) connect(host_, &session::HostHistory::changed, this, &XrayView::refresh);
    refresh();
}

void XrayView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

// Costs nothing while nobody looks.
void XrayView::refresh() {
    const bool active = isVisible() && run_ != nullptr && host_ != nullptr && isActive(run_->state());
    if (active) {
        setRanks(ranksOf(*host_, host_name_, *run_));
        age_timer_.start();
    } else {
        age_timer_.stop();
    }
}

void XrayView::setRanks(std::vector<ExchangeRank> ranks) {
    const auto culprit = engine::run::findCulprit(ranks);
    sentence_->setText(RankTexts::sentence(ranks, culprit));
    sentence_->setInk(culprit ? Ink::kError : Ink::kText2);
    model_->setRanks(ranks, culprit);
    ring_->setPicture({std::move(ranks), culprit});
    ring_->setChosen(table_->currentIndex().isValid() ? table_->currentIndex().row() : -1);
    // A table of many opens at the row that matters, until somebody chooses another.
    if (culprit && !table_->currentIndex().isValid()) table_->scrollTo(model_->index(model_->culprit(), 0));
}

void XrayView::choose(int row) {
    table_->setCurrentIndex(model_->index(row, 0));
    table_->scrollTo(model_->index(row, 0));
}

void XrayView::setNarrow(bool narrow) {
    const auto& widths = narrow ? kNarrowWidths : kWidths;
    for (int column = 0; column < RankTableModel::kColumnCount; ++column) {
        table_->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
    }
}

void XrayView::retranslate() {
    title_->setText(tr("X-ray"));
    table_->setAccessibleName(tr("Tasks in their exchange"));
    setRanks(model_->ranks());
}

}  // namespace ui::views

#include "moc_xray_view.cpp"
