// SPDX-License-Identifier: GPL-3.0-or-later
// A field of the sweep's plan as a row: which field, what kind of values, and an editor for those.
#pragma once

#include <QString>
#include <QWidget>
#include <string>
#include <utility>
#include <vector>

#include "engine/sweep/sweep_field.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class FieldRow : public QWidget {
    Q_OBJECT
public:
    FieldRow(const theme::ThemeController& themes, QWidget* parent);

    // Sets the project's fields, with their values: what may be chosen. Any other path may be typed.
    void setKnown(const std::vector<std::pair<std::string, std::string>>& fields);
    void setField(const engine::sweep::SweepField& field);
    // Returns the field as it is typed, which may be no field yet: problem() says why.
    engine::sweep::SweepField field() const;
    // Returns what is wrong with the field, in the user's language; empty: nothing. `is_for_grid`: every value is counted, so a range needs
    // points.
    QString problem(bool is_for_grid) const;
    void setEditable(bool on);
    void retranslate();

signals:
    void edited();
    void removeWanted();

private:
    void takeUsual();
    void refresh();

    std::vector<std::pair<std::string, std::string>> known_;
    QComboBox *path_, *kind_;
    QLineEdit *choices_, *low_, *high_;
    widgets::TextLabel *to_, *points_label_;
    QSpinBox* points_;
    QPushButton* remove_;
};

}  // namespace ui::views
