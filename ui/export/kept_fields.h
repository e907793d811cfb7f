// SPDX-License-Identifier: GPL-3.0-or-later
// What a form was filled with, kept among the studio's settings from one time to the next.
#pragma once

#include <QString>
#include <span>

class QSettings;
class QWidget;

namespace ui::views {

// Writes what stands in each of `fields` into the group: a field is a QSpinBox or a QLineEdit, and its object's name is the key. Does
// nothing when `settings` is null.
void keepFields(QSettings* settings, const QString& group, std::span<QWidget* const> fields);

// Fills each of `fields` of which the group knows something. A number that the field does not take becomes the nearest one that it takes.
void recallFields(QSettings* settings, const QString& group, std::span<QWidget* const> fields);

}  // namespace ui::views
