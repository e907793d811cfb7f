#include "app/cli/verbs/archive.h"

#include <cstdio>
#include <filesystem>
#include <ostream>
#include <string_view>
#include <vector>

#include "app/cli/run_choice.h"
#include "engine/run/run_archive.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"

namespace app::cli {
namespace {

constexpr const char* kClearProgress = "\r\033[K";

std::string megabytes(std::int64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", static_cast<double>(bytes) * 1e-6);
    return text;
}

// Returns what `call` answers. On a terminal it shows how far the work is, and Ctrl+C ends it: nullopt then.
template <typename Call>
auto withProgress(Context& context, const std::string& doing, const Call& call) -> std::optional<decltype(call({}))> {
    bool is_shown = false;
    const auto clear = [&] {
        if (is_shown) {
            context.err << kClearProgress << std::flush;
        }
    };
    const auto progress = [&, before = context.interrupts()](const engine::run::ArchiveProgress& now) {
        if (context.out_is_terminal) {
            context.err << kClearProgress << doing << ": " << megabytes(now.done_bytes) << " of " << megabytes(now.all_bytes) << " MB"
                        << std::flush;
            is_shown = true;
        }
        return context.interrupts() == before;
    };
    try {
        auto answer = call(progress);
        clear();
        return answer;
    } catch (const engine::Error& error) {
        clear();
        if (error.code() != engine::ErrorCode::kCancelled) {
            throw;
        }
        context.exit_code = kInterrupted;
        return std::nullopt;
    }
}

struct ArchiveOptions {
    std::string run, out, checkpoints = "all";
    bool overwrite = false;
};

void archiveRun(Context& context, const ArchiveOptions& options) {
    const auto client = context.connect();
    const auto run = chooseRun(context, *client, options.run, RunChoice::kAny);
    if (!run) {
        return;
    }
    const engine::run::ArchiveRequest request{.run_id = run->id,
                                              .file = std::filesystem::absolute(options.out).lexically_normal(),
                                              .checkpoints = *engine::run::archivedCheckpointsOf(options.checkpoints),
                                              .overwrite = options.overwrite};
    const auto written = withProgress(context, "archiving", [&](const agent::client::AgentClient::ArchiveProgress& progress) {
        return client->archiveRun(request, progress);
    });
    if (written) {
        context.out << options.out << ": run " << run->id << ", "
                    << engine::spec::counted(static_cast<std::size_t>(written->checkpoints), "checkpoint") << ", "
                    << engine::spec::counted(static_cast<std::size_t>(written->events), "event") << ", " << megabytes(written->bytes)
                    << " MB\n";
    }
}

}  // namespace

void importRun(Context& context, const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        context.err << "error: " << file << ": expected the archive of a run, found none\n";
        context.exit_code = kUsage;
        return;
    }
    const auto client = context.connect();
    const auto imported = withProgress(context, "importing", [&](const agent::client::AgentClient::ArchiveProgress& progress) {
        return client->importRun(std::filesystem::absolute(file).lexically_normal(), progress);
    });
    if (imported) {
        const engine::run::RunInfo& run = imported->run;
        context.out << run.id << ": \"" << run.name << "\", " << toString(run.state)
                    << (imported->was_here ? ", is here already" : ", imported from " + run.imported_from) << '\n'
                    << "Folder: " << run.run_dir << '\n';
    }
}

void addArchive(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("archive", "Write a run that is over into one file, which opens anywhere");
    auto options = std::make_shared<ArchiveOptions>();
    verb->add_option("RUN", options->run, "id of the run, its beginning, or its folder (default: the newest)");
    verb->add_option("--out", options->out, "the file to write, such as mnist.tandem-run")->required();
    verb->add_option("--checkpoints", options->checkpoints, "which of its checkpoints go along: all, best, latest or none")
        ->check(CLI::IsMember(
            std::vector<std::string>(engine::run::kArchivedCheckpointNames.begin(), engine::run::kArchivedCheckpointNames.end())))
        ->capture_default_str();
    verb->add_flag("--overwrite", options->overwrite, "in place of a file of that name");
    verb->footer(
        "tandem-cli import FILE.tandem-run makes a run of it on another computer. Exit codes: 0 written, 1 no such run, it is not over, or "
        "the "
        "file could not be written, 2 wrong options, 3 the agent can't be reached, 130 interrupted.");
    verb->callback([&context, options] { archiveRun(context, *options); });
}

}  // namespace app::cli
