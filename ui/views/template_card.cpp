// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/template_card.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/recent_model.h"
#include "ui/views/cluster_diagram.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kCardHeight = 262, kDiagramHeight = 116, kMargin = theme::kSpace4;

}  // namespace

TemplateCard::TemplateCard(const theme::ThemeController& themes, session::Template source, bool marked, QWidget* parent)
    : QWidget(parent), themes_(themes), source_(std::move(source)), marked_(marked) {
    setObjectName("template_" + source_.id);
    setFixedHeight(kCardHeight);
    setMinimumWidth(200);
    setFocusPolicy(Qt::StrongFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin + 1, kMargin + kDiagramHeight + theme::kSpace3, kMargin + 1, kMargin);
    column->setSpacing(theme::kSpace1);
    title_ = new widgets::TextLabel(themes, TextRole::kSection, widgets::Ink::kText, this);
    title_->setElided(true);
    facts_ = new widgets::TextLabel(themes, TextRole::kSmall, widgets::Ink::kText2, this);
    facts_->setWordWrap(true);
    facts_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* foot = new QHBoxLayout;
    open_ = widgets::makeButton(themes,
                                {.object_name = "open_" + source_.id,
                                 .icon = marked_ ? "play" : "",
                                 .kind = marked_ ? widgets::ButtonKind::kPrimary : widgets::ButtonKind::kPlain,
                                 .compact = true},
                                this);
    amount_ = new widgets::TextLabel(themes, TextRole::kSmall, widgets::Ink::kText2, this);
    foot->addWidget(open_);
    foot->addStretch();
    foot->addWidget(amount_);
    column->addWidget(title_);
    column->addWidget(facts_, 1);
    column->addLayout(foot);
    connect(open_, &QPushButton::clicked, this, [this] { marked_ ? emit trained(source_.id) : emit opened(source_.id); });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
}

void TemplateCard::retranslate() {
    const auto& run = source_.run;
    const int tasks = std::max<int>(1, static_cast<int>(run.cluster.spec.trainingTasks().size()));
    title_->setText(QString::fromStdString(run.name));
    const QString processes =
        tasks == 1 ? tr("One process on this computer") : tr("%n processes on this computer, gradients summed over a ring", nullptr, tasks);
    const bool schedule =
        run.compile.optimizer.config.getObject("learning_rate") != nullptr ||
        std::any_of(run.callbacks.begin(), run.callbacks.end(), [](const auto& c) { return c.class_name == "LearningRateScheduler"; });
    const QString optimizer = QString::fromStdString(run.compile.optimizer.class_name);
    facts_->setText(tr("%1; %2.\n%3 on %4, batch %5 each.")
                        .arg(processes, models::shortStrategy(QString::fromStdString(run.strategy.name)),
                             schedule ? tr("%1 with decay").arg(optimizer) : optimizer, QString::fromStdString(run.data.dataset))
                        .arg(run.data.batch_size_per_replica));
    amount_->setText(tr("%n epoch(s)", nullptr, static_cast<int>(run.fit.epochs)));
    open_->setText(marked_ ? tr("Open and train") : tr("Open"));
    open_->setAccessibleName(open_->text() + ": " + title_->text());
    setAccessibleName(title_->text());
    setAccessibleDescription(facts_->text());
}

void TemplateCard::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit opened(source_.id);
            break;
        case Qt::Key_Right:
        case Qt::Key_Down:
            focusNextChild();
            focusNextChild();
            break;
        case Qt::Key_Left:
        case Qt::Key_Up:
            focusPreviousChild();
            focusPreviousChild();
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

void TemplateCard::mouseDoubleClickEvent(QMouseEvent*) {
    emit opened(source_.id);
}

void TemplateCard::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void TemplateCard::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void TemplateCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    const QRectF card(rect());
    widgets::paintBox(painter, card, theme::kRadiusCard, underMouse() ? t.mixed(t.surface, 2) : t.surface,
                      marked_ || hasFocus() ? t.accent_fill : t.border, marked_ || hasFocus() ? 2 : 1);
    const QRectF picture(kMargin + 1, kMargin + 1, width() - 2 * kMargin - 2, kDiagramHeight);
    widgets::paintBox(painter, picture, theme::kRadiusControl, t.sunken, QColor());
    paintClusterDiagram(painter, themes_, picture, source_.run.cluster.spec);
}

}  // namespace ui::views
