// A first look at a computer, before anything of Tandem is there: what its shell can tell over one ssh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/hosts/far_agent.h"
#include "agent/hosts/host_list.h"

namespace agent::hosts {

struct HostSurvey {
    std::string arch;   // "x86_64"; empty: no shell that we know
    std::string glibc;  // "2.36"; empty: none
    std::string cpu_model;
    int cores = 0;
    std::int64_t memory_bytes = 0, memory_available_bytes = 0;
    std::optional<std::int64_t> disk_available_bytes;  // where the host's folder is, or will be
    std::vector<std::string> gpus;                     // "NVIDIA H200", as the driver's own program names them
    std::string program, version;                      // the tandem-agent that a run would use; empty: none
    std::string far_address;                           // the number by which ssh reached it; empty where its sshd did not say
    bool is_whole = false;                             // that was all
    friend bool operator==(const HostSurvey&, const HostSurvey&) = default;
};

// Lines of others, such as a greeting of the user's shell, are passed over.
HostSurvey hostSurveyIn(std::string_view output);
// The command for the shell there.
std::string surveyCommand(const Host& host);

// Starts and changes nothing there. Throws Error with one sentence that names the host: kUnavailable, kPermissionDenied,
// kFailedPrecondition (no shell, or no ssh here), kDeadlineExceeded, kCancelled.
HostSurvey surveyHost(const Host& host, const FarOptions& options);

}  // namespace agent::hosts
