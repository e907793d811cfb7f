#include "engine/export/backup_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/export/atomic_file.h"
#include "engine/export/record_framing.h"
#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

class Backup : public testing::Test {
protected:
    Backup() {
        SavedObject trainer{"trainer", {}};
        trainer.set("epoch", std::int64_t{3});
        trainer.set("best", 0.25);
        trainer.set("note", std::string("two workers"));
        trainer.set("losses", std::vector<float>{1, 0.5F});
        objects_ = {trainer};
        const std::vector<VariableView> views{{"dense/kernel", {2, 3}, kernel_}, {"dense/bias", {3}, bias_}};
        writeBackup(file_, objects_, views);
        whole_ = readFile(file_);
    }
    std::vector<SavedObject> read() {
        const std::vector<MutableVariableView> views{{"dense/kernel", {2, 3}, read_kernel_}, {"dense/bias", {3}, read_bias_}};
        return readBackup(file_, views);
    }

    const tests::support::TempDir folder_;
    const std::filesystem::path file_ = folder_.path() / "latest.backup";
    const std::vector<float> kernel_{1, 2, 3, 4, 5, 6}, bias_{7, 8, 9};
    std::vector<float> read_kernel_ = std::vector<float>(6), read_bias_ = std::vector<float>(3);
    std::vector<SavedObject> objects_;
    std::string whole_;
};

TEST_F(Backup, ReadsWhatItWrote) {
    EXPECT_EQ(read(), objects_);
    EXPECT_EQ(read_kernel_, kernel_);
    EXPECT_EQ(read_bias_, bias_);
}

TEST_F(Backup, IsRefusedForEveryDamageAndChangesNothing) {
    const auto damaged = [&](const std::string& bytes) {
        if (bytes == whole_) {
            return;
        }
        writeFileAtomically(file_, bytes);
        EXPECT_THROW(read(), Error);
        EXPECT_EQ(read_kernel_, std::vector<float>(6));
        read();
    };
    tests::support::forEachDamage(whole_, damaged, {.rounds = 150, .named = "latest.backup"});
}

// A header that lies behind a right checksum.
TEST_F(Backup, SurvivesEveryHeader) {
    std::string_view rest = whole_;
    const std::string header(*takeRecord(rest));
    const std::string values(rest);
    const auto damaged = [&](const std::string& bytes) {
        std::string file;
        appendRecord(file, bytes);
        writeFileAtomically(file_, file + values);
        read();
        decodeObjects(encodeObjects(objects_));
    };
    tests::support::forEachDamage(header, damaged, {.named = "latest.backup"});
    tests::support::forEachDamage(header, [](const std::string& bytes) { decodeObjects(bytes); });
}

}  // namespace
}  // namespace engine::exporter
