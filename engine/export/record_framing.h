// TFRecord framing, in which TensorBoard's event files, tf.data's record files and Tandem's backups keep their messages:
//
//   length u64 LE | masked CRC-32C of those 8 bytes u32 LE | the record | masked CRC-32C of the record u32 LE
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine::exporter {

void appendRecord(std::string& file, std::string_view record);

// The first record of `rest`, which then begins after it; the view lives as long as the bytes do. nullopt when `rest` is empty.
// Throws Error(kDataLoss) for a checksum that does not fit and for a record that ends too early; `rest` is unchanged then.
std::optional<std::string_view> takeRecord(std::string_view& rest);

}  // namespace engine::exporter
