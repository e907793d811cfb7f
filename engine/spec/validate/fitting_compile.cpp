#include "engine/spec/validate/fitting_compile.h"

#include <algorithm>
#include <vector>

#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

// The usual settings with another loss.
CompileSpec compileWith(ObjectSpec loss, const char* metric) {
    CompileSpec compile;
    compile.loss = std::move(loss);
    compile.metrics = {metric};
    return compile;
}

bool goesWith(const ModelSpec& model, const CompileSpec& compile) {
    RunSpec run;
    run.model = model;
    run.compile = compile;
    const Diagnostics found = validate(run);
    return std::none_of(found.begin(), found.end(),
                        [](const Diagnostic& one) { return one.severity == Severity::kError && one.path.starts_with("compile"); });
}

}  // namespace

std::string lastActivation(const ModelSpec& model) {
    for (auto layer = model.layers.rbegin(); layer != model.layers.rend(); ++layer) {
        // These keep a probability one, or are the identity.
        if (layer->class_name == "Dropout" || layer->class_name == "Flatten") continue;
        if (layer->class_name == "Softmax") return "softmax";
        const FieldValue* activation = layer->config.find("activation");
        const auto* name = activation == nullptr ? nullptr : std::get_if<std::string>(activation);
        return name == nullptr ? "linear" : *name;
    }
    return "linear";
}

CompileSpec fittingCompile(const ModelSpec& model) {
    const std::vector<LayerInfo> infos = inferShapes(model);
    if (infos.empty() || !infos.back().known || infos.back().output_shape.empty()) return {};
    const std::string activation = lastActivation(model);
    std::vector<CompileSpec> wanted;
    if (activation == "sigmoid") wanted.push_back(compileWith({"BinaryCrossentropy", {{"from_logits", false}}}, "accuracy"));
    if (activation == "softmax" || (activation == "linear" && infos.back().output_shape.back() > 1)) {
        wanted.push_back(compileWith({"SparseCategoricalCrossentropy", {{"from_logits", activation == "linear"}}}, "accuracy"));
    }
    wanted.push_back(compileWith({"MeanSquaredError", {}}, "mae"));
    const auto first = std::find_if(wanted.begin(), wanted.end(), [&](const CompileSpec& one) { return goesWith(model, one); });
    return first == wanted.end() ? CompileSpec() : *first;
}

std::string compileText(const CompileSpec& compile) {
    std::string text = compile.optimizer.class_name + ", " + compile.loss.class_name;
    for (const MetricSpec& metric : compile.metrics)
        text += (&metric == &compile.metrics.back() ? " and the metric " : ", ") + logName(metric);
    return text;
}

}  // namespace engine::spec
