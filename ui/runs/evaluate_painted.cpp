// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/evaluate_painted.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/models/numbers.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;
using widgets::paintText;

namespace {

constexpr double kHeadHeight = 20, kAccuracyWidth = 132, kMostLabelWidth = 92, kLeastTextCell = 24;
constexpr double kLeastWrong = 0.08, kWrongRange = 0.4;
constexpr int kThumb = 56, kMistakeWidth = 84, kMistakeHeight = 96;
constexpr int kBarRow = 26;
constexpr int kLayerHead = 20, kMapGap = 4, kLayerGap = 12, kMostMaps = 64, kMapSide = 28, kMostMapSide = 56, kFlatHeight = 14;

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto part = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {part(from.red(), to.red()), part(from.green(), to.green()), part(from.blue(), to.blue())};
}

}  // namespace

QImage imageOf(const session::PixelPicture& picture) {
    if (picture.width < 1 || picture.height < 1) return {};
    QImage image(picture.width, picture.height, QImage::Format_RGB32);
    const auto* pixel = reinterpret_cast<const unsigned char*>(picture.pixels.constData());
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x, pixel += picture.channels) {
            image.setPixel(x, y, picture.channels == 3 ? qRgb(pixel[0], pixel[1], pixel[2]) : qRgb(pixel[0], pixel[0], pixel[0]));
        }
    }
    return image;
}

// ---- confusion matrix ------------------------------------------------------------------------------------------------------------------

ConfusionView::ConfusionView(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("confusionView");
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ConfusionView::setResult(const session::EvaluationResult* result) {
    result_ = result;
    current_ = {0, 0};
    chosen_.reset();
    retranslate();
    update();
}

void ConfusionView::retranslate() {
    setAccessibleName(tr("Confusion matrix"));
    setAccessibleDescription(result_ ? sentence(current_.first, current_.second) : QString());
    update();
}

QString ConfusionView::sentence(int label, int predicted) const {
    const auto count = result_->confusion[static_cast<std::size_t>(label)][static_cast<std::size_t>(predicted)];
    const QString name = result_->classes[label];
    if (label == predicted) return tr("%1 of class %2 are right").arg(models::formatCount(count), name);
    return tr("%1 of class %2 are taken for %3").arg(models::formatCount(count), name, result_->classes[predicted]);
}

double ConfusionView::labelWidth() const {
    const QFontMetricsF metrics(themes_.font(TextRole::kSmall));
    double width = 20;
    for (const QString& name : result_->classes) width = std::max(width, metrics.horizontalAdvance(name) + 10);
    return std::min(width, kMostLabelWidth);
}

QRectF ConfusionView::grid() const {
    const double left = labelWidth() + 18;
    return {left, kHeadHeight + 16, std::max(10.0, width() - left - kAccuracyWidth), std::max(10.0, height() - kHeadHeight - 20)};
}

QRectF ConfusionView::cellRect(int label, int predicted) const {
    const QRectF all = grid();
    const double w = all.width() / classes(), h = all.height() / classes();
    return {all.left() + w * predicted, all.top() + h * label, w, h};
}

std::optional<std::pair<int, int>> ConfusionView::cellAt(QPointF point) const {
    const QRectF all = grid();
    if (classes() == 0 || !all.contains(point)) return std::nullopt;
    const int last = classes() - 1;
    return std::pair(std::min(last, static_cast<int>((point.y() - all.top()) / all.height() * classes())),
                     std::min(last, static_cast<int>((point.x() - all.left()) / all.width() * classes())));
}

double ConfusionView::mostWrong() const {
    std::int64_t most = 0;
    for (std::size_t label = 0; label < result_->confusion.size(); ++label) {
        for (std::size_t predicted = 0; predicted < result_->confusion[label].size(); ++predicted) {
            if (label != predicted) most = std::max(most, result_->confusion[label][predicted]);
        }
    }
    return static_cast<double>(most);
}

void ConfusionView::paintClass(QPainter& painter, int label) const {
    const theme::Theme& t = themes_.theme();
    const auto at = static_cast<std::size_t>(label);
    const QRectF first = cellRect(label, 0);
    paintText(painter, QRectF(16, first.top(), labelWidth() - 4, first.height()), result_->classes[label], themes_.font(TextRole::kSmall),
              t.text, Qt::AlignRight | Qt::AlignVCenter);
    const double most_wrong = mostWrong();
    for (int predicted = 0; predicted < classes(); ++predicted) {
        const std::int64_t count = result_->confusion[at][static_cast<std::size_t>(predicted)];
        const QRectF cell = cellRect(label, predicted).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool right = label == predicted;
        // Mistakes are few: on a scale of logarithms up to the most frequent one 1, 11 and 100 are told apart.
        const double strength = right ? 0 : std::log1p(static_cast<double>(count)) / std::log1p(std::max(1.0, most_wrong));
        const QColor fill = count == 0 ? t.sunken : right ? t.ok_tint : mixed(t.sunken, t.warn, kLeastWrong + kWrongRange * strength);
        painter.fillRect(cell, fill);
        if (cell.width() >= kLeastTextCell && cell.height() >= 13 && count > 0) {
            paintText(painter, cell, models::formatCount(count), themes_.font(TextRole::kMonoTick), right ? t.ok : t.text, Qt::AlignCenter);
        }
    }
    const double accuracy = result_->class_accuracy[at];
    const QRectF row(grid().right() + 10, first.top(), kAccuracyWidth - 14, first.height());
    const QRectF bar(row.left(), row.center().y() - 4, row.width() - 56, 8);
    widgets::paintBox(painter, bar, 4, t.sunken, QColor());
    if (std::isfinite(accuracy) && accuracy > 0)
        widgets::paintBox(painter, QRectF(bar.left(), bar.top(), bar.width() * accuracy, 8), 4, t.accent_fill, QColor());
    paintText(painter, row, models::formatMetric(accuracy), themes_.font(TextRole::kMono), t.text, Qt::AlignRight | Qt::AlignVCenter);
}

void ConfusionView::paintEvent(QPaintEvent*) {
    if (!result_) return;
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont tick = themes_.font(TextRole::kTick);
    const QRectF all = grid();
    paintText(painter, QRectF(all.left(), 0, all.width(), 16), tr("prediction"), tick, t.text2, Qt::AlignCenter);
    paintText(painter, QRectF(all.right() + 10, kHeadHeight - 4, kAccuracyWidth - 14, 18), tr("accuracy"), tick, t.text2,
              Qt::AlignRight | Qt::AlignVCenter);
    painter.save();
    painter.translate(8, all.center().y());
    painter.rotate(-90);
    paintText(painter, QRectF(-60, -8, 120, 16), tr("label"), tick, t.text2, Qt::AlignCenter);
    painter.restore();
    for (int predicted = 0; predicted < classes(); ++predicted) {
        const QRectF cell = cellRect(0, predicted);
        paintText(painter, QRectF(cell.left(), kHeadHeight - 4, cell.width(), 18), result_->classes[predicted],
                  themes_.font(TextRole::kSmall), t.text, Qt::AlignCenter);
    }
    for (int label = 0; label < classes(); ++label) paintClass(painter, label);
    if (chosen_) widgets::paintBox(painter, cellRect(chosen_->first, chosen_->second), 2, QColor(), t.text, 2);
    if (focused_) widgets::paintBox(painter, cellRect(current_.first, current_.second), 2, QColor(), t.accent, 2);
}

void ConfusionView::choose(std::pair<int, int> cell) {
    current_ = cell;
    chosen_ = chosen_ == cell ? std::nullopt : std::optional(cell);
    retranslate();
    emit cellChosen();
}

bool ConfusionView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && result_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = cellAt(help->pos());
        cell ? QToolTip::showText(help->globalPos(), sentence(cell->first, cell->second), this) : QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void ConfusionView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !result_) return;
    if (const auto cell = cellAt(event->position())) choose(*cell);
}

void ConfusionView::keyPressEvent(QKeyEvent* event) {
    const int last = classes() - 1;
    if (last < 0) return QWidget::keyPressEvent(event);
    auto& [label, predicted] = current_;
    switch (event->key()) {
        case Qt::Key_Up:
            label = std::max(0, label - 1);
            break;
        case Qt::Key_Down:
            label = std::min(last, label + 1);
            break;
        case Qt::Key_Left:
            predicted = std::max(0, predicted - 1);
            break;
        case Qt::Key_Right:
            predicted = std::min(last, predicted + 1);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            return choose(current_);
        default:
            return QWidget::keyPressEvent(event);
    }
    retranslate();
}

void ConfusionView::focusInEvent(QFocusEvent* event) {
    focused_ = widgets::byKeyboard(event->reason());
    update();
}

void ConfusionView::focusOutEvent(QFocusEvent*) {
    focused_ = false;
    update();
}

// ---- wrong answers ---------------------------------------------------------------------------------------------------------------------

QSize MistakeDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {kMistakeWidth, kMistakeHeight};
}

void MistakeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    const auto* model = qobject_cast<const models::MistakeModel*>(index.model());
    if (!model) return;
    const session::WrongAnswer& wrong = model->at(index.row());
    const QRectF cell(option.rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected) {
        widgets::paintBox(*painter, cell.adjusted(2, 2, -2, -2), theme::kRadiusControl, t.accent_tint, QColor());
    } else if (option.state & QStyle::State_MouseOver) {
        widgets::paintBox(*painter, cell.adjusted(2, 2, -2, -2), theme::kRadiusControl, t.mixed(t.surface, 4), QColor());
    }
    const QRectF picture(std::round(cell.center().x() - kThumb / 2.0), cell.top() + 6, kThumb, kThumb);
    painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
    const QImage image = imageOf(wrong.picture);
    image.isNull() ? painter->fillRect(picture, t.sunken) : painter->drawImage(picture, image);
    paintText(*painter, QRectF(cell.left(), picture.bottom() + 2, cell.width(), 16), index.data(models::MistakeModel::kPairRole).toString(),
              themes_.font(TextRole::kSmallMedium), t.text, Qt::AlignCenter);
    paintText(*painter, QRectF(cell.left(), picture.bottom() + 17, cell.width(), 14),
              index.data(models::MistakeModel::kConfidenceRole).toString(), themes_.font(TextRole::kMonoTick), t.text2, Qt::AlignCenter);
    if (option.state & QStyle::State_HasFocus) {
        widgets::paintBox(*painter, cell.adjusted(2, 2, -2, -2), theme::kRadiusControl, QColor(), t.accent, 2);
    }
    painter->restore();
}

// ---- best classes ----------------------------------------------------------------------------------------------------------------------

BestClasses::BestClasses(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("bestClasses");
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void BestClasses::setBest(std::vector<session::BestClass> best) {
    best_ = std::move(best);
    retranslate();
    update();
}

void BestClasses::retranslate() {
    QStringList parts;
    for (const session::BestClass& one : best_) parts << QStringLiteral("%1 %2").arg(one.name, models::formatMetric(one.probability));
    setAccessibleName(tr("Five best classes"));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

void BestClasses::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double name_width = 20;
    for (const session::BestClass& one : best_) {
        name_width = std::max(name_width, QFontMetricsF(themes_.font(TextRole::kStrong)).horizontalAdvance(one.name) + 8);
    }
    name_width = std::min(name_width, width() * 0.4);
    for (std::size_t i = 0; i < best_.size(); ++i) {
        const QRectF row(0, static_cast<double>(i) * kBarRow, width(), kBarRow);
        paintText(painter, QRectF(0, row.top(), name_width, row.height()), best_[i].name,
                  themes_.font(i == 0 ? TextRole::kStrong : TextRole::kBody), t.text);
        const QRectF bar(name_width + 4, row.center().y() - 4, std::max(10.0, row.width() - name_width - 64), 8);
        widgets::paintBox(painter, bar, 4, t.sunken, QColor());
        const double filled = bar.width() * std::clamp(best_[i].probability, 0.0, 1.0);
        if (filled >= 1)
            widgets::paintBox(painter, QRectF(bar.left(), bar.top(), filled, 8), 4, i == 0 ? t.accent_fill : t.control, QColor());
        paintText(painter, row, models::formatMetric(best_[i].probability), themes_.font(TextRole::kMono), t.text,
                  Qt::AlignRight | Qt::AlignVCenter);
    }
}

// ---- maps of the layers ----------------------------------------------------------------------------------------------------------------

ActivationView::ActivationView(const theme::ThemeController& themes, QWidget* parent) : QAbstractScrollArea(parent), themes_(themes) {
    setObjectName("activationView");
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    connect(&themes, &theme::ThemeController::themeChanged, this, [this] {
        std::vector<session::LayerMaps> layers;
        for (Row& row : rows_) layers.push_back(std::move(row.layer));
        setLayers(std::move(layers));
    });
}

// Colours run from the ground to the accent: dark themes get lighter with the value, light ones darker.
QImage ActivationView::mapImage(const session::LayerMaps& layer, int map) const {
    const theme::Theme& t = themes_.theme();
    std::array<QRgb, 256> ramp{};
    for (int level = 0; level < 256; ++level) ramp[static_cast<std::size_t>(level)] = mixed(t.sunken, t.accent, level / 255.0).rgb();
    QImage image(layer.width, layer.height, QImage::Format_RGB32);
    const auto* value =
        reinterpret_cast<const unsigned char*>(layer.maps.constData()) + static_cast<qsizetype>(map) * layer.width * layer.height;
    for (int y = 0; y < layer.height; ++y) {
        for (int x = 0; x < layer.width; ++x) image.setPixel(x, y, ramp[*value++]);
    }
    return image;
}

void ActivationView::setLayers(std::vector<session::LayerMaps> layers) {
    rows_.clear();
    for (session::LayerMaps& layer : layers) {
        Row row;
        for (int map = 0; map < std::min(layer.shown, kMostMaps); ++map) row.maps.push_back(mapImage(layer, map));
        row.layer = std::move(layer);
        rows_.push_back(std::move(row));
    }
    measure();
    retranslate();
    viewport()->update();
}

void ActivationView::retranslate() {
    setAccessibleName(tr("What each layer makes of the sample"));
    QStringList parts;
    for (const Row& row : rows_) {
        parts << tr("%1, %2, from %3 to %4")
                     .arg(row.layer.layer, models::formatShape(row.layer.shape), models::formatMetric(row.layer.least),
                          models::formatMetric(row.layer.greatest));
    }
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

void ActivationView::measure() {
    const int room = std::max(60, viewport()->width() - 8);
    int height = 0;
    for (Row& row : rows_) {
        const auto maps = static_cast<int>(row.maps.size());
        if (row.layer.height == 1) {  // one long row of cells
            row.columns = 1;
            row.side_x = room;
            row.side_y = kFlatHeight;
        } else {
            const int scale = std::max(1, kMapSide / std::max(row.layer.width, row.layer.height));
            row.side_x = std::min(row.layer.width * scale, kMostMapSide);
            row.side_y = std::min(row.layer.height * scale, kMostMapSide);
            row.columns = std::max(1, room / (row.side_x + kMapGap));
        }
        const int lines = (maps + row.columns - 1) / std::max(1, row.columns);
        row.height = kLayerHead + lines * (row.side_y + kMapGap) + kLayerGap;
        height += row.height;
    }
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(kLayerHead);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
}

void ActivationView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    measure();
}

void ActivationView::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(viewport());
    int top = -verticalScrollBar()->value();
    for (const Row& row : rows_) {
        if (top + row.height >= 0 && top < viewport()->height()) {
            const QRectF head(0, top, viewport()->width() - 8, kLayerHead);
            const QFont strong = themes_.font(TextRole::kSmallMedium);
            const double name = QFontMetricsF(strong).horizontalAdvance(row.layer.layer) + 10;
            painter.setRenderHint(QPainter::Antialiasing);
            paintText(painter, head, row.layer.layer, strong, t.text);
            paintText(painter, head.adjusted(name, 0, 0, 0),
                      row.layer.class_name + QStringLiteral("  ") + models::formatShape(row.layer.shape), themes_.font(TextRole::kMonoTick),
                      t.text2);
            paintText(painter, head,
                      models::formatMetric(row.layer.least) + QStringLiteral(" \u2026 ") + models::formatMetric(row.layer.greatest),
                      themes_.font(TextRole::kMonoTick), t.text3, Qt::AlignRight | Qt::AlignVCenter);
            painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
            for (int map = 0; map < static_cast<int>(row.maps.size()); ++map) {
                const int x = map % row.columns * (row.side_x + kMapGap), y = top + kLayerHead + map / row.columns * (row.side_y + kMapGap);
                painter.drawImage(QRect(x, y, row.side_x, row.side_y), row.maps[static_cast<std::size_t>(map)]);
            }
        }
        top += row.height;
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        widgets::paintBox(painter, viewport()->rect(), theme::kRadiusSmall, QColor(), t.accent, 2);
    }
}

}  // namespace ui::views

#include "moc_evaluate_painted.cpp"
