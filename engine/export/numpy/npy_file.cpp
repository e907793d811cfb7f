#include "engine/export/numpy/npy_file.h"

#include <cstddef>
#include <functional>
#include <numeric>

#include "engine/spec/error.h"

namespace engine::exporter {

std::string npyBytes(const spec::Shape& shape, std::span<const float> values) {
    ENGINE_CHECK(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()) ==
                 static_cast<std::int64_t>(values.size()));
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (const std::int64_t size : shape) {
        header += std::to_string(size) + ", ";
    }
    if (shape.size() > 1) {
        header.resize(header.size() - 2);
    } else if (shape.size() == 1) {
        header.pop_back();
    }
    header += "), }";
    constexpr std::size_t kBefore = 10;  // magic, version, length
    constexpr std::size_t kAlignment = 64;
    header.append(kAlignment - 1 - (kBefore + header.size()) % kAlignment, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xFFU);
    bytes += static_cast<char>(header.size() >> 8U);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return bytes;
}

}  // namespace engine::exporter
