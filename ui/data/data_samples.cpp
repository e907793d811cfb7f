// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_samples.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::DataSummary;
using session::SampleGroup;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kLeastRow = 34, kMostRow = 72, kTileMargin = 16, kMostTile = 46, kTileGap = 4, kMostLabel = 120, kLeastBar = 96;
constexpr int kLegendSwatch = 12;

// Two swatches with their words.
class Legend : public QWidget {
public:
    Legend(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    void setWords(const QString& train, const QString& test) {
        words_ = {train, test};
        setAccessibleName(train + ", " + test);
        updateGeometry();
    }
    QSize sizeHint() const override {
        const QFontMetrics metrics(themes_.font(TextRole::kSmallMedium));
        int width = 0;
        for (const QString& word : words_) width += kLegendSwatch + theme::kSpace2 + metrics.horizontalAdvance(word) + theme::kSpace4;
        return {width, theme::kCompactHeight};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const theme::Theme& t = themes_.theme();
        double left = 0;
        for (int i = 0; i < words_.size(); ++i) {
            const double high = i == 0 ? 8 : 4;
            painter.fillRect(QRectF(left, (height() - high) / 2, kLegendSwatch, high), t.seriesColor(i));
            left += kLegendSwatch + theme::kSpace2;
            const double width = QFontMetricsF(themes_.font(TextRole::kSmallMedium)).horizontalAdvance(words_[i]);
            widgets::paintText(painter, QRectF(left, 0, width + 1, height()), words_[i], themes_.font(TextRole::kSmallMedium), t.text2);
            left += width + theme::kSpace4;
        }
    }

private:
    const theme::ThemeController& themes_;
    QStringList words_;
};

}  // namespace

SampleRows::SampleRows(const theme::ThemeController& themes, QWidget* parent) : QAbstractScrollArea(parent), themes_(themes) {
    setObjectName("sampleRows");
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAutoFillBackground(false);
    setMinimumHeight(3 * kLeastRow);
    connect(&themes, &theme::ThemeController::themeChanged, this, [this] { viewport()->update(); });
}

void SampleRows::setSummary(const DataSummary& summary) {
    summary_ = summary;
    setAccessibleName(tr("%n class(es) with samples", nullptr, static_cast<int>(summary_.groups.size())));
    QStringList counts;
    for (const SampleGroup& group : summary_.groups)
        counts << models::withName(group.name, QStringLiteral("%1, %2").arg(group.train).arg(group.test));
    setAccessibleDescription(counts.join("; "));
    refreshRange();
    viewport()->update();
}

void SampleRows::setInk(SampleInk ink) {
    ink_ = ink;
    viewport()->update();
}

SampleRows::Layout SampleRows::layout() const {
    Layout at;
    const auto groups = std::max<std::size_t>(1, summary_.groups.size());
    const double width = viewport()->width();
    at.row = std::clamp(static_cast<int>(viewport()->height() / static_cast<double>(groups)), kLeastRow, kMostRow);
    at.tile = std::min(at.row - kTileMargin, kMostTile);
    const QFontMetricsF mono(themes_.font(TextRole::kMono));
    std::int64_t most = 0;
    for (const SampleGroup& group : summary_.groups) {
        at.label = std::max(at.label, mono.horizontalAdvance(group.name));
        most = std::max(most, group.train);
    }
    at.label = std::min(at.label, double{kMostLabel}) + theme::kSpace5;
    at.count = mono.horizontalAdvance(models::formatCount(std::max<std::int64_t>(most, 10000))) + theme::kSpace2;
    const double left = theme::kSpace5, right = width - theme::kSpace5;
    at.tiles = left + at.label;
    const double room = right - at.count - at.tiles;
    const double bars = std::max(double{kLeastBar}, room * 0.3);
    std::size_t available = 0;
    for (const SampleGroup& group : summary_.groups) available = std::max(available, group.samples.size());
    at.shown = static_cast<int>(std::clamp((room - bars) / (at.tile + kTileGap), 0.0, static_cast<double>(available)));
    const bool are_pictures = available > 0 && !summary_.groups.empty() &&
                              std::any_of(summary_.groups.begin(), summary_.groups.end(), [](const SampleGroup& group) {
                                  return !group.samples.empty() && !group.samples[0].image.isNull();
                              });
    const double used = are_pictures ? at.shown * (at.tile + kTileGap) : room - bars;
    at.bar_left = at.tiles + used + theme::kSpace4;
    at.bar_width = std::max(20.0, right - at.count - theme::kSpace4 - at.bar_left);
    return at;
}

void SampleRows::refreshRange() {
    const int all = layout().row * static_cast<int>(summary_.groups.size());
    verticalScrollBar()->setSingleStep(kLeastRow);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, all - viewport()->height()));
}

void SampleRows::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    refreshRange();
}

QImage SampleRows::inked(const QImage& image) const {
    if (ink_ == SampleInk::kAsStored || image.format() != QImage::Format_Grayscale8) return image;
    QImage inverted = image;
    inverted.invertPixels();
    return inverted;
}

void SampleRows::paintRow(QPainter& painter, const Layout& at, std::size_t index, double top) const {
    const theme::Theme& t = themes_.theme();
    const SampleGroup& group = summary_.groups[index];
    widgets::paintText(painter, QRectF(theme::kSpace5, top, at.label - theme::kSpace2, at.row),
                       group.name.isEmpty() ? tr("all") : group.name, themes_.font(TextRole::kMonoMedium), t.text);
    QStringList texts;
    for (int k = 0; k < at.shown && k < static_cast<int>(group.samples.size()); ++k) {
        const session::SampleTile& sample = group.samples[static_cast<std::size_t>(k)];
        if (sample.image.isNull()) {
            texts << sample.text;
            continue;
        }
        const QRectF tile(at.tiles + k * (at.tile + kTileGap), top + (at.row - at.tile) / 2.0, at.tile, at.tile);
        const QSizeF size = QSizeF(sample.image.size()).scaled(tile.size() - QSizeF(2, 2), Qt::KeepAspectRatio);
        const bool is_enlarged = size.width() * devicePixelRatioF() >= 2.0 * sample.image.width();
        painter.setRenderHint(QPainter::SmoothPixmapTransform, !is_enlarged);
        painter.drawImage(QRectF(tile.center() - QPointF(size.width() / 2, size.height() / 2), size), inked(sample.image));
        widgets::paintBox(painter, tile, theme::kRadiusSmall, QColor(), t.border);
    }
    if (!texts.isEmpty()) {
        widgets::paintText(painter, QRectF(at.tiles, top, at.bar_left - at.tiles - theme::kSpace4, at.row), texts.join("   |   "),
                           themes_.font(TextRole::kMono), t.text2);
    }
    const auto most = std::max_element(summary_.groups.begin(), summary_.groups.end(), [](const SampleGroup& a, const SampleGroup& b) {
        return std::max(a.train, a.test) < std::max(b.train, b.test);
    });
    const double scale = at.bar_width / static_cast<double>(std::max<std::int64_t>(1, std::max(most->train, most->test)));
    const double middle = top + at.row / 2.0;
    painter.fillRect(QRectF(at.bar_left, std::round(middle - 7), std::max(1.0, static_cast<double>(group.train) * scale), 9),
                     t.seriesColor(0));
    painter.fillRect(QRectF(at.bar_left, std::round(middle + 4), static_cast<double>(group.test) * scale, 4), t.seriesColor(1));
    widgets::paintText(painter, QRectF(at.bar_left + at.bar_width, top, at.count + theme::kSpace4, at.row),
                       models::formatCount(group.train), themes_.font(TextRole::kMono), t.text, Qt::AlignRight | Qt::AlignVCenter);
}

void SampleRows::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Layout at = layout();
    const double scrolled = verticalScrollBar()->value();
    for (std::size_t i = 0; i < summary_.groups.size(); ++i) {
        const double top = static_cast<double>(i) * at.row - scrolled;
        if (top + at.row >= 0 && top < viewport()->height()) paintRow(painter, at, i, top);
    }
    if (hasFocus()) widgets::paintBox(painter, viewport()->rect(), theme::kRadiusControl, QColor(), themes_.theme().accent, 2);
}

bool SampleRows::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip || summary_.groups.empty()) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Layout at = layout();
    const auto row = static_cast<std::size_t>(std::max(0, help->pos().y() + verticalScrollBar()->value()) / std::max(1, at.row));
    if (row >= summary_.groups.size()) {
        QToolTip::hideText();
        return true;
    }
    const SampleGroup& group = summary_.groups[row];
    const int column = static_cast<int>((help->pos().x() - at.tiles) / (at.tile + kTileGap));
    QString text = tr("%1: %2 training, %3 test").arg(group.name, models::formatCount(group.train), models::formatCount(group.test));
    if (help->pos().x() >= at.tiles && column < std::min(at.shown, static_cast<int>(group.samples.size()))) {
        const session::SampleTile& sample = group.samples[static_cast<std::size_t>(column)];
        if (!sample.image.isNull()) text = tr("%1: training sample %2").arg(group.name, models::formatCount(sample.index));
    }
    QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

SampleCard::SampleCard(const theme::ThemeController& themes, QWidget* parent)
    : widgets::CardFrame(themes, widgets::FrameKind::kCard, parent), themes_(themes) {
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, this);
    title_->setElided(true);
    busy_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    busy_->setObjectName("samplesBusy");
    busy_->setElided(true);
    legend_ = new Legend(themes, this);
    ink_ = new widgets::SegmentedControl(themes, this);
    ink_->setObjectName("sampleInk");
    others_ = widgets::makeButton(themes, {"otherSamples", "refresh", widgets::ButtonKind::kGhost, true}, this);
    rows_ = new SampleRows(themes, this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(theme::kSpace5 - 1, 0, theme::kSpace3, 0);
    head->setSpacing(theme::kSpace2);
    head->addWidget(title_);
    head->addWidget(busy_, 1);
    head->addWidget(legend_);
    head->addWidget(ink_);
    head->addWidget(others_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, theme::kSpace1, 1, theme::kSpace2);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(rows_, 1);
    connect(ink_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        ink_chosen_ = true;
        rows_->setInk(index == 0 ? SampleInk::kAsInk : SampleInk::kAsStored);
    });
    connect(others_, &QAbstractButton::clicked, this, &SampleCard::othersRequested);
    connect(&themes, &theme::ThemeController::themeChanged, this, &SampleCard::followTheme);
    retranslate();
    followTheme();
}

// The ink is black on white in the light theme and white on black in the dark one, until the user says otherwise.
void SampleCard::followTheme() {
    if (ink_chosen_) return;
    const QSignalBlocker quiet(ink_);
    ink_->setCurrent(themes_.theme().dark ? 1 : 0);
    rows_->setInk(themes_.theme().dark ? SampleInk::kAsStored : SampleInk::kAsInk);
}

void SampleCard::setSummary(const DataSummary& summary) {
    rows_->setSummary(summary);
    const bool is_gray = std::any_of(summary.groups.begin(), summary.groups.end(), [](const SampleGroup& group) {
        return !group.samples.empty() && group.samples[0].image.format() == QImage::Format_Grayscale8;
    });
    ink_->setVisible(is_gray && !narrow_);
}

void SampleCard::setBusy(const QString& sentence) {
    busy_->setText(sentence);
}

void SampleCard::setNarrow(bool narrow) {
    narrow_ = narrow;
    ink_->setVisible(!narrow);  // the theme's then; setSummary() knows whether there is anything to choose
    retranslate();
}

void SampleCard::retranslate() {
    title_->setText(tr("Samples and classes"));
    static_cast<Legend*>(legend_)->setWords(tr("training"), tr("test"));
    const QSignalBlocker quiet(ink_);
    ink_->setEntries({tr("As ink"), tr("As stored")});
    ink_->setAccessibleName(tr("How samples of one channel are drawn"));
    others_->setText(narrow_ ? QString() : tr("Shuffle"));
    others_->setAccessibleName(tr("Shuffle"));
    others_->setToolTip(tr("Show other samples of each class"));
    followTheme();
}

void SampleCard::paintEvent(QPaintEvent* event) {
    CardFrame::paintEvent(event);
}

}  // namespace ui::views

#include "moc_data_samples.cpp"
