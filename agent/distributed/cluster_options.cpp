#include "agent/distributed/cluster_options.h"

#include <algorithm>
#include <cstdlib>

#include "engine/spec/error.h"
#include "engine/thread/usable_cores.h"

namespace agent::distributed {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;

spec::TfConfig readTfConfig(const ClusterOptions& options, spec::TfConfigUse use) {
    std::optional<std::string> text = options.tf_config;
    if (!text) {
        const char* variable = std::getenv("TF_CONFIG");
        if (variable == nullptr) return {};
        text = variable;
    }
    spec::TfConfigReport report = spec::checkTfConfig(*text, use);
    for (const spec::Diagnostic& found : report.diagnostics) {
        const std::string what = "TF_CONFIG" + (found.path.empty() ? std::string() : ", " + found.path) + ": " + found.message;
        if (found.severity == spec::Severity::kError) throw Error(ErrorCode::kInvalidArgument, what);
        if (options.log) options.log("warning: " + what);
    }
    return std::move(report.config);
}

int threadsFor(const spec::ClusterSpec& cluster, int wanted) {
    if (wanted > 0) return wanted;
    return std::max(1, engine::usableCores() / std::max(1, static_cast<int>(cluster.trainingTasks().size())));
}

}  // namespace agent::distributed
