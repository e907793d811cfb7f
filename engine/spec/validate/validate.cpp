#include "engine/spec/validate/validate.h"

#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {

namespace {

constexpr std::size_t kMaxNameBytes = 1000;

void validateName(const std::string& name, Diagnostics& diagnostics) {
    if (name.size() > kMaxNameBytes) {
        diagnostics.push_back({Severity::kError, "name",
                               "expected at most " + std::to_string(kMaxNameBytes) + " bytes of text, got " + std::to_string(name.size())});
    }
}

}  // namespace

Diagnostics validate(const RunSpec& run) {
    Diagnostics diagnostics;
    validateName(run.name, diagnostics);
    validateModel(run.model, diagnostics);
    validateData(run, diagnostics);
    validateCompile(run, diagnostics);
    validateFit(run.fit, diagnostics);
    validateCallbacks(run, diagnostics);
    validateStrategy(run, diagnostics);
    validateCluster(run, diagnostics);
    validateEstimator(run, diagnostics);
    return diagnostics;
}

}  // namespace engine::spec
