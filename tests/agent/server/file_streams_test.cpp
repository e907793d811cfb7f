// Files of another computer's project over the wire: looked for, sent, cut and refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "agent/client/local_agent.h"
#include "agent/client/part_client.h"
#include "agent/files/file_list.h"
#include "tests/agent/server/agent_fixture.h"

namespace tests::agent_server {
namespace {

namespace fs = std::filesystem;
using engine::ErrorCode;
using ::testing::HasSubstr;

class FileStreamsTest : public AgentTest {
protected:
    FileStreamsTest() { ::setenv("XDG_CACHE_HOME", (world_.path() / "cache").c_str(), 1); }
    ~FileStreamsTest() override { ::unsetenv("XDG_CACHE_HOME"); }

    void SetUp() override {
        start();
        parts_ = std::make_unique<client::PartClient>(client::reachLocalAgent("/nonexistent/tandem-agent", kDeadline));
    }
    // A file of the computer that sends.
    fs::path write(const std::string& name, const std::string& text) const {
        fs::create_directories(world_.path() / "home");
        std::ofstream(world_.path() / "home" / name, std::ios::binary) << text;
        return world_.path() / "home" / name;
    }
    // Its list, as of a path that this computer does not have.
    agent::files::FileList listOf(const fs::path& file) {
        agent::files::FileList list = agent::files::listFiles(file, digests_);
        list.folder = "/nowhere";
        return list;
    }
    static std::string contents(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static bool goOn(std::int64_t) { return true; }

    std::unique_ptr<client::PartClient> parts_;
    agent::files::FileDigests digests_;
};

TEST_F(FileStreamsTest, BringsAFileOfSeveralPiecesThere) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) {
        text += std::to_string(i) + ",";
    }
    const fs::path file = write("own.csv", text);
    const agent::files::FileList list = listOf(file);
    agent::files::FilesFound found = parts_->findFiles(toText(list), kDeadline);
    EXPECT_EQ(found.path, "");
    ASSERT_EQ(found.lacking.size(), 1U);
    EXPECT_EQ(found.lacking_bytes, static_cast<std::int64_t>(text.size()));
    std::int64_t sent = 0;
    parts_->sendFile(
        list.files[0], file, 0,
        [&](std::int64_t bytes) {
            sent += bytes;
            return true;
        },
        kDeadline);
    EXPECT_EQ(sent, static_cast<std::int64_t>(text.size()));
    found = parts_->findFiles(toText(list), kDeadline);
    EXPECT_EQ(contents(found.path), text);
}

TEST_F(FileStreamsTest, GoesOnAfterACut) {
    const std::string text(3'000'000, 'x');
    const fs::path file = write("own.bin", text);
    const agent::files::FileList list = listOf(file);
    std::int64_t sent = 0;
    messageOf(ErrorCode::kCancelled, [&] {
        parts_->sendFile(
            list.files[0], file, 0, [&](std::int64_t bytes) { return (sent += bytes) < 1'000'000; }, kDeadline);
    });
    // What the agent had got by then stays; the end of the call lets the next one in.
    agent::files::FilesFound found;
    ASSERT_TRUE(eventually([&] {
        found = parts_->findFiles(toText(list), kDeadline);
        try {
            parts_->sendFile(list.files[0], file, found.lacking.at(0).has_bytes, goOn, kDeadline);
            return true;
        } catch (const engine::Error&) {  // the first call is not over there, or wrote more meanwhile
            return false;
        }
    }));
    EXPECT_EQ(contents(parts_->findFiles(toText(list), kDeadline).path), text);
}

TEST_F(FileStreamsTest, RefusesAFileThatChangesWhileItIsSent) {
    const fs::path file = write("own.csv", "as it was");
    const agent::files::FileList list = listOf(file);
    write("own.csv", "as it is!");
    EXPECT_THAT(messageOf(ErrorCode::kDataLoss, [&] { parts_->sendFile(list.files[0], file, 0, goOn, kDeadline); }),
                HasSubstr("arrived with other bytes than its checksum says"));
    write("own.csv", "short");
    messageOf(ErrorCode::kDataLoss, [&] { parts_->sendFile(list.files[0], file, 0, goOn, kDeadline); });
    EXPECT_EQ(parts_->findFiles(toText(list), kDeadline).path, "");
}

TEST_F(FileStreamsTest, RefusesWhatIsNoList) {
    const fs::path file = write("own.csv", "text");
    agent::files::FileList list = listOf(file);
    for (const std::string text : {"", "{}", "no JSON"}) {
        EXPECT_THAT(messageOf(ErrorCode::kInvalidArgument, [&] { parts_->findFiles(text, kDeadline); }), HasSubstr("files: expected"));
    }
    list.files[0].name = "../../.ssh/authorized_keys";
    EXPECT_THAT(messageOf(ErrorCode::kInvalidArgument, [&] { parts_->sendFile(list.files[0], file, 0, goOn, kDeadline); }),
                HasSubstr("expected a relative path of names"));
    EXPECT_FALSE(fs::exists(world_.path() / "cache" / "tandem" / "files" / "blobs"));
}

}  // namespace
}  // namespace tests::agent_server
