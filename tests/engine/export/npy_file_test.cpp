#include "engine/export/numpy/npy_file.h"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

namespace engine::exporter {
namespace {

// What numpy.save writes.
TEST(NpyFile, HasNumpysHeaderAndValues) {
    const std::array<float, 6> values{0, 1, 2, 3, 4, 5.5F};
    const std::string bytes = npyBytes({2, 3}, values);
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    header.resize(117, ' ');
    ASSERT_EQ(bytes.size(), 128 + sizeof values);
    EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
    EXPECT_EQ(bytes.substr(10, 118), header + "\n");
    EXPECT_EQ(std::memcmp(bytes.data() + 128, values.data(), sizeof values), 0);
}

TEST(NpyFile, WritesATupleOfOneSize) {
    const std::array<float, 2> values{1, 2};
    EXPECT_NE(npyBytes({2}, values).find("'shape': (2,), }"), std::string::npos);
    EXPECT_NE(npyBytes({}, std::span(values).first(1)).find("'shape': (), }"), std::string::npos);
    EXPECT_EQ(npyBytes({2, 1, 1}, values).size() % 64, sizeof values);
}

}  // namespace
}  // namespace engine::exporter
