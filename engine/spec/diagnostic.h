#pragma once

#include <string>
#include <vector>

namespace engine::spec {

enum class Severity { kError, kWarning, kInfo };

// One finding about a user's text or project. `path` addresses the field: "model.layers[2].units", "cluster.worker[1]".
struct Diagnostic {
    Severity severity = Severity::kError;
    std::string path;
    std::string message;  // names the object, the expectation and the fact
    std::string fix;      // what would mend it, as one sentence; may be empty
    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

bool hasErrors(const Diagnostics& diagnostics);
// "error: model.layers[2].units: …" and the fix in brackets; one line, no newline.
std::string toString(const Diagnostic& diagnostic);

}  // namespace engine::spec
