// Tests of what a transport with the edges of a star must do, whatever carries its bytes: every member sends to each centre, each centre
// answers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <vector>

#include "engine/distribute/transport.h"
#include "engine/distribute/waiter.h"

namespace tests::support {

using engine::distribute::Message;
using engine::distribute::Transport;
using engine::distribute::Waiter;

inline void sendAll(Transport& transport, int peer, std::uint64_t tag, std::span<const std::byte> bytes, Waiter& waiter) {
    while (!bytes.empty()) {
        const std::span<const std::byte> piece = bytes.first(std::min(bytes.size(), transport.maxMessageBytes(peer)));
        while (!transport.trySend(peer, tag, piece)) waiter.idle(peer);
        waiter.moved();
        bytes = bytes.subspan(piece.size());
    }
    while (!transport.drained(peer)) waiter.idle(peer);
}

inline const Message& awaitMessage(Transport& transport, int peer, Waiter& waiter) {
    const Message* message = nullptr;
    while ((message = transport.tryReceive(peer)) == nullptr) waiter.idle(peer);
    waiter.moved();
    return *message;
}

inline void receiveAll(Transport& transport, int peer, std::uint64_t tag, std::span<std::byte> into, Waiter& waiter) {
    while (!into.empty()) {
        const Message& message = awaitMessage(transport, peer, waiter);
        ASSERT_EQ(message.tag, tag);
        ASSERT_LE(message.bytes, into.size());
        for (const std::span<const std::byte> fragment : message.fragments) {
            std::memcpy(into.data(), fragment.data(), fragment.size());
            into = into.subspan(fragment.size());
        }
        transport.release(peer);
    }
}

// Runs three rounds. Member r sends `floats` values r + 1 with the round added; a centre answers each with the sum. Both go in as many
// messages as they need. In every round a centre holds the first message of each member before it releases any. The centres are the first
// ranks.
inline void expectStarWorks(Transport& transport, std::size_t floats, int centres = 1) {
    constexpr int kRounds = 3;
    const int rank = transport.rank();
    Waiter waiter(transport.health(),
                  {.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60), .what = "star", .poll = &transport});
    const std::vector<int>&to = transport.edges().from(rank), &from = transport.edges().to(rank);
    ASSERT_EQ(to, from);
    const bool is_centre = rank < centres;
    for (int round = 0; round < kRounds; ++round) {
        const auto tag = static_cast<std::uint64_t>(round) << 32 | 7;
        const auto valueOf = [round](int member) { return static_cast<float>(member + 1 + round); };
        std::vector<float> mine(floats, valueOf(rank)), theirs(floats), sum(floats, 0.0F);
        float expected = 0;
        if (is_centre) {
            for (const int peer : from) {
                expected += valueOf(peer);
                EXPECT_EQ(awaitMessage(transport, peer, waiter).tag, tag) << "of " << peer << ", while those before it are held";
            }
            for (const int peer : from) {
                receiveAll(transport, peer, tag, std::as_writable_bytes(std::span(theirs)), waiter);
                EXPECT_TRUE(std::all_of(theirs.begin(), theirs.end(), [&](float value) { return value == valueOf(peer); })) << peer;
                for (std::size_t i = 0; i < floats; ++i) sum[i] += theirs[i];
            }
            for (const int peer : to) sendAll(transport, peer, tag + 1, std::as_bytes(std::span(sum)), waiter);
            EXPECT_TRUE(std::all_of(sum.begin(), sum.end(), [&](float value) { return value == expected; }));
        } else {
            for (const int centre : to) sendAll(transport, centre, tag, std::as_bytes(std::span(mine)), waiter);
            for (int member = 0; member < transport.size(); ++member) {
                if (transport.edges().has(member, to.front())) expected += valueOf(member);
            }
            for (const int centre : from) {
                receiveAll(transport, centre, tag + 1, std::as_writable_bytes(std::span(theirs)), waiter);
                EXPECT_TRUE(std::all_of(theirs.begin(), theirs.end(), [&](float value) { return value == expected; })) << centre;
            }
        }
    }
}

}  // namespace tests::support
