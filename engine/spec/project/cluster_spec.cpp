#include "engine/spec/project/cluster_spec.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <nlohmann/json.hpp>

namespace engine::spec {
namespace {

// A JSON string as Python's json.dumps writes it: ASCII only, small hexadecimal digits.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

bool isDense(const Job& job) {
    return job.tasks.empty() || (job.tasks.begin()->first == 0 && job.tasks.rbegin()->first + 1 == static_cast<int>(job.tasks.size()));
}

std::string jobJson(const Job& job) {
    const bool dense = isDense(job);
    std::string text(1, dense ? '[' : '{');
    bool first = true;
    for (const auto& [index, address] : job.tasks) {
        text += first ? "" : ", ";
        text += dense ? "" : quoted(std::to_string(index)) + ": ";
        text += quoted(address);
        first = false;
    }
    return text + (dense ? ']' : '}');
}

}  // namespace

std::string toString(const TaskId& task) {
    return task.type + " " + std::to_string(task.index);
}

const Job* ClusterSpec::findJob(std::string_view name) const {
    const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const Job& job) { return job.name == name; });
    return found == jobs.end() ? nullptr : &*found;
}

int ClusterSpec::taskCount(std::string_view job) const {
    const Job* found = findJob(job);
    return found == nullptr ? 0 : static_cast<int>(found->tasks.size());
}

std::optional<std::string> ClusterSpec::address(const TaskId& task) const {
    const Job* job = findJob(task.type);
    if (job == nullptr) {
        return std::nullopt;
    }
    const auto found = job->tasks.find(task.index);
    return found == job->tasks.end() ? std::nullopt : std::optional(found->second);
}

std::vector<TaskId> ClusterSpec::serverTasks() const {
    std::vector<TaskId> tasks;
    if (const Job* servers = findJob("ps")) {
        for (const auto& [index, address] : servers->tasks) {
            tasks.push_back({"ps", index});
        }
    }
    return tasks;
}

std::size_t ClusterSpec::trainingTaskCount() const {
    const Job *chief = findJob("chief"), *workers = findJob("worker");
    return (chief == nullptr ? 0 : chief->tasks.size()) + (workers == nullptr ? 0 : workers->tasks.size());
}

std::vector<TaskId> ClusterSpec::trainingTasks() const {
    std::vector<TaskId> tasks;
    for (const char* name : {"chief", "worker"}) {
        if (const Job* job = findJob(name)) {
            for (const auto& [index, address] : job->tasks) {
                tasks.push_back({name, index});
            }
        }
    }
    return tasks;
}

bool ClusterSpec::isChief(const TaskId& task) const {
    return taskCount("chief") > 0 ? task.type == "chief" : task.type == "worker" && task.index == 0;
}

std::string toTfConfigJson(const ClusterSpec& cluster, const TaskId& task) {
    std::string text = "{\"cluster\": {";
    for (std::size_t i = 0; i < cluster.jobs.size(); ++i) {
        text += (i == 0 ? "" : ", ") + quoted(cluster.jobs[i].name) + ": " + jobJson(cluster.jobs[i]);
    }
    return text + "}, \"task\": {\"type\": " + quoted(task.type) + ", \"index\": " + std::to_string(task.index) + "}}";
}

std::optional<HostPort> parseHostPort(std::string_view address) {
    const std::size_t colon = address.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = address.substr(colon + 1);
    std::uint32_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        return std::nullopt;
    }
    std::string_view host = address.substr(0, colon);
    if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    constexpr auto kLargest = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
    return HostPort{std::string(host), static_cast<int>(std::min(port, kLargest))};
}

}  // namespace engine::spec
