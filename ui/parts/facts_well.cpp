// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/facts_well.h"

#include <algorithm>

#include "ui/models/finding_text.h"
#include "ui/widgets/painting.h"

namespace ui::views {
namespace {

constexpr int kRow = 22, kPad = theme::kSpace1 + 2, kRowLayoutHeight = 50;

}  // namespace

FactsWell::FactsWell(const theme::ThemeController& themes, QWidget* parent, Layout layout)
    : QWidget(parent), themes_(themes), layout_(layout) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void FactsWell::setFacts(std::vector<std::pair<QString, QString>> facts) {
    if (facts == facts_) return;
    facts_ = std::move(facts);
    QStringList spoken;
    for (const auto& [name, value] : facts_) spoken << models::withName(name, value);
    setAccessibleName(spoken.join("; "));
    updateGeometry();
    update();
}

QSize FactsWell::sizeHint() const {
    if (layout_ == Layout::kRow) return {400, kRowLayoutHeight};
    return {200, static_cast<int>(facts_.size()) * kRow + 2 * kPad};
}

void FactsWell::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    widgets::paintBox(painter, rect(), theme::kRadiusControl, t.sunken, QColor());
    if (layout_ == Layout::kRow) {
        const double each = (width() - 2.0 * theme::kSpace4) / std::max<double>(1, static_cast<double>(facts_.size()));
        double left = theme::kSpace4;
        for (const auto& [name, value] : facts_) {
            widgets::paintText(painter, QRectF(left, 7, each - 8, 19), value, themes_.font(theme::TextRole::kMonoField), t.text);
            widgets::paintText(painter, QRectF(left, 26, each - 8, 17), name, themes_.font(theme::TextRole::kSmall), t.text2);
            left += each;
        }
        return;
    }
    double top = kPad;
    for (const auto& [name, value] : facts_) {
        const QRectF row(theme::kSpace4, top, width() - 2 * theme::kSpace4, kRow);
        widgets::paintText(painter, row, name, themes_.font(theme::TextRole::kSmall), t.text2);
        widgets::paintText(painter, row, value, themes_.font(theme::TextRole::kMono), t.text, Qt::AlignRight | Qt::AlignVCenter);
        top += kRow;
    }
}

}  // namespace ui::views

#include "moc_facts_well.cpp"
