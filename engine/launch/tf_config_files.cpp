#include "engine/launch/tf_config_files.h"

#include "engine/launch/shell_text.h"

namespace engine::launch {
namespace {

constexpr std::size_t kShortObject = 60;  // characters

// The end of the string literal that starts at `from`.
std::size_t stringEnd(std::string_view json, std::size_t from) {
    for (std::size_t i = from + 1; i < json.size(); ++i) {
        if (json[i] == '\\') {
            ++i;
        } else if (json[i] == '"') {
            return i;
        }
    }
    return json.size() - 1;
}

// The closing brace of an object of scalars that starts at `from`; npos when it nests or is long.
std::size_t shortObjectEnd(std::string_view json, std::size_t from) {
    for (std::size_t i = from + 1; i < json.size() && i - from < kShortObject; ++i) {
        if (json[i] == '"') {
            i = stringEnd(json, i);
        } else if (json[i] == '{' || json[i] == '[') {
            return std::string_view::npos;
        } else if (json[i] == '}') {
            return i;
        }
    }
    return std::string_view::npos;
}

// JSON of one line on several, so that what tells one task from another has a line of its own. Layout changes, no token does.
std::string onLines(std::string_view json) {
    std::string text;
    std::size_t depth = 0;
    const auto newLine = [&] { text += '\n' + std::string(depth * 2, ' '); };
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        const std::size_t end = c == '"' ? stringEnd(json, i) : c == '{' && depth > 0 ? shortObjectEnd(json, i) : std::string_view::npos;
        if (end != std::string_view::npos) {
            text += json.substr(i, end - i + 1);
            i = end;
        } else if (c == '{' || c == '[') {
            text += c;
            ++depth;
            newLine();
        } else if (c == '}' || c == ']') {
            --depth;
            newLine();
            text += c;
        } else if (c == ',') {
            text += c;
            newLine();
            if (i + 1 < json.size() && json[i + 1] == ' ') ++i;
        } else {
            text += c;
        }
    }
    return text;
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
            return onLines(json);
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
