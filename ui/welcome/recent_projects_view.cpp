// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/recent_projects_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QListView>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/models/recent_model.h"
#include "ui/parts/delegates.h"
#include "ui/session/project/recent_projects.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kEmptyHeight = 116, kLeastList = 50;  // one row

}  // namespace

RecentProjectsView::RecentProjectsView(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), model_(new models::RecentModel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace3);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kSpace2);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    blank_ = widgets::makeButton(themes, {.object_name = "newProjectButton", .icon = "plus", .compact = true}, this);
    open_ = widgets::makeButton(themes, {.object_name = "openProjectButton", .icon = "folder", .compact = true}, this);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(blank_);
    head->addWidget(open_);
    column->addLayout(head);
    column->addWidget(card_ = buildList(themes), 1);
    column->addStretch(0);
    connect(list_, &QListView::activated, this, [this](const QModelIndex& index) { emit projectRequested(model_->path(index.row())); });
    connect(blank_, &QPushButton::clicked, this, [this] { window()->findChild<QAction*>("actionNew")->trigger(); });
    connect(open_, &QPushButton::clicked, this, [this] { window()->findChild<QAction*>("actionOpen")->trigger(); });
    connect(&session_.recents(), &session::RecentProjects::changed, this, &RecentProjectsView::refresh);
    connect(&session_.runs(), &session::Runs::changed, this, &RecentProjectsView::refresh);
}

QWidget* RecentProjectsView::buildList(const theme::ThemeController& themes) {
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    auto* frame = new QVBoxLayout(card);
    frame->setContentsMargins(1, 1, 1, 1);
    stack_ = new QStackedLayout;
    frame->addLayout(stack_);
    list_ = new QListView(card);
    list_->setObjectName("recentList");
    list_->setModel(model_);
    list_->setItemDelegate(new RecentDelegate(themes, list_));
    list_->setUniformItemSizes(true);
    list_->setMinimumHeight(kLeastList);
    list_->setMouseTracking(true);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->viewport()->setAutoFillBackground(false);
    empty_ = new TextLabel(themes, TextRole::kBody, Ink::kText2, card);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    stack_->addWidget(list_);
    stack_->addWidget(empty_);
    return card;
}

QSize RecentProjectsView::sizeHint() const {
    return {QWidget::sizeHint().width(), minimumSizeHint().height()};
}

void RecentProjectsView::setEmptyText(const QString& text) {
    empty_->setText(text);
}

void RecentProjectsView::focusList() {
    list_->setFocus(Qt::TabFocusReason);
}

void RecentProjectsView::refresh() {
    model_->setRows(session_.recents().list(), session_.runs().list(), [this](const QString& run) { return session_.runs().curveOf(run); });
    const int rows = model_->rowCount();
    stack_->setCurrentIndex(rows > 0 ? 0 : 1);
    card_->setMaximumHeight(rows > 0 ? rows * list_->sizeHintForRow(0) + 2 : kEmptyHeight);
}

void RecentProjectsView::retranslate() {
    title_->setText(tr("Recent"));
    blank_->setText(tr("New blank project"));
    open_->setText(tr("Open"));
    list_->setAccessibleName(tr("Recent projects"));
    refresh();
}

}  // namespace ui::views

#include "moc_recent_projects_view.cpp"
