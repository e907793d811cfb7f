#include "engine/spec/cluster/cluster_check.h"

#include <algorithm>
#include <array>
#include <map>

namespace engine::spec {
namespace {

constexpr std::array<std::string_view, 4> kJobNames{"chief", "worker", "ps", "evaluator"};
constexpr int kLargestPort = 65535;

class ClusterChecker {
public:
    ClusterChecker(const ClusterSpec& cluster, TfConfigUse use, Diagnostics& diagnostics)
        : cluster_(cluster), use_(use), diagnostics_(diagnostics) {}

    void run() {
        for (const Job& job : cluster_.jobs) {
            task_count_ += job.tasks.size();
        }
        for (const Job& job : cluster_.jobs) {
            checkName(job);
            checkCount(job);
            checkIndices(job);
            checkAddresses(job);
        }
        checkLocality();
        checkMissingJobs();
    }

private:
    void error(std::string path, std::string message, std::string fix) {
        diagnostics_.push_back({Severity::kError, std::move(path), std::move(message), std::move(fix)});
    }
    void warn(std::string path, std::string message, std::string fix) {
        diagnostics_.push_back({Severity::kWarning, std::move(path), std::move(message), std::move(fix)});
    }

    void checkName(const Job& job) {
        const std::string path = "cluster." + job.name;
        if (std::find(kJobNames.begin(), kJobNames.end(), job.name) != kJobNames.end()) {
            if (job.name == "ps" && use_ == TfConfigUse::kMultiWorker && !job.tasks.empty()) {
                warn(path,
                     "expected no ps with MultiWorkerMirroredStrategy, got " + std::to_string(job.tasks.size()) +
                         ": TensorFlow waits for it forever",
                     "Remove the ps job or use ParameterServerStrategy.");
            }
            return;
        }
        const std::string message = "expected a job named chief, worker, ps or evaluator, got " + job.name;
        if (use_ != TfConfigUse::kEstimator) {
            error(path, message, "Rename or remove the job; names are case-sensitive.");
        } else if (job.name != "master") {
            warn(path, message + ", which no task of an Estimator takes part in", "Rename or remove the job.");
        } else if (cluster_.taskCount("chief") > 0) {
            error(path, "expected either a chief or the older master, got both", "Remove the master.");
        }
    }

    void checkCount(const Job& job) {
        const std::string path = "cluster." + job.name;
        if (job.tasks.empty()) {
            warn(path, "expected at least one address, got none", "Add an address or remove the job.");
        }
        const bool single = job.name == "chief" || job.name == "evaluator" || (job.name == "master" && use_ == TfConfigUse::kEstimator);
        if (single && job.tasks.size() > 1) {
            error(path, "expected at most one " + job.name + ", got " + std::to_string(job.tasks.size()), "Keep one address.");
        }
    }

    void checkIndices(const Job& job) {
        const auto count = static_cast<int>(job.tasks.size());
        for (const auto& [index, address] : job.tasks) {
            if (index < 0 || index >= count) {
                warn("cluster." + job.name,
                     "expected indices from 0 to " + std::to_string(count - 1) + " without gaps, got " + std::to_string(index) +
                         ": TensorFlow refuses that task",
                     "Number the tasks from 0.");
                return;
            }
        }
    }

    void checkAddresses(const Job& job) {
        for (const auto& [index, address] : job.tasks) {
            const std::string path = "cluster." + job.name + "[" + std::to_string(index) + "]";
            const auto [other, is_new] = seen_.emplace(address, path);
            if (std::optional<Diagnostic> found = checkAddress(address, path, task_count_ == 1)) {
                diagnostics_.push_back(std::move(*found));
            } else if (!is_new) {
                warn(path,
                     "expected an address of its own, got " + address + " as in " + other->second +
                         ": on one machine the second server can't start",
                     "Give each task a port of its own.");
            }
        }
    }

    static bool isLocal(const std::string& host) {
        return host.empty() || host == "localhost" || host == "::1" || host.starts_with("127.");
    }

    void checkLocality() {
        std::optional<std::string> local;
        std::optional<std::string> remote;
        for (const Job& job : cluster_.jobs) {
            for (const auto& [index, address] : job.tasks) {
                const std::optional<HostPort> parsed = parseHostPort(address);
                if (parsed) {
                    auto& kind = isLocal(parsed->host) ? local : remote;
                    kind = kind.value_or("cluster." + job.name + "[" + std::to_string(index) + "]");
                }
            }
        }
        if (local && remote) {
            warn(*local,
                 "expected names that every host can reach, got a local one beside other hosts (" + *remote +
                     "): seen from there it means another machine",
                 "Write the host's own name or address.");
        }
    }

    void checkMissingJobs() {
        if (cluster_.empty()) {
            return;
        }
        if (use_ == TfConfigUse::kParameterServer) {
            for (const char* name : {"ps", "worker"}) {
                if (cluster_.taskCount(name) == 0) {
                    error("cluster", std::string("expected at least one ") + name + " for ParameterServerStrategy, got none",
                          std::string("Add a ") + name + " with its address.");
                }
            }
        }
        if (use_ == TfConfigUse::kEstimator && cluster_.taskCount("chief") == 0 && cluster_.taskCount("master") == 0) {
            error("cluster", "expected one chief for an Estimator, got none", "Name the first worker's job chief.");
        }
    }

    const ClusterSpec& cluster_;
    const TfConfigUse use_;
    Diagnostics& diagnostics_;
    std::size_t task_count_ = 0;
    std::map<std::string, std::string> seen_;  // address -> path of its first task
};

}  // namespace

void checkCluster(const ClusterSpec& cluster, TfConfigUse use, Diagnostics& diagnostics) {
    ClusterChecker(cluster, use, diagnostics).run();
}

std::optional<Diagnostic> checkAddress(const std::string& address, const std::string& path, bool port_zero_is_fine) {
    const std::optional<HostPort> parsed = parseHostPort(address);
    if (!parsed) {
        return Diagnostic{Severity::kError, path, "expected an address \"host:port\" with a number as port, got \"" + address + "\"",
                          "Write it as host:2222."};
    }
    if (parsed->host.find('/') != std::string::npos) {
        return Diagnostic{Severity::kError, path, "expected a host name before the port, got \"" + parsed->host + "\"",
                          "Leave out the scheme and every slash."};
    }
    if (parsed->port > kLargestPort) {
        return Diagnostic{Severity::kError, path, "expected a port of at most 65535, got " + address.substr(address.rfind(':') + 1),
                          "Choose a port from 1024 to 65535."};
    }
    if (parsed->port == 0 && !port_zero_is_fine) {
        return Diagnostic{Severity::kWarning, path, "expected a port of at least 1, got 0: the other tasks can't know where to connect",
                          "Choose a port from 1024 to 65535."};
    }
    constexpr std::string_view kHostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%";
    if (parsed->host.find_first_not_of(kHostCharacters) != std::string::npos) {
        return Diagnostic{Severity::kWarning, path,
                          "expected a host name that can be resolved, got \"" + parsed->host + "\": TensorFlow waits for it forever",
                          "Write the name or the number of the host alone."};
    }
    return std::nullopt;
}

std::string useText(TfConfigUse use) {
    switch (use) {
        case TfConfigUse::kParameterServer:
            return "ParameterServerStrategy";
        case TfConfigUse::kEstimator:
            return "an Estimator";
        default:
            return "MultiWorkerMirroredStrategy";
    }
}

}  // namespace engine::spec
