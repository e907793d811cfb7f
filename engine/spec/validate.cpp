#include "engine/spec/validate.h"

#include "engine/spec/validate_parts.h"

namespace engine::spec {

Diagnostics validate(const RunSpec& run) {
    Diagnostics diagnostics;
    validateModel(run.model, diagnostics);
    validateData(run, diagnostics);
    validateCompile(run, diagnostics);
    validateFit(run.fit, diagnostics);
    validateCallbacks(run, diagnostics);
    validateStrategy(run, diagnostics);
    validateCluster(run, diagnostics);
    return diagnostics;
}

}  // namespace engine::spec
