// The look before the launch: what a run would need of this host and of its cluster's addresses, put into sentences.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "agent/server/host/host_probe.h"
#include "agent/server/process/process.h"
#include "engine/spec/events/doctor_report.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

// How another host answers.
struct HostAnswer {
    bool resolved = false;  // its name means an address
    bool answers = false;   // something came back: a connection or a refusal
    double round_trip_ms = 0;
    std::string interface;  // of this computer, that the way leads out of; empty: unknown
    std::string problem;    // why not, in the system's words
};

struct LinkMeasure {
    double latency_us = 0, bytes_per_s = 0;
    std::string problem;  // empty: measured
};

// What the doctor asks of the world; tests put another one in its place. Every function ends by a deadline of its own (two seconds).
struct DoctorWorld {
    engine::run::HostInfo host;
    std::string agent_version;
    std::function<std::string()> worker_version;  // empty: it can't be started
    std::function<bool(const std::string& host)> is_this_host;
    std::function<std::string(int port)> port_problem;  // empty: free
    std::function<HostAnswer(const std::string& host, int port)> reach;
    std::function<bool()> clock_is_synchronised;                                         // with a time server
    std::function<bool(const std::string& path)> is_readable;                            // a project's own data file or folder
    std::function<LinkMeasure(const std::string& from, const std::string& to)> measure;  // between two addresses of this computer
};

// The real one. `launcher` and what it refers to outlive the calls.
DoctorWorld realWorld(engine::run::HostInfo host, std::string agent_version, ProcessLauncher& launcher, ProcessSpec worker);

// Never throws. Rows in the order project, hosts, versions, cores, memory, ports, data, disk, clock, network, GPU; passed checks too.
engine::spec::DoctorReport diagnose(const engine::spec::RunSpec& run, const DoctorWorld& world);

}  // namespace agent::server
