// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_error_card.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/spec/project/model_fixes.h"
#include "engine/spec/project/run_spec.h"
#include "ui/canvas/layer_look.h"
#include "ui/model/model_problems.h"
#include "ui/models/finding_text.h"
#include "ui/session/project/project.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::ModelFix;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

QString fixText(const ModelFix& fix) {
    const QString subject = QString::fromStdString(fix.subject);
    switch (fix.kind) {
        case ModelFix::Kind::kMoveAbove:
            return LayerErrorCard::tr("Move above %1").arg(subject);
        case ModelFix::Kind::kInsertBefore:
            return LayerErrorCard::tr("Insert %1 before it").arg(subject);
        case ModelFix::Kind::kChangeField:
            return LayerErrorCard::tr("Set %1 to %2").arg(canvas::fieldLabel(fix.subject).toLower(), QString::fromStdString(fix.value));
        case ModelFix::Kind::kDelete:
            return LayerErrorCard::tr("Delete layer");
    }
    return {};
}

// Returns the text with places to break in long names (SparseCategoricalCrossentropy), so that none makes the whole form wider than its
// dock.
QString breakable(const QString& text) {
    constexpr QChar kZeroWidthSpace(0x200B);
    constexpr int kLongName = 20;
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words) {
        if (word.size() < kLongName) continue;
        for (qsizetype i = word.size() - 1; i > 0; --i) {
            const bool begins_part = word[i].isUpper() && word[i - 1].isLower();
            if (begins_part || word[i - 1] == QLatin1Char('_')) word.insert(i, kZeroWidthSpace);
        }
    }
    return words.join(QLatin1Char(' '));
}

}  // namespace

LayerErrorCard::LayerErrorCard(session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), project_(project), themes_(themes) {
    setObjectName(QStringLiteral("layerError"));
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kError, this);
    title_->setIndent(28);
    expected_name_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    got_name_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    expected_ = new TextLabel(themes, TextRole::kMonoMedium, Ink::kText, this);
    expected_->setObjectName(QStringLiteral("layerErrorExpected"));
    got_ = new TextLabel(themes, TextRole::kMono, Ink::kError, this);
    got_->setObjectName(QStringLiteral("layerErrorGot"));
    for (TextLabel* label : {expected_, got_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* facts = new QGridLayout;
    facts->setHorizontalSpacing(theme::kSpace3);
    facts->setVerticalSpacing(theme::kSpace1);
    facts->setColumnStretch(1, 1);
    facts->addWidget(expected_name_, 0, 0, Qt::AlignTop);
    facts->addWidget(expected_, 0, 1);
    facts->addWidget(got_name_, 1, 0, Qt::AlignTop);
    facts->addWidget(got_, 1, 1);
    advice_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    advice_->setObjectName(QStringLiteral("layerErrorAdvice"));
    advice_->setWordWrap(true);
    buttons_ = new QVBoxLayout;
    buttons_->setSpacing(theme::kSpace2);
    foot_ = new QHBoxLayout;
    foot_->setSpacing(theme::kSpace2);
    why_ = widgets::makeButton(
        themes_, {.object_name = QStringLiteral("layerWhy"), .icon = {}, .kind = widgets::ButtonKind::kLink, .compact = true}, this);
    connect(why_, &QPushButton::clicked, this, &LayerErrorCard::explanationWanted);
    foot_->addWidget(why_);
    foot_->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kSpace4, theme::kSpace4, theme::kSpace4, theme::kSpace4);
    layout->setSpacing(theme::kSpace2);
    layout->addWidget(title_);
    layout->addLayout(facts);
    layout->addWidget(advice_);
    layout->addLayout(buttons_);
    layout->addLayout(foot_);
    hide();
}

void LayerErrorCard::setNode(int node) {
    const auto problems = problemsOf(project_, node);
    setVisible(!problems.empty());
    if (problems.empty()) return;
    const engine::spec::Diagnostic& problem = *problems.front();
    const auto& model = project_.spec().model;
    const auto place = modelPlaceOf(problem.path, static_cast<int>(model.layers.size()));
    const bool is_error = problem.severity == engine::spec::Severity::kError;
    is_error_ = is_error;
    for (TextLabel* label : {title_, got_}) label->setInk(is_error ? Ink::kError : Ink::kWarn);
    const QString field = canvas::fieldLabel(place->field.section(QLatin1Char('.'), -1).toStdString()).toLower();
    title_->setText(!is_error                ? (field.isEmpty() ? tr("Warning") : tr("Warning: %1").arg(field))
                    : place->field.isEmpty() ? tr("Wrong input")
                                             : tr("Wrong setting: %1").arg(field));
    const models::FindingParts parts = models::findingParts(problem.message);
    expected_name_->setText(tr("expected"));
    expected_name_->setVisible(!parts.got.isEmpty());
    expected_->setText(breakable(parts.expected));
    got_name_->setText(tr("got"));
    got_->setText(breakable(parts.got));
    got_name_->setVisible(!parts.got.isEmpty());
    got_->setVisible(!parts.got.isEmpty());
    advice_->setText(models::findingText(problem.fix));
    advice_->setVisible(!problem.fix.empty());
    setAccessibleName(title_->text());
    setAccessibleDescription(models::findingText(problem.message));
    for (QPushButton* old : std::exchange(fixes_, {})) {
        old->hide();
        old->deleteLater();  // it may be the one that was pressed
    }
    for (ModelFix& fix : engine::spec::findModelFixes(model, node - 1)) addFix(std::move(fix));
    QWidget* before = why_;
    for (QPushButton* fix : fixes_) {
        setTabOrder(before, fix);
        before = fix;
    }
    why_->setText(tr("All problems"));
    fitHeight();
}

// The button to delete stands last, beside the link, and is never filled; every other fix has a line of its own, and the best of them is
// filled.
void LayerErrorCard::addFix(ModelFix fix) {
    const bool first = fixes_.empty(), deletes = fix.kind == ModelFix::Kind::kDelete;
    auto* button = widgets::makeButton(themes_,
                                       {.object_name = first ? QStringLiteral("layerFix") : QString(),
                                        .icon = {},
                                        .kind = first && !deletes ? widgets::ButtonKind::kPrimary : widgets::ButtonKind::kPlain,
                                        .compact = true},
                                       this);
    button->setText(fixText(fix));
    if (deletes) {
        foot_->insertWidget(0, button);
    } else {
        buttons_->addWidget(button);
    }
    button->show();  // at once: a hidden one would not count for the height
    fixes_.push_back(button);
    connect(button, &QPushButton::clicked, this, [this, text = button->text(), fix = std::move(fix)] {
        const ModelFix chosen = fix;  // the button goes with the change
        const QString undo = text;
        emit nodeWanted(-1);
        project_.change(undo, [&chosen](engine::spec::RunSpec& run) { run.model = chosen.model; });
        emit nodeWanted(chosen.layer + 1);
    });
}

// Wrapped texts have no height before they have a width: the card asks for its own.
void LayerErrorCard::fitHeight() {
    constexpr int kLeastWidth = 180;
    layout()->invalidate();
    const int height =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(std::max(width(), kLeastWidth)) : layout()->totalSizeHint().height();
    if (height != minimumHeight()) setMinimumHeight(height);
}

bool LayerErrorCard::event(QEvent* event) {
    const bool done = QWidget::event(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::Show || type == QEvent::Resize || type == QEvent::LayoutRequest) fitHeight();
    return done;
}

void LayerErrorCard::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    const QColor edge = is_error_ ? t.err : t.warn;
    widgets::paintBox(painter, rect(), theme::kRadiusCard, is_error_ ? t.err_tint : t.warn_tint, edge);
    const QString icon = is_error_ ? QStringLiteral("error") : QStringLiteral("warning");
    themes_.paintIcon(painter, icon, QRectF(12, title_->geometry().center().y() - 8, 18, 18), edge);
}

}  // namespace ui::views

#include "moc_layer_error_card.cpp"
