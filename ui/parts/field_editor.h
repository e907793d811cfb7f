// SPDX-License-Identifier: GPL-3.0-or-later
// An editor for one field of a Keras object, made from its schema row: no form is written by hand.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/spec/field_schema.h"
#include "engine/spec/model_spec.h"

class QComboBox;
class QLineEdit;

namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class SegmentedControl;
class SwitchButton;
}  // namespace ui::widgets

namespace ui::views {

// Emits only values of the field's kind and within its limits. Other text is outlined, with the reason beside it, and stays until the field
// is left; the value is then the one from before the typing.
class FieldEditor : public QWidget {
    Q_OBJECT
public:
    FieldEditor(engine::spec::FieldSchema schema, const theme::ThemeController& themes, QWidget* parent = nullptr);

    // Shows a value without a signal; a field that is being typed in keeps its text when it means the same.
    void setValue(const engine::spec::FieldValue& value);
    const engine::spec::FieldSchema& schema() const { return schema_; }
    void focusEditor();
    // Sets the width of the fields: 150 px at first, at least kLeastWidth.
    void setFieldWidth(int width);
    static constexpr int kLeastWidth = 114;  // a pair of two-digit numbers

signals:
    void valueChanged(engine::spec::FieldValue value);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildTexts(int count);
    void buildChoice();
    void textEdited();
    void leave(Qt::FocusReason reason);
    bool holdsNoValue() const;  // what is typed is not in the project
    bool mayBeUnset() const;    // None is a value of its own
    void nameUnset();           // in the language of now
    // Returns the value of the text fields; std::monostate with `problem` set when they hold none.
    engine::spec::FieldValue parse(QString& problem) const;
    engine::spec::FieldValue parseNumber(const QString& text, QString& problem) const;
    void markInvalid(const QString& problem);

    const engine::spec::FieldSchema schema_;
    const theme::ThemeController& themes_;
    engine::spec::FieldValue value_;   // that is shown
    engine::spec::FieldValue before_;  // when typing began
    bool typing_ = false;
    std::vector<QLineEdit*> texts_;
    QComboBox* combo_ = nullptr;
    widgets::SegmentedControl* segments_ = nullptr;
    widgets::SwitchButton* switch_ = nullptr;
};

}  // namespace ui::views
