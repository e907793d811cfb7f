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
#include "engine/spec/events/host_way.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

// The answer of another host to a call.
struct HostAnswer {
    bool resolved = false;  // its name means an address
    bool answers = false;   // something came back: a connection or a refusal
    double round_trip_ms = 0;
    std::string interface;  // of this computer, that the way leads out of; empty: unknown
    std::string problem;    // why not, in the system's words
};

// A task of the run and where its address stands.
struct FarTask {
    engine::spec::TaskId task;
    int port = 0;            // 0: any that is free
    std::string address;     // the number that was written; empty: a name, in whose place stands what ssh reaches it by
    bool is_linked = false;  // others of the run call it
};

// A question about one other computer: which tasks of the run it would have.
struct FarQuestion {
    std::string host;
    std::vector<FarTask> tasks;
};

// All that the doctor asks of other computers for one run.
struct FarCase {
    std::string project_json;
    std::vector<FarQuestion> questions;
    FarQuestion here;                      // the same of this computer, by its own name
    std::string ssh_agent;                 // the socket of the user's; empty: as this process' environment says
    std::function<bool()> is_cancelled{};  // from any thread; empty: never
};

// The answer of the agent there.
struct FarLook {
    bool is_known = false;           // a computer of the user's list; of another one only the way there can be looked at
    std::string problem;             // why its agent can't be asked; empty: it was, and what follows is known
    std::string refusal;             // why the tasks could not start there; empty: they could, or nobody knows before its files are there
    std::int64_t lacking_bytes = 0;  // of the run's own files, which a launch sends there
    engine::run::HostInfo info;
    double round_trip_ms = 0;
    double clock_ahead_ms = 0;  // of this computer's
};

struct FarSight {
    std::vector<FarLook> looks;               // in the order of the questions
    std::vector<engine::spec::HostWay> ways;  // every ordered pair of all these computers, where there are two with a task that others call
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
    // Looks at the other computers; the doctor leaves ssh_agent and is_cancelled of the case empty. Takes up to a minute, and ends early
    // when nobody waits for the report any more; empty: no other computer can be asked.
    std::function<FarSight(FarCase)> look{};
    std::function<bool()> clock_is_synchronised;                                         // with a time server
    std::function<bool(const std::string& path)> is_readable;                            // a project's own data file or folder
    std::function<LinkMeasure(const std::string& from, const std::string& to)> measure;  // between two addresses of this computer
};

// The real one. `launcher` and what it refers to outlive the calls.
DoctorWorld realWorld(engine::run::HostInfo host, std::string agent_version, ProcessLauncher& launcher, ProcessSpec worker);

// Returns the report; never throws. Its rows come in the order project, hosts, versions, cores, memory, ports, data, disk, clock, network,
// GPU; passed checks are among them.
engine::spec::DoctorReport diagnose(const engine::spec::RunSpec& run, const DoctorWorld& world);

}  // namespace agent::server
