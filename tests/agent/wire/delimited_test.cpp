#include "agent/wire/delimited.h"

#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/proto/task_event.pb.h"
#include "engine/spec/error.h"

namespace {

using namespace std::chrono_literals;
using agent::convert::DelimitedReader;
using agent::convert::DelimitedWriter;
using agent::convert::ReadResult;
using agent::proto::LogLine;

// Both ends of the stream between an agent and its task.
class SocketPair {
public:
    SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_), 0); }
    ~SocketPair() {
        closeEnd(0);
        closeEnd(1);
    }
    SocketPair(const SocketPair&) = delete;
    SocketPair& operator=(const SocketPair&) = delete;
    int agent() const { return ends_[0]; }
    int task() const { return ends_[1]; }
    void closeAgent() { closeEnd(0); }
    void closeTask() { closeEnd(1); }
    void send(const std::string& bytes) { EXPECT_EQ(::write(task(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size())); }

private:
    void closeEnd(int i) {
        if (ends_[i] >= 0) {
            ::close(std::exchange(ends_[i], -1));
        }
    }
    int ends_[2] = {-1, -1};
};

LogLine lineOf(std::string text) {
    LogLine line;
    line.set_text(std::move(text));
    return line;
}

std::string framed(const LogLine& line) {
    SocketPair pair;
    EXPECT_TRUE(DelimitedWriter(pair.task()).write(line, 1s));
    std::string bytes(1 << 16, '\0');
    bytes.resize(static_cast<std::size_t>(::read(pair.agent(), bytes.data(), bytes.size())));
    return bytes;
}

TEST(Delimited, CarriesMessagesInOrderAndThenTheEnd) {
    SocketPair pair;
    DelimitedWriter writer(pair.task());
    EXPECT_TRUE(writer.write(lineOf("first"), 1s));
    EXPECT_TRUE(writer.write(LogLine(), 1s));
    EXPECT_TRUE(writer.write(lineOf("third"), 1s));
    pair.closeTask();

    DelimitedReader reader(pair.agent());
    LogLine line;
    ASSERT_EQ(reader.read(line), ReadResult::kMessage);
    EXPECT_EQ(line.text(), "first");
    EXPECT_TRUE(reader.hasBuffered());
    ASSERT_EQ(reader.read(line), ReadResult::kMessage);
    EXPECT_EQ(line.text(), "") << "an empty message is one too";
    ASSERT_EQ(reader.read(line), ReadResult::kMessage);
    EXPECT_EQ(line.text(), "third");
    EXPECT_EQ(reader.read(line), ReadResult::kEnd);
    EXPECT_EQ(reader.read(line), ReadResult::kEnd) << "the end stays";
}

TEST(Delimited, WritesTheLengthAsAVarint) {
    EXPECT_EQ(framed(lineOf("abc")), std::string("\x05\x12\x03") + "abc");
    const std::string longer = framed(lineOf(std::string(300, 'x')));
    EXPECT_EQ(longer.substr(0, 2), "\xAF\x02") << "303 = 0b10'0101111";
}

// However the bytes are cut on their way, the messages come out whole.
TEST(Delimited, ReadsMessagesCutAtEveryByte) {
    const std::string bytes = framed(lineOf("abc")) + framed(lineOf(std::string(200, 'y'))) + framed(lineOf(""));
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        SocketPair pair;
        ASSERT_EQ(fcntl(pair.agent(), F_SETFL, O_NONBLOCK), 0);
        DelimitedReader reader(pair.agent());
        std::vector<std::size_t> lengths;
        LogLine line;
        for (const std::string& part : {bytes.substr(0, cut), bytes.substr(cut)}) {
            pair.send(part);
            while (reader.read(line) == ReadResult::kMessage) {
                lengths.push_back(line.text().size());
            }
        }
        EXPECT_THAT(lengths, ::testing::ElementsAre(3, 200, 0)) << "cut before byte " << cut;
    }
}

struct BadRow {
    const char* name;
    std::string bytes;
    const char* expected;
};

TEST(Delimited, RefusesStreamsThatAreBroken) {
    const std::vector<BadRow> rows{
        {"ended inside the length", "\xAF", "message stream: ended inside a message, 1 bytes into it"},
        {"ended inside the message", std::string("\x05\x12\x03") + "ab", "message stream: ended inside a message, 5 bytes into it"},
        {"a length without end", std::string(6, '\xFF'), "message stream: expected a length of at most 5 bytes, got a longer one"},
        {"a length above the limit", "\x81\x08", "message stream: expected a message of at most 1024 bytes, got one of 1025"},
        {"the largest length", "\xFF\xFF\xFF\xFF\x0F", "message stream: expected a message of at most 1024 bytes, got one of 4294967295"},
        {"no message", "\x03\xFF\xFF\xFF", "message stream: 3 bytes that are no agent.proto.LogLine"},
    };
    for (const BadRow& row : rows) {
        SocketPair pair;
        pair.send(row.bytes);
        pair.closeTask();
        DelimitedReader reader(pair.agent(), 1024);
        LogLine line;
        try {
            EXPECT_EQ(reader.read(line), ReadResult::kMessage);
            ADD_FAILURE() << row.name << ": accepted";
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kDataLoss) << row.name;
            EXPECT_STREQ(error.what(), row.expected) << row.name;
        }
    }
}

// Random bytes end in messages, an error or the end of the stream; never in a crash or a wait.
TEST(Delimited, SurvivesArbitraryBytes) {
    std::mt19937 random(7);
    int refused = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random() % 64, '\0');
        for (char& byte : bytes) {
            byte = static_cast<char>(random() % 3 == 0 ? random() % 8 : random());
        }
        SocketPair pair;
        pair.send(bytes);
        pair.closeTask();
        DelimitedReader reader(pair.agent(), 4096);
        LogLine line;
        try {
            while (reader.read(line) == ReadResult::kMessage) {
            }
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kDataLoss);
            ++refused;
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(Delimited, WritesFromManyThreadsWithoutInterleaving) {
    SocketPair pair;
    DelimitedWriter writer(pair.task());
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&writer, t] {
            for (int i = 0; i < 500; ++i) {
                EXPECT_TRUE(writer.write(lineOf(std::string(static_cast<std::size_t>(i % 300), static_cast<char>('a' + t))), 10s));
            }
        });
    }
    DelimitedReader reader(pair.agent());
    LogLine line;
    for (int i = 0; i < 2000; ++i) {
        ASSERT_EQ(reader.read(line), ReadResult::kMessage);
        ASSERT_EQ(line.text().find_first_not_of(line.text().substr(0, 1)), std::string::npos) << "two threads in one message";
    }
}

TEST(Delimited, SaysThatTheOtherSideIsGone) {
    SocketPair pair;
    DelimitedWriter writer(pair.task());
    pair.closeAgent();
    EXPECT_FALSE(writer.write(lineOf("x"), 1s));
    EXPECT_FALSE(writer.write(lineOf("x"), 1s));
}

TEST(Delimited, GivesUpOnAReaderThatDoesNotRead) {
    SocketPair pair;
    DelimitedWriter writer(pair.task());
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THROW(static_cast<void>(writer.write(lineOf(std::string(8 << 20, 'x')), 50ms)), engine::Error);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 50ms);
    EXPECT_FALSE(writer.write(lineOf("x"), 50ms)) << "half a message is out: nothing can follow it";
}

TEST(Delimited, CarriesAMessageLargerThanTheSocketsBuffer) {
    SocketPair pair;
    DelimitedWriter writer(pair.task());
    const std::string text(3 << 20, 'z');
    const std::jthread sender([&] { EXPECT_TRUE(writer.write(lineOf(text), 10s)); });
    DelimitedReader reader(pair.agent());
    LogLine line;
    ASSERT_EQ(reader.read(line), ReadResult::kMessage);
    EXPECT_EQ(line.text(), text);
}

}  // namespace
