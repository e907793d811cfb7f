#include "engine/launch/tf_config_files.h"

namespace engine::launch {
namespace {

// Single-quoted for a shell; `escaped` stands for a single quote inside.
std::string singleQuoted(std::string_view text, std::string_view escaped) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += escaped;
        } else {
            quoted.push_back(c);
        }
    }
    return quoted + "'";
}

std::string_view suffix(TfConfigFormat format) {
    switch (format) {
        case TfConfigFormat::kJson:
            return ".json";
        case TfConfigFormat::kEnv:
            return ".env";
        case TfConfigFormat::kBash:
            return ".sh";
        case TfConfigFormat::kPowerShell:
            return ".ps1";
    }
    return "";
}

}  // namespace

std::optional<TfConfigFormat> parseTfConfigFormat(std::string_view name) {
    if (name == "json") return TfConfigFormat::kJson;
    if (name == "env") return TfConfigFormat::kEnv;
    if (name == "bash") return TfConfigFormat::kBash;
    if (name == "powershell") return TfConfigFormat::kPowerShell;
    return std::nullopt;
}

std::string tfConfigText(const spec::ClusterSpec& cluster, const spec::TaskId& task, TfConfigFormat format) {
    const std::string json = spec::toTfConfigJson(cluster, task);
    switch (format) {
        case TfConfigFormat::kJson:
            return json;
        case TfConfigFormat::kEnv:
            return "TF_CONFIG=" + json;
        case TfConfigFormat::kBash:
            return "export TF_CONFIG=" + singleQuoted(json, "'\\''");
        case TfConfigFormat::kPowerShell:
            return "$env:TF_CONFIG = " + singleQuoted(json, "''");
    }
    return json;
}

std::vector<LaunchFile> tfConfigFiles(const spec::ClusterSpec& cluster, TfConfigFormat format) {
    std::vector<LaunchFile> files;
    for (const spec::Job& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) {
            const spec::TaskId task{job.name, index};
            files.push_back(
                {job.name + "-" + std::to_string(index) + std::string(suffix(format)), tfConfigText(cluster, task, format) + "\n"});
        }
    }
    return files;
}

}  // namespace engine::launch
