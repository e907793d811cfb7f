// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icon_store.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace ui::theme {

QByteArray iconSvg(const QString& name, const QColor& color) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("icon %s: expected a file in resources/icons, found none", qPrintable(name));
        return {};
    }
    return file.readAll().replace("currentColor", color.name().toLatin1());
}

QPixmap IconStore::render(const QString& name, const QSize& pixels, const QColor& color) {
    const QString key = QStringLiteral("%1/%2x%3/%4").arg(name).arg(pixels.width()).arg(pixels.height()).arg(color.rgba());
    const auto found = cache.constFind(key);
    if (found != cache.constEnd()) return *found;
    QPixmap pixmap(pixels);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(iconSvg(name, color));
    if (renderer.isValid()) {
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(pixels)));
    }
    cache.insert(key, pixmap);
    return pixmap;
}

SvgIconEngine::SvgIconEngine(std::shared_ptr<IconStore> store, QString name, IconTone tone)
    : store_(std::move(store)), name_(std::move(name)), tone_(tone) {}

QColor SvgIconEngine::color(QIcon::Mode mode, QIcon::State state) const {
    const Theme& theme = store_->theme;
    if (mode == QIcon::Disabled) return theme.text3;
    switch (tone_) {
        case IconTone::kText:
            return theme.text;
        case IconTone::kAccent:
            return theme.accent;
        case IconTone::kOnAccent:
            return theme.on_accent;
        case IconTone::kError:
            return theme.err;
        case IconTone::kOk:
            return theme.ok;
        case IconTone::kWarn:
            return theme.warn;
        case IconTone::kAuto:
            break;
    }
    return state == QIcon::On ? theme.accent : theme.text2;
}

void SvgIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) {
    const int side = std::min(rect.width(), rect.height());
    const QRect square(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side);
    const qreal ratio = painter->device()->devicePixelRatioF();
    painter->drawPixmap(square, store_->render(name_, (QSizeF(square.size()) * ratio).toSize(), color(mode, state)));
}

QPixmap SvgIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
    return scaledPixmap(size, mode, state, 1.0);
}

QPixmap SvgIconEngine::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) {
    QPixmap pixmap = store_->render(name_, size, color(mode, state));  // `size` is in device pixels already
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

QIconEngine* SvgIconEngine::clone() const {
    return new SvgIconEngine(store_, name_, tone_);
}

}  // namespace ui::theme
