// What a look at the hosts of a cluster found before a run: made by an agent, shown by the studio and the command line in the same words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/events/host_way.h"
#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

enum class DoctorState { kOk, kInfo, kWarning, kError };
std::string_view toString(DoctorState state);  // "ok", "info", "warning", "error"

struct DoctorRow {
    DoctorState state = DoctorState::kOk;
    std::string check;   // the question's name: project, host, port, version, cores, memory, disk, data, clock, network, gpu
    std::string title;   // the answer: "port 12345 is free"
    std::string detail;  // numbers, or what follows; may be empty
    std::string fix;     // what would mend it, as one sentence; may be empty
    std::string path;    // of the project's field that it concerns, as in a Diagnostic; may be empty
    friend bool operator==(const DoctorRow&, const DoctorRow&) = default;
};

// The way from one task's address to another's, as measured; or why it could not be.
struct DoctorLink {
    TaskId from, to;
    double latency_us = 0;   // half a round trip of 64 bytes, median
    double bytes_per_s = 0;  // one direction; 0: not measured
    std::string problem;     // empty: measured
    friend bool operator==(const DoctorLink&, const DoctorLink&) = default;
};

struct DoctorReport {
    std::vector<DoctorRow> rows;    // in the order of the checks
    std::vector<DoctorLink> links;  // every ordered pair of tasks that talk; empty for one task
    std::vector<HostWay> ways;      // every ordered pair of the cluster's computers; empty for one computer
    friend bool operator==(const DoctorReport&, const DoctorReport&) = default;
};

bool hasErrors(const DoctorReport& report);

}  // namespace engine::spec
