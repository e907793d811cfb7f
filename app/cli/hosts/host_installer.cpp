#include "app/cli/hosts/host_installer.h"

#include <chrono>
#include <cstdio>
#include <ostream>

#include <nlohmann/json.hpp>

#include "engine/spec/error.h"

namespace app::cli {

using agent::hosts::Host;
using agent::hosts::Installation;
using agent::hosts::Progress;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double kInstallMegabyte = 1 << 20;
constexpr std::uint64_t kTenths = 10;
constexpr std::chrono::milliseconds kRefresh{100};
constexpr const char* kClearInstallLine = "\r\033[K";

std::string installLine(const Host& host, const Progress& progress) {
    char text[96];
    std::snprintf(text, sizeof text, "  sending Tandem: %.1f of %.1f MB", static_cast<double>(progress.sent_bytes) / kInstallMegabyte,
                  static_cast<double>(progress.all_bytes) / kInstallMegabyte);
    return host.name + text + (progress.sent_bytes == progress.all_bytes ? ", unpacking" : "");
}

std::string jsonOf(const Host& host, const Progress& progress) {
    return nlohmann::ordered_json{{"name", host.name}, {"sent_bytes", progress.sent_bytes}, {"all_bytes", progress.all_bytes}}.dump();
}

// Prints not more than somebody reads.
class ProgressLine {
public:
    ProgressLine(Context& context, const Host& host, bool json) : context_(context), host_(host), json_(json) {}
    ~ProgressLine() {
        if (is_shown_) {
            context_.out << kClearInstallLine << std::flush;
        }
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const Progress& progress) {
        const bool is_last = progress.sent_bytes == progress.all_bytes;
        const std::uint64_t tenth = progress.all_bytes == 0 ? kTenths : progress.sent_bytes * kTenths / progress.all_bytes;
        if (json_ && tenth != tenth_) {
            context_.out << jsonOf(host_, progress) << std::endl;
        } else if (!json_ && context_.out_is_terminal && (is_last || Clock::now() - shown_at_ >= kRefresh)) {
            context_.out << kClearInstallLine << installLine(host_, progress) << std::flush;
            shown_at_ = Clock::now();
            is_shown_ = true;
        }
        tenth_ = tenth;
    }

private:
    Context& context_;
    const Host& host_;
    const bool json_;
    std::uint64_t tenth_ = 0;
    bool is_shown_ = false;
    Clock::time_point shown_at_;
};

}  // namespace

HostInstaller::HostInstaller(Context& context, const BundleChoice& choice)
    : context_(context),
      json_(choice.json),
      bundle_(agent::hosts::openBundle(choice.file.empty() ? context.share_dir / agent::hosts::kBundleFile
                                                           : std::filesystem::path(choice.file))) {}

Installation HostInstaller::install(const Host& host) {
    ProgressLine line(context_, host, json_);
    return context_.install_on(host, bundle_, [&](const Progress& progress) { line.show(progress); });
}

std::string installedLine(const Installation& installation) {
    const std::string what = "Tandem " + installation.version;
    if (installation.was_there) {
        return what + " is there: " + installation.program;
    }
    return what + " installed: " + installation.program + (installation.before.empty() ? "" : ", in the place of " + installation.before);
}

}  // namespace app::cli
