// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/kept_fields.h"

#include <QLineEdit>
#include <QSettings>
#include <QSpinBox>

namespace ui::views {

void keepFields(QSettings* settings, const QString& group, std::span<QWidget* const> fields) {
    if (settings == nullptr) return;
    settings->beginGroup(group);
    for (const QWidget* field : fields) {
        const auto* box = qobject_cast<const QSpinBox*>(field);
        settings->setValue(field->objectName(),
                           box != nullptr ? QString::number(box->value()) : qobject_cast<const QLineEdit*>(field)->text().trimmed());
    }
    settings->endGroup();
}

void recallFields(QSettings* settings, const QString& group, std::span<QWidget* const> fields) {
    if (settings == nullptr) return;
    settings->beginGroup(group);
    for (QWidget* field : fields) {
        const QVariant kept = settings->value(field->objectName());
        if (!kept.isValid()) continue;
        if (auto* box = qobject_cast<QSpinBox*>(field)) {
            box->setValue(kept.toInt());
        } else {
            qobject_cast<QLineEdit*>(field)->setText(kept.toString());
        }
    }
    settings->endGroup();
}

}  // namespace ui::views
