// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_summary.h"

#include <QPainter>
#include <algorithm>
#include <vector>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/project/model_summary.h"
#include "ui/models/numbers.h"
#include "ui/session/project/project.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using theme::TextRole;
using widgets::paintText;

namespace {

constexpr int kHeight = 54, kBytesOfFloat = 4;
constexpr double kShareWidth = 222, kGap = 36;

struct Fact {
    QString value, name;
};

std::vector<Fact> factsOf(const session::Project& project) {
    std::int64_t parameters = 0, work = 0, activations = 0;
    bool known = project.isOpen();
    for (const auto& info : project.layerInfos()) {
        known = known && info.known;
        parameters += info.parameters;
        work += info.multiply_adds;
        activations += info.activation_bytes;
    }
    const std::int64_t batch = project.spec().data.batch_size_per_replica;
    const QString dash{QChar(models::kMissing)};
    return {{known ? models::formatCount(parameters) : dash, ModelSummary::tr("parameters")},
            {known ? models::formatBytes(parameters * kBytesOfFloat) : dash, ModelSummary::tr("weights, float32")},
            {known ? models::formatCount(work) : dash, ModelSummary::tr("multiply-adds a sample")},
            {known ? models::formatBytes(activations * batch) : dash, ModelSummary::tr("activations, batch %1").arg(batch)},
            {known ? models::formatBytes(engine::spec::slotBytes(project.spec())) : dash,
             ModelSummary::tr("%1 slots").arg(QString::fromStdString(project.spec().compile.optimizer.class_name))}};
}

}  // namespace

ModelSummary::ModelSummary(const session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), project_(project), themes_(themes) {
    setObjectName(QStringLiteral("modelSummary"));
    setFixedHeight(kHeight);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void ModelSummary::refresh() {
    QStringList parts;
    for (const Fact& fact : factsOf(project_)) parts << QStringLiteral("%1 %2").arg(fact.value, fact.name);
    setAccessibleName(tr("Summary"));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
    update();
}

void ModelSummary::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), t.surface);
    painter.fillRect(QRect(0, 0, width(), 1), t.border);
    const QFont value = themes_.font(TextRole::kMonoField);
    const QFont name = themes_.font(TextRole::kSmall);
    double x = theme::kSpace6;
    for (const Fact& fact : factsOf(project_)) {
        const double room =
            std::max(QFontMetricsF(value).horizontalAdvance(fact.value), QFontMetricsF(name).horizontalAdvance(fact.name)) + 2;
        if (x + room > width() - theme::kSpace6) break;
        paintText(painter, QRectF(x, 9, room, 19), fact.value, value, t.text);
        paintText(painter, QRectF(x, 28, room, 17), fact.name, name, t.text2);
        x += room + kGap;
    }
    if (width() - theme::kSpace6 - kShareWidth > x) paintShares(painter, width() - theme::kSpace6 - kShareWidth, x);
}

// Paints one bar of all parameters, a segment for each layer, and the largest of them in words.
void ModelSummary::paintShares(QPainter& painter, double left, double least_left) const {
    const theme::Theme& t = themes_.theme();
    double total = 0;
    std::size_t largest = 0;
    const auto& infos = project_.layerInfos();
    const auto& layers = project_.spec().model.layers;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        total += static_cast<double>(infos[i].parameters);
        if (infos[i].parameters > infos[largest].parameters) largest = i;
    }
    const bool known = std::all_of(infos.begin(), infos.end(), [](const auto& info) { return info.known; });
    if (!known || !(total > 0)) return;
    const QString caption = tr("parameters by layer");
    const double beside = QFontMetricsF(themes_.font(TextRole::kSmall)).horizontalAdvance(caption) + theme::kSpace2;
    const QString most = tr("%1 in %2")
                             .arg(models::formatPercent(static_cast<double>(infos[largest].parameters) / total),
                                  QString::fromStdString(layers[largest].name));
    // The words may begin before the bar: a name is shortened only where nothing is free.
    const double needed = beside + QFontMetricsF(themes_.font(TextRole::kSmallMedium)).horizontalAdvance(most) + 2;
    const double right = left + kShareWidth, words = std::min(left, std::max(least_left, right - needed));
    paintText(painter, QRectF(words, 9, right - words, 17), caption, themes_.font(TextRole::kSmall), t.text2);
    paintText(painter, QRectF(words + beside, 9, right - words - beside, 17), most, themes_.font(TextRole::kSmallMedium), t.text,
              Qt::AlignRight | Qt::AlignVCenter);
    // A layer with parameters has a width that is seen; for many layers that takes at most half of the bar.
    const auto count = static_cast<double>(std::count_if(infos.begin(), infos.end(), [](const auto& info) { return info.parameters > 0; }));
    const double least = std::min(2.0, kShareWidth / (2 * count));
    double x = left;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        if (infos[i].parameters == 0) continue;
        const double length = least + (kShareWidth - count * least) * static_cast<double>(infos[i].parameters) / total;
        const auto* schema = engine::spec::findLayerSchema(layers[i].class_name);
        const QColor color = schema != nullptr ? t.categoryColor(schema->category) : t.text2;
        painter.fillRect(QRectF(x, 33, length - std::min(1.0, length / 2), 7), color);
        x += length;
    }
}

}  // namespace ui::views

#include "moc_model_summary.cpp"
