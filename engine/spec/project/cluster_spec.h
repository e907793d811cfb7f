// A cluster and its TF_CONFIG: the JSON that TensorFlow's resolvers read from the environment. Rules: TensorFlow's
// TFConfigClusterResolver, multi_worker_util and the strategies' own checks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"

namespace engine::spec {

struct Job {
    std::string name;                  // chief, worker, ps, evaluator
    std::map<int, std::string> tasks;  // index -> "host:port"; dense for the list form
    friend bool operator==(const Job&, const Job&) = default;
};

inline constexpr std::string_view kEvaluator = "evaluator";  // the job

struct TaskId {
    std::string type = "worker";
    int index = 0;
    friend bool operator==(const TaskId&, const TaskId&) = default;
    friend auto operator<=>(const TaskId&, const TaskId&) = default;
};
std::string toString(const TaskId& task);  // "worker 1"

struct TaskHost {
    TaskId task;
    std::string host;  // as the run's cluster names it: "node1", "localhost"
    friend bool operator==(const TaskHost&, const TaskHost&) = default;
};

struct ClusterSpec {
    std::vector<Job> jobs;  // in the user's order
    bool empty() const { return jobs.empty(); }
    const Job* findJob(std::string_view name) const;
    int taskCount(std::string_view job) const;
    // nullopt when the task is not listed.
    std::optional<std::string> address(const TaskId& task) const;
    // Tasks that train together, in rank order: chief first, then workers by index. ps and evaluator are not among them.
    std::vector<TaskId> trainingTasks() const;
    std::size_t trainingTaskCount() const;  // how many those are
    // The ps tasks by index.
    std::vector<TaskId> serverTasks() const;
    // chief if there is one, else worker 0. A ps or the evaluator never is; a lone evaluator counts as its own chief in TensorFlow, see
    // check.
    bool isChief(const TaskId& task) const;
    friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

struct TfConfig {
    ClusterSpec cluster;
    std::optional<TaskId> task;
    std::string rpc_layer;  // empty = absent
    friend bool operator==(const TfConfig&, const TfConfig&) = default;
};

enum class TfConfigUse { kAuto, kMultiWorker, kParameterServer, kEstimator };

struct TfConfigReport {
    bool is_json_object = false;  // false: empty text, no JSON or another JSON value; then config is empty
    TfConfig config;              // as far as it could be read
    Diagnostics diagnostics;      // all at once, in the order of the text
};

// Reads and checks TF_CONFIG for the strategy that will use it. kAuto = kParameterServer when a ps is listed, else kMultiWorker.
// What TensorFlow refuses and a port above 65535 are errors; what makes it hang or goes unchecked there is a warning.
TfConfigReport checkTfConfig(std::string_view text, TfConfigUse use = TfConfigUse::kAuto);

// Python's json.dumps layout: {"cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 0}}. No newline.
std::string toTfConfigJson(const ClusterSpec& cluster, const TaskId& task);

struct HostPort {
    std::string host;  // empty means localhost, as TensorFlow reads ":2222"
    int port = 0;
};
// "name:port", "[::1]:port". nullopt when there is no number after the last colon or it exceeds 32 bits.
std::optional<HostPort> parseHostPort(std::string_view address);

}  // namespace engine::spec
