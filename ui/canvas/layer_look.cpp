// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/layer_look.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/field_schema.h"

namespace ui::canvas {

using engine::spec::FieldKind;
using engine::spec::FieldSchema;
using engine::spec::FieldValue;
using engine::spec::LayerCategory;

namespace {

struct Labels {
    Q_DECLARE_TR_FUNCTIONS(FieldLabels)
};

QString joined(const std::vector<std::int64_t>& numbers, const QString& between) {
    QStringList parts;
    for (const std::int64_t number : numbers) parts << QString::number(number);
    return parts.join(between);
}

}  // namespace

QString layerIcon(const engine::spec::LayerSchema& schema) {
    if (schema.class_name == "Dense") return QStringLiteral("dense");
    if (schema.class_name == "Flatten") return QStringLiteral("flatten");
    if (schema.class_name.find("Conv") != std::string::npos) return QStringLiteral("conv");
    switch (schema.category) {
        case LayerCategory::kLayer:
            return QStringLiteral("layers");
        case LayerCategory::kPool:
            return QStringLiteral("pool");
        case LayerCategory::kShape:
            return QStringLiteral("flatten");
        case LayerCategory::kActivation:
            return QStringLiteral("activation");
        case LayerCategory::kNormalization:
            return QStringLiteral("norm");
        case LayerCategory::kDropout:
            return QStringLiteral("dropout");
        case LayerCategory::kRecurrent:
            return QStringLiteral("refresh");
    }
    return QStringLiteral("layers");
}

QString valueText(const FieldValue& value) {
    struct Visitor {
        QString operator()(std::monostate) const { return Labels::tr("none"); }
        QString operator()(bool b) const { return b ? Labels::tr("yes") : Labels::tr("no"); }
        QString operator()(std::int64_t n) const { return QString::number(n); }
        QString operator()(double x) const { return QString::number(x, 'g', 6); }
        QString operator()(const std::string& s) const { return QString::fromStdString(s); }
        QString operator()(const std::vector<std::int64_t>& v) const { return joined(v, QStringLiteral("\u2009\u00d7\u2009")); }
        QString operator()(const std::vector<double>& v) const {
            QStringList parts;
            for (const double x : v) parts << QString::number(x, 'g', 6);
            return parts.join(QStringLiteral(", "));
        }
        QString operator()(const std::vector<std::string>& v) const {
            QStringList parts;
            for (const std::string& s : v) parts << QString::fromStdString(s);
            return parts.join(QStringLiteral(", "));
        }
        QString operator()(const engine::spec::ObjectBox& object) const { return QString::fromStdString(object.get().class_name); }
        QString operator()(const std::vector<engine::spec::ObjectBox>& objects) const {
            QStringList parts;
            for (const engine::spec::ObjectBox& object : objects) parts << (*this)(object);
            return parts.join(QStringLiteral(", "));
        }
    };
    return std::visit(Visitor{}, value);
}

QString fieldLabel(const std::string& field) {
    QString label = QString::fromStdString(field);
    label.replace(QLatin1Char('_'), QLatin1Char(' '));
    label.replace(QLatin1String("cpus"), QLatin1String("CPUs")).replace(QLatin1String("gpus"), QLatin1String("GPUs"));
    if (label == QLatin1String("tpu")) label = label.toUpper();
    if (label.endsWith(QLatin1String(" s"))) label.insert(label.size() - 2, QLatin1Char(','));  // the unit
    if (!label.isEmpty()) label[0] = label[0].toUpper();
    return Labels::tr(label.toUtf8().constData());
}

namespace {

// Returns the name of a field inside a sentence: "use bias", "EMA 사용".
QString fieldWords(const std::string& field) {
    QString label = fieldLabel(field);
    const bool is_acronym = label.size() > 1 && label[1].isUpper();
    if (!label.isEmpty() && !is_acronym) label[0] = label[0].toLower();
    return label;
}

// Returns what one field says in a line about its object: "32 filters", "same", "momentum 0.9"; empty where it has no value. `value` is
// null where the project has none.
QString settingText(const FieldSchema& field, const FieldValue* value) {
    const FieldValue& shown = value != nullptr ? *value : field.fallback;
    if (std::holds_alternative<std::monostate>(shown)) {
        return field.required ? Labels::tr("%1 missing").arg(fieldWords(field.name)) : QString();
    }
    if (field.kind == FieldKind::kInt && field.required) return Labels::tr("%1 %2").arg(valueText(shown), fieldWords(field.name));
    const bool lists = field.kind == FieldKind::kLayerList && field.required;
    const bool speaks = field.kind == FieldKind::kChoice || numbersIn(field.kind) > 1 || field.kind == FieldKind::kObject || lists;
    if (speaks && (field.required || numbersIn(field.kind) == 1)) return valueText(shown);
    return QStringLiteral("%1 %2").arg(fieldWords(field.name), valueText(shown));
}

}  // namespace

QString layerSettings(const engine::spec::LayerSpec& layer) {
    const auto* schema = engine::spec::findLayerSchema(layer.class_name);
    if (schema == nullptr) return Labels::tr("unknown layer");
    QStringList parts, changed;
    for (const FieldSchema& field : schema->fields) {
        const FieldValue* value = layer.config.find(field.name);
        const bool is_told = field.required || field.is_told;
        if (!is_told && (value == nullptr || *value == field.fallback)) continue;
        const QString text = settingText(field, value);
        if (!text.isEmpty()) (is_told ? parts : changed) << text;
    }
    parts << changed;
    if (!parts.isEmpty()) return parts.join(QStringLiteral(" \u00b7 "));
    // No field says what the layer does, and nothing was chosen: choices and sizes as they are by themselves. How its values lie says
    // nothing about it.
    for (const FieldSchema& field : schema->fields) {
        const bool speaks = (field.kind == FieldKind::kChoice && field.name != "data_format") || numbersIn(field.kind) > 1;
        if (speaks && !std::holds_alternative<std::monostate>(field.fallback)) parts << valueText(field.fallback);
    }
    if (parts.isEmpty()) return Labels::tr("no settings");
    return parts.join(QStringLiteral(" \u00b7 "));
}

}  // namespace ui::canvas
