// What every verb of the command line gets, and how it ends.
#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include "agent/client/agent_client.h"
#include "agent/hosts/host_check.h"
#include "agent/hosts/installation.h"

namespace app::cli {

// Documented in every --help; scripts rely on them.
enum ExitCode : int {
    kDone = 0,
    kFailed = 1,         // diagnostics with errors, or a run that failed
    kUsage = 2,          // wrong options; a TF_CONFIG that is no JSON object
    kNoAgent = 3,        // the agent of this computer can't be reached
    kDiffers = 4,        // the lab's: strategies that should train alike do not
    kInterrupted = 130,  // ended by Ctrl+C
};

// Assembled by main, replaced by tests. Outlives the verbs.
struct Context {
    std::ostream& out;
    std::ostream& err;
    bool out_is_terminal = false;
    std::int64_t process_start_unix_ns = 0;
    std::filesystem::path program_dir;  // where the other programs lie
    std::filesystem::path share_dir;    // templates/, datasets/
    std::function<std::unique_ptr<agent::client::AgentClient>()> connect;
    std::function<int()> interrupts;  // how often Ctrl+C was pressed so far
    // Looks at other computers, until Ctrl+C.
    std::function<std::vector<agent::hosts::HostReport>(const std::vector<agent::hosts::Host>&)> check_hosts;
    // Puts the bundle's Tandem on another computer, until Ctrl+C.
    std::function<agent::hosts::Installation(const agent::hosts::Host&, const agent::hosts::Bundle&,
                                             const std::function<void(agent::hosts::Progress)>&)>
        install_on;
    int exit_code = kDone;  // set by the verb that ran
    // Pairs this computer with the one whose agent printed the line, until Ctrl+C: the host for the list, under that name.
    std::function<agent::hosts::Host(const std::string& name, const std::string& line)> pair_with{};
};

// Each adds its verb to the command line; the verb runs when parsing has chosen it.
void addTemplates(CLI::App& app, Context& context);
void addTrain(CLI::App& app, Context& context);
void addBranch(CLI::App& app, Context& context);
void addLab(CLI::App& app, Context& context);
void addSweep(CLI::App& app, Context& context);
void addWatch(CLI::App& app, Context& context);
void addStop(CLI::App& app, Context& context);
void addChaos(CLI::App& app, Context& context);
void addSubmit(CLI::App& app, Context& context);
void addRuns(CLI::App& app, Context& context);
void addArchive(CLI::App& app, Context& context);
void addAgent(CLI::App& app, Context& context);
void addHost(CLI::App& app, Context& context);
void addCheck(CLI::App& app, Context& context);
void addDoctor(CLI::App& app, Context& context);
void addStrategies(CLI::App& app, Context& context);
void addClusterKey(CLI::App& app, Context& context);
void addData(CLI::App& app, Context& context);
void addExplain(CLI::App& app, Context& context);
void addShards(CLI::App& app, Context& context);
void addExport(CLI::App& app, Context& context);
void addEvaluate(CLI::App& app, Context& context);
void addPredict(CLI::App& app, Context& context);
void addInspect(CLI::App& app, Context& context);
void addImport(CLI::App& app, Context& context);
void addSummary(CLI::App& app, Context& context);
void addPlacement(CLI::App& app, Context& context);

}  // namespace app::cli
