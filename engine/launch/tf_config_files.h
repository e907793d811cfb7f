// TF_CONFIG of every task of a cluster as files that a shell, Docker or a program takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/cluster_spec.h"

namespace engine::launch {

enum class TfConfigFormat {
    kJson,        // worker-0.json: the value itself, two spaces a level, a short object on one line
    kEnv,         // worker-0.env: TF_CONFIG=… as `docker run --env-file` and python-dotenv read it
    kBash,        // worker-0.sh: export TF_CONFIG='…'
    kPowerShell,  // worker-0.ps1: $env:TF_CONFIG = '…'
};

// "json", "env", "bash", "powershell"; nullopt for another name.
std::optional<TfConfigFormat> parseTfConfigFormat(std::string_view name);

struct LaunchFile {
    std::string file_name;
    std::string text;  // ends in a newline
    friend bool operator==(const LaunchFile&, const LaunchFile&) = default;
};

// One task's TF_CONFIG in that format, without the newline at the end.
std::string tfConfigText(const spec::ClusterSpec& cluster, const spec::TaskId& task, TfConfigFormat format);

// One file a task, jobs in the user's order, tasks by index. Empty for an empty cluster.
std::vector<LaunchFile> tfConfigFiles(const spec::ClusterSpec& cluster, TfConfigFormat format);

}  // namespace engine::launch
