// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/output_panes.h"

#include <QAbstractButton>
#include <QAction>
#include <QDateTime>
#include <QHBoxLayout>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStackedLayout>
#include <QStackedWidget>
#include <functional>
#include <utility>

#include "engine/errors/error_catalog.h"
#include "ui/models/check_list_model.h"
#include "ui/models/error_text.h"
#include "ui/models/finding_text.h"
#include "ui/parts/delegates.h"
#include "ui/session/event_list.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::Severity;
using theme::TextRole;

namespace {

constexpr int kBarHeight = 36;

models::CheckState stateOf(Severity severity) {
    switch (severity) {
        case Severity::kError:
            return models::CheckState::kError;
        case Severity::kWarning:
            return models::CheckState::kWarning;
        case Severity::kInfo:
            break;
    }
    return models::CheckState::kInfo;
}

// "1  Problems" with a count, red or amber; tinted while its pane is open.
class PaneButton : public QAbstractButton {
public:
    PaneButton(const theme::ThemeController& themes, int number, QWidget* parent)
        : QAbstractButton(parent), themes_(themes), number_(number) {
        setObjectName(QStringLiteral("paneButton%1").arg(number));
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
    }
    void setCount(int count, bool has_errors) {
        count_ = count;
        setAccessibleDescription(count > 0 ? QString::number(count) : QString());
        has_errors_ = has_errors;
        updateGeometry();
        update();
    }
    QSize sizeHint() const override {
        const QFontMetrics metrics(themes_.font(TextRole::kSmallMedium));
        return {metrics.horizontalAdvance(text()) + 34 + (count_ > 0 ? metrics.horizontalAdvance(QString::number(count_)) + 18 : 0), 24};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const theme::Theme& t = themes_.theme();
        const QColor ground = isChecked() ? t.accent_tint : underMouse() ? t.mixed(t.rail, 4) : QColor();
        widgets::paintBox(painter, QRectF(rect()).adjusted(0, 1, 0, -1), 4, ground, hasFocus() ? t.accent : QColor(), 2);
        const QColor ink = isChecked() ? t.accent : t.text2;
        const QFont font = themes_.font(TextRole::kSmallMedium);
        widgets::paintText(painter, QRectF(9, 0, 12, height()), QString::number(number_), font, ink);
        widgets::paintText(painter, QRectF(22, 0, width(), height()), text(), font, ink);
        if (count_ == 0) return;
        const QRectF mark(width() - 24, height() / 2.0 - 8, 20, 16);
        widgets::paintBox(painter, mark, 8, has_errors_ ? t.err_tint : t.warn_tint, QColor());
        widgets::paintText(painter, mark, QString::number(count_), themes_.font(TextRole::kTickStrong), has_errors_ ? t.err : t.warn,
                           Qt::AlignCenter);
    }

private:
    const theme::ThemeController& themes_;
    const int number_;
    int count_ = 0;
    bool has_errors_ = false;
};

QListView* makeList(const theme::ThemeController& themes, models::CheckListModel* model, QWidget* parent) {
    auto* list = new QListView(parent);
    list->setModel(model);
    list->setItemDelegate(new CheckDelegate(themes, CheckDelegate::Density::kProblem, list));
    list->setUniformItemSizes(true);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setMouseTracking(true);
    return list;
}

// The code at the right of a row is a link, and an action of the row's menu for the keyboard. `explain` gets the code.
QAction* addExplain(QListView* list, const std::function<void(const QString&)>& explain) {
    const auto codeAt = [](const QModelIndex& index) { return index.data(models::CheckListModel::kFixRole).toString(); };
    QObject::connect(static_cast<CheckDelegate*>(list->itemDelegate()), &CheckDelegate::fixClicked, list,
                     [=](const QModelIndex& index) { explain(codeAt(index)); });
    auto* action = new QAction(list);
    QObject::connect(action, &QAction::triggered, list, [=] {
        if (const QString code = codeAt(list->currentIndex()); !code.isEmpty()) explain(code);
    });
    list->addAction(action);
    list->setContextMenuPolicy(Qt::ActionsContextMenu);
    return action;
}

QString codeOf(const engine::errors::ErrorKind* kind) {
    return kind == nullptr ? QString() : QString::fromUtf8(kind->code.data(), static_cast<qsizetype>(kind->code.size()));
}

// Returns the code of an error's first line that has one.
QString codeOf(const session::ErrorInfo& error) {
    for (const QString& line : error.detail.split(QLatin1Char('\n'))) {
        if (const auto* kind = engine::errors::kindOf(line.toStdString())) return codeOf(kind);
    }
    return {};
}

}  // namespace

StatusRow::StatusRow(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setFixedHeight(theme::kStatusRowHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::kSpace3, 1, theme::kSpace4, 0);
    row->setSpacing(theme::kSpace1);
    for (int pane = 1; pane <= kPaneCount; ++pane) {
        buttons_.push_back(new PaneButton(themes, pane, this));
        row->addWidget(buttons_.back());
        connect(buttons_.back(), &QAbstractButton::clicked, this, [this, pane] { emit paneToggled(pane); });
    }
    row->addStretch(1);
    agent_ = new widgets::TextLabel(themes, TextRole::kSmallMedium, widgets::Ink::kText2, this);
    agent_->setObjectName("agentState");
    agent_->setContentsMargins(14, 0, 0, 0);
    saved_ = new widgets::TextLabel(themes, TextRole::kSmallMedium, widgets::Ink::kText2, this);
    row->addWidget(agent_);
    row->addSpacing(theme::kSpace4);
    row->addWidget(saved_);
    connect(&session_.host(), &session::Host::agentChanged, this, &StatusRow::refresh);
    connect(&session_.project(), &session::Project::changed, this, &StatusRow::refresh);
    connect(&session_.project(), &session::Project::modifiedChanged, this, &StatusRow::refresh);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
}

void StatusRow::retranslate() {
    const QStringList names{tr("Problems"), tr("Task logs"), tr("Events"), tr("Metrics"), tr("Commands")};
    for (int i = 0; i < kPaneCount; ++i) {
        buttons_[static_cast<std::size_t>(i)]->setText(names[i]);
        buttons_[static_cast<std::size_t>(i)]->setToolTip(tr("%1 (Alt+%2)").arg(names[i]).arg(i + 1));
        buttons_[static_cast<std::size_t>(i)]->updateGeometry();
    }
    refresh();
}

void StatusRow::setOpenPane(int pane) {
    for (int i = 0; i < kPaneCount; ++i) buttons_[static_cast<std::size_t>(i)]->setChecked(i + 1 == pane);
}

void StatusRow::setCount(int pane, int errors, int warnings) {
    static_cast<PaneButton*>(button(pane))->setCount(errors + warnings, errors > 0);
}

void StatusRow::refresh() {
    switch (session_.host().agentState()) {
        case session::AgentState::kReady:
            agent_->setText(tr("Agent on this computer: ready"));
            break;
        case session::AgentState::kConnecting:
            agent_->setText(tr("Agent on this computer: connecting"));
            break;
        case session::AgentState::kLost:
            agent_->setText(session_.host().agentSilentSeconds() > 0
                                ? tr("Agent on this computer: no answer for %n second(s)", nullptr, session_.host().agentSilentSeconds())
                                : tr("Agent on this computer: no answer"));
            break;
    }
    agent_->setToolTip(session_.host().agentProblem());
    const bool never = session_.project().path().isEmpty();
    saved_->setText(!session_.project().isOpen()      ? QString()
                    : never                           ? tr("Project not saved")
                    : session_.project().isModified() ? tr("Unsaved changes")
                                                      : tr("Project saved"));
    update();
}

void StatusRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(rect(), t.rail);
    painter.fillRect(QRect(0, 0, width(), 1), t.border);
    const auto state = session_.host().agentState();
    const QColor color = state == session::AgentState::kReady ? t.ok : state == session::AgentState::kLost ? t.err : t.warn;
    widgets::paintDot(painter, QPointF(agent_->x() + 5, height() / 2.0 + 0.5), 3.5, color, state != session::AgentState::kConnecting);
}

PaneHost::PaneHost(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes), panes_(kPaneCount) {
    setObjectName("paneHost");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 1, 0, 0);
    column->setSpacing(0);
    auto* bar = new QWidget(this);
    bar->setFixedHeight(kBarHeight);
    bar_ = new QHBoxLayout(bar);
    bar_->setContentsMargins(theme::kSpace5, 0, theme::kSpace3, 0);
    bar_->setSpacing(theme::kSpace3);
    title_ = new widgets::TextLabel(themes, TextRole::kStrong, widgets::Ink::kText, bar);
    close_ = widgets::makeButton(themes,
                                 {.object_name = "paneClose", .icon = "close", .kind = widgets::ButtonKind::kGhost, .compact = true}, bar);
    bar_->addWidget(title_);
    bar_->addStretch();  // gives way to tools
    bar_->addWidget(close_);
    stack_ = new QStackedWidget(this);
    column->addWidget(bar);
    column->addWidget(stack_, 1);
    connect(close_, &QPushButton::clicked, this, &PaneHost::close);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    hide();
}

void PaneHost::setPane(int pane, QWidget* content, QWidget* tools) {
    Pane& slot = panes_[static_cast<std::size_t>(pane - 1)];
    slot.content = content;
    slot.tools = tools;
    stack_->addWidget(content);
    if (tools) {
        tools->hide();
        bar_->insertWidget(1, tools, 1);
    }
}

bool PaneHost::has(int pane) const {
    return panes_[static_cast<std::size_t>(pane - 1)].content != nullptr;
}

void PaneHost::open(int pane) {
    if (!has(pane)) return;
    open_ = pane;
    for (Pane& other : panes_) {
        if (other.tools) other.tools->setVisible(&other == &panes_[static_cast<std::size_t>(pane - 1)]);
    }
    title_->setText(panes_[static_cast<std::size_t>(pane - 1)].title);
    stack_->setCurrentWidget(panes_[static_cast<std::size_t>(pane - 1)].content);
    show();
    emit openChanged(pane);
}

void PaneHost::close() {
    open_ = 0;
    hide();
    emit openChanged(0);
}

void PaneHost::setTitles(const QStringList& titles) {
    close_->setAccessibleName(tr("Close the pane"));
    for (int i = 0; i < kPaneCount; ++i) panes_[static_cast<std::size_t>(i)].title = titles.value(i);
    if (open_ > 0) title_->setText(titles.value(open_ - 1));
}

void PaneHost::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(rect(), t.surface);
    painter.fillRect(QRect(0, 0, width(), 1), t.border);
    painter.fillRect(QRect(0, kBarHeight, width(), 1), t.border);
}

ProblemsPane::ProblemsPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), model_(new models::CheckListModel(this)) {
    auto* stack = new QStackedLayout(this);
    list_ = makeList(themes, model_, this);
    list_->setObjectName("problemsList");
    empty_ = new widgets::TextLabel(themes, TextRole::kSmall, widgets::Ink::kText2, this);
    empty_->setContentsMargins(theme::kSpace6, 0, 0, 0);
    stack->addWidget(list_);
    stack->addWidget(empty_);
    connect(list_, &QListView::activated, this,
            [this](const QModelIndex& index) { emit revealRequested(index.data(models::CheckListModel::kPathRole).toString()); });
    connect(list_, &QListView::clicked, this, [this](const QModelIndex& index) {
        if (std::exchange(explains_, false)) return;  // the click was on the code
        emit revealRequested(index.data(models::CheckListModel::kPathRole).toString());
    });
    connect(static_cast<CheckDelegate*>(list_->itemDelegate()), &CheckDelegate::fixClicked, this, [this] { explains_ = true; });
    explain_ = addExplain(list_, [this](const QString& code) { emit explainRequested(code); });
    connect(&session_.project(), &session::Project::changed, this, &ProblemsPane::refresh);
    retranslate();
}

void ProblemsPane::retranslate() {
    list_->setAccessibleName(tr("Problems"));
    explain_->setText(tr("What its code means"));
    refresh();
}

void ProblemsPane::refresh() {
    std::vector<models::CheckRow> rows;
    for (const auto& found : session_.project().diagnostics()) {
        const QString path = QString::fromStdString(found.path), fix = models::findingText(found.fix);
        rows.push_back({.state = stateOf(found.severity),
                        .title = models::findingText(found.message),
                        .detail = fix.isEmpty() ? path : path + QStringLiteral("  ·  ") + fix,
                        .fix = codeOf(engine::errors::kindOf(found.path, found.message)),
                        .path = path});
    }
    model_->setRows(std::move(rows));
    empty_->setText(session_.project().isOpen() ? tr("No problem: the project can be launched.") : tr("No project is open."));
    static_cast<QStackedLayout*>(layout())->setCurrentIndex(model_->rowCount() > 0 ? 0 : 1);
}

EventsPane::EventsPane(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), model_(new models::CheckListModel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    list_ = makeList(themes, model_, this);
    list_->setObjectName("eventsList");
    column->addWidget(list_);
    explain_ = addExplain(list_, [this](const QString& code) { emit explainRequested(code); });
    connect(&session_.events(), &session::EventList::added, this, &EventsPane::refresh);
    retranslate();
}

void EventsPane::retranslate() {
    list_->setAccessibleName(tr("Events"));
    explain_->setText(tr("What its code means"));
    refresh();
}

void EventsPane::refresh() {
    std::vector<models::CheckRow> rows;
    for (const auto& event : session_.events().rows()) {
        const QDateTime when = QDateTime::fromMSecsSinceEpoch(event.time_unix_ns / 1'000'000);
        rows.push_back({.state = stateOf(event.severity),
                        .title = event.error ? models::errorText(*event.error) : event.text,
                        .detail = when.toString("HH:mm:ss"),
                        .fix = event.error ? codeOf(*event.error) : QString()});
    }
    model_->setRows(std::move(rows));
    list_->scrollToBottom();
}

}  // namespace ui::views

#include "moc_output_panes.cpp"
