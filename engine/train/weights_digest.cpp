#include "engine/train/weights_digest.h"

#include <bit>

#include "engine/checksum/sha256.h"
#include "engine/data/dataset.h"

namespace engine::train {

static_assert(std::endian::native == std::endian::little, "the values are hashed as they lie in memory");

std::string weightsSha256(const backend::Variables& variables) {
    checksum::Sha256 digest;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        if (entry.is_slot) {
            continue;
        }
        const std::string line = entry.name + " float32 " + data::toString(entry.shape) + "\n";
        digest.add(line.data(), line.size());
        digest.add(entry.values.data(), entry.values.size_bytes());
    }
    return digest.hex();
}

}  // namespace engine::train
