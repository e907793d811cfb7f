#include "engine/script/script.h"

#include <optional>
#include <string>

#include "engine/script/keras/keras_script.h"
#include "engine/script/keras/keras_two.h"
#include "engine/script/keras/program_parts.h"
#include "engine/script/torch/torch_script.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/mixing/mix_settings.h"
#include "engine/spec/shape.h"

namespace engine::script {
namespace {

// MixUp and CutMix are layers of Keras 3, which programs of it call between their batches and the model.
std::optional<spec::Diagnostic> mixFault(const spec::RunSpec& run, Api api) {
    if (!spec::isMixed(run.data)) return std::nullopt;
    const std::string& name = spec::mixName(run.data);
    const auto fault = [](const std::string& message, const std::string& fix) {
        return spec::Diagnostic{spec::Severity::kError, "data.mix", message, fix};
    };
    if (api == Api::kTorch) {
        return fault("expected none in a program in PyTorch, which has no such layer, got " + name, "Leave data.mix out.");
    }
    if (keras::versionOf(run, api) == keras::Version::kTwo) {
        return fault("expected none in a program of Keras 2, which has no such layer, got " + name, "Leave data.mix out.");
    }
    const spec::NamedDataset* set = spec::findNamedDataset(run.data.dataset);
    if (name == "CutMix" && !spec::imageSizeOf(run.model.input_shape, set == nullptr ? spec::Shape() : set->sample_shape)) {
        return fault("expected an input with rows and columns for CutMix in a program, got " + spec::batchShapeText(run.model.input_shape),
                     "Set data.mix to MixUp, which mixes samples of any shape.");
    }
    return std::nullopt;
}

}  // namespace

Script writeScript(const spec::RunSpec& run, Api api) {
    if (std::optional<spec::Diagnostic> fault = mixFault(run, api)) {
        Script script;
        script.findings.push_back(*std::move(fault));
        return script;
    }
    if (api != Api::kTorch && keras::versionOf(run, api) == keras::Version::kTwo) {
        Script script;
        script.findings = keras::sinceKeras3Faults(run);
        if (!script.findings.empty()) return script;
    }
    switch (api) {
        case Api::kKeras:
            return keras::writeFitScript(run);
        case Api::kCustomLoop:
            return keras::writeLoopScript(run);
        case Api::kEstimator:
            return keras::writeEstimatorScript(run);
        case Api::kTorch:
            break;
    }
    return torch::writeTorchScript(run);
}

}  // namespace engine::script
