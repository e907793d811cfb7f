#include "engine/spec/cluster/cluster_hosts.h"

#include <algorithm>

namespace engine::spec {

bool isLoopbackName(std::string_view host) {
    return host.empty() || host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string hostOf(std::string_view address) {
    const std::size_t colon = address.rfind(':');
    if (colon == std::string_view::npos) {
        return std::string(address);
    }
    std::string_view host = address.substr(0, colon);
    if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    return host.empty() ? "localhost" : std::string(host);
}

std::string joinHostPort(std::string_view host, int port) {
    const bool number = host.find(':') != std::string_view::npos;
    return (number ? "[" + std::string(host) + "]" : std::string(host)) + ":" + std::to_string(port);
}

std::vector<TaskId> allTasks(const ClusterSpec& cluster) {
    std::vector<TaskId> tasks;
    for (const Job& job : cluster.jobs) {
        for (const auto& [index, address] : job.tasks) {
            tasks.push_back({job.name, index});
        }
    }
    return tasks;
}

std::vector<TaskHost> taskHosts(const ClusterSpec& cluster) {
    std::vector<TaskHost> hosts;
    for (const TaskId& task : allTasks(cluster)) {
        hosts.push_back({task, hostOf(*cluster.address(task))});
    }
    return hosts;
}

std::string pathOf(const TaskId& task) {
    return "cluster." + task.type + "[" + std::to_string(task.index) + "]";
}

std::vector<ClusterHost> hostsOf(const ClusterSettings& cluster, const std::function<bool(const std::string&)>& is_here) {
    std::vector<ClusterHost> hosts{{"localhost", true, {}}};
    const auto hostNamed = [&](const std::string& name) -> ClusterHost& {
        if (isLoopbackName(name) || is_here(name)) {
            return hosts.front();
        }
        const auto found = std::find_if(hosts.begin(), hosts.end(), [&](const ClusterHost& host) { return host.name == name; });
        return found != hosts.end() ? *found : hosts.emplace_back(ClusterHost{name, false, {}});
    };
    for (const TaskId& task : allTasks(cluster.spec)) {
        hostNamed(hostOf(*cluster.spec.address(task))).tasks.push_back(task);
    }
    for (const std::string& name : cluster.hosts) {
        hostNamed(name);
    }
    return hosts;
}

bool namesOtherHosts(const ClusterSpec& cluster) {
    const std::vector<TaskId> tasks = allTasks(cluster);
    return std::any_of(tasks.begin(), tasks.end(), [&](const TaskId& task) { return !isLoopbackName(hostOf(*cluster.address(task))); });
}

std::optional<Diagnostic> checkHostName(const std::string& name, const std::string& path) {
    const std::string fix = "Write the name or the number of the computer alone, such as node1 or 192.0.2.14.";
    if (name.empty()) {
        return Diagnostic{Severity::kError, path, "expected the name of a computer, got none", fix};
    }
    constexpr std::string_view kCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%";
    const std::size_t bad = name.find_first_not_of(kCharacters);
    if (bad != std::string::npos || name.front() == '-' || name.front() == '.') {
        return Diagnostic{Severity::kError, path, "expected the name of a computer, got \"" + name + "\"", fix};
    }
    const bool port = std::count(name.begin(), name.end(), ':') == 1;
    if (port) {
        return Diagnostic{Severity::kError, path, "expected the name of a computer without a port, got \"" + name + "\"",
                          "Ports belong to tasks."};
    }
    constexpr std::size_t kLongestName = 253;
    if (name.size() > kLongestName) {
        return Diagnostic{Severity::kError, path,
                          "expected a name of at most " + std::to_string(kLongestName) + " letters, got " + std::to_string(name.size()),
                          fix};
    }
    return std::nullopt;
}

Diagnostic foreignTask(const TaskId& task, const std::string& address) {
    return {Severity::kError, pathOf(task),
            toString(task) + ": expected an address of this computer or of one of the list of hosts, got " + address,
            "Add the computer to the list of hosts, move the task to this computer, or export TF_CONFIG and start it there yourself with "
            "tandem-worker --cluster-key."};
}

}  // namespace engine::spec
