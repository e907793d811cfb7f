#include "agent/server/input_check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <optional>

#include <poll.h>
#include <unistd.h>

#include "agent/convert/run_folder.h"
#include "engine/files/output_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/dataset_names.h"
#include "engine/spec/error.h"
#include "engine/spec/sample_check.h"

namespace agent::server {

namespace spec = engine::spec;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::size_t kMostText = 16384;

// A project that is read once; goes with the object.
class ScratchFile {
public:
    ScratchFile(const fs::path& folder, const std::string& text) {
        static std::atomic<int> last{0};
        path_ = folder / (".check-" + std::to_string(::getpid()) + "-" + std::to_string(++last) + ".tandem");
        engine::files::OutputFile file(engine::files::SafeFolder::open(folder).create(path_.filename()));
        file.write(text);
        if (file.flush() != 0) {
            std::error_code ignored;
            fs::remove(path_, ignored);
            throw engine::Error(engine::ErrorCode::kResourceExhausted, path_.string() + ": expected to write a project to check");
        }
    }
    ~ScratchFile() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

bool readable(int descriptor, Clock::time_point until) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    pollfd entry{descriptor, POLLIN, 0};
    return ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(0, left.count()))) > 0;
}

// What it prints before it fails; empty when it does not fail.
std::string refusalOf(Process& process) {
    const Clock::time_point until = Clock::now() + kPatience;
    std::string text;
    std::array<char, 1024> buffer{};
    while (text.size() < kMostText && readable(process.outputDescriptor(), until)) {
        const ssize_t got = ::read(process.outputDescriptor(), buffer.data(), buffer.size());
        if (got <= 0) {
            break;
        }
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    const std::optional<ExitStatus> status = readable(process.exitDescriptor(), until) ? process.tryReap() : std::nullopt;
    return status == ExitStatus{1, 0} ? text : "";
}

}  // namespace

std::string inputErrors(const spec::RunSpec& run, ProcessLauncher& launcher, ProcessSpec worker, const fs::path& scratch,
                        const fs::path& base) {
    spec::RunSpec written = run;
    const bool has_own_weights = fs::path(run.fit.save_weights).is_absolute();
    if (has_own_weights) {  // in a project it would be a mistake
        written.fit.save_weights.clear();
    }
    std::string lines;
    for (const spec::Diagnostic& one : spec::checkSamples(written)) {
        lines += one.path + ": " + one.message + (one.fix.empty() ? "" : " [" + one.fix + "]") + "\n";
    }
    const bool has_files = convert::hasBackup(base, run) || !run.fit.initial_weights.empty() || !run.fit.save_weights.empty() ||
                           spec::findDatasetFormat(run.data.dataset) != nullptr;
    if (lines.empty() && has_files) {
        try {
            worker.arguments = {"--base", base.string()};
            if (has_own_weights) {
                worker.arguments.insert(worker.arguments.end(), {"--save-weights", run.fit.save_weights});
            }
            const ScratchFile project(scratch, spec::toProjectJson(written));
            worker.arguments.insert(worker.arguments.begin(), {"check", project.path().string()});
            worker.working_dir = scratch;
            lines = refusalOf(*launcher.launch(worker));
        } catch (const engine::Error&) {
            return {};  // the task will say it
        }
    }
    while (lines.ends_with('\n')) {
        lines.pop_back();
    }
    return lines;
}

}  // namespace agent::server
