#include "agent/server/rpc/input_check.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/local/run_folder.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/sample_check.h"

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
    // In `folder`, else, when that is full, where temporary files go.
    ScratchFile(const fs::path& folder, const std::string& text) {
        for (const fs::path& place : {folder, fs::temp_directory_path()}) {
            std::string name = (place / ".check-XXXXXX.tandem").string();
            const convert::FileDescriptor file(::mkostemps(name.data(), kEndingBytes, O_CLOEXEC));  // 0600, and nobody else's
            path_ = name;
            if (file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) {
                return;
            }
            std::error_code ignored;
            fs::remove(path_, ignored);
        }
        throw engine::Error(engine::ErrorCode::kResourceExhausted, path_.string() + ": expected to write a project to check");
    }
    ~ScratchFile() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    const fs::path& path() const { return path_; }

private:
    static constexpr int kEndingBytes = 7;  // ".tandem"
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
    const bool is_users_word = fs::path(run.fit.save_weights).is_absolute();  // in a project it would be a mistake
    if (is_users_word) {
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
            const ScratchFile project(scratch, spec::toProjectJson(written));
            worker.arguments = {"check", project.path().string(), "--base", base.string()};
            if (is_users_word) {
                worker.arguments.insert(worker.arguments.end(), {"--save-weights", run.fit.save_weights});
            }
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
