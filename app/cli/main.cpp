// tandem-cli: everything the studio does with runs, without a window.
#include <unistd.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <atomic>
#include <csignal>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

#include "../program_errors.h"
#include "../standard_output.h"
#include "agent/hosts/direct_way.h"
#include "app/cli/completion.h"
#include "app/cli/verb.h"
#include "engine/errors/coded_errors.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"

namespace {

std::atomic<int> interrupt_count{0};

void countInterrupt(int /*signal*/) {
    interrupt_count.fetch_add(1);
}

std::int64_t nowNs(clockid_t clock) {
    std::timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Returns when the kernel started this process: field 22 of /proc/self/stat, in clock ticks since boot.
std::int64_t processStartUnixNs() {
    std::ifstream file("/proc/self/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) {
        return nowNs(CLOCK_REALTIME);
    }
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int k = 3; k <= 22; ++k) {
        fields >> field;
    }
    const std::int64_t ticks = std::strtoll(field.c_str(), nullptr, 10);
    const std::int64_t since_boot_ns = ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK));
    return nowNs(CLOCK_REALTIME) - (nowNs(CLOCK_BOOTTIME) - since_boot_ns);
}

// Several findings come as lines of one error.
void printErrors(const std::string& lines) {
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);) {
        std::cerr << (line.starts_with("error: ") ? "" : "error: ") << line << '\n';
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGINT, countInterrupt);
    std::signal(SIGTERM, countInterrupt);
    std::signal(SIGPIPE, SIG_IGN);
    const engine::errors::CodedErrors coded(std::cerr);
    const std::filesystem::path program_dir = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    app::cli::Context context{
        .out = std::cout,
        .err = std::cerr,
        .out_is_terminal = isatty(STDOUT_FILENO) != 0,
        .process_start_unix_ns = processStartUnixNs(),
        .program_dir = program_dir,
        .share_dir = program_dir.parent_path() / "share" / "tandem",
        .connect = [&] { return agent::client::connectLocalAgent((program_dir / "tandem-agent").string(), std::chrono::seconds(10)); },
        .interrupts = [] { return interrupt_count.load(); },
        .check_hosts =
            [](const std::vector<agent::hosts::Host>& hosts) {
                return agent::hosts::checkHosts(hosts, {.version = TANDEM_VERSION,
                                                        .prompts = agent::hosts::promptsHere(),
                                                        .is_cancelled = [] { return interrupt_count.load() > 0; }});
            },
        .install_on =
            [](const agent::hosts::Host& host, const agent::hosts::Bundle& bundle, const auto& progress) {
                return agent::hosts::install(
                    host, bundle,
                    {.version = TANDEM_VERSION, .prompts = agent::hosts::promptsHere(), .progress = progress, .is_cancelled = [] {
                         return interrupt_count.load() > 0;
                     }});
            },
        .pair_with =
            [](const std::string& name, const std::string& line) {
                return agent::hosts::pairDirectly(name, line,
                                                  {.version = TANDEM_VERSION, .is_cancelled = [] { return interrupt_count.load() > 0; }});
            },
    };
    CLI::App app("Tandem: distributed training without a window", "tandem-cli");
    app.set_version_flag("--version", TANDEM_VERSION);
    app.require_subcommand(1);
    app::tellOptionErrors(app);
    app.footer(
        "Exit codes: 0 done, 1 errors found or a run failed, 2 wrong options, 3 the agent can't be reached, 4 strategies differ, 130 "
        "interrupted.");
    app::cli::addTemplates(app, context);
    app::cli::addTrain(app, context);
    app::cli::addBranch(app, context);
    app::cli::addLab(app, context);
    app::cli::addSweep(app, context);
    app::cli::addSubmit(app, context);
    app::cli::addWatch(app, context);
    app::cli::addStop(app, context);
    app::cli::addChaos(app, context);
    app::cli::addRuns(app, context);
    app::cli::addArchive(app, context);
    app::cli::addAgent(app, context);
    app::cli::addHost(app, context);
    app::cli::addCheck(app, context);
    app::cli::addExplain(app, context);
    app::cli::addDoctor(app, context);
    app::cli::addStrategies(app, context);
    app::cli::addClusterKey(app, context);
    app::cli::addShards(app, context);
    app::cli::addData(app, context);
    app::cli::addExport(app, context);
    app::cli::addEvaluate(app, context);
    app::cli::addPredict(app, context);
    app::cli::addInspect(app, context);
    app::cli::addImport(app, context);
    app::cli::addSummary(app, context);
    app::cli::addPlacement(app, context);
    app::cli::addCompletion(app, context);
    try {
        app.parse(argc, argv);
    } catch (const CLI::RequiredError& error) {
        if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
            std::cerr << "error: " << argv[1] << ": expected a verb such as train, runs or check (tandem-cli --help lists them)\n";
            return app::cli::kUsage;
        }
        return app.exit(error) == 0 ? app::cli::kDone : app::cli::kUsage;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? app::cli::kDone : app::cli::kUsage;
    } catch (const engine::Error& error) {
        printErrors(error.what());
        return error.code() == engine::ErrorCode::kUnavailable ? app::cli::kNoAgent : app::cli::kFailed;
    } catch (const std::exception& error) {
        std::cerr << "error: " << engine::exceptionText(error) << '\n';
        return app::cli::kFailed;
    }
    return app::printedAll() || context.exit_code != app::cli::kDone ? context.exit_code : app::cli::kFailed;
}
