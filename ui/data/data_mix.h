// SPDX-License-Identifier: GPL-3.0-or-later
// What mixes the samples of training batches: none, MixUp or CutMix, with the fields of the engine's schema. It stands below the pipeline,
// whose last word it is. Every change is an edit of the project.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/field_schema.h"
#include "ui/theme/theme_controller.h"

class QVBoxLayout;

namespace ui::session {
class Session;
}

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class FieldEditor;
class FindingList;

class MixPanel : public QWidget {
    Q_OBJECT
public:
    MixPanel(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void refresh();
    void retranslate();
    void setNarrow(bool narrow);
    // Gives the keyboard to the field of a path below data.mix, or to the choice.
    void focusField(const QString& path);

private:
    void choose(const engine::spec::FieldValue& value);
    void rebuildFields();
    void fitEditors();
    void refreshFindings();
    void mend(int finding);

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::TextLabel *title_, *sentence_;
    QVBoxLayout* column_;
    FieldEditor* choice_;
    FindingList* findings_;  // of data.mix, with what mends them
    std::vector<engine::spec::Diagnostic> shown_findings_;
    QWidget* fields_ = nullptr;          // of the class that is shown; null while there is none
    std::vector<FieldEditor*> editors_;  // its fields, in the schema's order
    std::string shown_class_;
    bool is_narrow_ = false;
};

}  // namespace ui::views
