// SPDX-License-Identifier: GPL-3.0-or-later
// Our SVG icons, recoloured and rendered at any size and device ratio. Internal to ui/theme.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QIconEngine>
#include <QPixmap>
#include <memory>

#include "ui/theme/theme.h"

namespace ui::theme {

// Returns the SVG of `name` with `currentColor` replaced; empty for an unknown name.
QByteArray iconSvg(const QString& name, const QColor& color);

// Shared by the controller and all icon engines; the cache is keyed by name, size in device pixels and colour.
struct IconStore {
    Theme theme;
    QHash<QString, QPixmap> cache;

    // Returns the icon; `pixels` are device pixels.
    QPixmap render(const QString& name, const QSize& pixels, const QColor& color);
};

class SvgIconEngine : public QIconEngine {
public:
    SvgIconEngine(std::shared_ptr<IconStore> store, QString name, IconTone tone);

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    QIconEngine* clone() const override;
    bool isNull() override { return false; }

private:
    QColor color(QIcon::Mode mode, QIcon::State state) const;

    std::shared_ptr<IconStore> store_;
    QString name_;
    IconTone tone_;
};

}  // namespace ui::theme
