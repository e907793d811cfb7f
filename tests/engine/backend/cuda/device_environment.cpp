// Without a GPU no test of this program can say anything: they are skipped, and the reason is told.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/cuda_device.h"

namespace {

class Device : public ::testing::Environment {
public:
    void SetUp() override {
        std::string reason;
        if (tests::support::cudaBackend(&reason) == nullptr) GTEST_SKIP() << reason;
    }
};

[[maybe_unused]] const ::testing::Environment* const kDevice = ::testing::AddGlobalTestEnvironment(new Device());

}  // namespace
