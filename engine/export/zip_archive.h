// Zip archives in memory. (Those that are too large for it: agent/archive.)
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine::exporter {

// Every member's bytes by its name. `name` is for messages. Errors: kDataLoss (no zip, truncated, wrong checksum, encrypted, a member that
// claims far more than is stored).
std::map<std::string, std::string> readZip(std::string_view bytes, std::string_view name);

// Members uncompressed, in order, dated 1980-01-01: the same members give the same bytes.
std::string writeZip(const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace engine::exporter
