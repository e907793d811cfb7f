#include "agent/server/process/descriptor_budget.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "agent/local/file_descriptor.h"
#include "engine/spec/error.h"

namespace {

using namespace agent::server;

TEST(DescriptorBudget, AdmitsWhatFits) {
    EXPECT_NO_THROW(requireDescriptors(256, {.open = 100, .limit = 4096}));
    EXPECT_NO_THROW(requireDescriptors(1, {.open = 50, .limit = 1024}));
}

TEST(DescriptorBudget, NamesWhatIsNeededAndWhatThereIs) {
    try {
        requireDescriptors(256, {.open = 44, .limit = 1024});
        ADD_FAILURE() << "admitted";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kResourceExhausted);
        EXPECT_STREQ(error.what(),
                     "256 tasks: expected 1856 free descriptors of tandem-agent, got 980 of 1024; raise the hard limit (ulimit -Hn) and "
                     "start the agent anew, or take fewer tasks");
    }
}

TEST(DescriptorBudget, CountsThoseOfThisProcess) {
    const OpenDescriptors before = openDescriptors();
    const agent::convert::FileDescriptor one(::open("/dev/null", O_RDONLY)), two(::open("/dev/null", O_RDONLY));
    EXPECT_EQ(openDescriptors().open, before.open + 2);
    EXPECT_GT(before.limit, before.open);
}

}  // namespace
