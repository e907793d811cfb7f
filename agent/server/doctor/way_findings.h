// The findings that follow from the ways between a cluster's computers: who reaches whom, and which ways are far slower than the others.
// Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/spec/events/doctor_report.h"

namespace agent::server {

// A way counts as slow when it is so many times worse than the median of the others.
inline constexpr double kSlowTimes = 4;

struct WayFinding {
    engine::spec::DoctorRow row;    // without a path
    std::string host;               // the computer that it is about, as its ways name it; empty: none alone
    std::vector<std::size_t> ways;  // those whose numbers it rests on; empty: it is about none that was measured
};

// Returns errors first, then warnings, then what all measured ways have in common. A computer that nobody reaches, or whose every way is
// slow, has one row; else each pair has. No ways have no findings.
std::vector<WayFinding> wayFindings(const std::vector<engine::spec::HostWay>& ways);

// Returns the ways whose numbers led to a warning of wayFindings(), each once: they are worth a second measurement, since a moment's load
// looks the same.
std::vector<std::size_t> suspiciousWays(const std::vector<engine::spec::HostWay>& ways);

}  // namespace agent::server
