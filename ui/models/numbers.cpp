// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/numbers.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <cmath>

namespace ui::models {

QString formatMetric(double value) {
    if (!std::isfinite(value)) return QString(QChar(kMissing));
    constexpr double kLeast = 5e-5, kMost = 1e7;  // four places say nothing of smaller ones, larger ones are longer than their cells
    if (value != 0 && (std::abs(value) < kLeast || std::abs(value) >= kMost)) return formatRate(value);
    return QLocale().toString(value, 'f', 4);
}

QString formatRate(double value) {
    if (!std::isfinite(value)) return QString(QChar(kMissing));
    if (value == 0) return QStringLiteral("0");
    int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    double mantissa = value / std::pow(10.0, exponent);
    mantissa = std::round(mantissa * 1000) / 1000;
    if (std::abs(mantissa) >= 10) {
        mantissa /= 10;
        ++exponent;
    }
    const QString digits = QString::number(mantissa, 'g', 4);
    return exponent == 0 ? digits : QStringLiteral("%1e%2").arg(digits).arg(exponent);
}

QString formatCount(std::int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

QString formatDuration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return QString(QChar(kMissing));
    const auto whole = static_cast<qlonglong>(std::floor(seconds + 1e-6));
    const auto two = [](qlonglong n) { return QStringLiteral("%1").arg(n, 2, 10, QLatin1Char('0')); };
    if (whole < 3600) return QStringLiteral("%1:%2").arg(whole / 60).arg(two(whole % 60));
    return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(two(whole / 60 % 60), two(whole % 60));
}

QString formatClock(double seconds) {
    const auto ms = static_cast<qlonglong>(std::llround(std::max(0.0, seconds) * 1000));
    return QStringLiteral("%1:%2.%3")
        .arg(ms / 60000, 2, 10, QLatin1Char('0'))
        .arg(ms / 1000 % 60, 2, 10, QLatin1Char('0'))
        .arg(ms % 1000, 3, 10, QLatin1Char('0'));
}

QString formatMilliseconds(double microseconds) {
    return QStringLiteral("%1 ms").arg(QLocale().toString(microseconds / 1000, 'f', 1));
}

QString formatBytes(std::int64_t bytes) {
    constexpr double kKibi = 1024;
    const auto number = [](double v, int decimals) { return QLocale().toString(v, 'f', decimals); };
    const auto b = static_cast<double>(bytes);
    if (std::abs(b) < kKibi) return QStringLiteral("%1 B").arg(bytes);
    if (std::abs(b) < kKibi * kKibi) return QStringLiteral("%1 KB").arg(number(b / kKibi, b < 10 * kKibi ? 2 : 1));
    if (std::abs(b) < kKibi * kKibi * kKibi) return QStringLiteral("%1 MB").arg(number(b / kKibi / kKibi, b < 10 * kKibi * kKibi ? 2 : 1));
    return QStringLiteral("%1 GB").arg(number(b / kKibi / kKibi / kKibi, 2));
}

QString formatPercent(double fraction) {
    return QStringLiteral("%1 %").arg(QLocale().toString(fraction * 100, 'f', 1));
}

QString formatShape(std::span<const std::int64_t> shape) {
    if (shape.empty()) return QCoreApplication::translate("Numbers", "scalar");
    QStringList sizes;
    for (const std::int64_t size : shape) sizes << formatCount(size);
    return sizes.join(QStringLiteral("\u2009\u00d7\u2009"));
}

double parseRate(const QString& text) {
    bool ok = false;
    const double value = QLocale::c().toDouble(text.trimmed(), &ok);
    return ok && std::isfinite(value) && value > 0 ? value : -1;
}

}  // namespace ui::models
