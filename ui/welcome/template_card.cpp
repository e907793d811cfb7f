// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/template_card.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/spec/project/strategy_table.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/models/recent_model.h"
#include "ui/welcome/cluster_diagram.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;

namespace {

// Least heights: a card grows with its text.
constexpr int kCardHeight = 262, kDiagramHeight = 116, kLowHeight = 172, kLowDiagramWidth = 110, kMargin = theme::kSpace4;
constexpr double kLowScale = 0.6;

}  // namespace

TemplateCard::TemplateCard(const theme::ThemeController& themes, session::Template source, bool marked, QWidget* parent)
    : QWidget(parent), themes_(themes), source_(std::move(source)), marked_(marked) {
    setObjectName("template_" + source_.id);
    setMinimumWidth(160);
    setFocusPolicy(Qt::StrongFocus);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(theme::kSpace1);
    title_ = new widgets::TextLabel(themes, TextRole::kSection, widgets::Ink::kText, this);
    title_->setElided(true);
    title_->setWordWrap(true);
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
    setLow(false);
    retranslate();
}

void TemplateCard::setLow(bool low) {
    low_ = low;
    setMinimumHeight(low ? kLowHeight : kCardHeight);
    layout()->setContentsMargins(low ? kMargin + kLowDiagramWidth + theme::kSpace4 : kMargin + 1,
                                 low ? kMargin : kMargin + kDiagramHeight + theme::kSpace3, kMargin + 1, kMargin);
    update();
}

void TemplateCard::retranslate() {
    const auto& run = source_.run;
    const engine::spec::StrategyRow* strategy = engine::spec::findStrategy(run.strategy.name);
    const bool has_servers = strategy != nullptr && strategy->has_servers;
    const auto& cluster = run.cluster.spec;
    const std::size_t servers = has_servers ? cluster.serverTasks().size() : 0;
    const int tasks = std::max<int>(1, static_cast<int>(cluster.trainingTasks().size() + servers));
    title_->setText(QString::fromStdString(run.name));
    setAccessibleName(title_->text());
    open_->setText(marked_ ? tr("Open and train") : tr("Open"));
    open_->setAccessibleName(models::withName(open_->text(), title_->text()));
    if (!source_.needs.isEmpty()) {
        facts_->setText(tr("Needs %1, which this version can't train with yet.").arg(source_.needs));
        facts_->setInk(widgets::Ink::kText3);
        title_->setInk(widgets::Ink::kText3);
        open_->setEnabled(false);
        open_->setToolTip(facts_->text());
        setAccessibleDescription(facts_->text());
        return;
    }
    const QString processes = tasks == 1    ? tr("One process")
                              : has_servers ? tr("%n processes, variables on parameter servers", nullptr, tasks)
                                            : tr("%n processes, gradients summed over a ring", nullptr, tasks);
    const bool schedule =
        run.compile.optimizer.config.getObject("learning_rate") != nullptr ||
        std::any_of(run.callbacks.begin(), run.callbacks.end(), [](const auto& c) { return c.class_name == "LearningRateScheduler"; });
    const QString optimizer = QString::fromStdString(run.compile.optimizer.class_name);
    facts_->setText(tr("%1; %2.\n%3 on %4, batch %5 each.")
                        .arg(processes, models::shortStrategy(QString::fromStdString(run.strategy.name)),
                             schedule ? tr("%1 with decay").arg(optimizer) : optimizer, QString::fromStdString(run.data.dataset))
                        .arg(run.data.batch_size_per_replica));
    const auto count = static_cast<int>(run.fit.steps > 0 ? run.fit.steps : run.fit.epochs);
    const QString amount = run.fit.steps > 0 ? tr("%n step(s)", nullptr, count) : tr("%n epoch(s)", nullptr, count);
    amount_->setText(QString(amount).replace(QString::number(count), models::formatCount(count)));  // "5,000 steps"
    setAccessibleDescription(facts_->text());
}

void TemplateCard::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit opened(source_.id);
            break;
        case Qt::Key_R:
            if (event->modifiers() == Qt::ControlModifier) {
                emit trained(source_.id);
                break;
            }
            [[fallthrough]];
        default:
            QWidget::keyPressEvent(event);
    }
}

// Ctrl+R is this card's while it has the focus, not the open project's.
bool TemplateCard::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_R && key->modifiers() == Qt::ControlModifier) event->accept();
    }
    return QWidget::event(event);
}

void TemplateCard::mouseDoubleClickEvent(QMouseEvent*) {
    emit opened(source_.id);
}

void TemplateCard::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    by_keyboard_ = widgets::byKeyboard(event->reason());
    update();
}

void TemplateCard::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    by_keyboard_ = false;
    update();
}

void TemplateCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    const QRectF card(rect());
    const bool outlined = marked_ || by_keyboard_;
    widgets::paintBox(painter, card, theme::kRadiusCard, underMouse() ? t.mixed(t.surface, 2) : t.surface,
                      outlined ? t.accent_fill : t.border, outlined ? 2 : 1);
    const QRectF picture(kMargin + 1, kMargin + 1, low_ ? kLowDiagramWidth : width() - 2 * kMargin - 2,
                         low_ ? height() - 2 * kMargin - 2 : kDiagramHeight);
    widgets::paintBox(painter, picture, theme::kRadiusControl, t.sunken, QColor());
    painter.save();
    if (low_) painter.scale(kLowScale, kLowScale);
    const double scale = low_ ? kLowScale : 1;
    paintClusterDiagram(painter, themes_, QRectF(picture.topLeft() / scale, picture.size() / scale), source_.run.cluster.spec);
    painter.restore();
    if (source_.needs.isEmpty()) return;
    // Faded as one, so that no line shows through a task; letters on it keep 4.5:1.
    QColor wash = t.sunken;
    wash.setAlphaF(0.35F);
    painter.fillRect(picture.adjusted(4, 2, -4, -2), wash);
}

}  // namespace ui::views

#include "moc_template_card.cpp"
