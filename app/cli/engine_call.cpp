#include "app/cli/engine_call.h"

#include <ostream>
#include <utility>

#include "agent/client/project_files.h"

namespace app::cli {

namespace spec = engine::spec;

EngineProject modelOf(EngineProject project) {
    project.run = spec::withoutCluster(std::move(project.run));
    std::erase_if(project.findings, [](const spec::Diagnostic& one) { return one.path.starts_with("cluster"); });
    return project;
}

std::string samplesNamed(const std::string& data) {
    return data == "test" || data == "train" ? data : std::filesystem::absolute(data).string();
}

std::optional<spec::EngineAnswer> askEngine(Context& context, const EngineProject& project, spec::AskedOfEngine asked,
                                            EngineListener listener) {
    for (const spec::Diagnostic& one : project.findings) {
        context.err << project.file.string() << ": " << toString(one) << '\n';
    }
    if (!listener.note) {
        listener.note = [&context](const std::string& line) { context.err << line << '\n'; };
    }
    if (!listener.failed) {
        listener.failed = [&context](const engine::Error& error) { context.err << "error: " << error.what() << '\n'; };
    }
    const std::string base = project.file.empty() ? std::string() : std::filesystem::absolute(project.file).parent_path().string();
    const spec::EngineQuestion question{.run = project.run, .base_dir = base, .asked = std::move(asked)};
    const auto client = context.connect();
    const auto is_interrupted = [&context, before = context.interrupts()] { return context.interrupts() > before; };
    try {
        return client->ask(question, {.data_dir = agent::client::dataFolder(),
                                      .is_cancelled = is_interrupted,
                                      .note = std::move(listener.note),
                                      .progress = std::move(listener.progress)});
    } catch (const engine::Error& error) {
        if (error.code() == engine::ErrorCode::kUnavailable) {
            throw;
        }
        if (!is_interrupted()) {
            listener.failed(error);
        }
        context.exit_code = is_interrupted() ? kInterrupted : kFailed;
        return std::nullopt;
    }
}

}  // namespace app::cli
