// SPDX-License-Identifier: GPL-3.0-or-later
// Where a sweep's runs train: on this computer, on hosts, or by Slurm, and what is asked of each. A row of the plan.
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "engine/sweep/sweep_settings.h"
#include "ui/theme/theme_controller.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class PlaceFields : public QWidget {
    Q_OBJECT
public:
    // The fields stand in `columns` columns of equal width, as far apart as those of the plan.
    PlaceFields(const theme::ThemeController& themes, int columns, QWidget* parent);

    engine::sweep::Place place() const;
    // Returns why the fields name no place, in the user's language; empty: they name one.
    QString problem() const;
    void retranslate();

signals:
    void edited();

private:
    enum class Where { kHere, kHosts, kSlurm };
    Where where() const;
    void refresh();

    QComboBox* where_;
    QSpinBox *workers_, *cpus_;
    QLineEdit *hosts_, *partition_, *time_;
    QCheckBox* spread_;
    std::vector<std::pair<widgets::TextLabel*, QWidget*>> labelled_;
};

}  // namespace ui::views
