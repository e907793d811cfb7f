#include "app/cli/file_sharing.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>

#include "engine/run/files_progress.h"

namespace app::cli {
namespace {

constexpr double kSharedMegabyte = 1e6;
constexpr const char* kClearLine = "\r\033[K";

std::string sharingLine(const engine::run::FilesProgress& progress) {
    const std::string name = std::filesystem::path(progress.file).filename().string();
    if (progress.all_bytes == 0) {
        return progress.host.empty() ? "looking at the run's files" : progress.host + "  looking for " + name;
    }
    char text[64];
    std::snprintf(text, sizeof text, ": %.1f of %.1f MB", static_cast<double>(progress.sent_bytes) / kSharedMegabyte,
                  static_cast<double>(progress.all_bytes) / kSharedMegabyte);
    return progress.host + "  sending " + name + text;
}

}  // namespace

void shareFiles(Context& context, agent::client::AgentClient& client, const agent::client::SubmitRequest& request, bool json) {
    std::ostream& out = json ? context.err : context.out;
    const bool shows = context.out_is_terminal && !json;
    std::map<std::string, std::int64_t> sent;  // by host
    bool is_shown = false;
    const auto clear = [&] {
        if (is_shown) {
            out << kClearLine << std::flush;
        }
    };
    const auto progress = [&, before = context.interrupts()](const engine::run::FilesProgress& now) {
        if (shows) {
            out << kClearLine << sharingLine(now) << std::flush;
            is_shown = true;
        }
        sent[now.host] = now.sent_bytes;
        return context.interrupts() == before;
    };
    try {
        client.shareFiles(request, progress);
    } catch (...) {
        clear();
        throw;
    }
    clear();
    for (const auto& [host, bytes] : sent) {
        if (bytes > 0) {
            char text[64];
            std::snprintf(text, sizeof text, ": %.1f MB of the run's files were sent\n", static_cast<double>(bytes) / kSharedMegabyte);
            out << host << text << std::flush;
        }
    }
}

}  // namespace app::cli
