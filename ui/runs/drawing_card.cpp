// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/drawing_card.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/error_text.h"
#include "ui/models/numbers.h"
#include "ui/runs/draw_pad.h"
#include "ui/runs/evaluate_card.h"
#include "ui/runs/evaluate_painted.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kPadWidth = 216, kNarrowPadWidth = 200, kBestWidth = 210;

int channelsOf(const engine::spec::Shape& shape) {
    if (shape.size() == 2) return 1;
    const bool picture = shape.size() == 3 && (shape[2] == 1 || shape[2] == 3);
    return picture ? static_cast<int>(shape[2]) : 0;
}

}  // namespace

DrawingCard::DrawingCard(const theme::ThemeController& themes, QWidget* parent) : CardFrame(themes, widgets::FrameKind::kCard, parent) {
    auto* column = cardLayout(this);
    auto* head = new QHBoxLayout;
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    clear_ = widgets::makeButton(themes, {.object_name = "drawClear", .kind = widgets::ButtonKind::kGhost, .compact = true}, this);
    fill_ = widgets::makeButton(themes, {.object_name = "drawFill", .kind = widgets::ButtonKind::kGhost, .compact = true}, this);
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(fill_);
    head->addWidget(clear_);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace5);
    pad_ = new DrawPad(themes, this);
    colors_ = new PenColors(themes, this);
    auto* field = new QVBoxLayout;
    field->setSpacing(theme::kSpace1);
    field->addWidget(pad_);
    field->addWidget(colors_);
    field->addStretch();
    auto* answer = new QVBoxLayout;
    best_ = new BestClasses(themes, this);
    text_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    text_->setWordWrap(true);
    answer->addWidget(best_);
    answer->addWidget(text_);
    answer->addStretch();
    row->addLayout(field);
    row->addLayout(answer);
    column->addLayout(head);
    column->addLayout(row, 1);
    setNarrow(false);
    connectParts();
}

void DrawingCard::connectParts() {
    connect(clear_, &QPushButton::clicked, this, [this] {
        pad_->clear();
        refreshText();
    });
    connect(pad_, &DrawPad::touched, this, &DrawingCard::touched);
    connect(pad_, &DrawPad::drawn, this, [this] {
        if (!pad_->isEmpty() && channels_ > 0) emit drawn(pad_->drawing());
    });
    connect(pad_, &DrawPad::colorWanted, colors_, &PenColors::choose);
    connect(colors_, &PenColors::colorChosen, pad_, &DrawPad::setColor);
    connect(fill_, &QPushButton::clicked, pad_, &DrawPad::fill);
}

void DrawingCard::setInput(const engine::spec::Shape& shape) {
    pad_->clear();
    best_->setBest({});
    asked_ = {};
    channels_ = channelsOf(shape);
    if (channels_ > 0) pad_->setGrid(static_cast<int>(shape[1]), static_cast<int>(shape[0]), channels_);
    pad_->setEnabled(channels_ > 0);
    for (QWidget* part : std::initializer_list<QWidget*>{colors_, fill_}) part->setVisible(channels_ == 3);
    colors_->choose(0);
    refreshText();
}

void DrawingCard::setEvaluated(bool on) {
    evaluated_ = on;
    refreshText();
}

void DrawingCard::showAnswer(const session::InspectionResult& result) {
    best_->setBest(result.best);
    if (result.sample) {
        if (result.picture.width > 0) pad_->showPicture(result.picture);
        asked_ = *result.sample;
    } else {
        asked_ = Drawing();
    }
    refreshText();
}

void DrawingCard::showProblem(const session::ErrorInfo& problem) {
    asked_ = problem;
    refreshText();
}

void DrawingCard::refreshText() {
    QString text;
    if (channels_ == 0) {
        text = tr("This model takes no pictures that could be drawn; its samples are shown here.");
    } else if (const auto* sample = std::get_if<std::int64_t>(&asked_)) {
        text = tr("Sample %1 of the test set. Draw over it to ask about a drawing.").arg(models::formatCount(*sample));
    } else if (const auto* error = std::get_if<session::ErrorInfo>(&asked_)) {
        text = models::errorText(*error);
    } else if (std::holds_alternative<Drawing>(asked_)) {
        text = tr("Your drawing");
    }
    text_->setText(evaluated_ || channels_ == 0 ? text : QString());
}

void DrawingCard::setNarrow(bool narrow) {
    for (QWidget* part : std::initializer_list<QWidget*>{pad_, colors_}) part->setFixedWidth(narrow ? kNarrowPadWidth : kPadWidth);
    for (QWidget* part : std::initializer_list<QWidget*>{best_, text_}) part->setFixedWidth(narrow ? kBestWidth * 3 / 4 : kBestWidth);
}

void DrawingCard::retranslate() {
    title_->setText(tr("Draw and see"));
    fill_->setText(tr("Fill"));
    fill_->setToolTip(tr("Fill the field with the colour (F)"));
    clear_->setText(tr("Clear"));
    pad_->retranslate();
    colors_->retranslate();
    best_->retranslate();
    refreshText();
}

}  // namespace ui::views

#include "moc_drawing_card.cpp"
