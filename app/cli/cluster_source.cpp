#include "app/cli/cluster_source.h"

#include <CLI/Validators.hpp>
#include <iostream>
#include <map>

#include "app/cli/text_file.h"

namespace app::cli {

using engine::spec::ClusterTextKind;

CLI::Option* addClusterSource(CLI::App& verb, ClusterSource& source, const std::string& option, const std::string& help) {
    static const std::map<std::string, ClusterTextKind> kKinds{
        {"tf_config", ClusterTextKind::kTfConfig}, {"hostfile", ClusterTextKind::kHostfile}, {"slurm", ClusterTextKind::kSlurm}};
    CLI::Option* file = verb.add_option(option, source.file, help);
    verb.add_option_function<std::string>(
            "--from", [&source](const std::string& kind) { source.options.kind = kKinds.at(kind); },
            "what the file is: tf_config, hostfile or slurm (default: as it looks)")
        ->check(CLI::IsMember(kKinds));
    verb.add_option("--port", source.options.first_port,
                    "of a host's first task, for hostfile and slurm (default 12345; slurm 8888, as TensorFlow's SlurmClusterResolver)")
        ->check(CLI::Range(1, 65535));
    return file;
}

std::optional<std::string> readText(Context& context, const std::string& file) {
    auto text = file == "-" ? readAllText(std::cin, "standard input", context.err) : readTextFile(file, context.err);
    if (!text) {
        context.exit_code = kUsage;
    }
    return text;
}

std::optional<engine::spec::ClusterText> readCluster(Context& context, const ClusterSource& source) {
    const auto text = readText(context, source.file);
    if (!text) {
        return std::nullopt;
    }
    engine::spec::ClusterText read = readClusterText(*text, source.options);
    bool failed = false;
    for (const engine::spec::Diagnostic& found : read.diagnostics) {
        if (!found.path.starts_with("task")) {
            context.err << toString(found) << '\n';
            failed = failed || found.severity == engine::spec::Severity::kError;
        }
    }
    if (failed) {
        context.exit_code = kFailed;
        return std::nullopt;
    }
    return read;
}

}  // namespace app::cli
