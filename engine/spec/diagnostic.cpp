#include "engine/spec/diagnostic.h"

#include <algorithm>

namespace engine::spec {

bool hasErrors(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

std::string toString(const Diagnostic& diagnostic) {
    std::string text = diagnostic.severity == Severity::kError ? "error" : diagnostic.severity == Severity::kWarning ? "warning" : "info";
    if (!diagnostic.path.empty()) {
        text += ": " + diagnostic.path;
    }
    text += ": " + diagnostic.message;
    if (!diagnostic.fix.empty()) {
        text += " [" + diagnostic.fix + "]";
    }
    return text;
}

}  // namespace engine::spec
