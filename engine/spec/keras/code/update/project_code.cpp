// The code of a project beside the project: brought up to date, compared with it, kept.
#include <utility>

#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {

std::string projectCode(const RunSpec& run, const CodeLayout& layout) {
    if (run.code.empty()) return writeKerasCode(run, layout);
    const CodeReading reading = readKerasCode(run.code, run, AbsentArguments::kDefault);
    return reading.hasErrors() ? run.code : updateKerasCode(run.code, reading, run, layout);
}

ProjectCode readProjectCode(const RunSpec& run, const CodeLayout& layout, const std::stop_token& stop) {
    ProjectCode code{CodeText(run.code.empty() ? writeKerasCode(run, layout) : run.code), {}};
    code.reading = code.text.read(run, AbsentArguments::kDefault, stop);
    if (run.code.empty() || code.reading.hasErrors() || stop.stop_requested()) return code;
    std::string updated = updateKerasCode(run.code, code.reading, run, layout);
    if (updated == run.code) return code;
    code.text = CodeText(std::move(updated));
    code.reading = code.text.read(run, AbsentArguments::kDefault, stop);
    return code;
}

std::vector<std::string> partsThatDiffer(std::string_view text, const RunSpec& run) {
    return partsThatDiffer(readKerasCode(text, run, AbsentArguments::kDefault), run);
}

std::vector<std::string> partsThatDiffer(const CodeReading& reading, const RunSpec& run) {
    using namespace code;
    if (reading.hasErrors()) return {""};
    std::vector<std::string> parts;
    const RunSpec& said = reading.run;
    if (writeModelPart(said, {}) != writeModelPart(run, {})) parts.emplace_back("model");
    if (nodeLine(compileCall(said)) != nodeLine(compileCall(run))) parts.emplace_back("compile");
    RunSpec same = said;
    same.callbacks = run.callbacks;
    if (nodeLine(fitCall(same, {})) != nodeLine(fitCall(run, {}))) parts.emplace_back("fit");
    if (said.callbacks != run.callbacks) parts.emplace_back("callbacks");
    DataSpec data = said.data;
    if (reading.data_in_arrays && data.shuffle != 0 && run.data.shuffle != 0)
        data.shuffle = run.data.shuffle;  // fit() mixes all or nothing
    if (data != run.data) parts.emplace_back("data");
    if (said.estimator != run.estimator) parts.emplace_back("estimator");
    // A script for a TPU must say so; what trains here goes by the project.
    const bool other = writeStrategyPart(said, {}) != writeStrategyPart(run, {});
    if (reading.strategy.empty() ? strategyKind(run.strategy.name) == StrategyKind::kTpu : other) parts.emplace_back("strategy");
    return parts;
}

void keepCode(RunSpec& run, std::string_view text, const CodeLayout& layout) {
    CodeLayout whole = layout, parts = layout;
    whole.imports = true;
    parts.imports = false;
    const std::string written = writeKerasCode(run, parts);
    const bool same =
        text == written || text == writeKerasCode(run, whole) || text == "import keras\nfrom keras import layers\n\n" + written;
    run.code = same ? std::string() : std::string(text);
}

}  // namespace engine::spec
