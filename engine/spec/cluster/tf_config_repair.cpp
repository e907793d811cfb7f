// Candidates by the path of the finding, each tried on a copy of the JSON by the checker itself.
#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <set>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/cluster_repair.h"
#include "engine/spec/cluster/cluster_text.h"
#include "engine/spec/json_text.h"

namespace engine::spec {
namespace {

constexpr std::array<std::string_view, 4> kJobNames{"chief", "worker", "ps", "evaluator"};
constexpr int kFirstPort = 12345, kLargestPort = 65535;

// json.dumps' spaces, texts in ASCII.
std::string dumped(const Json& value) {
    if (value.is_object()) {
        std::string text = "{";
        for (const auto& [key, entry] : value.items()) {
            text += (text.size() > 1 ? ", " : "") + Json(key).dump(-1, ' ', true) + ": " + dumped(entry);
        }
        return text + "}";
    }
    if (value.is_array()) {
        std::string text = "[";
        for (const Json& entry : value) {
            text += (text.size() > 1 ? ", " : "") + dumped(entry);
        }
        return text + "]";
    }
    return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

bool isJobName(std::string_view name) {
    return std::find(kJobNames.begin(), kJobNames.end(), name) != kJobNames.end();
}

// The job that a misspelt name may mean; worker when nothing is nearer.
std::string nearestJob(std::string_view name) {
    std::string folded;
    for (const char c : name) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    if (folded == "master" || folded == "coordinator" || folded == "leader") {
        return "chief";
    }
    if (folded == "eval" || folded == "validator") {
        return "evaluator";
    }
    if (folded.starts_with("ps") || folded.find("param") != std::string::npos || folded.find("server") != std::string::npos) {
        return "ps";
    }
    for (const std::string_view job : kJobNames) {
        if (folded.starts_with(job.substr(0, 5))) {
            return std::string(job);
        }
    }
    return "worker";
}

class TfConfigRepairer {
public:
    TfConfigRepairer(Json json, TfConfigUse use, const Diagnostic& finding, const RepairFacts& facts)
        : json_(std::move(json)), use_(use), finding_(finding), facts_(facts), before_(checkTfConfig(dumped(json_), use).diagnostics) {}

    std::optional<TfConfigRepair> run() {
        const std::string& path = finding_.path;
        if (path == "cluster") {
            wholeCluster();
        } else if (path.starts_with("cluster.")) {
            const std::size_t bracket = path.ends_with(']') ? path.rfind('[') : std::string::npos;
            const std::string job = path.substr(8, bracket == std::string::npos ? bracket : bracket - 8);
            bracket == std::string::npos ? wholeJob(job) : address(job, path.substr(bracket + 1, path.size() - bracket - 2));
        } else if (path == "task") {
            wholeTask();
        } else if (path == "task.type") {
            taskType();
        } else if (path == "task.index") {
            taskIndex();
        } else if (!path.empty()) {
            otherKey(path);
        }
        return found_;
    }

private:
    // The first change that helps is kept; the others are not tried.
    void attempt(const std::string& text, const std::function<void(Json&)>& edit) {
        if (found_) {
            return;
        }
        Json after = json_;
        edit(after);
        const std::string dumped_after = dumped(after);
        const Diagnostics found = checkTfConfig(dumped_after, use_).diagnostics;
        const auto same = [&](const Diagnostic& d) { return d.path == finding_.path && d.message == finding_.message; };
        const auto errors = [](const Diagnostics& all) {
            return std::count_if(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::kError; });
        };
        const bool known_before = std::any_of(before_.begin(), before_.end(), same);
        if (after == json_ || std::any_of(found.begin(), found.end(), same) || errors(found) > errors(before_) ||
            (known_before && found.size() >= before_.size() && errors(found) >= errors(before_))) {
            return;
        }
        found_ = TfConfigRepair{text, dumped_after};
    }

    bool hasCluster() const { return json_.contains("cluster") && json_["cluster"].is_object(); }
    const Json* jobOf(const std::string& name) const {
        return hasCluster() && json_["cluster"].contains(name) ? &json_["cluster"][name] : nullptr;
    }
    std::size_t taskCount(const std::string& job) const { return jobOf(job) == nullptr ? 0 : jobOf(job)->size(); }

    // A port that no address of the cluster names.
    int newPort() const {
        std::set<int> used;
        if (hasCluster()) {
            for (const auto& [name, tasks] : json_["cluster"].items()) {
                for (const Json& entry : tasks.is_structured() ? tasks : Json::array()) {
                    const auto parsed = entry.is_string() ? parseHostPort(entry.get<std::string>()) : std::nullopt;
                    used.insert(parsed ? parsed->port : 0);
                }
            }
        }
        for (const int port : facts_.free_ports) {
            if (!used.contains(port)) {
                return port;
            }
        }
        int port = kFirstPort;
        while (used.contains(port)) {
            ++port;
        }
        return port;
    }
    std::string newAddress(const std::string& host = "localhost") const { return joinHostPort(host, newPort()); }

    // ---- cluster ----------------------------------------------------------------------------------------------------------------
    void wholeCluster() {
        const Json* cluster = json_.contains("cluster") ? &json_["cluster"] : nullptr;
        if (cluster != nullptr && (cluster->is_array() || cluster->is_string())) {
            attempt("Make the addresses the cluster's workers", [](Json& json) {
                json["cluster"] = Json{{"worker", json["cluster"].is_array() ? json["cluster"] : Json::array({json["cluster"]})}};
            });
        }
        if (cluster != nullptr && !cluster->is_object()) {
            attempt("Remove the cluster and the task", [](Json& json) {
                json.erase("cluster");
                json.erase("task");
            });
        }
        for (const char* job : {"ps", "worker"}) {
            if (use_ != TfConfigUse::kEstimator && taskCount(job) == 0) {
                attempt(std::string("Add a ") + job + " at " + newAddress(), [&](Json& json) { addJob(json, job); });
            }
        }
        if (use_ == TfConfigUse::kParameterServer && taskCount("ps") + taskCount("worker") == 0) {
            attempt("Add a ps and a worker on this computer", [&](Json& json) {
                addJob(json, "ps");
                json["cluster"]["worker"] = Json::array({joinHostPort("localhost", newPort() + 1)});
            });
        }
        if (use_ == TfConfigUse::kEstimator && taskCount("worker") > 0) {
            attempt("Make worker 0 the chief", [&](Json& json) {
                Json& workers = json["cluster"]["worker"];
                Json first = workers.is_array() ? workers[0] : workers.begin().value();
                workers.is_array() ? void(workers.erase(workers.begin())) : void(workers.erase(workers.begin()));
                if (workers.empty()) {
                    json["cluster"].erase("worker");
                }
                json["cluster"]["chief"] = Json::array({std::move(first)});
                if (json.contains("task") && json["task"].is_object() && json["task"].value("type", Json()) == "worker" &&
                    json["task"].contains("index") && json["task"]["index"].is_number_integer()) {
                    const int index = json["task"]["index"].get<int>();
                    json["task"] = index == 0 ? Json{{"type", "chief"}, {"index", 0}} : Json{{"type", "worker"}, {"index", index - 1}};
                }
            });
        }
        attempt("Remove the task: without jobs nobody reads it", [](Json& json) { json.erase("task"); });
    }

    void addJob(Json& json, const char* job) const {
        if (!json.contains("cluster") || !json["cluster"].is_object()) {
            json["cluster"] = Json::object();
        }
        json["cluster"][job] = Json::array({newAddress()});
    }

    // Moves a job's entry to another name in its place, behind what is there already.
    static void renameJob(Json& json, const std::string& from, const std::string& to) {
        Json renamed = Json::object();
        for (auto& [name, tasks] : json["cluster"].items()) {
            if (name != from && name != to) {
                renamed[name] = tasks;
                continue;
            }
            Json& target = renamed[to];
            if (target.is_null()) {
                target = Json::array();
            }
            for (const Json& entry : tasks.is_structured() ? tasks : Json::array({tasks})) {
                target.push_back(entry);
            }
        }
        json["cluster"] = std::move(renamed);
        if (json.contains("task") && json["task"].is_object() && json["task"].value("type", Json()) == from) {
            json["task"]["type"] = to;
        }
    }

    void wholeJob(const std::string& name) {
        const Json* job = jobOf(name);
        if (job == nullptr) {
            return;
        }
        if (!job->is_structured()) {
            attempt("Put the address into a list", [&](Json& json) { json["cluster"][name] = Json::array({json["cluster"][name]}); });
        }
        if (job->is_object()) {
            attempt("Number the tasks from 0", [&](Json& json) {
                Json dense = Json::array();
                for (const auto& [index, entry] : json["cluster"][name].items()) {
                    dense.push_back(entry);
                }
                json["cluster"][name] = std::move(dense);
            });
        }
        if (!isJobName(name)) {
            attempt("Rename the job to " + nearestJob(name), [&](Json& json) { renameJob(json, name, nearestJob(name)); });
            attempt("Rename the job to worker", [&](Json& json) { renameJob(json, name, "worker"); });
        }
        if (job->size() > 1 && name == "chief") {
            attempt("Keep the first chief and make the others workers", [&](Json& json) {
                Json others = Json::array(), first;
                for (const Json& entry : json["cluster"][name]) {
                    first.is_null() ? first = entry : (others.push_back(entry), first);
                }
                for (const Json& entry : json["cluster"].contains("worker") ? json["cluster"]["worker"] : Json::array()) {
                    others.push_back(entry);
                }
                json["cluster"][name] = Json::array({first});
                json["cluster"]["worker"] = std::move(others);
            });
        }
        if (job->size() > 1) {
            attempt("Keep the first address", [&](Json& json) { json["cluster"][name] = Json::array({*json["cluster"][name].begin()}); });
        }
        const std::string what = job->is_structured() && job->empty() ? "empty job " + name : name + " job";
        attempt("Remove the " + what, [&](Json& json) {
            json["cluster"].erase(name);
            if (json["cluster"].empty()) {
                json.erase("cluster");
                json.erase("task");
            } else if (json.contains("task") && json["task"].is_object() && json["task"].value("type", Json()) == name) {
                for (const char* left : {"chief", "worker", "ps"}) {  // whose text it was is gone
                    if (json["cluster"].contains(left) && left != name) {
                        json["task"] = Json{{"type", left}, {"index", 0}};
                        break;
                    }
                }
            }
        });
    }

    void address(const std::string& name, const std::string& index) {
        const Json* job = jobOf(name);
        if (job == nullptr || !job->is_structured()) {
            return;
        }
        const bool list = job->is_array();
        const std::size_t at = list ? static_cast<std::size_t>(std::strtoul(index.c_str(), nullptr, 10)) : 0;
        if (list ? at >= job->size() : !job->contains(index)) {
            return;
        }
        const Json& present = list ? (*job)[at] : (*job)[index];
        const auto change = [&](const std::string& text, const std::string& address) {
            attempt(text + ": " + address, [&](Json& json) {
                Json& target = json["cluster"][name];
                (list ? target[at] : target[index]) = address;
            });
        };
        if (!present.is_string()) {
            if (present.is_number_integer() && present.get<std::int64_t>() > 0 && present.get<std::int64_t>() <= kLargestPort) {
                change("Take the number for a port of this computer", joinHostPort("localhost", present.get<int>()));
            }
            change("Write an address", newAddress());
            return;
        }
        const std::string host = plainHost(present.get<std::string>());
        const auto parsed = parseHostPort(present.get<std::string>());
        const auto rest = parseHostPort(host);
        if (rest && rest->port > 0 && rest->port <= kLargestPort) {
            change("Leave out what is no host and port", joinHostPort(rest->host.empty() ? "localhost" : rest->host, rest->port));
        }
        const std::string name_alone = rest ? rest->host : host.substr(0, host.find(':'));
        const std::string with_port = newAddress(name_alone.empty() ? "localhost" : name_alone);
        attempt("Use port " + with_port.substr(with_port.rfind(':') + 1), [&](Json& json) {
            Json& target = json["cluster"][name];
            (list ? target[at] : target[index]) = with_port;
        });
        if (!facts_.host_name.empty() && parsed && isLoopbackName(parsed->host)) {
            attempt("Write this computer's name, " + facts_.host_name + ", in place of " + hostOf(present.get<std::string>()),
                    [&](Json& json) { replaceLocalNames(json); });
        }
        change("Use this computer", newAddress());
    }

    // What is left of an address without scheme, user, path and spaces.
    static std::string plainHost(std::string text) {
        if (const std::size_t scheme = text.find("://"); scheme != std::string::npos) {
            text.erase(0, scheme + 3);
        }
        if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
            text.erase(slash);
        }
        if (const std::size_t user = text.find('@'); user != std::string::npos) {
            text.erase(0, user + 1);
        }
        constexpr std::string_view kHostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%[]";
        std::erase_if(text, [&](char c) { return kHostCharacters.find(c) == std::string_view::npos; });
        return text;
    }

    void replaceLocalNames(Json& json) const {
        for (auto& [name, tasks] : json["cluster"].items()) {
            for (Json& entry : tasks) {
                const auto parsed = entry.is_string() ? parseHostPort(entry.get<std::string>()) : std::nullopt;
                if (parsed && isLoopbackName(parsed->host)) {
                    entry = joinHostPort(facts_.host_name, parsed->port);
                }
            }
        }
    }

    // ---- task -------------------------------------------------------------------------------------------------------------------
    // The first task that trains, for a text that does not say whose it is.
    std::optional<TaskId> firstTask() const {
        for (const char* job : {"chief", "worker", "ps"}) {
            if (taskCount(job) > 0 && jobOf(job)->is_structured()) {
                return TaskId{job, 0};
            }
        }
        return std::nullopt;
    }

    void wholeTask() {
        const TaskId task = firstTask().value_or(TaskId{});
        attempt("Make it the text of " + toString(task), [&](Json& json) {
            json["task"] = Json{{"type", task.type}, {"index", task.index}};
        });
        attempt("Remove the task", [](Json& json) { json.erase("task"); });
    }

    void setTask(const std::string& text, const char* key, const Json& value) {
        attempt(text, [&](Json& json) {
            if (json["task"].is_object()) {
                json["task"][key] = value;
            }
        });
    }

    void taskType() {
        const Json& task = json_["task"];
        const std::string type = task.contains("type") && task["type"].is_string() ? task["type"].get<std::string>() : "";
        const std::string nearest = type.empty() ? firstTask().value_or(TaskId{}).type : nearestJob(type);
        setTask("Name the task's job " + nearest, "type", nearest);
        if (type == "evaluator" && taskCount("evaluator") == 0) {
            attempt("List the evaluator at " + newAddress(), [&](Json& json) { addJob(json, "evaluator"); });
        }
        if (type == "master" || taskCount("master") > 0) {
            attempt("Name the master chief", [](Json& json) { renameJob(json, "master", "chief"); });
        }
        for (const std::string_view job : kJobNames) {
            if (taskCount(std::string(job)) > 0) {
                setTask("Name the task's job " + std::string(job), "type", std::string(job));
            }
        }
        wholeTask();
    }

    void taskIndex() {
        const Json& task = json_["task"];
        const std::string type = task.contains("type") && task["type"].is_string() ? task["type"].get<std::string>() : "";
        if (task.contains("index") && task["index"].is_number()) {
            const auto whole = static_cast<std::int64_t>(std::clamp(task["index"].get<double>(), 0.0, 999999999.0));
            setTask("Count it as " + std::to_string(whole), "index", whole);
            const auto last = static_cast<std::int64_t>(taskCount(type)) - 1;
            if (last >= 0) {
                setTask("Make it the last one, " + std::to_string(last), "index", std::min(whole, last));
            }
        } else if (task.contains("index") && task["index"].is_boolean()) {
            setTask("Count it as a number", "index", task["index"].get<bool>() ? 1 : 0);
        }
        setTask("Make it the first one, 0", "index", 0);
        wholeTask();
    }

    void otherKey(const std::string& key) {
        std::string small;
        for (const char c : key) {
            small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
        for (const char* known : {"cluster", "task"}) {
            if (small.starts_with(known) && !json_.contains(known)) {
                attempt(std::string("Rename it to ") + known, [&](Json& json) {
                    json[known] = json[key];
                    json.erase(key);
                });
            }
        }
        attempt("Remove " + key, [&](Json& json) { json.erase(key); });
    }

    const Json json_;
    const TfConfigUse use_;
    const Diagnostic& finding_;
    const RepairFacts& facts_;
    const Diagnostics before_;
    std::optional<TfConfigRepair> found_;
};

}  // namespace

std::optional<TfConfigRepair> repairTfConfig(std::string_view text, TfConfigUse use, const Diagnostic& finding, const RepairFacts& facts) {
    const JsonText parsed = parseJson(text);
    if (parsed.value && parsed.value->is_object()) {
        return TfConfigRepairer(*parsed.value, use, finding, facts).run();
    }
    // No object: what wraps it may go, and no text means training alone.
    if (const std::string inner = readClusterText(text, {.kind = ClusterTextKind::kTfConfig}).tf_config;
        inner != text && checkTfConfig(inner, use).is_json_object) {
        return TfConfigRepair{"Keep the JSON alone", inner};
    }
    if (use != TfConfigUse::kParameterServer && !parsed.value && text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return TfConfigRepair{"Write {}: training alone", "{}"};
    }
    return std::nullopt;
}

}  // namespace engine::spec
