// SPDX-License-Identifier: GPL-3.0-or-later
// The callbacks in the panel of Compile: a switch for each with what it does, its settings below while they are opened.
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/names.h"
#include "engine/spec/project/logged_metrics.h"
#include "engine/spec/project/run_spec.h"
#include "ui/canvas/layer_look.h"
#include "ui/model/model_properties.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/object_fields.h"
#include "ui/session/project/project.h"
#include "ui/widgets/switch_button.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using namespace engine::spec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

// A callback of the form, in its order: those that everybody needs come first. The table of rates by epoch stands with the learning rate.
struct CallbackRow {
    const char* class_name;
    const char* about;
};
constexpr CallbackRow kCallbacks[] = {
    {"ModelCheckpoint", QT_TRANSLATE_NOOP("ModelProperties", "Keeps the weights, epoch by epoch")},
    {"BackupAndRestore", QT_TRANSLATE_NOOP("ModelProperties", "A run that was lost or stopped goes on where it was")},
    {"EarlyStopping", QT_TRANSLATE_NOOP("ModelProperties", "Ends training when a value gets no better")},
    {"ReduceLROnPlateau", QT_TRANSLATE_NOOP("ModelProperties", "Lowers the rate when a value gets no better")},
    {"CSVLogger", QT_TRANSLATE_NOOP("ModelProperties", "Writes the values of every epoch to a table")},
    {"TensorBoard", QT_TRANSLATE_NOOP("ModelProperties", "Writes logs that TensorBoard shows")},
    {"TerminateOnNaN", QT_TRANSLATE_NOOP("ModelProperties", "Ends training when the loss is no number")},
    {"SwapEMAWeights", QT_TRANSLATE_NOOP("ModelProperties", "Validates with the moving averages of the weights")},
    {"PrintLR", QT_TRANSLATE_NOOP("ModelProperties", "Says the rate of every epoch in the log")},
};
constexpr std::string_view kOfTheRate = "LearningRateScheduler";

ObjectSpec* callbackOf(RunSpec& run, std::string_view class_name) {
    const auto at =
        std::find_if(run.callbacks.begin(), run.callbacks.end(), [&](const ObjectSpec& one) { return one.class_name == class_name; });
    return at == run.callbacks.end() ? nullptr : &*at;
}

const ObjectSpec* callbackOf(const RunSpec& run, std::string_view class_name) {
    return callbackOf(const_cast<RunSpec&>(run), class_name);  // NOLINT(cppcoreguidelines-pro-type-const-cast): returned as const again
}

// Returns a callback that can be trained with at once, also when its defaults would ask for what the run does not have.
ObjectSpec freshCallback(const std::string& class_name, const RunSpec& run) {
    ObjectSpec callback{class_name, {}};
    if (class_name == "CSVLogger") callback.config.set("filename", std::string("training.csv"));
    const ObjectSchema* schema = findSchema(callbackSchemas(), class_name);
    const bool monitors =
        schema != nullptr && class_name != "ModelCheckpoint" &&  // which looks at it only to keep the best
        std::any_of(schema->fields.begin(), schema->fields.end(), [](const auto& field) { return field.name == "monitor"; });
    if (monitors && !monitoredNames(run).contains("val_loss")) callback.config.set("monitor", std::string("loss"));
    return callback;
}

// The names that the run logs are offered; one that it does not is shown all the same.
FieldSchema monitorSchema(FieldSchema schema, const RunSpec& run, const std::string& chosen) {
    std::set<std::string> names = monitoredNames(run);
    names.insert(chosen);
    schema.kind = FieldKind::kChoice;
    schema.choices.assign(names.begin(), names.end());
    return schema;
}

QString settingName(const std::string& class_name) {
    return QString::fromStdString(snakeCase(class_name));
}

}  // namespace

QString ModelProperties::callbacksKey() const {
    const RunSpec& run = project_.spec();
    QStringList key;
    for (const ObjectSpec& callback : run.callbacks) {
        const QString name = QString::fromStdString(callback.class_name);
        key << (open_callbacks_.contains(name) ? name + QLatin1Char('+') : name);
        const auto* monitor = callback.config.find("monitor");
        if (monitor != nullptr && std::holds_alternative<std::string>(*monitor))
            key << QString::fromStdString(std::get<std::string>(*monitor));
    }
    for (const std::string& name : monitoredNames(run)) key << QString::fromStdString(name);
    return key.join(QLatin1Char(','));
}

void ModelProperties::buildCallbacks() {
    addSection(tr("Callbacks"));
    for (const CallbackRow& row : kCallbacks) addCallback(QString::fromLatin1(row.class_name));
    // A project may name others: they can be taken away.
    for (const ObjectSpec& callback : project_.spec().callbacks) {
        const bool is_known = std::any_of(std::begin(kCallbacks), std::end(kCallbacks),
                                          [&](const CallbackRow& row) { return callback.class_name == row.class_name; });
        if (!is_known && callback.class_name != kOfTheRate) addCallback(QString::fromStdString(callback.class_name));
    }
}

void ModelProperties::addCallback(const QString& class_name) {
    const std::string name = class_name.toStdString();
    const bool is_on = callbackOf(project_.spec(), name) != nullptr;
    const ObjectSchema* schema = findSchema(callbackSchemas(), name);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(0);
    auto* title = new TextLabel(themes_, TextRole::kButton, Ink::kText, body_);
    title->setText(class_name);
    title->setElided(true);
    texts->addWidget(title);
    const auto* row =
        std::find_if(std::begin(kCallbacks), std::end(kCallbacks), [&](const CallbackRow& one) { return name == one.class_name; });
    auto* about = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
    about->setWordWrap(true);
    about->setText(row != std::end(kCallbacks) ? tr(row->about) : tr("Not known to this version"));
    texts->addWidget(about);
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kSpace2);
    line->addLayout(texts, 1);
    const bool has_settings = is_on && schema != nullptr && !schema->fields.empty();
    const bool is_open = has_settings && open_callbacks_.contains(class_name);
    if (has_settings) {
        auto* open = new QToolButton(body_);
        open->setObjectName(QStringLiteral("callbackSettings_") + settingName(name));
        open->setIcon(themes_.icon(is_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
        open->setProperty("compact", true);
        open->setFixedSize(theme::kCompactHeight, theme::kCompactHeight);
        open->setToolTip(is_open ? tr("Hide the settings") : tr("Show the settings"));
        open->setAccessibleName(tr("Settings of %1").arg(class_name));
        line->addWidget(open, 0, Qt::AlignTop);
        connect(open, &QToolButton::clicked, this, [this, class_name] {
            if (!open_callbacks_.remove(class_name)) open_callbacks_.insert(class_name);
            rebuild();
        });
    }
    auto* button = new widgets::SwitchButton(themes_, body_);
    button->setObjectName(QStringLiteral("callback_") + settingName(name));
    button->setCheckable(true);
    button->setChecked(is_on);
    button->setAccessibleName(class_name);
    button->setAccessibleDescription(about->text());
    line->addWidget(button, 0, Qt::AlignTop);
    layout_->addLayout(line);
    layout_->addSpacing(theme::kSpace2);
    connect(button, &QAbstractButton::clicked, this, [this, class_name, name](bool on) {
        on ? static_cast<void>(open_callbacks_.insert(class_name)) : static_cast<void>(open_callbacks_.remove(class_name));
        project_.change(on ? tr("Add %1").arg(class_name) : tr("Remove %1").arg(class_name), [&](RunSpec& run) {
            std::erase_if(run.callbacks, [&name](const ObjectSpec& one) { return one.class_name == name; });
            if (on) run.callbacks.push_back(freshCallback(name, run));
        });
    });
    if (is_open) addCallbackFields(*schema);
}

void ModelProperties::addCallbackFields(const ObjectSchema& schema) {
    const std::string class_name = schema.class_name;
    const QString path = QStringLiteral("callbacks.") + settingName(class_name);
    for (const FieldSchema& field : schema.fields) {
        const bool has_choice = !(field.minimum == 0 && field.maximum == 0);  // profile_batch is taken, and can be 0 alone
        if (!has_choice) continue;
        FieldSchema shown = field;
        if (field.name == "monitor") {
            const ObjectSpec* callback = callbackOf(project_.spec(), class_name);
            const FieldValue now = valueOr(callback->config, field);
            const auto* text = std::get_if<std::string>(&now);
            shown = monitorSchema(field, project_.spec(), text == nullptr ? "val_loss" : *text);
        }
        FieldEditor* editor = addRow(
            shown, canvas::fieldLabel(field.name), path + QLatin1Char('.') + QString::fromStdString(field.name),
            [class_name, field](const RunSpec& run) {
                const ObjectSpec* callback = callbackOf(run, class_name);
                return callback == nullptr ? field.fallback : valueOr(callback->config, field);
            },
            [class_name, field](RunSpec& run, const FieldValue& value) {
                if (ObjectSpec* callback = callbackOf(run, class_name)) put(callback->config, field, value);
            });
        editor->setObjectName(QStringLiteral("field_%1_%2").arg(settingName(class_name), QString::fromStdString(field.name)));
    }
    layout_->addSpacing(theme::kSpace3);
}

bool ModelProperties::openCallback(const QString& name) {
    if (name.isEmpty() || !form_key_.startsWith(QLatin1String("compile"))) return false;
    for (const ObjectSpec& callback : project_.spec().callbacks) {
        if (settingName(callback.class_name) != name) continue;
        const QString class_name = QString::fromStdString(callback.class_name);
        if (callback.class_name == kOfTheRate || open_callbacks_.contains(class_name)) return true;
        open_callbacks_.insert(class_name);
        rebuild();
        return true;
    }
    return false;
}

}  // namespace ui::views
