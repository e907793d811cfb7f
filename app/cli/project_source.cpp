#include "app/cli/project_source.h"

#include <algorithm>
#include <ostream>

#include "agent/client/project_files.h"
#include "app/cli/text_file.h"
#include "engine/spec/project/setting.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

void print(std::ostream& err, const engine::spec::Diagnostics& diagnostics) {
    for (const engine::spec::Diagnostic& diagnostic : diagnostics) {
        err << toString(diagnostic) << '\n';
    }
}

// Reads the project; what is said about it goes to `found`.
std::optional<engine::spec::RunSpec> readTo(Context& context, engine::spec::Diagnostics& found, const std::string& name,
                                            const std::vector<std::string>& settings) {
    const auto path = findProject(context, name);
    if (!path) {
        context.err << "error: " << name
                    << ": expected a project file or a starter project (tandem-cli templates lists them), found neither\n";
        context.exit_code = kUsage;
        return std::nullopt;
    }
    const auto text = readTextFile(*path, context.err);
    if (!text) {
        context.exit_code = kUsage;
        return std::nullopt;
    }
    engine::spec::ProjectReport report = engine::spec::parseProject(*text);
    nameFile(report.diagnostics, path->string());
    found = std::move(report.diagnostics);
    if (hasErrors(found)) {
        context.exit_code = kFailed;
        return std::nullopt;
    }
    for (const std::string& setting : settings) {
        const engine::spec::Diagnostics more = agent::client::applySettingHere(report.run, setting);
        found.insert(found.end(), more.begin(), more.end());
    }
    if (hasErrors(found)) {
        const bool is_malformed = !std::all_of(settings.begin(), settings.end(), engine::spec::isSetting);
        context.exit_code = is_malformed ? kUsage : kFailed;  // an option that is none
        return std::nullopt;
    }
    return std::move(report.run);
}

std::optional<engine::spec::RunSpec> loadTo(Context& context, engine::spec::Diagnostics& found, const std::string& name,
                                            const std::vector<std::string>& settings) {
    std::optional<engine::spec::RunSpec> run = readTo(context, found, name, settings);
    if (!run) {
        return run;
    }
    const engine::spec::Diagnostics more = validate(*run);
    found.insert(found.end(), more.begin(), more.end());
    if (hasErrors(found)) {
        context.exit_code = kFailed;
        return std::nullopt;
    }
    return run;
}

// `run` with its warnings; nullopt after printing what was found instead of it.
std::optional<EngineProject> forEngine(Context& context, const std::string& name, std::optional<engine::spec::RunSpec> run,
                                       engine::spec::Diagnostics found) {
    if (!run) {
        print(context.err, found);
        return std::nullopt;
    }
    std::erase_if(found, [](const engine::spec::Diagnostic& one) { return one.severity != engine::spec::Severity::kWarning; });
    return EngineProject{std::move(*run), *findProject(context, name), std::move(found)};
}

// True for what keeps a project from training here and not from being code: which computers train is TF_CONFIG's to say, and a strategy
// that has no back-end here is what the code is for.
bool isOfTraining(const engine::spec::RunSpec& run, const std::string& path) {
    const engine::spec::StrategyRow* strategy = engine::spec::findStrategy(run.strategy.name);
    return path.starts_with("cluster") || (path == "strategy.name" && strategy != nullptr && !strategy->runs);
}

}  // namespace

void nameFile(engine::spec::Diagnostics& diagnostics, const std::string& file) {
    for (engine::spec::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.path.empty()) {
            diagnostic.path = file;
        }
    }
}

std::optional<std::filesystem::path> findProject(const Context& context, const std::string& name) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(name, ignored)) {
        return name;
    }
    if (name.find('/') == std::string::npos) {
        const std::filesystem::path shipped = context.share_dir / "templates" / (name + ".tandem");
        if (std::filesystem::is_regular_file(shipped, ignored)) {
            return shipped;
        }
    }
    return std::nullopt;
}

std::optional<engine::spec::RunSpec> readProject(Context& context, const std::string& name, const std::vector<std::string>& settings) {
    engine::spec::Diagnostics found;
    auto run = readTo(context, found, name, settings);
    print(context.err, found);
    return run;
}

std::optional<engine::spec::RunSpec> readProjectForCode(Context& context, const std::string& name,
                                                        const std::vector<std::string>& settings) {
    std::optional<engine::spec::RunSpec> run = readProject(context, name, settings);
    for (const engine::spec::Diagnostic& one : run ? validate(*run) : engine::spec::Diagnostics()) {
        if (isOfTraining(*run, one.path)) continue;
        context.err << toString(one) << '\n';
        if (one.severity == engine::spec::Severity::kError) context.exit_code = kFailed;
    }
    return context.exit_code == kDone ? run : std::nullopt;
}

std::optional<engine::spec::RunSpec> loadProject(Context& context, const std::string& name, const std::vector<std::string>& settings) {
    engine::spec::Diagnostics found;
    auto run = loadTo(context, found, name, settings);
    print(context.err, found);
    return run;
}

std::optional<EngineProject> readForEngine(Context& context, const std::string& name, const std::vector<std::string>& settings) {
    engine::spec::Diagnostics found;
    auto run = readTo(context, found, name, settings);
    return forEngine(context, name, std::move(run), std::move(found));
}

std::optional<EngineProject> loadForEngine(Context& context, const std::string& name, const std::vector<std::string>& settings) {
    engine::spec::Diagnostics found;
    auto run = loadTo(context, found, name, settings);
    return forEngine(context, name, std::move(run), std::move(found));
}

}  // namespace app::cli
