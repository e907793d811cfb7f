// A project, or a branch of a run, that is submitted and followed to its end.
#pragma once

#include <optional>
#include <string>

#include "../../train_options.h"
#include "app/cli/verb.h"

namespace app::cli {

struct TrainVerbOptions : app::TrainOptions {
    int workers = 0;                   // 0: as the project says
    int servers = 0;                   // beside them
    std::optional<std::string> hosts;  // "node1,node2:2"; nullopt: this computer
    bool json = false;
};

// The options of the computers that train.
void addComputerOptions(CLI::App& verb, TrainVerbOptions& options);
// Adds those options, and the one for what is printed.
void addWhereOptions(CLI::App& verb, TrainVerbOptions& options);

// Submits the project and follows the run; context.exit_code is set as the verb's footer says.
void train(Context& context, const TrainVerbOptions& options);

inline constexpr const char* kTrainFooter =
    "Ctrl+C stops the run after its step, a second one at once.\n"
    "Exit codes: 0 done, 1 the project has errors or the run failed, 2 wrong options or no such project, 3 the agent can't be reached, "
    "130 interrupted.";

}  // namespace app::cli
