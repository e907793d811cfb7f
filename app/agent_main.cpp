// tandem-agent: options, log, signals and the server's life.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <poll.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "agent/client/local_agent.h"
#include "agent/direct/direct_call.h"
#include "agent/direct/paired_peers.h"
#include "agent/home/far_doctor.h"
#include "agent/home/far_files.h"
#include "agent/home/far_runs.h"
#include "agent/home/ssh_part.h"
#include "agent/local/file_descriptor.h"
#include "agent/local/located_agent.h"
#include "agent/server/process/posix_launcher.h"
#include "agent/server/rpc/agent_server.h"
#include "engine/errors/coded_errors.h"
#include "engine/errors/error_catalog.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"
#include "program_errors.h"
#include "ready_signal.h"
#include "standard_output.h"

namespace {

using agent::convert::FileDescriptor;
using agent::server::AgentServer;
using agent::server::AgentServerConfig;

enum ExitCode { kOk = 0, kFailed = 1, kUsage = 2 };
constexpr std::chrono::seconds kLocateDeadline{10};

struct Options {
    bool detach = false;
    bool locate = false;
    int ready_fd = -1;
    int idle_exit_s = 0;
    std::string listen;
    std::string unpaired;
};

void logLine(engine::spec::LogLevel level, const std::string& text) {
    switch (level) {
        case engine::spec::LogLevel::kDebug:
            spdlog::debug(text);
            break;
        case engine::spec::LogLevel::kInfo:
            spdlog::info(text);
            break;
        case engine::spec::LogLevel::kWarning:
            spdlog::warn(engine::errors::withCode(text));
            break;
        case engine::spec::LogLevel::kError:
            spdlog::error(engine::errors::withCode(text));
            break;
    }
}

// Raises the limit to all that this process may have: it holds descriptors for every task and every client. Returns the limit before, which
// is what tasks get.
std::optional<rlimit> raiseDescriptorLimit() {
    rlimit before{};
    if (::getrlimit(RLIMIT_NOFILE, &before) != 0) {
        return std::nullopt;
    }
    rlimit raised = before;
    raised.rlim_cur = before.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &raised);
    return before;
}

// Blocked in every thread, read here.
FileDescriptor endSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        sigaddset(&set, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    return FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC));
}

// Waits until a signal, or until nobody has needed the agent for `idle_exit_s`.
void waitForEnd(const AgentServer& server, const FileDescriptor& signals, int idle_exit_s) {
    const std::chrono::seconds limit(idle_exit_s);
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - server.idleFor());
        if (idle_exit_s > 0 && left.count() <= 0) {
            spdlog::info("nobody has needed this agent for {} s: it ends", idle_exit_s);
            return;
        }
        pollfd entry{signals.get(), POLLIN, 0};
        if (::poll(&entry, 1, idle_exit_s > 0 ? static_cast<int>(left.count()) : -1) > 0) {
            spdlog::info("asked to end, {} runs are active", server.activeRuns());
            return;
        }
    }
}

int serve(const Options& options) {
    app::ReadySignal ready(options.ready_fd);
    const FileDescriptor signals = endSignals();
    try {
        AgentServerConfig config;
        config.version = TANDEM_VERSION;
        config.launcher = std::make_unique<agent::server::PosixLauncher>(raiseDescriptorLimit());
        config.log = logLine;
        config.digests = std::make_shared<agent::files::FileDigests>();
        const auto is_ending = std::make_shared<std::atomic<bool>>(false);
        config.parts = agent::home::partsOverSsh(
            {.version = TANDEM_VERSION, .log = logLine, .digests = config.digests, .is_ending = [is_ending] { return is_ending->load(); }});
        config.far_runs = agent::home::farRunsOverSsh({.version = TANDEM_VERSION, .log = logLine, .digests = config.digests});
        config.share = agent::home::shareOverSsh(TANDEM_VERSION, config.digests);
        config.far_doctor = agent::home::doctorOverSsh({.version = TANDEM_VERSION, .digests = config.digests});
        if (!options.listen.empty()) {
            config.direct = agent::direct::DirectDoorOptions{
                .listen = options.listen, .identity = agent::trust::ownIdentity(), .peers = agent::direct::PairedPeers()};
        }
        const AgentServer server(std::move(config));
        spdlog::info("tandem-agent {} listens on {}", TANDEM_VERSION, server.address());
        if (!options.listen.empty()) {
            spdlog::info("computers that are paired reach it at {}; tandem-agent invite prints a line that pairs one",
                         server.directAddress());
        }
        ready.ready();
        waitForEnd(server, signals, options.idle_exit_s);
        *is_ending = true;
    } catch (const std::exception& error) {
        const std::string why = engine::exceptionText(error);
        spdlog::error(engine::errors::withCode(why));
        ready.failed(why);
        return kFailed;
    }
    return kOk;
}

int failed(const std::exception& error) {
    std::cerr << "error: " << engine::exceptionText(error) << '\n';
    return kFailed;
}

// A pairing line of the agent that runs here.
int invite() {
    try {
        const std::filesystem::path runs_dir = agent::convert::defaultRunsDir();
        const auto running = agent::convert::agentLives(runs_dir) ? agent::convert::readAgentAddress(runs_dir) : std::nullopt;
        if (!running || running->listen.empty()) {
            throw engine::Error(engine::ErrorCode::kFailedPrecondition,
                                std::string("invite: expected a running agent that listens for other computers, got ") +
                                    (running ? "one without --listen: end it, and start it with --listen HOST:PORT"
                                             : "none: tandem-agent --listen HOST:PORT starts one"));
        }
        const agent::trust::Identity identity = agent::trust::ownIdentity();
        const std::string line = agent::direct::inviteDirectly({.name = "invite",
                                                                .peer = {running->listen, identity.fingerprint},
                                                                .version = TANDEM_VERSION,
                                                                .until = std::chrono::steady_clock::now() + kLocateDeadline},
                                                               identity);
        std::cout << line << '\n';
    } catch (const std::exception& error) {
        return failed(error);
    }
    return app::printedAll() ? kOk : kFailed;
}

int listPaired() {
    try {
        for (const agent::direct::PairedPeer& peer : agent::direct::PairedPeers().list()) {
            std::cout << peer.fingerprint << "  " << peer.name << '\n';
        }
    } catch (const std::exception& error) {
        return failed(error);
    }
    return app::printedAll() ? kOk : kFailed;
}

int unpair(const std::string& which) {
    try {
        if (agent::direct::PairedPeers().remove(which) == 0) {
            throw engine::Error(
                engine::ErrorCode::kNotFound,
                which + ": expected the name or the fingerprint of a paired computer, got another; tandem-agent paired prints them");
        }
    } catch (const std::exception& error) {
        return failed(error);
    }
    return kOk;
}

// Prints where the agent is, for a program on another computer, which reads this over ssh.
int locate() {
    try {
        const agent::convert::AgentAddress address = agent::client::locateLocalAgent("", kLocateDeadline);
        std::cout << agent::convert::toLine({address, agent::convert::thisArch()}) << '\n';
    } catch (const std::exception& error) {
        std::cerr << engine::exceptionText(error) << '\n';
        return kFailed;
    }
    return app::printedAll() ? kOk : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
    const engine::errors::CodedErrors coded(std::cerr);
    Options options;
    CLI::App app(
        "Supervises the training tasks of this computer for Tandem's studio and command line, which start it when they need it.\n"
        "Exit codes: 0 ended when asked, 1 could not start, 2 wrong options.",
        "tandem-agent");
    app.set_version_flag("--version", TANDEM_VERSION);
    app::tellOptionErrors(app);
    CLI::Option* detach = app.add_flag("--detach", options.detach, "Go on in the background");
    CLI::Option* where =
        app.add_flag("--locate", options.locate,
                     "Start this user's agent where none runs (as a service of the user's systemd, where the user lingers), "
                     "say where it listens as one line of JSON, its token included, and end: what tandem-cli on another "
                     "computer asks for over ssh");
    app.add_option("--ready-fd", options.ready_fd, "Write \"ready\" or the reason of a failure to this descriptor, then close it")
        ->check(CLI::Range(3, 1 << 20));
    app.add_option("--idle-exit", options.idle_exit_s, "End after so many seconds without runs and clients; 0 = never")
        ->check(CLI::Range(0, 1 << 20))
        ->capture_default_str();
    where->excludes(detach);
    app.add_option("--listen", options.listen,
                   "Let other computers reach this agent at HOST:PORT, an address of this one, in TLS 1.3 alone: those that were paired by "
                   "tandem-agent invite, and nobody else")
        ->excludes(where);
    const CLI::App* inviting =
        app.add_subcommand("invite",
                           "Print one line that pairs another computer with the agent that runs here with --listen: tandem-cli host add "
                           "NAME --direct LINE takes "
                           "it there. It is good once, for ten minutes, and until the next one is printed; three wrong tries end it");
    const CLI::App* listing = app.add_subcommand("paired", "Print the computers that may reach this agent directly: fingerprint and name");
    CLI::App* forgetting = app.add_subcommand("unpair", "Let a computer reach this agent no more; connections that it has end");
    forgetting->add_option("NAME", options.unpaired, "its name or the first digits of its fingerprint, as tandem-agent paired prints them")
        ->required();
    app.require_subcommand(0, 1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kOk : kUsage;
    }
    if (options.locate) {
        return locate();
    }
    if (inviting->parsed()) {
        return invite();
    }
    if (listing->parsed()) {
        return listPaired();
    }
    if (forgetting->parsed()) {
        return unpair(options.unpaired);
    }
    // The fork comes before the first thread: what follows is a process of its own, and no child of the one that asked for it.
    if (const pid_t pid = options.detach ? ::fork() : 0; pid != 0) {
        return pid > 0 ? kOk : kFailed;
    }
    if (options.detach && ::chdir("/") != 0) {
        return kFailed;
    }
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("agent", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
    spdlog::flush_on(spdlog::level::info);
    return serve(options);
}
