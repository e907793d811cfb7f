#include "engine/distribute/byte_pipe.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "engine/distribute/aligned_memory.h"
#include "engine/spec/error.h"

namespace {

using engine::distribute::AlignedMemory;
using engine::distribute::BytePipe;
using engine::distribute::Message;

std::vector<std::byte> bytesOf(std::size_t count, int first) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(static_cast<std::size_t>(first) + i);
    return bytes;
}

TEST(BytePipe, CarriesAMessage) {
    AlignedMemory memory(BytePipe::kBytes);
    BytePipe writer(memory.span());
    BytePipe reader(memory.span());
    EXPECT_EQ(reader.tryReceive(), nullptr);
    ASSERT_TRUE(writer.trySend(7, bytesOf(5, 1)));
    const Message* message = reader.tryReceive();
    ASSERT_NE(message, nullptr);
    EXPECT_EQ(message->tag, 7u);
    EXPECT_EQ(message->bytes, 5u);
    EXPECT_EQ(message->fragments[0][4], std::byte{5});
    EXPECT_EQ(reader.tryReceive(), message) << "the same until it is released";
    reader.release();
    EXPECT_EQ(reader.tryReceive(), nullptr);
}

TEST(BytePipe, HoldsEightMessagesAndThenRefuses) {
    AlignedMemory memory(BytePipe::kBytes);
    BytePipe writer(memory.span());
    BytePipe reader(memory.span());
    for (std::size_t k = 0; k < BytePipe::kSlots; ++k) ASSERT_TRUE(writer.trySend(k, {}));
    EXPECT_FALSE(writer.trySend(99, {}));
    ASSERT_NE(reader.tryReceive(), nullptr);
    reader.release();
    EXPECT_TRUE(writer.trySend(99, {}));
}

TEST(BytePipe, KeepsOrderBetweenThreads) {
    AlignedMemory memory(BytePipe::kBytes);
    constexpr std::uint64_t kMessages = 20000;
    std::jthread sender([&] {
        BytePipe writer(memory.span());
        const std::vector<std::byte> bytes = bytesOf(300, 0);
        for (std::uint64_t k = 0; k < kMessages;) {
            if (writer.trySend(k, std::span(bytes).first(k % 300)))
                ++k;
            else
                std::this_thread::yield();
        }
    });
    BytePipe reader(memory.span());
    for (std::uint64_t k = 0; k < kMessages;) {
        const Message* message = reader.tryReceive();
        if (message == nullptr) {
            std::this_thread::yield();
            continue;
        }
        ASSERT_EQ(message->tag, k);
        ASSERT_EQ(message->bytes, k % 300);
        reader.release();
        ++k;
    }
}

TEST(BytePipe, RefusesAMessageThatCannotBe) {
    AlignedMemory memory(BytePipe::kBytes);
    BytePipe writer(memory.span());
    ASSERT_TRUE(writer.trySend(0, {}));
    const std::uint64_t nonsense = BytePipe::kSlotBytes + 1;
    std::memcpy(memory.span().data() + BytePipe::kHeadBytes + sizeof(std::uint64_t), &nonsense, sizeof nonsense);
    BytePipe reader(memory.span());
    EXPECT_THROW(reader.tryReceive(), engine::Error);
}

}  // namespace
