// SPDX-License-Identifier: GPL-3.0-or-later
// The feature columns of a table or of records, in the panel of Input: what a sample is made of, column by column.
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>

#include "engine/spec/project/feature_columns.h"
#include "ui/canvas/layer_look.h"
#include "ui/model/model_properties.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/object_fields.h"
#include "ui/session/project/project.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using namespace engine::spec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr const char* kPath = "data.feature_columns";

bool isOfColumns(const RunSpec& run) {
    return run.data.dataset == "csv" || run.data.dataset == "tfrecord";
}

// Returns a name, "x", "x_1", …, that no other column and no label has.
std::string freshKey(const RunSpec& run) {
    const DataSpec& data = run.data;
    const std::string& label = data.dataset == "csv" ? data.csv.label : data.tfrecord.label;
    const auto has = [](const ObjectSpec& column, const std::string& key) {
        const FieldValue* value = column.config.find("key");
        return value != nullptr && *value == FieldValue(key);
    };
    const auto isTaken = [&](const std::string& key) {
        return key == label || std::any_of(data.feature_columns.begin(), data.feature_columns.end(),
                                           [&](const ObjectSpec& column) { return has(column, key); });
    };
    std::string key = "x";
    for (int i = 1; isTaken(key); ++i) key = "x_" + std::to_string(i);
    return key;
}

// Returns a column of a class with what it must have, so that it fits until somebody says better.
ObjectSpec startingColumn(const std::string& class_name, const std::string& key) {
    ObjectSpec column{class_name, {{"key", key}}};
    for (const FieldSchema& field : findSchema(featureColumnSchemas(), class_name)->fields) {
        constexpr std::int64_t kPlaces = 10;
        if (!field.required || field.name == "key") continue;
        if (field.kind == FieldKind::kInt) column.config.set(field.name, kPlaces);
        if (field.kind == FieldKind::kDoubleList) column.config.set(field.name, std::vector<double>{0});
        if (field.kind == FieldKind::kTextList) column.config.set(field.name, std::vector<std::string>{"a", "b"});
    }
    return column;
}

// Columns and csv.features exclude each other, and the columns say how long a sample is.
void editColumns(RunSpec& run, const std::function<void(std::vector<ObjectSpec>&)>& edit) {
    std::vector<ObjectSpec>& columns = run.data.feature_columns;
    edit(columns);
    if (columns.empty()) return;
    run.data.csv.features.clear();
    if (areFitting(columns)) run.model.input_shape = {std::max<std::int64_t>(1, featureWidth(columns))};
}

}  // namespace

QString ModelProperties::columnsKey() const {
    QString key = QString::number(isOfColumns(project_.spec()));
    for (const ObjectSpec& column : project_.spec().data.feature_columns)
        key += QLatin1Char(' ') + QString::fromStdString(column.class_name);
    return key;
}

void ModelProperties::buildColumns() {
    if (!isOfColumns(project_.spec())) return;
    addSection(tr("Feature columns"));
    const std::size_t count = project_.spec().data.feature_columns.size();
    if (count == 0) {
        auto* hint = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
        hint->setWordWrap(true);
        hint->setText(tr("Without any, a sample is what the file's own settings say."));
        layout_->addWidget(hint);
    }
    for (std::size_t i = 0; i < count; ++i) addColumn(i);
    auto* add =
        widgets::makeButton(themes_, {.object_name = QStringLiteral("addColumn"), .icon = QStringLiteral("plus"), .compact = true}, body_);
    add->setText(tr("Add a column"));
    layout_->addSpacing(theme::kSpace2);
    layout_->addWidget(add, 0, Qt::AlignLeft);
    connect(add, &QPushButton::clicked, this, [this] {
        const std::size_t index = project_.spec().data.feature_columns.size();
        project_.change(tr("Add a column"), [](RunSpec& run) {
            editColumns(run, [&run](auto& columns) { columns.push_back(startingColumn("NumericColumn", freshKey(run))); });
        });
        focusFirst(QStringLiteral("feature_columns[%1].key").arg(index));
    });
}

void ModelProperties::addColumnHead(std::size_t index) {
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace2);
    auto* title = new TextLabel(themes_, TextRole::kSmallMedium, Ink::kText, body_);
    title->setText(tr("Column %1").arg(index + 1));
    auto* remove = new QToolButton(body_);
    remove->setObjectName(QStringLiteral("removeColumn_%1").arg(index));
    remove->setIcon(themes_.icon(QStringLiteral("close")));
    remove->setProperty("compact", true);
    remove->setFixedSize(theme::kCompactHeight, theme::kCompactHeight);
    remove->setToolTip(tr("Remove column %1").arg(index + 1));
    remove->setAccessibleName(remove->toolTip());
    auto* kind = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);  // the box of choices has room for its beginning alone
    kind->setText(QString::fromStdString(project_.spec().data.feature_columns[index].class_name));
    kind->setElided(true);
    row->addWidget(title);
    row->addWidget(kind, 1);
    row->addWidget(remove);
    layout_->addSpacing(theme::kSpace2);
    layout_->addLayout(row);
    connect(remove, &QToolButton::clicked, this, [this, index] {
        project_.change(tr("Remove a column"), [index](RunSpec& run) {
            editColumns(run, [index](auto& columns) {
                if (index < columns.size()) columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(index));
            });
        });
    });
}

void ModelProperties::addColumn(std::size_t index) {
    addColumnHead(index);
    const QString path = QStringLiteral("%1[%2]").arg(QLatin1String(kPath)).arg(index);
    const std::size_t first = rows_.size();
    addChoice(
        canvas::fieldLabel("kind"), path + QStringLiteral(".kind"), classNames(featureColumnSchemas()),
        [index](const RunSpec& run) {
            const auto& columns = run.data.feature_columns;
            return index < columns.size() ? FieldValue(columns[index].class_name) : FieldValue();
        },
        [index](RunSpec& run, const FieldValue& value) {
            editColumns(run, [&](auto& columns) {
                if (index >= columns.size()) return;
                const FieldValue* key = columns[index].config.find("key");
                const auto* text = key == nullptr ? nullptr : std::get_if<std::string>(key);
                columns[index] = startingColumn(std::get<std::string>(value), text == nullptr ? freshKey(run) : *text);
            });
        });
    const ObjectSchema* schema = findSchema(featureColumnSchemas(), project_.spec().data.feature_columns[index].class_name);
    for (const FieldSchema& field : schema == nullptr ? std::vector<FieldSchema>() : schema->fields) {
        addRow(
            field, canvas::fieldLabel(field.name), path + QLatin1Char('.') + QString::fromStdString(field.name),
            [index, field](const RunSpec& run) {
                const auto& columns = run.data.feature_columns;
                return index < columns.size() ? valueOr(columns[index].config, field) : field.fallback;
            },
            [index, field](RunSpec& run, const FieldValue& value) {
                editColumns(run, [&](auto& columns) {
                    if (index < columns.size()) put(columns[index].config, field, value);
                });
            });
    }
    // Several columns have a field "key": each editor is called by its column, too.
    for (std::size_t i = first; i < rows_.size(); ++i) {
        rows_[i].editor->setObjectName(rows_[i].editor->objectName() + QStringLiteral("_%1").arg(index));
    }
}

}  // namespace ui::views
