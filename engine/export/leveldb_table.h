// Sorted string tables (LevelDB's file format) in memory. The only place that includes LevelDB.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace engine::exporter {

// The table's bytes as TensorFlow writes its index: no compression, blocks of 256 KiB, restart interval 16, no filter.
std::string buildTable(const std::map<std::string, std::string>& entries);

// All entries of a table. `name` is for messages. Throws Error(kDataLoss) when it is none or a checksum is wrong.
std::map<std::string, std::string> readTable(const std::string& bytes, std::string_view name);

}  // namespace engine::exporter
