// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a form that ask how files of the chosen format are written: label column, separator and header of a table; size and colours
// of pictures; names of arrays or features. The rows of other formats are hidden.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "engine/spec/project/data_spec.h"
#include "ui/session/data/data_desk.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace ui::widgets {
class SegmentedControl;
class SwitchButton;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class FormatFields : public QObject {
    Q_OBJECT
public:
    // Adds its rows at the end of `form`, which lays out `parent`.
    FormatFields(QFormLayout& form, const theme::ThemeController& themes, QWidget* parent);

    void show(const engine::spec::DataSpec& data);
    // Writes what the user entered into `data`; a text that is no size leaves the old size and is marked.
    void read(engine::spec::DataSpec& data);
    // Which of the same columns stays chosen as the label: the one that the answer names, or the one that the user has chosen since.
    enum class Label { kOfAnswer, kOfUser };
    // Offers `columns` as the label; when there are none, the list stays as it is.
    void setColumns(const std::vector<session::ColumnFacts>& columns, Label label);
    void retranslate(const engine::spec::DataSpec& data);

signals:
    void changed();  // read() has something new
    void labelChosen(const QString& column);
    void delimiterChosen(const QString& sign);

private:
    QLineEdit* addText(QFormLayout& form, const char* name, widgets::TextLabel*& label);
    widgets::TextLabel* makeLabel();

    const theme::ThemeController& themes_;
    QWidget* parent_;
    widgets::TextLabel *label_label_, *delimiter_label_, *header_label_, *size_label_, *color_label_, *sample_label_, *target_label_;
    QComboBox *label_column_, *delimiter_;
    widgets::SwitchButton* header_;
    QLineEdit *size_, *sample_name_, *target_name_;
    widgets::SegmentedControl* color_;
};

}  // namespace ui::views
