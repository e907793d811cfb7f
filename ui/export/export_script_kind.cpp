// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_script_kind.h"

#include <QVBoxLayout>
#include <algorithm>

#include "engine/script/script.h"
#include "engine/spec/validate/validate.h"
#include "ui/models/finding_text.h"
#include "ui/session/project/project.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::Severity;

namespace {

QStringList namesOfApis() {
    QStringList names;
    for (const engine::script::ApiRow& row : engine::script::apis()) {
        names << QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size()));
    }
    return names;
}

QString lineOf(const engine::spec::Diagnostic& finding) {
    const QString text = models::findingText(finding.message);
    return finding.path.empty() ? text : models::withName(QString::fromStdString(finding.path), text);
}

}  // namespace

ScriptKind::ScriptKind(ExportContext& context, QWidget* parent)
    : OfProject(context, {.icon = QStringLiteral("terminal"), .formats_name = QStringLiteral("exportScriptApi"), .formats = namesOfApis()},
                parent) {
    notes_ = new widgets::TextLabel(context.themes, theme::TextRole::kSmall, widgets::Ink::kText2, this);
    notes_->setObjectName("exportScriptNotes");
    notes_->setWordWrap(true);
    column_->addWidget(notes_);
    column_->addStretch();
    connect(this, &ExportKind::changed, this, &ScriptKind::showNotes);
    showNotes();
}

const engine::script::ApiRow& ScriptKind::api() const {
    return engine::script::apis()[static_cast<std::size_t>(std::max(0, chosenFormat()))];
}

engine::script::Script ScriptKind::script() const {
    const auto* of = run();
    return of == nullptr ? engine::script::Script() : engine::script::writeScript(*of, api().api);
}

KindTexts ScriptKind::texts() const {
    KindTexts texts{tr("Python program"),
                    tr("A whole program that trains the project without Tandem: data, model, strategy, callbacks, evaluation."),
                    obstacle()};
    if (!texts.obstacle.isEmpty() || run() == nullptr) return texts;
    const engine::spec::Diagnostics found = engine::spec::validate(*run());
    const auto errors = std::ranges::count_if(found, [](const auto& one) { return one.severity == Severity::kError; });
    if (errors > 0) texts.obstacle = tr("%n problem(s)", nullptr, static_cast<int>(errors));
    return texts;
}

QString ScriptKind::refusal() {
    QStringList lines;
    for (const auto& finding : script().findings) {
        if (finding.severity == Severity::kError) lines << lineOf(finding);
    }
    return lines.join(QLatin1Char('\n'));
}

void ScriptKind::showNotes() {
    QStringList lines;
    for (const auto& finding : script().findings) {
        if (finding.severity != Severity::kError) lines << lineOf(finding);
    }
    notes_->setText(lines.join(QLatin1Char('\n')));
    notes_->setVisible(!lines.isEmpty());
}

void ScriptKind::retranslate() {
    OfProject::retranslate();
    showNotes();
}

std::vector<ExportEntry> ScriptKind::entries() {
    const engine::script::Script written = script();
    if (!written.isWritten()) return {};
    return {{QString::fromUtf8(api().file.data(), static_cast<qsizetype>(api().file.size())), static_cast<qint64>(written.text.size())}};
}

void ScriptKind::preview(int, ExportPreview& preview) {
    preview.showCode(QString::fromStdString(script().text));
}

QString ScriptKind::command(const QString& folder) {
    return QStringLiteral("tandem-cli export script %1 --api %2 --out %3/%4")
        .arg(projectPath(), namesOfApis().value(std::max(0, chosenFormat())), folder,
             QString::fromUtf8(api().file.data(), static_cast<qsizetype>(api().file.size())));
}

ExportKind::Work ScriptKind::work() {
    return [text = script().text, name = std::string(api().file)] { return std::vector<engine::launch::LaunchFile>{{name, text}}; };
}

}  // namespace ui::views

#include "moc_export_script_kind.cpp"
