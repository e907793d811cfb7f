// TF_CONFIG's text: its two parts read as TensorFlow's resolver reads them, then checked as the strategy does.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/spec/cluster/cluster_check.h"
#include "engine/spec/json_text.h"
#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {
namespace {

// int(text) of Python: spaces around, a sign, digits. nullopt also beyond what an index can be.
std::optional<int> pythonInt(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n\r\f\v");
    if (first == std::string_view::npos) {
        return std::nullopt;
    }
    text = text.substr(first, text.find_last_not_of(" \t\n\r\f\v") - first + 1);
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+') {
        text.remove_prefix(1);
    }
    constexpr std::size_t kLongest = 9;
    if (text.empty() || text.size() > kLongest || text.find_first_not_of("0123456789") != std::string_view::npos) {
        return std::nullopt;
    }
    const int value = std::stoi(std::string(text));
    return negative ? -value : value;
}

class TfConfigChecker {
public:
    TfConfigChecker(const Json& json, TfConfigUse use, TfConfigReport& report) : json_(json), use_(use), report_(report) {}

    void run() {
        if (json_.contains("cluster")) {
            readCluster(json_["cluster"]);
        }
        if (use_ == TfConfigUse::kAuto) {
            use_ = report_.config.cluster.findJob("ps") != nullptr ? TfConfigUse::kParameterServer : TfConfigUse::kMultiWorker;
        }
        checkClusterPart();
        checkTaskPart();
        bool cluster_done = false;
        bool task_done = false;
        for (const auto& [key, value] : json_.items()) {
            if (key == "cluster") {
                append(cluster_faults_);
                cluster_done = true;
            } else if (key == "task") {
                append(task_faults_);
                task_done = true;
            } else {
                checkOther(key, value);
            }
        }
        if (!cluster_done) {
            append(cluster_faults_);
        }
        if (!task_done) {
            append(task_faults_);
        }
    }

private:
    void append(const Diagnostics& found) { report_.diagnostics.insert(report_.diagnostics.end(), found.begin(), found.end()); }
    void clusterError(std::string path, std::string message, std::string fix) {
        cluster_faults_.push_back({Severity::kError, std::move(path), std::move(message), std::move(fix)});
    }
    void taskFault(Severity severity, std::string path, std::string message, std::string fix) {
        task_faults_.push_back({severity, std::move(path), std::move(message), std::move(fix)});
    }
    void taskError(std::string path, std::string message, std::string fix) {
        taskFault(Severity::kError, std::move(path), std::move(message), std::move(fix));
    }

    void readCluster(const Json& cluster) {
        if (!cluster.is_object()) {
            cluster_is_wrong_ = true;
            clusterError("cluster", "expected an object of jobs, got " + shortText(cluster), "Write {\"worker\": [\"host:port\", ...]}.");
            return;
        }
        for (const auto& [name, tasks] : cluster.items()) {
            Job job{name, {}};
            if (tasks.is_array()) {
                for (std::size_t i = 0; i < tasks.size(); ++i) {
                    addTask(job, static_cast<int>(i), tasks[i]);
                }
            } else if (tasks.is_object()) {
                readSparse(job, tasks);
            } else {
                cluster_is_wrong_ = true;
                clusterError("cluster." + name, "expected a list of addresses, got " + shortText(tasks), "Put the address into a list.");
                continue;
            }
            report_.config.cluster.jobs.push_back(std::move(job));
        }
    }

    void readSparse(Job& job, const Json& tasks) {
        for (const auto& [key, address] : tasks.items()) {
            if (const std::optional<int> index = pythonInt(key)) {
                addTask(job, *index, address);
            } else {
                clusterError("cluster." + job.name, "expected whole numbers as keys of tasks, got \"" + key + "\"",
                             "Number the tasks from 0.");
            }
        }
    }

    void addTask(Job& job, int index, const Json& address) {
        if (address.is_string()) {
            job.tasks[index] = address.get<std::string>();
            return;
        }
        cluster_is_wrong_ = true;
        clusterError("cluster." + job.name + "[" + std::to_string(index) + "]", "expected an address as text, got " + shortText(address),
                     "Write it as \"host:port\".");
    }

    void checkClusterPart() {
        if (cluster_is_wrong_) {
            return;  // what could be read is not what the user meant
        }
        const ClusterSpec& cluster = report_.config.cluster;
        if (cluster.empty() && use_ == TfConfigUse::kParameterServer) {
            clusterError("cluster", "expected jobs ps and worker for ParameterServerStrategy, got none", "Add both with their addresses.");
        } else if (cluster.empty() && use_ == TfConfigUse::kMultiWorker && json_.contains("task")) {
            cluster_faults_.push_back({Severity::kWarning, "cluster", "expected jobs beside a task, got none: the task trains alone",
                                       "Add the workers' addresses."});
        }
        checkCluster(cluster, use_, cluster_faults_);
    }

    void checkTaskPart() {
        const bool has_cluster = !report_.config.cluster.empty() || cluster_is_wrong_;
        if (!json_.contains("task")) {
            if (has_cluster && use_ != TfConfigUse::kParameterServer) {
                taskError("task", "expected type and index of this task, got none", kTaskFix);
            }
            return;
        }
        const Json& task = json_["task"];
        if (task.is_null() || task.is_number() || task.is_boolean()) {
            taskError("task", "expected an object with type and index, got " + shortText(task), kTaskFix);
            return;
        }
        if (!task.is_object()) {  // TensorFlow only asks whether it contains the words: it acts as empty
            const Severity severity = has_cluster && use_ != TfConfigUse::kParameterServer ? Severity::kError : Severity::kWarning;
            taskFault(severity, "task", "expected an object with type and index, got " + shortText(task), kTaskFix);
            return;
        }
        const std::optional<std::string> type = readType(task);
        const std::optional<int> index = readIndex(task);
        if (type && index) {
            report_.config.task = TaskId{*type, *index};
        }
        checkPresence(task, has_cluster);
        if (type) {
            checkType(*type, index);
        }
        if (index) {
            checkIndex(type.value_or(""), *index);
        }
    }

    // str(value) of Python, for what it makes sense of.
    std::optional<std::string> readType(const Json& task) {
        if (!task.contains("type")) {
            return std::nullopt;
        }
        const Json& type = task["type"];
        if (type.is_string()) {
            return type.get<std::string>();
        }
        if (type.is_number()) {
            return type.dump();
        }
        taskError("task.type", "expected a text, got " + shortText(type), "Write chief, worker, ps or evaluator.");
        return std::nullopt;
    }

    // int(value) of Python.
    std::optional<int> readIndex(const Json& task) {
        if (!task.contains("index")) {
            return std::nullopt;
        }
        const Json& index = task["index"];
        if (index.is_string()) {
            if (const std::optional<int> number = pythonInt(index.get<std::string>())) {
                return number;
            }
        } else if (index.is_boolean()) {
            const int number = index.get<bool>() ? 1 : 0;
            taskFault(Severity::kWarning, "task.index",
                      "expected an integer, got " + index.dump() + ", which is read as " + std::to_string(number), "");
            return number;
        } else if (index.is_number()) {
            const double value = std::trunc(index.get<double>());
            constexpr double kLargest = 999999999;
            if (std::fabs(value) <= kLargest) {
                if (index.is_number_float()) {
                    taskFault(Severity::kWarning, "task.index",
                              "expected an integer, got " + index.dump() + ", which is read as " + std::to_string(static_cast<int>(value)),
                              "");
                }
                return static_cast<int>(value);
            }
        }
        taskError("task.index", "expected an integer, got " + shortText(index), "Write the task's position in its job, from 0.");
        return std::nullopt;
    }

    void checkPresence(const Json& task, bool has_cluster) {
        const bool has_type = task.contains("type");
        const bool has_index = task.contains("index");
        if (!has_cluster) {
            return;  // local: nobody looks at the task
        }
        if (use_ != TfConfigUse::kParameterServer) {
            if (!has_type) {
                taskError("task.type", "expected the job of this task for " + useText(use_) + ", got none", kTaskFix);
            }
            if (!has_index) {
                taskError("task.index", "expected the position of this task in its job for " + useText(use_) + ", got none", kTaskFix);
            }
            return;
        }
        if (has_type && !has_index && task["type"].is_string() &&
            report_.config.cluster.findJob(task["type"].get<std::string>()) != nullptr) {
            taskError("task.index", "expected the position of this task in its job, got none", kTaskFix);
        }
        if (!has_type && has_index) {
            taskFault(Severity::kWarning, "task.type", "expected a type beside the index, got none: the task counts as coordinator",
                      kTaskFix);
        }
    }

    void checkType(const std::string& type, const std::optional<int>& index) {
        const ClusterSpec& cluster = report_.config.cluster;
        if (use_ == TfConfigUse::kEstimator) {
            checkEstimatorType(type, index);
            return;
        }
        if (cluster.empty()) {
            return;
        }
        constexpr std::array<std::string_view, 4> kTypes{"chief", "worker", "ps", "evaluator"};
        if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
            taskError("task.type", "expected chief, worker, ps or evaluator, got " + type, "Names are case-sensitive.");
            return;
        }
        if (cluster.findJob(type) == nullptr && type != "evaluator" && !cluster_is_wrong_) {
            taskError("task.type", "expected a job of the cluster, got " + type, "Add the job or change the type.");
        }
        if (use_ == TfConfigUse::kMultiWorker && type == "ps") {
            taskError("task.type", "expected chief, worker or evaluator for MultiWorkerMirroredStrategy, got ps",
                      "Use ParameterServerStrategy.");
        }
        if (use_ == TfConfigUse::kMultiWorker && type == "evaluator" && cluster.findJob(type) == nullptr) {
            taskError("task.type", "expected an evaluator that the cluster lists for MultiWorkerMirroredStrategy, got one that it does not",
                      "Add the evaluator's address to the cluster.");
        }
    }

    void checkEstimatorType(const std::string& type, const std::optional<int>& index) {
        const ClusterSpec& cluster = report_.config.cluster;
        if (cluster.empty()) {
            if (type != "worker") {
                taskError("task.type", "expected worker without a cluster, got " + type, "Add a cluster or leave the task out.");
            }
            return;
        }
        constexpr std::array<std::string_view, 5> kTypes{"chief", "worker", "ps", "evaluator", "master"};
        if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
            taskError("task.type", "expected chief, worker, ps or evaluator, got " + type, "Names are case-sensitive.");
        } else if (type == "evaluator") {
            if (cluster.taskCount("master") > 0) {
                taskError("task.type", "expected no evaluator beside the older master, got one", "Name the master chief.");
            }
            if (index.value_or(0) > 0) {
                taskError("task.index", "expected 0 for the evaluator, got " + std::to_string(*index), "There is one evaluator.");
            }
        } else if (cluster.findJob(type) == nullptr && !cluster_is_wrong_) {
            taskError("task.type", "expected a job of the cluster, got " + type, "Add the job or change the type.");
        }
    }

    void checkIndex(const std::string& type, int index) {
        const ClusterSpec& cluster = report_.config.cluster;
        if (index < 0) {
            taskError("task.index", "expected at least 0, got " + std::to_string(index), "Count from 0.");
            return;
        }
        if (cluster.empty()) {
            if (use_ == TfConfigUse::kEstimator && index > 0) {
                taskError("task.index", "expected 0 without a cluster, got " + std::to_string(index),
                          "Add a cluster or leave the task out.");
            }
            return;
        }
        const int count = cluster.taskCount(type);
        const bool is_listed = cluster.findJob(type) != nullptr && !(use_ == TfConfigUse::kEstimator && type == "evaluator");
        if (is_listed && !cluster_is_wrong_ && index >= count) {
            taskError(
                "task.index",
                "expected an index below the number of " + type + " tasks (" + std::to_string(count) + "), got " + std::to_string(index),
                "Count from 0.");
        }
    }

    void checkOther(const std::string& key, const Json& value) {
        if (key == "rpc_layer") {
            if (value.is_string()) {
                report_.config.rpc_layer = value.get<std::string>();
            } else if (!value.is_null()) {
                report_.diagnostics.push_back({Severity::kWarning, key, "expected a text such as \"grpc\", got " + shortText(value), ""});
            }
            return;
        }
        if (key == "service") {
            if (!value.is_object() && use_ == TfConfigUse::kEstimator) {
                report_.diagnostics.push_back({Severity::kError, key, "expected an object, got " + shortText(value), "Leave it out."});
            }
            return;
        }
        constexpr std::array<std::string_view, 4> kKnown{"environment", "session_master", "eval_session_master", "model_dir"};
        if (std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end()) {
            report_.diagnostics.push_back({Severity::kWarning, key,
                                           "expected cluster, task or rpc_layer, got " + key + ", which nothing reads",
                                           "Remove it; names are case-sensitive."});
        }
    }

    static constexpr const char* kTaskFix = "Write \"task\": {\"type\": \"worker\", \"index\": 0}.";

    const Json& json_;
    TfConfigUse use_;
    TfConfigReport& report_;
    Diagnostics cluster_faults_;
    Diagnostics task_faults_;
    bool cluster_is_wrong_ = false;  // a part of it has another type: what follows from it says nothing
};

}  // namespace

TfConfigReport checkTfConfig(std::string_view text, TfConfigUse use) {
    TfConfigReport report;
    auto refuse = [&](const std::string& fact) {
        report.diagnostics.push_back({Severity::kError, "", "TF_CONFIG: expected a JSON object, got " + fact,
                                      "An unset variable means training alone; an empty one is refused."});
    };
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        refuse("an empty text");
        return report;
    }
    const JsonText parsed = parseJson(text);
    if (!parsed.value) {
        refuse("a mistake at " + parsed.error);
        return report;
    }
    if (!parsed.value->is_object()) {
        refuse(shortText(*parsed.value));
        return report;
    }
    report.is_json_object = true;
    TfConfigChecker(*parsed.value, use, report).run();
    return report;
}

}  // namespace engine::spec
