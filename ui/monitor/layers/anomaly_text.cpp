// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/layers/anomaly_text.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/models/numbers.h"

namespace ui::views {

using engine::run::AnomalyKind;
using models::formatCount;

namespace {

QString anomalyWords(const char* source) {
    return QCoreApplication::translate("LayerAnomaly", source);
}

QString number(double value) {
    return QLocale().toString(value, 'g', 3);
}

QString count(double value) {
    return formatCount(static_cast<std::int64_t>(value));
}

}  // namespace

QString anomalySentence(const engine::run::LayerAnomaly& anomaly) {
    const QString layer = QString::fromStdString(anomaly.layer), step = formatCount(anomaly.step);
    switch (anomaly.kind) {
        case AnomalyKind::kNotFinite:
            return anomalyWords(QT_TRANSLATE_NOOP("LayerAnomaly",
                                                  "%1: NaN or infinite since step %2: %3 numbers of its gradient, %4 of its weights"))
                .arg(layer, step, count(anomaly.first), count(anomaly.second));
        case AnomalyKind::kExplosion:
            return anomalyWords(
                       QT_TRANSLATE_NOOP("LayerAnomaly", "%1: its gradient explodes at step %2: a norm of %3, %4 times the median before"))
                .arg(layer, step, number(anomaly.first), number(anomaly.second));
        case AnomalyKind::kLargeUpdates:
            return anomalyWords(QT_TRANSLATE_NOOP("LayerAnomaly", "%1: its update at step %2 is %3 times as large as its weights"))
                .arg(layer, step, number(anomaly.first));
        case AnomalyKind::kDeadUnits:
            return anomalyWords(
                       QT_TRANSLATE_NOOP("LayerAnomaly", "%1: %2 of %3 ReLU units are dead since step %4: 0 for each of %5 samples"))
                .arg(layer, count(anomaly.first), count(anomaly.second), step, count(anomaly.third));
        case AnomalyKind::kNoLearning:
            return anomalyWords(QT_TRANSLATE_NOOP("LayerAnomaly",
                                                  "%1: learns nothing since step %2: its updates are lost in the rounding of its weights"))
                .arg(layer, step);
    }
    return {};
}

}  // namespace ui::views
