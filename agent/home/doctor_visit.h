// The doctor's visit at one other computer. As long as it lasts, it asks whether the computer could have its part of a run, and holds the
// ports of the run's tasks there until the ways to them were measured.
#pragma once

#include <string>
#include <vector>

#include "agent/client/part_client.h"
#include "agent/files/file_digests.h"
#include "agent/hosts/far_agent.h"
#include "agent/server/doctor/doctor.h"

namespace agent::home {

// Returns the ports that the cluster writes for these tasks; tasks without a port in it are left out.
std::vector<int> writtenPorts(const server::FarQuestion& question);

// Used by one thread at a time, but for agent(), which is safe from any.
class DoctorVisit {
public:
    // Reaches the computer. Throws Error naming it.
    DoctorVisit(const hosts::Host& host, const hosts::FarOptions& options) : far_(host, options), parts_(far_.channel()) {}
    ~DoctorVisit() { letGo(); }
    DoctorVisit(const DoctorVisit&) = delete;
    DoctorVisit& operator=(const DoctorVisit&) = delete;

    hosts::FarAgent& agent() { return far_; }
    // Returns the ports that are held for the tasks, in the order of the question; empty before look(), and where the tasks can't have
    // theirs.
    const std::vector<int>& ports() const { return ports_; }

    // Fills `look` and holds the ports. Throws Error when the agent there does not answer.
    void look(const server::FarQuestion& question, const std::string& project_json, files::FileDigests& digests, server::FarLook& look);
    // Lets the ports go, and waits some seconds until a run could have those that stand in its cluster: a worker that listened at one needs
    // a moment to end.
    void freePorts(const server::FarQuestion& question);

private:
    void letGo();
    void hold(const server::FarQuestion& question, const std::string& project_there);
    std::vector<int> holdThese(const std::string& project_there, std::size_t count, const std::vector<int>& ports);

    hosts::FarAgent far_;
    client::PartClient parts_;
    std::vector<std::string> held_;  // ids
    std::vector<int> ports_;
};

}  // namespace agent::home
