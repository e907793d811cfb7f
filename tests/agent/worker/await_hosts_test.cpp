#include "agent/worker/await_hosts.h"

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;

const engine::spec::ClusterSpec kTwo{{{"ps", {{0, "localhost:1"}}}, {"worker", {{1, "mnist-1.mnist:2"}}}}};

TEST(AwaitHosts, GoesOnWhenTheLastNameIsKnown) {
    int asked = 0;
    std::vector<std::string> told;
    awaitHosts(kTwo, {.deadline = std::chrono::hours(1),
                      .on_waiting = [&](const std::string& text) { told.push_back(text); },
                      .resolve =
                          [&](const std::string& host) {
                              if (host != "localhost" && ++asked < 3) throw Error(ErrorCode::kNotFound, "no such name");
                          }});
    EXPECT_EQ(asked, 3);
    EXPECT_EQ(told, std::vector<std::string>{"waiting for the host of worker 1, mnist-1.mnist: no such name"});
}

TEST(AwaitHosts, NamesTheHostThatHasNoAddressAtTheDeadline) {
    try {
        awaitHosts(kTwo, {.deadline = std::chrono::milliseconds(0), .resolve = [](const std::string& host) {
                              if (host != "localhost") throw Error(ErrorCode::kNotFound, "no such name");
                          }});
        FAIL() << "it waited for nothing";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDeadlineExceeded);
        EXPECT_STREQ(error.what(), "worker 1: expected an address of its host mnist-1.mnist within 0 s, got none: no such name");
    }
}

TEST(AwaitHosts, EndsWhenItIsToldTo) {
    try {
        awaitHosts(kTwo, {.deadline = std::chrono::hours(1),
                          .is_cancelled = [] { return true; },
                          .resolve = [](const std::string&) { throw Error(ErrorCode::kNotFound, "no such name"); }});
        FAIL() << "it went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
}

}  // namespace
}  // namespace agent::worker
