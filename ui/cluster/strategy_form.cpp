// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/strategy_form.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <algorithm>

#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/project/run_spec.h"
#include "ui/canvas/layer_look.h"
#include "ui/models/finding_text.h"
#include "ui/parts/field_editor.h"
#include "ui/session/project/project.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::FieldValue;
using engine::spec::RunSpec;

StrategyForm::StrategyForm(session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), project_(project), themes_(themes), layout_(new QVBoxLayout(this)) {
    setObjectName("strategyForm");
    layout_->setContentsMargins(0, 0, 0, 0);
}

void StrategyForm::retranslate() {
    paths_.clear();
    refresh();
}

void StrategyForm::rebuild(const QStringList& paths) {
    paths_ = paths;
    rows_.clear();
    // The editor that caused this may still be on the stack: the old form goes when the event is over.
    if (body_) {
        body_->hide();
        body_->deleteLater();
    }
    body_ = new QWidget(this);
    auto* column = new QVBoxLayout(body_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace1);
    for (const auto& field : strategyFields(project_.spec())) {
        const QString path = QString::fromStdString(field.path), label = canvas::fieldLabel(field.schema.name);
        auto* name = new widgets::TextLabel(themes_, theme::TextRole::kSmall, widgets::Ink::kText2, body_);
        name->setText(label);
        name->setElided(true);
        name->setWordWrap(true);  // what has no room beside the field goes on below
        name->setMinimumHeight(theme::kFieldRowHeight);
        auto* editor = new FieldEditor(field.schema, themes_, body_);
        auto* row = new QHBoxLayout;
        row->setSpacing(theme::kSpace2);
        row->addWidget(name, 1);
        row->addWidget(editor);
        column->addLayout(row);
        const QString hint = field.schema.hint.empty() ? QString() : QCoreApplication::translate("FieldHints", field.schema.hint.c_str());
        rows_.push_back({path, editor, name, hint});
        connect(editor, &FieldEditor::valueChanged, this, [this, path, label](const FieldValue& value) {
            project_.change(
                tr("Change %1").arg(label), [path, value](RunSpec& run) { setStrategyField(run, path.toStdString(), value); },
                session::Project::mergeKey(path));
        });
    }
    layout_->addWidget(body_);
    if (QWidget* before = widgets::tabStopBefore(*this)) widgets::continueTabOrder(before, *body_);
}

void StrategyForm::refresh() {
    QStringList paths;
    for (const auto& field : strategyFields(project_.spec())) paths << QString::fromStdString(field.path);
    if (paths != paths_) rebuild(paths);
    for (const Row& row : rows_) {
        row.editor->setValue(strategyField(project_.spec(), row.path.toStdString()));
        showFinding(row);
    }
}

// The name of a setting that a check complains about is red, and tells why in place of what the setting is for.
void StrategyForm::showFinding(const Row& row) const {
    const auto& findings = project_.diagnostics();
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const engine::spec::Diagnostic& one) {
        return one.severity == engine::spec::Severity::kError && row.path == QLatin1String(one.path);
    });
    row.name->setInk(found == findings.end() ? widgets::Ink::kText2 : widgets::Ink::kError);
    row.name->setToolTip(found == findings.end() ? row.hint : models::findingText(found->message));
}

void StrategyForm::focusField(const QString& path) {
    for (const Row& row : rows_) {
        if (path == row.path) row.editor->focusEditor();
    }
}

}  // namespace ui::views

#include "moc_strategy_form.cpp"
