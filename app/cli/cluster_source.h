// A cluster from a file of the user's: TF_CONFIG, hostfile or Slurm's variables.
#pragma once

#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "app/cli/verb.h"
#include "engine/spec/cluster/cluster_text.h"

namespace app::cli {

struct ClusterSource {
    std::string file;  // empty: none was given
    engine::spec::ClusterTextOptions options;
};

// Adds an option (or, without dashes, a positional) for the file, --from for its kind and --port for the first task of a host.
CLI::Option* addClusterSource(CLI::App& verb, ClusterSource& source, const std::string& option, const std::string& help);

// The text of a file, or of standard input for "-"; nullopt after saying why not, context.exit_code is then kUsage.
std::optional<std::string> readText(Context& context, const std::string& file);

// Prints every finding to context.err; nullopt when one is an error, context.exit_code is then set. A missing or unfit task part of a
// TF_CONFIG is no error: only its cluster counts.
std::optional<engine::spec::ClusterText> readCluster(Context& context, const ClusterSource& source);

}  // namespace app::cli
