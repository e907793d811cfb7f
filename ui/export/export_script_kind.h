// SPDX-License-Identifier: GPL-3.0-or-later
// The kind of the export dialog that writes a whole Python program of the project, which trains without Tandem.
#pragma once

#include "engine/script/script_api.h"
#include "engine/script/written_script.h"
#include "ui/export/export_run_kinds.h"

namespace ui::views {

class ScriptKind : public OfProject {
    Q_OBJECT
public:
    ScriptKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    QString refusal() override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    void retranslate() override;

private:
    const engine::script::ApiRow& api() const;
    engine::script::Script script() const;
    void showNotes();

    widgets::TextLabel* notes_;  // what the program does in another way
};

}  // namespace ui::views
