#include "engine/event_files/record_tail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>

#include "engine/files/file_descriptor.h"
#include "tests/engine/event_files/event_bytes.h"
#include "tests/support/temp_dir.h"

namespace engine::event_files {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::event_files::append;
using tests::event_files::record;

class RecordTailTest : public testing::Test {
protected:
    RecordTail open(std::size_t piece = 64) {
        append(file_, "");
        return RecordTail(files::FileDescriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC)), file_, piece);
    }
    static std::vector<std::string> all(RecordTail& tail) {
        std::vector<std::string> records;
        while (const auto found = tail.next()) records.emplace_back(*found);
        return records;
    }
    const tests::support::TempDir dir_;
    const std::filesystem::path file_ = dir_.path() / "events.out.tfevents.1";
};

TEST_F(RecordTailTest, GivesRecordsWhateverTheSizeOfItsPieces) {
    append(file_, record("one") + record("") + record(std::string(1000, 'x')));
    for (const std::size_t piece : {1U, 13U, 4096U}) {
        RecordTail tail = open(piece);
        EXPECT_THAT(all(tail), ElementsAre("one", "", std::string(1000, 'x')));
        EXPECT_EQ(tail.position(), std::filesystem::file_size(file_));
        EXPECT_THAT(tail.takeDamage(), IsEmpty());
    }
}

TEST_F(RecordTailTest, WaitsForTheRestOfARecord) {
    const std::string whole = record("first") + record("second");
    RecordTail tail = open();
    for (std::size_t i = 0; i < whole.size(); ++i) {
        append(file_, whole.substr(i, 1));
        const auto found = tail.next();
        EXPECT_EQ(found.has_value(), i + 1 == record("first").size() || i + 1 == whole.size()) << i;
    }
    EXPECT_THAT(tail.takeDamage(), IsEmpty());
}

TEST_F(RecordTailTest, LeavesOutARecordWhoseBytesAreDamaged) {
    std::string bytes = record("one") + record("two") + record("three");
    bytes[record("one").size() + 12] = 'X';
    append(file_, bytes);
    RecordTail tail = open();
    EXPECT_THAT(all(tail), ElementsAre("one", "three"));
    EXPECT_THAT(tail.takeDamage(), ElementsAre(file_.string() + ": damaged at byte 19: expected the checksum of a record's bytes, got "
                                                                "another one; 19 bytes are left out"));
}

TEST_F(RecordTailTest, FindsTheNextRecordBehindADamagedLength) {
    std::string bytes = record("one") + record("two") + record("three");
    bytes[record("one").size()] = 'X';
    append(file_, bytes);
    for (const std::size_t piece : {1U, 16U, 4096U}) {
        RecordTail tail = open(piece);
        EXPECT_THAT(all(tail), ElementsAre("one", "three"));
        EXPECT_THAT(tail.takeDamage(),
                    ElementsAre(HasSubstr("damaged at byte 19"), HasSubstr("goes on at byte 38, 19 bytes are left out")));
    }
}

TEST_F(RecordTailTest, GoesOnWhenTheFileGrowsBehindDamage) {
    append(file_, record("one") + std::string(100, '\0'));
    RecordTail tail = open();
    EXPECT_THAT(all(tail), ElementsAre("one"));
    EXPECT_FALSE(tail.next().has_value());
    append(file_, record("two"));
    EXPECT_THAT(all(tail), ElementsAre("two"));
}

TEST_F(RecordTailTest, PassesOverARecordThatIsTooLarge) {
    const std::uint64_t length = kMostRecordBytes + 1;
    std::string header = tests::event_files::plainBytes(length);
    header += tests::event_files::plainBytes(checksum::maskCrc(checksum::crc32c(header)));
    append(file_, header + std::string(length + 4, 'x') + record("two"));
    RecordTail tail = open(1u << 20);
    EXPECT_THAT(all(tail), ElementsAre("two"));
    EXPECT_THAT(tail.takeDamage(), ElementsAre(HasSubstr("expected a record of at most 67108864 bytes, got one of 67108865")));
}

TEST_F(RecordTailTest, NoticesThatTheFileIsAnotherOne) {
    append(file_, record("one"));
    RecordTail tail = open();
    all(tail);
    EXPECT_FALSE(tail.isReplaced());
    std::filesystem::resize_file(file_, 3);
    EXPECT_TRUE(tail.isReplaced());
    std::filesystem::remove(file_);
    append(file_, record("one") + record("two"));
    EXPECT_TRUE(tail.isReplaced());
}

}  // namespace
}  // namespace engine::event_files
