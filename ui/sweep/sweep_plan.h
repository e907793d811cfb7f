// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep of the open project is to be: its fields with their values, the method, what is compared, how many runs at once and where.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/spec/project/run_spec.h"
#include "engine/sweep/sweep_settings.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class FieldRow;
class PlaceFields;

class SweepPlan : public QWidget {
    Q_OBJECT
public:
    SweepPlan(const theme::ThemeController& themes, QWidget* parent);

    // Sets the project that is swept. Another one than before begins with the fields that are usually swept.
    // `is_another`: it is no edit of the one before; the plan begins anew.
    void setProject(const engine::spec::RunSpec& project, bool is_another);
    // Returns the settings as they are entered; without errors when problem() is empty.
    engine::sweep::SweepSettings settings() const;
    // Says why the settings are no sweep of the project, in the user's language; empty: they are one.
    const QString& problem() const { return problem_; }
    void retranslate();

signals:
    void changed();

private:
    QWidget* buildFields();
    QWidget* buildMethod();
    void addRow(const engine::sweep::SweepField& field);
    void addUsual();
    void removeRow(FieldRow* row);
    void edited();
    QString findProblem() const;
    QString valueProblem(const engine::sweep::SweepField& field) const;
    void refresh();
    engine::sweep::Method method() const;
    bool isForGrid() const;

    const theme::ThemeController& themes_;
    engine::spec::RunSpec project_;
    QString problem_;
    std::vector<std::pair<std::string, std::string>> known_;
    std::vector<FieldRow*> rows_;
    QVBoxLayout* rows_layout_;
    widgets::SegmentedControl* method_;
    widgets::TextLabel *fields_title_, *method_title_, *sentence_, *problem_label_;
    QPushButton* add_;
    QComboBox *objective_, *direction_;
    QSpinBox *trials_, *at_once_, *seeds_, *epochs_, *min_epochs_, *reduction_;
    PlaceFields* place_;
    std::vector<std::pair<widgets::TextLabel*, QWidget*>> labelled_;
};

}  // namespace ui::views
