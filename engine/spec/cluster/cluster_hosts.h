// The computers of a cluster, as the addresses of its tasks name them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// "", "localhost", "::1", "127.…": whoever reads it means itself.
bool isLoopbackName(std::string_view host);
// What stands before the last colon: "node1" of "node1:2222" and of "node1:http"; "localhost" of ":2222"; the text itself without one.
std::string hostOf(std::string_view address);
// "node1:2222"; an IPv6 number goes into brackets.
std::string joinHostPort(std::string_view host, int port);
// Every task, jobs in the user's order.
std::vector<TaskId> allTasks(const ClusterSpec& cluster);
// Tells on which host each task is, by its address alone.
std::vector<TaskHost> taskHosts(const ClusterSpec& cluster);
// "cluster.worker[1]", as diagnostics name a task's address.
std::string pathOf(const TaskId& task);

// True when some task's address is not a loopback one. This computer's own names and numbers count as other hosts, too.
bool namesOtherHosts(const ClusterSpec& cluster);

struct ClusterHost {
    std::string name;           // "localhost" for this computer, whatever its addresses call it
    bool is_here = false;       // this computer
    std::vector<TaskId> tasks;  // in the cluster's order; may be none
    friend bool operator==(const ClusterHost&, const ClusterHost&) = default;
};

// This computer first, with or without tasks; then the others by their first task; then those of ClusterSettings::hosts that have none.
// `is_here` says whether a name means this computer; loopback names do in any case.
std::vector<ClusterHost> hostsOf(const ClusterSettings& cluster, const std::function<bool(const std::string&)>& is_here);

// The first part of a host's name that is no part of one, as a finding; nullopt when it could be a name or a number.
std::optional<Diagnostic> checkHostName(const std::string& name, const std::string& path);

// What stands in the way of starting a task on a computer that is not in the user's list.
Diagnostic foreignTask(const TaskId& task, const std::string& address);

}  // namespace engine::spec
