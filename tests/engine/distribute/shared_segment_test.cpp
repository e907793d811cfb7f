#include "engine/distribute/shared_segment.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/spec/error.h"

namespace {

using engine::Error;
using engine::distribute::decodeSegmentAddress;
using engine::distribute::encode;
using engine::distribute::SegmentAddress;
using engine::distribute::SharedSegment;

TEST(SharedSegment, IsSeenByAProcessThatKnowsItsAddress) {
    const SharedSegment segment = SharedSegment::create(10000);
    const auto address = encode(segment.address());
    const pid_t child = fork();
    if (child == 0) {
        try {
            const SharedSegment view = SharedSegment::open(*decodeSegmentAddress(address));
            view.span()[9999] = std::byte{42};
            _exit(view.span().size() == 10000 ? 0 : 1);
        } catch (...) {
            _exit(2);
        }
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(segment.span()[9999], std::byte{42});
    EXPECT_EQ(segment.span()[0], std::byte{0});
}

TEST(SharedSegment, RefusesWhatIsNotThePeersSegment) {
    const SharedSegment segment = SharedSegment::create(5000);
    SegmentAddress wrong_nonce = segment.address();
    wrong_nonce.nonce[0] ^= std::byte{1};
    EXPECT_THROW(SharedSegment::open(wrong_nonce), Error);
    SegmentAddress wrong_size = segment.address();
    wrong_size.bytes = 6000;
    EXPECT_THROW(SharedSegment::open(wrong_size), Error);
    SegmentAddress no_such_fd = segment.address();
    no_such_fd.fd = 987654;
    EXPECT_THROW(SharedSegment::open(no_such_fd), Error);
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    SegmentAddress no_memory = segment.address();
    no_memory.fd = pipe_ends[0];
    EXPECT_THROW(SharedSegment::open(no_memory), Error);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

// A size that comes out as the file's own once the head is added: the payload would lie outside the mapping.
TEST(SharedSegment, RefusesASizeThatWrapsAround) {
    constexpr std::size_t kFileBytes = 100;
    const int descriptor = memfd_create("small", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_EQ(ftruncate(descriptor, kFileBytes), 0);
    ASSERT_EQ(fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
    EXPECT_THROW(SharedSegment::open({.pid = getpid(), .fd = descriptor, .bytes = kFileBytes - 4096}), Error);
    close(descriptor);
}

TEST(SharedSegment, CannotBeMadeShorterByAnyone) {
    const SharedSegment segment = SharedSegment::create(5000);
    EXPECT_NE(ftruncate(static_cast<int>(segment.address().fd), 100), 0);
}

TEST(SharedSegment, NamesWhatItCouldNotAllocate) {
    try {
        SharedSegment::create(std::size_t{1} << 50);
        FAIL() << "a petabyte of memory";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kResourceExhausted);
        EXPECT_THAT(error.what(), testing::HasSubstr("cannot allocate 1125899906846720 bytes"));
    }
}

TEST(SharedSegment, AddressOfAnotherLengthIsNone) {
    EXPECT_EQ(decodeSegmentAddress(std::vector<std::byte>(17)), std::nullopt);
}

}  // namespace
