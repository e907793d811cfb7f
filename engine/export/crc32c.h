// The checksums of engine/checksum under this folder's own names.
#pragma once

#include "engine/checksum/crc32c.h"

namespace engine::exporter {

using checksum::crc32c;
using checksum::maskCrc;

}  // namespace engine::exporter
