// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_facts.h"

#include <algorithm>

#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kHeight = 50, kValueHeight = 26;

}  // namespace

DataFacts::DataFacts(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("dataFacts");
    setFixedHeight(kHeight);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void DataFacts::setFacts(std::vector<DataFact> facts) {
    facts_ = std::move(facts);
    QStringList sentence;
    for (const DataFact& fact : facts_) sentence << fact.value + QLatin1Char(' ') + fact.meaning;
    setAccessibleName(sentence.join(", "));
    setToolTip(sentence.join("\n"));
    update();
}

// Each fact is as wide as its texts, and the rest of the width lies between them: nothing is cut while there is room.
void DataFacts::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    const QFontMetricsF value(themes_.font(TextRole::kTitle)), meaning(themes_.font(TextRole::kSmall));
    std::vector<double> widths;
    double sum = 0;
    for (const DataFact& fact : facts_) {
        widths.push_back(std::max(value.horizontalAdvance(fact.value), meaning.horizontalAdvance(fact.meaning)) + 2);
        sum += widths.back();
    }
    const double gaps = std::max<double>(1, static_cast<double>(facts_.size()) - 1);
    const double gap = std::clamp((width() - sum) / gaps, double{theme::kSpace4}, double{theme::kSpace7});
    const double shrink = std::min(1.0, (width() - gap * gaps) / std::max(1.0, sum));
    double left = 0;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
        const double room = widths[i] * shrink;
        widgets::paintText(painter, QRectF(left, 0, room, kValueHeight), facts_[i].value, themes_.font(TextRole::kTitle), t.text);
        widgets::paintText(painter, QRectF(left, kValueHeight, room, 18), facts_[i].meaning, themes_.font(TextRole::kSmall), t.text2);
        left += room + gap;
    }
}

}  // namespace ui::views

#include "moc_data_facts.cpp"
