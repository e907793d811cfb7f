#include "engine/spec/project/model_fixes.h"

#include <algorithm>
#include <functional>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/field_schema.h"

namespace engine::spec {
namespace {

// How many layers fit before the first that does not.
std::size_t fitting(const ModelSpec& model) {
    const std::vector<LayerInfo> infos = inferShapes(model);
    return static_cast<std::size_t>(std::find_if(infos.begin(), infos.end(), [](const LayerInfo& info) { return !info.known; }) -
                                    infos.begin());
}

std::string freeName(const ModelSpec& model, const std::string& class_name) {
    std::vector<std::string> taken;
    for (const LayerSpec& layer : model.layers) taken.push_back(layer.name);
    return automaticLayerName(class_name, taken);
}

class FixFinder {
public:
    FixFinder(const ModelSpec& model, int layer) : model_(model), at_(layer), before_(fitting(model)) {}

    std::vector<ModelFix> find() {
        moveUp();
        changeField();
        insertBefore();
        remove();
        std::stable_sort(fixes_.begin(), fixes_.end(), [](const ModelFix& a, const ModelFix& b) { return a.mends_all && !b.mends_all; });
        return std::move(fixes_);
    }

private:
    // Keeps the edit when more layers fit after it than before, not counting those that it `added`.
    bool consider(ModelFix fix, std::size_t added) {
        fix.mends_all = fitting(fix.model) == fix.model.layers.size();
        if (!fix.mends_all && fitting(fix.model) <= before_ + added) return false;
        fixes_.push_back(std::move(fix));
        return true;
    }

    void moveUp() {
        for (int up = 1; up <= at_; ++up) {
            ModelFix fix{.kind = ModelFix::Kind::kMoveAbove,
                         .subject = model_.layers[static_cast<std::size_t>(at_ - up)].class_name,
                         .layer = at_ - up,
                         .model = model_};
            const auto begin = fix.model.layers.begin();
            std::rotate(begin + at_ - up, begin + at_, begin + at_ + 1);
            if (consider(std::move(fix), 0)) return;
        }
    }

    // A setting that is at fault goes back to its default, or to the nearest value that its schema allows.
    void changeField() {
        const LayerSpec& layer = model_.layers[static_cast<std::size_t>(at_)];
        const LayerSchema* schema = findLayerSchema(layer.class_name);
        const std::vector<LayerInfo> infos = inferShapes(model_);
        const int field = infos[static_cast<std::size_t>(at_)].error_field;
        if (schema == nullptr || field < 0) return;
        const FieldSchema& row = schema->fields[static_cast<std::size_t>(field)];
        const auto set = [&](const FieldValue& value) {
            ModelFix fix{
                .kind = ModelFix::Kind::kChangeField, .subject = row.name, .value = valueText(value), .layer = at_, .model = model_};
            Fields& config = fix.model.layers[static_cast<std::size_t>(at_)].config;
            if (!row.required && value == row.fallback) {
                config.erase(row.name);
            } else {
                config.set(row.name, value);
            }
            return consider(std::move(fix), 0);
        };
        if (!row.required && !std::holds_alternative<std::monostate>(row.fallback) && set(row.fallback)) return;
        const bool number = row.kind == FieldKind::kInt || numbersIn(row.kind) > 1;
        if (number && row.minimum >= 1) {
            for (std::int64_t size = 3; size >= 1; size -= 2) {
                if (set(row.kind == FieldKind::kInt ? FieldValue(size) : FieldValue(std::vector<std::int64_t>(numbersIn(row.kind), size))))
                    return;
            }
        }
        // A window larger than its input fits where the input is padded.
        for (const FieldSchema& other : schema->fields) {
            if (other.name != "padding" || std::find(other.choices.begin(), other.choices.end(), "same") == other.choices.end()) continue;
            ModelFix fix{.kind = ModelFix::Kind::kChangeField, .subject = "padding", .value = "\"same\"", .layer = at_, .model = model_};
            fix.model.layers[static_cast<std::size_t>(at_)].config.set("padding", std::string("same"));
            consider(std::move(fix), 0);
        }
    }

    void insertBefore() {
        for (const char* class_name : {"Flatten", "GlobalAveragePooling2D"}) {
            ModelFix fix{.kind = ModelFix::Kind::kInsertBefore, .subject = class_name, .layer = at_ + 1, .model = model_};
            fix.model.layers.insert(fix.model.layers.begin() + at_, LayerSpec{class_name, freeName(model_, class_name), {}});
            if (consider(std::move(fix), 1)) return;
        }
    }

    void remove() {
        ModelFix fix{.kind = ModelFix::Kind::kDelete, .layer = std::max(0, at_ - 1), .model = model_};
        fix.model.layers.erase(fix.model.layers.begin() + at_);
        consider(std::move(fix), 0);
    }

    const ModelSpec& model_;
    const int at_;
    const std::size_t before_;
    std::vector<ModelFix> fixes_;
};

}  // namespace

std::vector<ModelFix> findModelFixes(const ModelSpec& model, int layer, std::size_t most) {
    const std::vector<LayerInfo> infos = inferShapes(model);
    if (layer < 0 || layer >= static_cast<int>(infos.size()) || infos[static_cast<std::size_t>(layer)].error.empty()) return {};
    std::vector<ModelFix> fixes = FixFinder(model, layer).find();
    if (fixes.size() > most) fixes.resize(most);
    return fixes;
}

std::string toString(const ModelFix& fix) {
    switch (fix.kind) {
        case ModelFix::Kind::kMoveAbove:
            return "Move above " + fix.subject;
        case ModelFix::Kind::kInsertBefore:
            return "Insert " + fix.subject + " before it";
        case ModelFix::Kind::kChangeField:
            return "Set " + fix.subject + " to " + fix.value;
        case ModelFix::Kind::kDelete:
            return "Delete layer";
    }
    return {};
}

LayerMismatch mismatchOf(const std::string& message, const std::string& field) {
    constexpr std::string_view kExpected = "expected ", kGot = ", got ";
    const std::size_t expected = message.find(kExpected), got = message.rfind(kGot);
    if (expected == std::string::npos || got == std::string::npos || got < expected + kExpected.size()) return {field, message, ""};
    const std::size_t begin = expected + kExpected.size();
    return {field, message.substr(begin, got - begin), message.substr(got + kGot.size())};
}

}  // namespace engine::spec
