// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_mix.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/run_spec.h"
#include "ui/canvas/layer_look.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/object_fields.h"
#include "ui/session/project/project.h"
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

const std::string kNoMix = "None";  // as the fields of forms say it

FieldSchema choiceSchema() {
    FieldSchema schema{.name = "mix", .kind = FieldKind::kChoice, .required = true, .choices = {kNoMix}};
    for (std::string& name : engine::spec::classNames(engine::spec::mixSchemas())) schema.choices.push_back(std::move(name));
    return schema;
}

}  // namespace

MixPanel::MixPanel(session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), project_(project), themes_(themes) {
    setObjectName("mixPanel");
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(theme::kSpace2);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    choice_ = new FieldEditor(choiceSchema(), themes, this);
    auto* head = new QHBoxLayout;
    head->addWidget(title_);
    head->addStretch(1);
    head->addWidget(choice_);
    column_->addLayout(head);
    sentence_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    sentence_->setWordWrap(true);
    column_->addWidget(sentence_);
    connect(choice_, &FieldEditor::valueChanged, this, &MixPanel::choose);
    retranslate();
}

void MixPanel::choose(const FieldValue& value) {
    const auto* name = std::get_if<std::string>(&value);
    const engine::spec::ObjectSpec chosen{name == nullptr || *name == kNoMix ? std::string() : *name, {}};
    project_.change(tr("Change mixing"), [&chosen](RunSpec& run) { run.data.mix = chosen; });
    refresh();
}

void MixPanel::rebuildFields() {
    shown_class_ = project_.spec().data.mix.class_name;
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
        auto* row = new QHBoxLayout;
        row->setSpacing(theme::kSpace2);
        row->addWidget(name, 1);
        row->addWidget(editor);
        rows->addLayout(row);
        connect(editor, &FieldEditor::valueChanged, this, [this, field, label](const FieldValue& value) {
            project_.change(
                tr("Change %1").arg(label.toLower()), [&](RunSpec& run) { put(run.data.mix.config, field, value); },
                session::Project::mergeKey(QStringLiteral("data.mix.") + QString::fromStdString(field.name)));
        });
        editors_.push_back(editor);
    }
    column_->addWidget(fields_);
    fitEditors();
}

void MixPanel::fitEditors() {
    const int width = is_narrow_ ? FieldEditor::kLeastWidth : kWideField;
    choice_->setFieldWidth(width);
    for (FieldEditor* editor : editors_) editor->setFieldWidth(width);
}

void MixPanel::refresh() {
    const engine::spec::ObjectSpec& mix = project_.spec().data.mix;
    if (mix.class_name != shown_class_) rebuildFields();
    choice_->setValue(mix.class_name.empty() ? kNoMix : mix.class_name);
    for (FieldEditor* editor : editors_) editor->setValue(valueOr(mix.config, editor->schema()));
    if (mix.class_name == "MixUp") {
        sentence_->setText(tr("Two samples are blended, and their labels by the same share. Validation sees samples as they are."));
    } else if (mix.class_name == "CutMix") {
        sentence_->setText(tr("A box of another image is pasted; labels are mixed by its area. Validation sees samples as they are."));
    } else {
        sentence_->setText(tr("Batches are trained with as the steps above make them."));
    }
    setEnabled(project_.isOpen());
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
