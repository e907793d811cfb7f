// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_mix.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <iterator>
#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/run_spec.h"
#include "ui/canvas/layer_look.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/finding_list.h"
#include "ui/parts/object_fields.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/session.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::FieldKind;
using engine::spec::FieldSchema;
using engine::spec::FieldValue;
using engine::spec::ObjectSchema;
using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kWideField = 150;

FieldSchema choiceSchema() {
    return {.name = "mix", .kind = FieldKind::kChoice, .choices = engine::spec::classNames(engine::spec::mixSchemas())};
}

}  // namespace

MixPanel::MixPanel(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setObjectName("mixPanel");
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(theme::kSpace2);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    choice_ = new FieldEditor(choiceSchema(), themes, this);
    for (QComboBox* box : choice_->findChildren<QComboBox*>()) box->setProperty("compact", true);  // as that of the validation below
    auto* head = new QHBoxLayout;
    head->addWidget(title_);
    head->addStretch(1);
    head->addWidget(choice_);
    column_->addLayout(head);
    sentence_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    sentence_->setWordWrap(true);
    column_->addWidget(sentence_);
    findings_ = new FindingList(themes, this);
    findings_->setObjectName("mixFindings");
    column_->addWidget(findings_);
    connect(findings_, &FindingList::fixWanted, this, &MixPanel::mend);
    connect(findings_, &FindingList::pathWanted, this, &MixPanel::focusField);
    connect(choice_, &FieldEditor::valueChanged, this, &MixPanel::choose);
    retranslate();
}

void MixPanel::choose(const FieldValue& value) {
    const auto* name = std::get_if<std::string>(&value);
    const engine::spec::ObjectSpec chosen{name == nullptr ? std::string() : *name, {}};
    session_.project().change(tr("Change mixing"), [&chosen](RunSpec& run) { run.data.mix = chosen; });
    refresh();
}

void MixPanel::rebuildFields() {
    shown_class_ = session_.project().spec().data.mix.class_name;
    editors_.clear();
    delete fields_;
    fields_ = nullptr;
    const ObjectSchema* schema = engine::spec::findSchema(engine::spec::mixSchemas(), shown_class_);
    if (schema == nullptr) return;
    fields_ = new QWidget(this);
    auto* rows = new QVBoxLayout(fields_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(theme::kSpace1);
    for (const FieldSchema& field : schema->fields) {
        auto* editor = new FieldEditor(field, themes_, fields_);
        auto* name = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, fields_);
        const QString label = canvas::fieldLabel(field.name);
        name->setText(label);
        name->setToolTip(QCoreApplication::translate("FieldHints", field.hint.c_str()));
        name->setElided(true);
        name->setWordWrap(true);  // what has no room beside the field goes on below
        auto* row = new QHBoxLayout;
        row->setSpacing(theme::kSpace2);
        row->addWidget(name, 1);
        row->addWidget(editor);
        rows->addLayout(row);
        connect(editor, &FieldEditor::valueChanged, this, [this, field, label](const FieldValue& value) {
            session_.project().change(
                tr("Change %1").arg(label.toLower()), [&](RunSpec& run) { put(run.data.mix.config, field, value); },
                session::Project::mergeKey(QStringLiteral("data.mix.") + QString::fromStdString(field.name)));
        });
        editors_.push_back(editor);
    }
    column_->insertWidget(column_->indexOf(findings_), fields_);
    fitEditors();
    const QList<QComboBox*> boxes = choice_->findChildren<QComboBox*>();
    widgets::continueTabOrder(boxes.front(), *fields_);
}

void MixPanel::fitEditors() {
    const int width = is_narrow_ ? FieldEditor::kLeastWidth : kWideField;
    choice_->setFieldWidth(width);
    for (FieldEditor* editor : editors_) editor->setFieldWidth(width);
}

void MixPanel::refresh() {
    const engine::spec::ObjectSpec& mix = session_.project().spec().data.mix;
    if (mix.class_name != shown_class_) rebuildFields();
    choice_->setValue(mix.class_name.empty() ? FieldValue() : FieldValue(mix.class_name));
    for (FieldEditor* editor : editors_) editor->setValue(valueOr(mix.config, editor->schema()));
    if (mix.class_name == "MixUp") {
        sentence_->setText(tr("Two samples are blended, and their labels by the same share. Validation sees samples as they are."));
    } else if (mix.class_name == "CutMix") {
        sentence_->setText(tr("A box of another image is pasted; labels are mixed by its area. Validation sees samples as they are."));
    } else {
        sentence_->setText(tr("Batches are trained with as the steps above make them."));
    }
    setEnabled(session_.project().isOpen());
    refreshFindings();
}

void MixPanel::refreshFindings() {
    using engine::spec::Severity;
    shown_findings_.clear();
    const session::Project& project = session_.project();
    if (project.isOpen()) {
        for (const engine::spec::Diagnostic& one : project.diagnostics()) {
            if (one.path.starts_with("data.mix") && one.severity != Severity::kInfo) shown_findings_.push_back(one);
        }
    }
    std::vector<models::CheckRow> rows;
    for (const engine::spec::Diagnostic& finding : shown_findings_) {
        const auto repair = session::repairOf(project, session_.host(), finding);
        rows.push_back({finding.severity == Severity::kError ? models::CheckState::kError : models::CheckState::kWarning,
                        models::findingText(finding.message), models::findingText(finding.fix),
                        repair ? models::engineText(repair->text) : QString(), QString::fromStdString(finding.path)});
    }
    findings_->setRows(std::move(rows));
    findings_->setVisible(!shown_findings_.empty());
    findings_->setAccessibleName(tr("What is wrong with the mix"));
}

void MixPanel::mend(int finding) {
    if (finding >= 0 && finding < std::ssize(shown_findings_))
        session::repair(session_.project(), session_.host(), shown_findings_[static_cast<std::size_t>(finding)]);
}

void MixPanel::setNarrow(bool narrow) {
    is_narrow_ = narrow;
    fitEditors();
}

void MixPanel::focusField(const QString& path) {
    for (FieldEditor* editor : editors_) {
        if (path == QStringLiteral("data.mix.") + QString::fromStdString(editor->schema().name)) return editor->focusEditor();
    }
    choice_->focusEditor();
}

void MixPanel::retranslate() {
    title_->setText(tr("Mix samples"));
    rebuildFields();  // with names in the language of now
    refresh();
}

}  // namespace ui::views

#include "moc_data_mix.cpp"
