// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/task_log_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/log_model.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::LogLevel;
using engine::spec::TaskId;
using models::LogFilterModel;
using models::LogModel;
using theme::TextRole;
using widgets::paintText;

namespace {

constexpr int kLogRow = 20;

}  // namespace

TaskLogPane::TaskLogPane(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), runs_(runs) {
    setObjectName(QStringLiteral("taskLogPane"));
    model_ = new LogModel(100'000, this);
    filter_ = new LogFilterModel(this);
    filter_->setSourceModel(model_);
    filter_->setLeastLevel(LogLevel::kInfo);

    list_ = new QListView(this);
    list_->setObjectName(QStringLiteral("logList"));
    list_->setModel(filter_);
    list_->setItemDelegate(new LogDelegate(themes, this));
    list_->setUniformItemSizes(true);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    empty_ = new widgets::TextLabel(themes, TextRole::kSmall, widgets::Ink::kText2, this);
    empty_->setAlignment(Qt::AlignCenter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kSpace5, theme::kSpace1, 0, theme::kSpace1);
    layout->addWidget(empty_);
    layout->addWidget(list_);

    tools_ = new QWidget(this);
    tools_->hide();
    tools_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    task_ = new QComboBox(tools_);
    level_ = new QComboBox(tools_);
    for (QComboBox* one : {task_, level_}) one->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // also after a switch of the language
    text_ = new QLineEdit(tools_);
    follow_ = new QPushButton(tools_);
    copy_ = new QToolButton(tools_);
    for (QWidget* control : std::initializer_list<QWidget*>{task_, level_, text_, follow_, copy_}) control->setProperty("compact", true);
    task_->setObjectName(QStringLiteral("logTask"));
    level_->setObjectName(QStringLiteral("logLevel"));
    text_->setObjectName(QStringLiteral("logText"));
    follow_->setObjectName(QStringLiteral("logFollow"));
    copy_->setObjectName(QStringLiteral("logCopy"));
    task_->setMinimumWidth(112);
    level_->setMinimumWidth(134);
    text_->setMinimumWidth(120);
    text_->setMaximumWidth(180);
    text_->addAction(themes.icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    follow_->setCheckable(true);
    follow_->setChecked(true);
    follow_->setProperty("kind", QStringLiteral("ghost"));
    follow_->setIcon(themes.icon(QStringLiteral("check")));
    copy_->setIcon(themes.icon(QStringLiteral("copy")));
    auto* bar = new QHBoxLayout(tools_);
    bar->setContentsMargins(0, 0, 0, 0);
    bar->setSpacing(theme::kSpace2);
    bar->addWidget(task_);
    bar->addWidget(level_);
    bar->addWidget(text_);
    bar->addStretch();
    bar->addWidget(follow_);
    bar->addWidget(copy_);

    connect(task_, &QComboBox::activated, this, [this] {
        filterTask();
        setFollow(follow_->isChecked());
    });
    connect(level_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= 0) filter_->setLeastLevel(static_cast<LogLevel>(index));
    });
    connect(text_, &QLineEdit::textChanged, filter_, &LogFilterModel::setText);
    connect(follow_, &QPushButton::toggled, this, &TaskLogPane::setFollow);
    connect(copy_, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(filter_->toText()); });
    // Scrolling away from the end stops following it, as long as the user does it.
    connect(list_->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        const QScrollBar* bar_of_list = list_->verticalScrollBar();
        follow_->setChecked(bar_of_list->sliderPosition() >= bar_of_list->maximum());
    });
    connect(&runs_, &session::Runs::currentChanged, this, &TaskLogPane::adoptRun);
    adoptRun();
    retranslate();
}

void TaskLogPane::adoptRun() {
    if (run_ != nullptr) disconnect(run_, nullptr, this, nullptr);
    run_ = runs_.current();
    taken_ = 0;
    model_->clear();
    if (run_ != nullptr) {
        connect(run_, &session::RunRecord::logsArrived, this, &TaskLogPane::takeLines);
        connect(run_, &session::RunRecord::tasksChanged, this, [this] {
            if (task_->count() != static_cast<int>(run_->tasks().size()) + 1) fillTasks();
        });
    }
    fillTasks();
    takeLines();
}

void TaskLogPane::fillTasks() {
    const int index = task_->currentIndex();
    task_->clear();
    task_->addItem(tr("All tasks"));
    if (run_ != nullptr) {
        for (std::size_t i = 0; i < run_->tasks().size(); ++i) {
            task_->addItem(QString::fromStdString(engine::spec::toString(run_->tasks()[i].id)), static_cast<int>(i));
        }
    }
    task_->setCurrentIndex(index >= 0 && index < task_->count() ? index : 0);
    filterTask();  // what is said is what is shown, of another run too
}

void TaskLogPane::filterTask() {
    const QVariant value = task_->currentData();
    const bool is_one = value.isValid() && run_ != nullptr;
    filter_->setTask(is_one ? std::optional<TaskId>(run_->tasks()[static_cast<std::size_t>(value.toInt())].id) : std::nullopt);
}

void TaskLogPane::takeLines() {
    if (run_ != nullptr) {
        const auto& logs = run_->logs();
        // The record lets go of its oldest lines when it is full: then everything is read again.
        if (logs.size() < taken_) {
            taken_ = 0;
            model_->clear();
        }
        std::vector<models::LogRow> rows;
        rows.reserve(logs.size() - taken_);
        for (; taken_ < logs.size(); ++taken_) {
            models::LogRow row;
            row.seconds = run_->secondsSinceCreation(logs[taken_].time_unix_ns);
            row.task = logs[taken_].task;
            row.level = logs[taken_].level;
            row.text = QString::fromStdString(logs[taken_].text);
            rows.push_back(std::move(row));
        }
        model_->append(std::move(rows));
    }
    list_->setVisible(model_->rowCount() > 0);
    empty_->setVisible(model_->rowCount() == 0);
    if (follow_->isChecked()) list_->scrollToBottom();
}

void TaskLogPane::setFollow(bool on) {
    if (follow_->isChecked() != on) follow_->setChecked(on);
    if (on) list_->scrollToBottom();
}

void TaskLogPane::showTask(const TaskId& task, double seconds) {
    if (run_ == nullptr) return;
    for (std::size_t i = 0; i < run_->tasks().size(); ++i) {
        if (run_->tasks()[i].id == task) task_->setCurrentIndex(static_cast<int>(i) + 1);
    }
    filter_->setTask(task);
    if (seconds < 0) return setFollow(true);
    showMoment(seconds);
}

void TaskLogPane::showMoment(double seconds) {
    if (run_ == nullptr) return;
    setFollow(false);
    for (int i = 0; i < filter_->rowCount(); ++i) {
        const QModelIndex index = filter_->index(i, 0);
        if (model_->row(filter_->mapToSource(index).row()).seconds < seconds) continue;
        list_->setCurrentIndex(index);
        list_->scrollTo(index, QAbstractItemView::PositionAtCenter);
        return;
    }
    list_->scrollToBottom();
}

void TaskLogPane::showAllTasks() {
    task_->setCurrentIndex(0);
    filter_->setTask(std::nullopt);
}

void TaskLogPane::retranslate() {
    empty_->setText(tr("No line yet. Every task's lines appear here from its start."));
    const int level = level_->currentIndex();
    level_->clear();
    level_->addItems({tr("Everything"), tr("Info and above"), tr("Warnings and errors"), tr("Errors only")});
    level_->setCurrentIndex(level < 0 ? static_cast<int>(LogLevel::kInfo) : level);
    fillTasks();
    text_->setPlaceholderText(tr("Filter text"));
    text_->setAccessibleName(tr("Filter text"));
    task_->setAccessibleName(tr("Task"));
    level_->setAccessibleName(tr("Least level"));
    follow_->setText(tr("Follow"));
    follow_->setToolTip(tr("Stay at the newest line"));
    copy_->setToolTip(tr("Copy the lines shown"));
    copy_->setAccessibleName(copy_->toolTip());
    list_->setAccessibleName(tr("Task logs"));
}

void LogDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, t.accent_tint);
    const QRectF row = option.rect;
    const QFont mono = themes_.font(TextRole::kMono);
    paintText(*painter, QRectF(row.left(), row.top(), 76, row.height()), index.data(LogModel::kTimeTextRole).toString(), mono, t.text3);

    const bool agent = index.data(LogModel::kFromAgentRole).toBool();
    const TaskId task{index.data(LogModel::kTaskTypeRole).toString().toStdString(), index.data(LogModel::kTaskIndexRole).toInt()};
    const QRectF chip(row.left() + 80, row.top() + 2, 24, 16);
    QColor ground = t.sunken;
    if (!agent) {
        ground = t.taskColor(task);
        ground.setAlphaF(0.22F);
    }
    widgets::paintBox(*painter, chip, 4, ground, QColor());
    paintText(*painter, chip, agent ? QStringLiteral("A") : theme::taskMark(task), themes_.font(TextRole::kTickStrong), t.text,
              Qt::AlignCenter);

    const auto level = static_cast<LogLevel>(index.data(LogModel::kLevelRole).toInt());
    const QColor ink = level == LogLevel::kError ? t.err : (level == LogLevel::kWarning ? t.warn : t.text2);
    paintText(*painter, QRectF(row.left() + 114, row.top(), 44, row.height()), index.data(LogModel::kLevelWordRole).toString(),
              themes_.font(TextRole::kSmall), ink);
    paintText(*painter, QRectF(row.left() + 164, row.top(), row.width() - 172, row.height()), index.data(LogModel::kTextRole).toString(),
              mono, level == LogLevel::kError ? t.err : t.text);
    painter->restore();
}

QSize LogDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {400, kLogRow};
}

}  // namespace ui::views

#include "moc_task_log_pane.cpp"
