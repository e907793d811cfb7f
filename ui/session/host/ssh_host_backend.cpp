// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QDir>
#include <algorithm>

#include "agent/hosts/direct_way.h"
#include "agent/hosts/far_agent.h"
#include "agent/hosts/host_list.h"
#include "agent/hosts/host_survey.h"
#include "agent/hosts/installation.h"
#include "agent/hosts/ssh_askpass.h"
#include "agent/hosts/ssh_config.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"
#include "ui/session/host/host_backend.h"
#include "ui/session/host/pairing.h"

namespace ui::session {

namespace {

using agent::hosts::HostList;
using engine::ErrorCode;
using Phase = HostProgress::Phase;

constexpr int kClockRounds = 8;
constexpr std::chrono::seconds kCall{5};
constexpr std::chrono::seconds kForAnswers{120};  // a person types

agent::hosts::Host hostOfEntry(const HostEntry& entry) {
    if (!entry.fingerprint.isEmpty())
        return {.name = entry.name.toStdString(),
                .folder = "",
                .direct = agent::direct::DirectPeer{entry.destination.toStdString(), entry.fingerprint.toStdString()}};
    if (isPairingLine(entry.destination)) {
        const auto line = agent::direct::pairingLineIn(entry.destination.toStdString());
        if (line) return {.name = entry.name.toStdString(), .folder = "", .direct = line->peer};
        throw engine::Error(
            ErrorCode::kInvalidArgument,
            (entry.name.isEmpty() ? "" : entry.name.toStdString() + ": ") +
                "expected the line that tandem-agent invite prints, tandem://HOST:PORT/FINGERPRINT/SECRET, got another text");
    }
    const auto destination = agent::hosts::parseSshDestination(entry.destination.toStdString());
    if (!destination)
        throw engine::Error(ErrorCode::kInvalidArgument,
                            entry.name.toStdString() + ": expected [USER@]HOST[:PORT] for ssh, got " + entry.destination.toStdString());
    return {.name = entry.name.toStdString(),
            .ssh = *destination,
            .folder = entry.folder.isEmpty() ? agent::hosts::kDefaultFolder : entry.folder.toStdString()};
}

HostEntry entryOf(const agent::hosts::Host& host) {
    return {QString::fromStdString(host.name), QString::fromStdString(destinationOf(host)), QString::fromStdString(host.folder),
            host.direct ? QString::fromStdString(host.direct->fingerprint) : QString()};
}

using Clock = std::chrono::steady_clock;

// Answers what one ssh asks, where somebody is there to be asked.
class Asker {
public:
    Asker(const std::string& program, const HostWork& work) : work_(work) {
        if (work.ask) askpass_.emplace(program, [this](const auto& question, const auto& is_over) { return answer(question, is_over); });
    }

    agent::hosts::Prompts prompts() const { return askpass_ ? agent::hosts::Prompts::kAskpass : agent::hosts::Prompts::kNone; }
    std::vector<std::string> environment() const { return askpass_ ? askpass_->environment() : std::vector<std::string>(); }
    std::chrono::milliseconds deadline() const {
        return askpass_ ? std::max<std::chrono::milliseconds>(work_.deadline, kForAnswers) : work_.deadline;
    }
    // Returns how long answers took.
    std::chrono::milliseconds asked() const {
        const engine::MutexLock lock(mutex_);
        return std::chrono::duration_cast<std::chrono::milliseconds>(asked_);
    }
    HostSight::Gave gave() const {
        const engine::MutexLock lock(mutex_);
        return gave_;
    }

private:
    std::optional<std::string> answer(const agent::hosts::SshQuestion& asked, const std::function<bool()>& is_over) {
        HostQuestion question{.kind = kindOf(asked.kind),
                              .text = QString::fromStdString(asked.text),
                              .key_type = QString::fromStdString(asked.key_type),
                              .fingerprint = QString::fromStdString(asked.fingerprint),
                              .key_host = QString::fromStdString(asked.host)};
        const bool is_secret = question.kind == HostQuestion::Kind::kSecret;
        {
            const engine::MutexLock lock(mutex_);
            question.is_again = is_secret && question.text == secret_;
        }
        const Clock::time_point begin = Clock::now();
        const std::optional<QString> said = work_.ask(question, is_over);
        const engine::MutexLock lock(mutex_);
        asked_ += Clock::now() - begin;
        if (!said) return std::nullopt;
        if (is_secret) secret_ = question.text;
        if (is_secret && gave_ != HostSight::Gave::kPassword) gave_ = gaveFor(asked);
        return said->toStdString();
    }
    static HostSight::Gave gaveFor(const agent::hosts::SshQuestion& question) {
        switch (agent::hosts::secretOf(question)) {
            case agent::hosts::SecretOf::kAccount:
                return HostSight::Gave::kPassword;
            case agent::hosts::SecretOf::kKey:
                return HostSight::Gave::kSecretOfKey;
            case agent::hosts::SecretOf::kOther:
                return HostSight::Gave::kNothing;
        }
        return HostSight::Gave::kNothing;
    }
    static HostQuestion::Kind kindOf(agent::hosts::SshQuestion::Kind kind) {
        switch (kind) {
            case agent::hosts::SshQuestion::Kind::kHostKey:
                return HostQuestion::Kind::kHostKey;
            case agent::hosts::SshQuestion::Kind::kSecret:
                return HostQuestion::Kind::kSecret;
            case agent::hosts::SshQuestion::Kind::kConfirm:
                return HostQuestion::Kind::kConfirm;
            case agent::hosts::SshQuestion::Kind::kNotice:
                return HostQuestion::Kind::kNotice;
        }
        return HostQuestion::Kind::kSecret;
    }

    const HostWork& work_;
    mutable engine::Mutex mutex_;
    QString secret_ TANDEM_GUARDED_BY(mutex_);  // the last question that a secret was given to, not the secret
    HostSight::Gave gave_ TANDEM_GUARDED_BY(mutex_) = HostSight::Gave::kNothing;
    Clock::duration asked_ TANDEM_GUARDED_BY(mutex_){0};
    std::optional<agent::hosts::SshAskpass> askpass_;  // last: its thread uses the others
};

class SshHostBackend final : public HostBackend {
public:
    explicit SshHostBackend(SshHostOptions options) : options_(std::move(options)) {
        if (options_.share_dir.empty())
            options_.share_dir = QDir::cleanPath(QCoreApplication::applicationDirPath() + "/../share/tandem").toStdString();
        if (options_.askpass.empty()) options_.askpass = QCoreApplication::applicationFilePath().toStdString();
    }

    QString listFile() const override {
        try {
            return QString::fromStdString(agent::hosts::hostListFile().string());
        } catch (const engine::Error&) {
            return {};  // list() says why
        }
    }
    std::vector<HostEntry> list() override {
        std::vector<HostEntry> entries;
        for (const agent::hosts::Host& host : HostList().list()) entries.push_back(entryOf(host));
        return entries;
    }
    void add(const HostEntry& entry, const HostWork& work) override {
        const HostList list;
        const std::string name = entry.name.toStdString();
        if (!isPairingLine(entry.destination)) return list.add(hostOfEntry(entry));
        // The line is good once: it is not spent on a name that can't be added.
        if (const auto known = list.find(name)) list.add(*known);  // says that there is one
        agent::hosts::FarOptions options{.version = options_.version, .is_cancelled = work.is_cancelled};
        options.deadline = work.deadline;
        list.add(agent::hosts::pairDirectly(name, entry.destination.toStdString(), options));
    }
    void remove(const QString& name) override { HostList().remove(name.toStdString()); }
    QStringList sshNames() override {
        QStringList names;
        for (const std::string& name : agent::hosts::sshConfigNames(agent::hosts::sshConfigFile())) names << QString::fromStdString(name);
        return names;
    }

    HostSight look(const HostEntry& entry, const HostWork& work) override {
        HostSight sight;
        try {
            agent::hosts::FarOptions options{.version = options_.version, .is_cancelled = work.is_cancelled};
            options.deadline = work.deadline;
            agent::hosts::FarAgent agent(hostOfEntry(entry), options);
            sight.info = agent.client().describe(kCall);
            const agent::client::ClockOffset clock = agent.clockOffset(kClockRounds, kCall);
            sight.clock_offset_ns = clock.offset.count();
            sight.round_trip_ns = clock.round_trip.count();
            sight.address = QString::fromStdString(agent.farAddress());
            sight.version = QString::fromStdString(sight.info.agent_version);
            sight.state = FarHostState::kReachable;
        } catch (const engine::Error& error) {
            // A host whose shell answers says what is there.
            const bool answers =
                entry.fingerprint.isEmpty() && (error.code() == ErrorCode::kNotFound || error.code() == ErrorCode::kFailedPrecondition);
            sight = answers ? survey(entry, work) : HostSight{};
            if (sight.state == FarHostState::kUnknown) sight.state = FarHostState::kProblem;
            if (sight.problem.isEmpty()) {
                sight.code = static_cast<int>(error.code());
                sight.problem = QString::fromUtf8(error.what());
            }
        }
        return sight;
    }

    HostSight survey(const HostEntry& entry, const HostWork& work) override {
        HostSight sight;
        try {
            Asker asker(options_.askpass, work);
            agent::hosts::FarOptions options{.version = options_.version,
                                             .prompts = asker.prompts(),
                                             .is_cancelled = work.is_cancelled,
                                             .ssh_environment = asker.environment()};
            options.deadline = asker.deadline();
            const Clock::time_point begin = Clock::now();
            sight = sightOf(surveyHost(hostOfEntry(entry), options));
            const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin) - asker.asked();
            sight.reached_ms = std::max(1, static_cast<int>(took.count()));
            sight.gave = asker.gave();
        } catch (const engine::Error& error) {
            sight.state = FarHostState::kProblem;
            sight.code = static_cast<int>(error.code());
            sight.problem = QString::fromUtf8(error.what());
        }
        return sight;
    }

    void install(const HostEntry& entry, const HostWork& work) override {
        const auto tell = [&work](const HostProgress& progress) {
            if (work.progress) work.progress(progress);
        };
        tell({.phase = Phase::kPacking});
        const agent::hosts::Bundle bundle = agent::hosts::openBundle(std::filesystem::path(options_.share_dir) / agent::hosts::kBundleFile);
        tell({.phase = Phase::kConnecting, .all_bytes = bundle.bytes});
        Asker asker(options_.askpass, work);
        agent::hosts::InstallOptions options{.version = options_.version};
        options.silence = work.deadline;
        options.prompts = asker.prompts();
        options.is_cancelled = work.is_cancelled;
        options.ssh_environment = asker.environment();
        options.progress = [&tell](const agent::hosts::Progress& progress) {
            const bool is_sent = progress.sent_bytes == progress.all_bytes;
            tell({is_sent ? Phase::kUnpacking : Phase::kSending, progress.sent_bytes, progress.all_bytes});
        };
        agent::hosts::install(hostOfEntry(entry), bundle, options);
    }

private:
    // Returns the sight of a survey. When the host has this version, it is unknown whether its agent answers: nothing was asked of it.
    HostSight sightOf(const agent::hosts::HostSurvey& survey) const {
        HostSight sight;
        sight.info.cpu_model = survey.cpu_model;
        sight.info.cores = survey.cores;
        sight.info.memory_bytes = survey.memory_bytes;
        sight.info.memory_available_bytes = survey.memory_available_bytes;
        sight.info.disk_available_bytes = survey.disk_available_bytes.value_or(0);
        for (const std::string& gpu : survey.gpus) sight.info.gpus.gpus.push_back({.name = gpu});
        sight.version = QString::fromStdString(survey.version);
        sight.arch = QString::fromStdString(survey.arch);
        sight.glibc = QString::fromStdString(survey.glibc);
        sight.address = QString::fromStdString(survey.far_address);
        const auto compared = survey.version.empty() ? std::nullopt : agent::hosts::comparedVersions(options_.version, survey.version);
        sight.is_older = compared == "older";
        sight.is_newer = compared == "newer";
        sight.state = survey.program.empty()               ? FarHostState::kNoTandem
                      : compared || survey.version.empty() ? FarHostState::kOtherVersion
                                                           : FarHostState::kUnknown;
        return sight;
    }

    SshHostOptions options_;
};

}  // namespace

std::shared_ptr<HostBackend> sshHostBackend(SshHostOptions options) {
    return std::make_shared<SshHostBackend>(std::move(options));
}

engine::spec::Diagnostics findingsOf(const HostEntry& entry) {
    try {
        return findings(hostOfEntry(entry), "host");
    } catch (const engine::Error& error) {
        return {{engine::spec::Severity::kError, "host.ssh", error.what(), ""}};
    }
}

QString hostOfDestination(const QString& destination) {
    if (isPairingLine(destination)) {
        const auto line = agent::direct::pairingLineIn(destination.toStdString());
        return line ? QString::fromStdString(agent::direct::hostOfAddress(line->peer.address)) : QString();
    }
    const auto parsed = agent::hosts::parseSshDestination(destination.toStdString());
    return parsed ? QString::fromStdString(parsed->host) : QString();
}

QString usualFolder() {
    return QString::fromLatin1(agent::hosts::kDefaultFolder);
}

}  // namespace ui::session
