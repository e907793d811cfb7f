#include "agent/hosts/installation.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

#include <unistd.h>

#include "agent/hosts/far_agent.h"
#include "agent/hosts/far_installer.h"
#include "agent/hosts/ssh_errors.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::hosts {

using Clock = std::chrono::steady_clock;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::chrono::milliseconds kInstallationSlice{100}, kInstallationLook{10};
constexpr std::chrono::seconds kSilenceForPrompts{120};  // a person types
constexpr std::size_t kPiece = 256u << 10;
constexpr double kMegabyte = 1 << 20;

std::string megabytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / kMegabyte);
    return text;
}

// The far installer at the other end of an ssh, from its first word to its last.
class Dialog {
public:
    Dialog(const Host& host, const Bundle& bundle, const InstallOptions& options)
        : host_(host),
          options_(options),
          ssh_(host.ssh, {.options = {"-o", "ClearAllForwardings=yes"},
                          .far_command = installerCommand(host, bundle),
                          .working_dir = {},
                          .prompts = options.prompts,
                          .input = Input::kOffered,
                          .environment = options.ssh_environment}) {}

    void say(std::string_view text) {
        while (!text.empty() && !ended()) {
            const std::size_t taken = offer(text);
            text.remove_prefix(taken);
        }
    }
    // Returns how many bytes ssh took; 0 after some time without any.
    std::size_t offer(std::string_view bytes) {
        const std::size_t taken = ssh_.offer(bytes, kInstallationSlice);
        if (taken > 0) {
            last_sign_ = Clock::now();
        }
        requireLife();
        return taken;
    }
    // The answers once `is_told` holds or the script has ended.
    FarAnswers await(const std::function<bool(const FarAnswers&)>& is_told) {
        for (;;) {
            const bool over = ended().has_value();  // asked first, so that its last words are read
            FarAnswers answers = listen();
            if (over || is_told(answers)) {
                return answers;
            }
            ssh_.waitFor(kInstallationLook);
            requireLife();
        }
    }
    FarAnswers awaitEnd() {
        return await([](const FarAnswers&) { return false; });
    }
    std::optional<SshEnd> ended() const { return ssh_.ended(); }
    // Returns why it ended early.
    Error failure(const FarAnswers& answers, const char* expectation) const {
        const std::string name = nameOf(host_);
        const std::optional<SshEnd> end = ended();
        if (end && end->exit_code == kSshFailed) {
            return sshError(host_, end->errors);
        }
        const std::string said = lastLine(farErrors(end ? end->errors : ssh_.errors()));
        const std::string behind = said.empty() ? "" : " (" + said + ")";
        const auto says = [&](std::string_view part) { return said.find(part) != std::string::npos; };
        const ErrorCode code = says("No space left") || says("quota exceeded")              ? ErrorCode::kResourceExhausted
                               : says("Permission denied") || says("Read-only file system") ? ErrorCode::kPermissionDenied
                                                                                            : ErrorCode::kUnavailable;
        if (!answers.failed.empty()) {
            return {code, name + ": expected to " + answers.failed + ", that failed" + behind};
        }
        return {code, name + ": expected " + expectation + ", the script there ended without it" + behind};
    }

private:
    FarAnswers listen() {
        std::string output = ssh_.output();
        if (output != heard_) {
            heard_ = std::move(output);
            last_sign_ = Clock::now();
        }
        return farAnswersIn(heard_);
    }
    void requireLife() const {
        if (options_.is_cancelled && options_.is_cancelled()) {
            throw Error(ErrorCode::kCancelled, nameOf(host_) + ": cancelled");
        }
        const std::chrono::milliseconds most = heard_.empty() && options_.prompts != Prompts::kNone
                                                   ? std::max<std::chrono::milliseconds>(options_.silence, kSilenceForPrompts)
                                                   : options_.silence;
        if (Clock::now() - last_sign_ > most) {
            throw Error(ErrorCode::kDeadlineExceeded, nameOf(host_) + ": expected a sign of life within " +
                                                          std::to_string(most.count() / 1000) + " s while Tandem is installed, got none");
        }
    }

    const Host& host_;
    const InstallOptions& options_;
    SshProcess ssh_;
    std::string heard_;
    Clock::time_point last_sign_ = Clock::now();
};

void requirePlace(const std::string& name, const FarFacts& facts) {
    if (facts.place == FarPlace::kFilled) {
        throw Error(ErrorCode::kFailedPrecondition, name + ": expected " + facts.folder +
                                                        " to be missing, empty or a link called current, it holds something else: "
                                                        "move that away, or name another folder");
    }
    if (!facts.is_writable) {
        throw Error(ErrorCode::kPermissionDenied,
                    name + ": expected a folder that this user there may make or fill, " + facts.folder + " is none: name another folder");
    }
}

void requireRoom(const std::string& name, const FarFacts& facts, const Bundle& bundle) {
    const std::uint64_t needed = 2 * bundle.bytes + bundle.unpacked_bytes;
    if (facts.free_bytes && *facts.free_bytes < needed) {
        throw Error(ErrorCode::kResourceExhausted, name + ": expected " + megabytes(needed) + " of free disk for " + facts.folder +
                                                       ", got " + megabytes(*facts.free_bytes));
    }
}

void requireUsable(const std::string& name, const FarFacts& facts, const Bundle& bundle) {
    if (facts.arch != bundle.architecture) {
        throw Error(ErrorCode::kFailedPrecondition,
                    name + ": expected a processor of the kind " + bundle.architecture + " as the bundle is for, got " + facts.arch);
    }
    if (!facts.missing_tools.empty()) {
        std::string tools;
        for (const std::string& tool : facts.missing_tools) {
            tools += (tools.empty() ? "" : ", ") + tool;
        }
        throw Error(ErrorCode::kFailedPrecondition, name + ": expected the programs that unpack a bundle, these are missing: " + tools);
    }
    if (facts.glibc.empty() || comparedVersions(bundle.glibc, facts.glibc) == "older") {
        throw Error(ErrorCode::kFailedPrecondition, name + ": expected glibc " + bundle.glibc + " or a newer one, got " +
                                                        (facts.glibc.empty() ? std::string("none") : facts.glibc));
    }
    requirePlace(name, facts);
    requireRoom(name, facts, bundle);
}

void requireIdleAgent(const Host& host, const std::string& version, const std::optional<FarOldAgent>& agent) {
    if (agent && !agent->busy_with.empty()) {
        throw Error(ErrorCode::kFailedPrecondition, nameOf(host) + ": expected no run while Tandem " + version + " takes the place of " +
                                                        agent->version + ", the agent there (process " + agent->pid + ") is busy with " +
                                                        agent->busy_with + ": wait for the end of its runs, or stop them there");
    }
}

// The archive from `offset` on. Stops early when ssh ends.
void sendArchive(Dialog& dialog, const Bundle& bundle, std::uint64_t offset, const InstallOptions& options) {
    const engine::files::RegularFile file(bundle.file);
    std::string piece;
    std::uint64_t sent = offset;
    while (sent < bundle.bytes && !dialog.ended()) {
        piece.resize(std::min<std::uint64_t>(kPiece, bundle.bytes - sent));
        const ssize_t got = ::pread(file.descriptor(), piece.data(), piece.size(), static_cast<off_t>(sent));
        if (got <= 0) {
            throw Error(ErrorCode::kDataLoss,
                        bundle.file.string() + ": expected " + std::to_string(bundle.bytes) + " bytes, got only " + std::to_string(sent));
        }
        sent += dialog.offer({piece.data(), static_cast<std::size_t>(got)});
        if (options.progress) {
            options.progress({sent, bundle.bytes});
        }
    }
}

struct Outcome {
    Installation installation;
    std::optional<Error> failure;
    bool can_try_again = false;  // what a former try had left there was damaged, and is gone
};

Outcome installOnce(const Host& host, const Bundle& bundle, const InstallOptions& options) {
    Dialog dialog(host, bundle, options);
    dialog.say(installerScript());
    FarAnswers answers = dialog.await([](const FarAnswers& told) { return told.facts.is_whole; });
    const FarFacts facts = answers.facts;
    if (!facts.is_whole) {
        throw dialog.failure(answers, "a shell that runs sh");
    }
    const bool has_it = facts.version == bundle.version;
    Outcome outcome;
    outcome.installation = {.program = has_it ? facts.program : facts.folder + "/bin/tandem-agent",
                            .version = bundle.version,
                            .before = facts.version,
                            .was_there = has_it};
    if (has_it && !answers.old_agent) {
        return outcome;
    }
    requireIdleAgent(host, bundle.version, answers.old_agent);
    if (!has_it) {
        requireUsable(nameOf(host), facts, bundle);
    }
    dialog.say(has_it ? "agent\n" : "install\n");
    answers = dialog.await([&](const FarAnswers& told) { return told.is_there || told.offset || !told.installed.empty(); });
    if (answers.offset) {
        sendArchive(dialog, bundle, *answers.offset, options);
        outcome.installation.sent_bytes = bundle.bytes - *answers.offset;
    }
    answers = dialog.awaitEnd();
    if (answers.installed.empty()) {
        requireIdleAgent(host, bundle.version, answers.old_agent);
        outcome.failure = dialog.failure(answers, "Tandem to be unpacked");
        outcome.can_try_again = answers.is_damaged && answers.offset.value_or(0) > 0;
    }
    return outcome;
}

}  // namespace

void requireSsh(const Host& host) {
    if (host.direct) {
        throw Error(ErrorCode::kFailedPrecondition,
                    nameOf(host) +
                        ": expected a host that is reached over ssh, got one that is reached directly: Tandem is put there by hand, "
                        "or after tandem-cli host add with --ssh");
    }
}

Installation install(const Host& host, const Bundle& bundle, const InstallOptions& options) {
    requireSsh(host);
    if (bundle.version != options.version) {
        throw Error(ErrorCode::kFailedPrecondition, bundle.file.string() + ": expected a bundle of Tandem " + options.version +
                                                        " as on this computer, got one of " + bundle.version);
    }
    Outcome outcome = installOnce(host, bundle, options);
    if (outcome.can_try_again) {
        outcome = installOnce(host, bundle, options);
    }
    if (outcome.failure) {
        throw Error(*outcome.failure);
    }
    return outcome.installation;
}

}  // namespace agent::hosts
