// SPDX-License-Identifier: GPL-3.0-or-later
// The layers that a layer holds in a chain, in its panel: one below the other in their order, with what each is set to; the settings of one
// of them are open at a time.
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/nested_layers.h"
#include "ui/canvas/layer_look.h"
#include "ui/model/model_properties.h"
#include "ui/model/square_button.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/object_fields.h"
#include "ui/session/project/project.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using namespace engine::spec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

std::vector<ObjectBox> membersOf(const RunSpec& run, int node, const std::string& field) {
    const std::vector<LayerSpec>& layers = run.model.layers;
    const bool is_layer = node >= 1 && node <= static_cast<int>(layers.size());
    return is_layer ? engine::spec::membersOf(layers[static_cast<std::size_t>(node - 1)].config, field) : std::vector<ObjectBox>();
}

void editMembers(RunSpec& run, int node, const FieldSchema& field, const std::function<void(std::vector<ObjectBox>&)>& edit) {
    if (node < 1 || node > static_cast<int>(run.model.layers.size())) return;
    std::vector<ObjectBox> members = membersOf(run, node, field.name);
    edit(members);
    Fields& config = run.model.layers[static_cast<std::size_t>(node - 1)].config;
    if (members.empty() && !field.required)
        config.erase(field.name);
    else
        config.set(field.name, withMembers(field.name, std::move(members)));
}

// Returns a layer that keeps the rows and columns of its input where it can, as what is added to the input does most often.
ObjectSpec startingMember(const std::string& class_name) {
    ObjectSpec member{class_name, startingFields(class_name)};
    const LayerSchema* schema = findLayerSchema(class_name);
    for (const FieldSchema& field : schema == nullptr ? std::vector<FieldSchema>() : schema->fields) {
        const bool pads = field.name == "padding" && std::find(field.choices.begin(), field.choices.end(), "same") != field.choices.end();
        if (pads) member.config.set(field.name, std::string("same"));
    }
    return member;
}

QString memberKey(const std::string& field, std::size_t index) {
    return QStringLiteral("%1[%2]").arg(QString::fromStdString(field)).arg(index);
}

QString settingsText(const ObjectSpec& member) {
    return canvas::layerSettings({member.class_name, {}, member.config});
}

}  // namespace

QString ModelProperties::chainKey() const {
    const RunSpec& run = project_.spec();
    QString key = open_member_;
    for (const std::string& field : chainFields(run.model.layers[static_cast<std::size_t>(node_ - 1)].class_name)) {
        key += QLatin1Char(' ') + QString::fromStdString(field);
        for (const ObjectBox& member : membersOf(run, node_, field))
            key += QLatin1Char(',') + QString::fromStdString(member.get().class_name);
    }
    return key;
}

void ModelProperties::buildChain(const FieldSchema& field, const QString& path) {
    addSection(canvas::fieldLabel(field.name));
    auto* about = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
    about->setWordWrap(true);
    about->setText(QCoreApplication::translate("FieldHints", field.hint.c_str()));
    layout_->addWidget(about);
    const std::size_t count = membersOf(project_.spec(), node_, field.name).size();
    for (std::size_t i = 0; i < count; ++i) addMember(field, path, i, count);
    auto* add = new QComboBox(body_);
    add->setObjectName(QStringLiteral("chain_") + QString::fromStdString(field.name));
    add->setFocusPolicy(Qt::StrongFocus);
    // The form's width is the dock's: the longest name of a layer does not make it wider.
    constexpr int kLeastLetters = 8;
    add->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    add->setMinimumContentsLength(kLeastLetters);
    const QString hint = mayStandAlone(field.name) ? tr("Add a cell") : tr("Add a layer");
    add->setPlaceholderText(hint);
    add->setAccessibleName(hint);
    for (const std::string& choice : field.choices) {
        if (chainFields(choice).empty()) add->addItem(QString::fromStdString(choice));  // a chain in a chain is for the code to write
    }
    add->setCurrentIndex(-1);
    layout_->addSpacing(theme::kSpace1);
    layout_->addWidget(add);
    connect(add, &QComboBox::activated, this, [this, field, add](int index) {
        const QString name = add->itemText(index);
        const std::string class_name = name.toStdString();
        open_member_ = memberKey(field.name, membersOf(project_.spec(), node_, field.name).size());
        project_.change(tr("Add %1").arg(name), [&](RunSpec& run) {
            editMembers(run, node_, field, [&](auto& members) { members.emplace_back(startingMember(class_name)); });
        });
    });
}

void ModelProperties::addMember(const FieldSchema& field, const QString& path, std::size_t index, std::size_t count) {
    const ObjectSpec member = membersOf(project_.spec(), node_, field.name)[index].get();
    const QString name = QString::fromStdString(member.class_name), key = memberKey(field.name, index);
    const bool is_open = open_member_ == key;
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kSpace1);
    const auto button = [&](const char* icon, const char* role, const QString& text) {
        QToolButton* made = squareButton(body_, themes_, icon, "");
        made->setObjectName(QStringLiteral("%1_%2_%3").arg(QLatin1String(role), QString::fromStdString(field.name)).arg(index));
        made->setToolTip(text);
        made->setAccessibleName(text);
        return made;
    };
    QToolButton* open =
        button(is_open ? "chevron-down" : "chevron-right", "member", is_open ? tr("Hide the settings") : tr("Show the settings"));
    open->setAccessibleName(tr("Settings of %1").arg(name));
    auto* title = new TextLabel(themes_, TextRole::kSmallMedium, Ink::kText, body_);
    title->setText(name);
    title->setElided(true);
    auto* settings = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, body_);
    settings->setText(settingsText(member));
    settings->setElided(true);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(title);
    texts->addWidget(settings);
    QToolButton* up = button("arrow-up", "memberUp", tr("Move %1 up").arg(name));
    QToolButton* down = button("arrow-down", "memberDown", tr("Move %1 down").arg(name));
    QToolButton* remove = button("close", "memberRemove", tr("Remove %1").arg(name));
    up->setEnabled(index > 0);
    down->setEnabled(index + 1 < count);
    line->addWidget(open);
    line->addLayout(texts, 1);
    for (QToolButton* one : {up, down, remove}) line->addWidget(one);
    layout_->addSpacing(theme::kSpace1);
    layout_->addLayout(line);
    members_.push_back({field.name, index, settings});

    connect(open, &QToolButton::clicked, this, [this, key, is_open] {
        open_member_ = is_open ? QString() : key;
        rebuild();
    });
    const auto change = [this, field](const QString& text, const std::function<void(std::vector<ObjectBox>&)>& edit) {
        project_.change(text, [&](RunSpec& run) { editMembers(run, node_, field, edit); });
    };
    // The settings that are open stay with their layer.
    const auto shift = [this, field, key, change](std::size_t from, std::size_t to, const QString& text) {
        if (open_member_ == memberKey(field.name, to))
            open_member_ = key;
        else if (open_member_ == key)
            open_member_ = memberKey(field.name, to);
        change(text, [&](auto& members) {
            if (std::max(from, to) < members.size()) std::swap(members[from], members[to]);
        });
    };
    connect(up, &QToolButton::clicked, this, [=, this] { shift(index, index - 1, tr("Move %1 up").arg(name)); });
    connect(down, &QToolButton::clicked, this, [=, this] { shift(index, index + 1, tr("Move %1 down").arg(name)); });
    connect(remove, &QToolButton::clicked, this, [=, this] {
        open_member_.clear();
        change(tr("Remove %1").arg(name), [index](auto& members) {
            if (index < members.size()) members.erase(members.begin() + static_cast<std::ptrdiff_t>(index));
        });
    });
    if (is_open) addMemberFields(field, path, index);
}

void ModelProperties::addMemberFields(const FieldSchema& field, const QString& path, std::size_t index) {
    const ObjectSpec member = membersOf(project_.spec(), node_, field.name)[index].get();
    const LayerSchema* schema = findLayerSchema(member.class_name);
    if (schema == nullptr) return;
    for (const FieldSchema& own : schema->fields) {
        addRow(
            own, canvas::fieldLabel(own.name),
            QStringLiteral("%1.%2.%3").arg(path, memberKey(field.name, index), QString::fromStdString(own.name)),
            [this, field, index, own](const RunSpec& run) {
                const std::vector<ObjectBox> members = membersOf(run, node_, field.name);
                return index < members.size() ? valueOr(members[index].get().config, own) : own.fallback;
            },
            [this, field, index, own](RunSpec& run, const FieldValue& value) {
                editMembers(run, node_, field, [&](auto& members) {
                    if (index >= members.size()) return;
                    ObjectSpec changed = members[index].get();
                    put(changed.config, own, value);
                    members[index] = ObjectBox(std::move(changed));
                });
            });
    }
    layout_->addSpacing(theme::kSpace2);
}

void ModelProperties::refreshMembers() {
    for (const Member& line : members_) {
        const std::vector<ObjectBox> members = membersOf(project_.spec(), node_, line.field);
        if (line.index < members.size()) line.settings->setText(settingsText(members[line.index].get()));
    }
}

}  // namespace ui::views
