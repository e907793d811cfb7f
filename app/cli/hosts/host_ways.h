// The ways between computers that the doctor measured, as tables of text and as JSON. Pure functions.
#pragma once

#include <iosfwd>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/spec/events/host_way.h"

namespace app::cli {

// Prints two tables, a row for each computer that calls and a column for each that is called: the round trip in ms and the bandwidth in
// MB/s. For more than 16 computers it prints the 16 worst ways, a line each. Nothing for no ways.
void printWays(std::ostream& out, const std::vector<engine::spec::HostWay>& ways);

// Returns one object: from, to, port, outcome; round_trip_us and bytes_per_s where they were measured; is_slow and detail where they are
// set.
nlohmann::ordered_json wayJson(const engine::spec::HostWay& way);

}  // namespace app::cli
