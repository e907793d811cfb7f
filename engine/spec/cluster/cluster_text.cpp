#include "engine/spec/cluster/cluster_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/json_text.h"
#include "engine/spec/keras/keras_code.h"

namespace engine::spec {
namespace {

constexpr int kUsualPort = 12345, kSlurmPort = 8888, kLastPort = 65535;
constexpr int kMostTasks = 4096;  // of one text: more is a slip of the finger
constexpr auto kTooManyHosts = "expected at most 4096 hosts, got more";
constexpr std::string_view kSpaces = " \t\r\n\f\v";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpaces);
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    for (std::size_t at = text.find_first_not_of(kSpaces); at != std::string_view::npos; at = text.find_first_not_of(kSpaces, at)) {
        const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
        found.push_back(text.substr(at, end - at));
        at = end;
    }
    return found;
}

std::optional<int> wholeNumber(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

// ---- TF_CONFIG ------------------------------------------------------------------------------------------------------------------

// The end of the object that begins at `from`, its closing brace included; npos when it does not end. Braces in texts do not count.
std::size_t objectEnd(std::string_view text, std::size_t from) {
    int depth = 0;
    char quote = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == '\\') {
                ++i;
            } else if (c == quote) {
                quote = 0;
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

// A literal of Python as JSON: single quotes, None, True, False, commas before a closing bracket.
std::string jsonOfPython(std::string_view text) {
    std::string out;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == '\\' && i + 1 < text.size()) {
                const bool own_quote = text[i + 1] == '\'';
                out += own_quote ? "'" : std::string{c, text[i + 1]};
                ++i;
            } else if (c == quote) {
                out += '"';
                quote = 0;
            } else {
                out += c == '"' ? "\\\"" : std::string(1, c);
            }
            continue;
        }
        if (c == '"' || c == '\'') {
            quote = c;
            out += '"';
        } else if (c == ',' && text.find_first_of("}])", i) == text.find_first_not_of(kSpaces, i + 1)) {
            continue;
        } else if (c == '(') {
            out += '[';
        } else if (c == ')') {
            out += ']';
        } else {
            bool replaced = false;
            for (const auto& [python, json] : {std::pair{"None", "null"}, std::pair{"True", "true"}, std::pair{"False", "false"}}) {
                if (text.substr(i).starts_with(python)) {
                    out += json;
                    i += std::string_view(python).size() - 1;
                    replaced = true;
                    break;
                }
            }
            if (!replaced) {
                out += c;
            }
        }
    }
    return out;
}

// The JSON inside what wraps it; the trimmed text when there is nothing around it.
std::string tfConfigJson(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || parseJson(text).value) {
        return std::string(text);
    }
    const std::size_t name = text.find("TF_CONFIG");
    const std::size_t open = text.find('{', name == std::string_view::npos ? 0 : name);
    if (open == std::string_view::npos) {
        return std::string(text);
    }
    // Inside a shell's quotes an apostrophe is no quote of JSON: try the braces first as they stand.
    const std::size_t end = objectEnd(text, open);
    const std::string inner(end == std::string_view::npos ? text.substr(open) : text.substr(open, end - open));
    if (!parseJson(inner).value) {
        const std::string converted = jsonOfPython(inner);
        if (parseJson(converted).value) {
            return converted;
        }
    }
    return inner;
}

// ---- hosts with their slots -------------------------------------------------------------------------------------------------------

// Slots by host, in the order of their first line.
class Slots {
public:
    void add(const std::string& host, int slots) {
        const auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const auto& entry) { return entry.first == host; });
        if (found != hosts_.end()) {
            found->second += slots;
        } else {
            hosts_.emplace_back(host, slots);
        }
        total_ += slots;
    }
    int total() const { return total_; }

    // Workers in the order of the hosts.
    ClusterSpec cluster(int first_port, Diagnostics& diagnostics) const {
        ClusterSpec cluster;
        if (total_ == 0) {
            return cluster;
        }
        Job workers{"worker", {}};
        for (const auto& [host, slots] : hosts_) {
            if (first_port + slots - 1 > kLastPort) {
                diagnostics.push_back({Severity::kError, "port",
                                       host + ": expected ports up to 65535 for " + std::to_string(slots) + " tasks, counted from " +
                                           std::to_string(first_port),
                                       "Begin with a smaller port."});
                return cluster;
            }
            for (int slot = 0; slot < slots; ++slot) {
                workers.tasks[static_cast<int>(workers.tasks.size())] = joinHostPort(host, first_port + slot);
            }
        }
        cluster.jobs.push_back(std::move(workers));
        return cluster;
    }

private:
    std::vector<std::pair<std::string, int>> hosts_;
    int total_ = 0;
};

Diagnostic tooMany(const std::string& path, int count) {
    return {Severity::kError, path,
            "expected at most " + std::to_string(kMostTasks) + " tasks in all, got " + (count > 0 ? std::to_string(count) : "more"), ""};
}

// ---- hostfile -----------------------------------------------------------------------------------------------------------------------

class HostfileReader {
public:
    explicit HostfileReader(ClusterText& out) : out_(out) {}

    void read(std::string_view text, int first_port) {
        int number = 0;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            readLine(text.substr(0, end), ++number);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (hasErrors(out_.diagnostics)) {
            return;
        }
        if (slots_.total() == 0) {
            out_.diagnostics.push_back({Severity::kError, "", "hostfile: expected at least one host, got none",
                                        "Write a host a line, such as \"node1 slots=2\"."});
            return;
        }
        out_.cluster = slots_.cluster(first_port, out_.diagnostics);
    }

private:
    void readLine(std::string_view line, int number) {
        const std::vector<std::string_view> parts = words(line.substr(0, line.find('#')));
        if (parts.empty()) {
            return;
        }
        const std::string path = "line " + std::to_string(number);
        std::string host(parts.front());
        int slots = 1;
        const std::size_t colon = host.rfind(':');
        if (colon != std::string::npos && host.find(':') == colon) {  // MPICH's host:slots; more colons are an IPv6 number
            if (!readSlots(std::string_view(host).substr(colon + 1), path, slots)) {
                return;
            }
            host.resize(colon);
        }
        if (std::optional<Diagnostic> fault = checkHostName(host, path)) {
            out_.diagnostics.push_back(std::move(*fault));
            return;
        }
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const std::size_t equals = parts[i].find('=');
            const std::string_view name = parts[i].substr(0, equals);
            const std::string_view value = equals == std::string_view::npos ? std::string_view() : parts[i].substr(equals + 1);
            if (name == "slots" || name == "cpu") {
                if (!readSlots(value, path, slots)) {
                    return;
                }
            } else if (name != "max_slots" && name != "max-slots") {
                out_.diagnostics.push_back({Severity::kWarning, path,
                                            "expected slots=N or max_slots=N after the host, got " + std::string(parts[i]),
                                            "It has no effect."});
            }
        }
        if (slots > kMostTasks || slots_.total() + slots > kMostTasks) {
            out_.diagnostics.push_back(tooMany(path, 0));
            return;
        }
        slots_.add(host, slots);
    }

    bool readSlots(std::string_view text, const std::string& path, int& slots) {
        const std::optional<int> number = wholeNumber(text);
        if (!number || *number < 1) {
            out_.diagnostics.push_back({Severity::kError, path,
                                        "expected at least 1 slot as a whole number, got \"" + std::string(text) + "\"",
                                        "Write slots=2 for two workers."});
            return false;
        }
        slots = *number;
        return true;
    }

    ClusterText& out_;
    Slots slots_;
};

// ---- Slurm --------------------------------------------------------------------------------------------------------------------------

// The numbers of "01-04,7", each as wide as the first of its range; empty after saying why not.
std::vector<std::string> rangeNumbers(std::string_view ranges, std::string& problem) {
    std::vector<std::string> numbers;
    while (true) {
        const std::size_t comma = std::min(ranges.find(','), ranges.size());
        const std::string_view range = ranges.substr(0, comma);
        const std::size_t dash = range.find('-');
        const std::string_view low = range.substr(0, dash), high = dash == std::string_view::npos ? low : range.substr(dash + 1);
        const std::optional<int> from = wholeNumber(low), to = wholeNumber(high);
        if (!from || !to || *from < 0 || *to < *from) {
            problem = "expected a range such as 01-04, got \"" + std::string(range) + "\"";
            return {};
        }
        if (*to - *from >= kMostTasks || numbers.size() + static_cast<std::size_t>(*to - *from) >= kMostTasks) {
            problem = kTooManyHosts;
            return {};
        }
        for (int number = *from; number <= *to; ++number) {
            std::string digits = std::to_string(number);
            digits.insert(0, low.size() > digits.size() ? low.size() - digits.size() : 0, '0');
            numbers.push_back(std::move(digits));
        }
        if (comma == ranges.size()) {
            return numbers;
        }
        ranges.remove_prefix(comma + 1);
    }
}

// Every text of `begins` with every one of `ends`.
std::vector<std::string> product(const std::vector<std::string>& begins, const std::vector<std::string>& ends) {
    std::vector<std::string> all;
    for (const std::string& begin : begins) {
        for (const std::string& end : ends) {
            all.push_back(begin + end);
        }
    }
    return all;
}

// Slurm's list of hosts, written out: "a[01-03,7]b,c" is a01b, a02b, a03b, a7b and c. Several brackets in one name multiply. nullopt:
// `problem` says what is wrong.
std::optional<std::vector<std::string>> expandedNodes(std::string_view list, std::string& problem) {
    std::vector<std::string> all;
    std::vector<std::string> open{""};  // the names of the item being read, so far
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i == list.size() || list[i] == ',') {
            if (open.size() == 1 && open.front().empty()) {
                problem = "expected a host between two commas, got none";
                return std::nullopt;
            }
            all.insert(all.end(), open.begin(), open.end());
            open.assign(1, "");
        } else if (list[i] == '[') {
            const std::size_t end = list.find(']', i);
            if (end == std::string_view::npos) {
                problem = "expected a closing ] in \"" + std::string(list.substr(i)) + "\"";
                return std::nullopt;
            }
            const std::vector<std::string> numbers = rangeNumbers(list.substr(i + 1, end - i - 1), problem);
            if (numbers.empty()) {
                return std::nullopt;
            }
            if (open.size() * numbers.size() + all.size() > kMostTasks) {
                problem = kTooManyHosts;
                return std::nullopt;
            }
            open = product(open, numbers);
            i = end;
        } else {
            for (std::string& name : open) {
                name += list[i];
            }
        }
        if (all.size() > kMostTasks) {
            problem = kTooManyHosts;
            return std::nullopt;
        }
    }
    return all;
}

// "2(x3),1" -> 2 2 2 1. nullopt for anything else.
std::optional<std::vector<int>> tasksPerNode(std::string_view text) {
    std::vector<int> counts;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view item = trimmed(text.substr(0, comma));
        int times = 1;
        if (const std::size_t open = item.find("(x"); open != std::string_view::npos && item.ends_with(')')) {
            const std::optional<int> repeat = wholeNumber(item.substr(open + 2, item.size() - open - 3));
            if (!repeat || *repeat < 1 || *repeat > kMostTasks) {
                return std::nullopt;
            }
            times = *repeat;
            item = item.substr(0, open);
        }
        const std::optional<int> count = wholeNumber(item);
        if (!count || *count < 1 || counts.size() + static_cast<std::size_t>(times) > kMostTasks) {
            return std::nullopt;
        }
        counts.insert(counts.end(), static_cast<std::size_t>(times), *count);
        if (comma == text.size()) {
            return counts;
        }
        text.remove_prefix(comma + 1);
    }
}

class SlurmReader {
public:
    explicit SlurmReader(ClusterText& out) : out_(out) {}

    void read(std::string_view text, int first_port) {
        readVariables(text);
        const auto [list_name, list] = first({"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"});
        if (list.empty()) {
            error("SLURM_JOB_NODELIST", "expected the list of hosts, got none", "Write SLURM_JOB_NODELIST=node[01-04].");
            return;
        }
        std::string problem;
        const auto nodes = expandedNodes(list, problem);
        if (!nodes) {
            error(list_name, problem, "");
            return;
        }
        for (const std::string& node : *nodes) {
            if (std::optional<Diagnostic> fault = checkHostName(node, list_name)) {
                out_.diagnostics.push_back(std::move(*fault));
                return;
            }
        }
        const std::vector<int> counts = countsFor(nodes->size());
        if (counts.empty()) {
            return;
        }
        Slots slots;
        for (std::size_t i = 0; i < nodes->size(); ++i) {
            if (counts[i] > kMostTasks || slots.total() + counts[i] > kMostTasks) {
                out_.diagnostics.push_back(tooMany(list_name, 0));
                return;
            }
            if (counts[i] > 0) {
                slots.add((*nodes)[i], counts[i]);
            }
        }
        out_.cluster = slots.cluster(first_port, out_.diagnostics);
        readTask(slots.total());
    }

private:
    void error(const std::string& path, const std::string& message, const std::string& fix) {
        out_.diagnostics.push_back({Severity::kError, path, message, fix});
    }

    // NAME=VALUE words: of `env`, of `export -p`, of a script.
    void readVariables(std::string_view text) {
        for (const std::string_view word : words(text)) {
            const std::size_t equals = word.find('=');
            if (equals == std::string_view::npos || !word.starts_with("SLURM_")) {
                continue;
            }
            std::string_view value = word.substr(equals + 1);
            if (value.ends_with(';')) {
                value.remove_suffix(1);
            }
            if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front()) {
                value = value.substr(1, value.size() - 2);
            }
            values_[std::string(word.substr(0, equals))] = std::string(value);
        }
    }

    std::pair<std::string, std::string> first(std::initializer_list<const char*> names) const {
        for (const char* name : names) {
            if (const auto found = values_.find(name); found != values_.end() && !found->second.empty()) {
                return *found;
            }
        }
        return {};
    }

    // Tasks of each host; empty after saying why not.
    std::vector<int> countsFor(std::size_t nodes) {
        if (const auto [name, text] = first({"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"}); !text.empty()) {
            const auto counts = tasksPerNode(text);
            if (!counts) {
                error(name, "expected counts such as 2(x3),1, got " + text, "");
                return {};
            }
            if (counts->size() != nodes) {
                error(name, "expected a count for each of " + std::to_string(nodes) + " hosts, got " + std::to_string(counts->size()), "");
                return {};
            }
            return *counts;
        }
        if (const auto [name, text] = first({"SLURM_NTASKS_PER_NODE"}); !text.empty()) {
            const std::optional<int> count = wholeNumber(text);
            if (!count || *count < 1) {
                error(name, "expected at least 1 task as a whole number, got " + text, "");
                return {};
            }
            return std::vector<int>(nodes, *count);
        }
        if (const auto [name, text] = first({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"}); !text.empty()) {
            const std::optional<int> count = wholeNumber(text);
            if (!count || *count < 1 || *count > kMostTasks) {
                error(name, "expected 1 to " + std::to_string(kMostTasks) + " tasks, got " + text, "");
                return {};
            }
            // The tasks go in blocks, as Slurm hands them out: the first hosts take what is left over.
            std::vector<int> counts(nodes, *count / static_cast<int>(nodes));
            for (int i = 0; i < *count % static_cast<int>(nodes); ++i) {
                ++counts[static_cast<std::size_t>(i)];
            }
            return counts;
        }
        return std::vector<int>(nodes, 1);
    }

    void readTask(int tasks) {
        const auto [name, text] = first({"SLURM_PROCID"});
        if (text.empty()) {
            return;
        }
        const std::optional<int> rank = wholeNumber(text);
        if (!rank || *rank < 0 || *rank >= tasks) {
            error(name, "expected a rank below the number of tasks (" + std::to_string(tasks) + "), got " + text, "");
            return;
        }
        out_.task = TaskId{"worker", *rank};
    }

    ClusterText& out_;
    std::map<std::string, std::string> values_;
};

// tf.train.ClusterSpec({"ps": […], "worker": […]}) with what the lines above it assign.
ClusterText readClusterSpec(std::string_view text) {
    ClusterText out;
    const CodeReading reading = readKerasCode(text, RunSpec());
    out.cluster = reading.run.cluster.spec;
    for (const CodeNote& note : reading.notes) {
        if (note.severity == Severity::kInfo) continue;
        out.diagnostics.push_back({note.severity, "line " + std::to_string(note.lines.first), note.message, ""});
    }
    const std::vector<TaskId> tasks = allTasks(out.cluster);  // jobs may be there without one
    if (tasks.empty() && !hasErrors(out.diagnostics)) {
        out.diagnostics.push_back(
            {Severity::kError, "ClusterSpec", "expected addresses of tasks that the text itself gives, got none", ""});
    }
    if (tasks.empty()) return out;
    // The one program of all tasks is told its own when it is started: each rule but that of the task is checked.
    out.tf_config = toTfConfigJson(out.cluster, tasks.front());
    TfConfigReport report = checkTfConfig(out.tf_config, TfConfigUse::kAuto);
    out.diagnostics.insert(out.diagnostics.end(), report.diagnostics.begin(), report.diagnostics.end());
    return out;
}

ClusterTextKind kindOfText(std::string_view text) {
    if (text.find("SLURM_") != std::string_view::npos && text.find("TF_CONFIG") == std::string_view::npos) {
        return ClusterTextKind::kSlurm;
    }
    const std::string_view begin = trimmed(text);
    const bool json = begin.empty() || std::string_view("{[\"").find(begin.front()) != std::string_view::npos || begin == "null";
    return json || text.find("TF_CONFIG") != std::string_view::npos || text.find('{') != std::string_view::npos
               ? ClusterTextKind::kTfConfig
               : ClusterTextKind::kHostfile;
}

}  // namespace

std::string_view toString(ClusterTextKind kind) {
    switch (kind) {
        case ClusterTextKind::kTfConfig:
            return "TF_CONFIG";
        case ClusterTextKind::kHostfile:
            return "hostfile";
        case ClusterTextKind::kSlurm:
            return "Slurm variables";
    }
    return "unknown";
}

ClusterText readClusterText(std::string_view text, const ClusterTextOptions& options) {
    ClusterText out;
    const bool python = text.find("ClusterSpec(") != std::string_view::npos && text.find("TF_CONFIG") == std::string_view::npos;
    if (python && !options.strict_json && options.kind.value_or(ClusterTextKind::kTfConfig) == ClusterTextKind::kTfConfig) {
        return readClusterSpec(text);
    }
    if (options.strict_json) {
        const JsonText parsed = parseJson(trimmed(text));
        const std::string meant = parsed.value ? std::string() : tfConfigJson(text);
        if (!parsed.value) {
            const bool repaired = parseJson(meant).value.has_value();
            out.tf_config = std::string(trimmed(text));
            out.diagnostics.push_back({Severity::kError, "TF_CONFIG",
                                       "expected JSON, as TensorFlow reads it, got a mistake at " + parsed.error +
                                           (repaired ? "; Python's text of a dictionary is none" : ""),
                                       repaired ? "Write it as JSON: " + parseJson(meant).value->dump() : ""});
            return out;
        }
    }
    out.kind = options.kind.value_or(kindOfText(text));
    const int usual = out.kind == ClusterTextKind::kSlurm ? kSlurmPort : kUsualPort;
    const int first_port = options.first_port > 0 ? options.first_port : usual;
    switch (out.kind) {
        case ClusterTextKind::kTfConfig: {
            out.tf_config = tfConfigJson(text);
            TfConfigReport report = checkTfConfig(out.tf_config, options.use);
            out.cluster = std::move(report.config.cluster);
            out.task = report.config.task;
            out.diagnostics = std::move(report.diagnostics);
            break;
        }
        case ClusterTextKind::kHostfile:
            HostfileReader(out).read(text, first_port);
            break;
        case ClusterTextKind::kSlurm:
            SlurmReader(out).read(text, first_port);
            break;
    }
    return out;
}

}  // namespace engine::spec
