#include "agent/hosts/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/spec/error.h"
#include "tests/support/small_bundle.h"
#include "tests/support/temp_dir.h"

namespace agent::hosts {
namespace {

using engine::Error;
using engine::ErrorCode;
using ::testing::HasSubstr;

class BundleTest : public ::testing::Test {
protected:
    Error refusal(const std::filesystem::path& file) const {
        try {
            openBundle(file);
        } catch (const Error& error) {
            return error;
        }
        return {ErrorCode::kInternal, "none"};
    }
    tests::support::TempDir dir_;
};

TEST_F(BundleTest, SaysWhatItIs) {
    const auto file = tests::support::writeBundle(dir_.path(), {.version = "1.2.3", .glibc = "2.36", .padding_bytes = 200000});
    const Bundle bundle = openBundle(file);
    EXPECT_EQ(bundle.file, file);
    EXPECT_EQ(bundle.bytes, std::filesystem::file_size(file));
    EXPECT_EQ(bundle.version, "1.2.3");
    EXPECT_EQ(bundle.glibc, "2.36");
    EXPECT_EQ(bundle.unpacked_bytes, 4096U);
    EXPECT_EQ(bundle.sha256.size(), 64U);
    EXPECT_EQ(folderNameOf(bundle), "1.2.3-" + bundle.sha256.substr(0, 12));
}

TEST_F(BundleTest, HasTheChecksumOfItsFile) {
    const auto file = tests::support::writeBundle(dir_.path());
    const std::string command = "echo '" + openBundle(file).sha256 + "  " + file.string() + "' | sha256sum --check --status";
    EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(BundleTest, SaysHowToMakeOneWhereThereIsNone) {
    const Error error = refusal(dir_.path() / "bundle.tar.gz");
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_EQ(error.what(), (dir_.path() / "bundle.tar.gz").string() +
                                ": expected an archive of Tandem for other computers, found none: in the source tree bash "
                                "installer/bundle.sh FILE.tar.gz makes one, and --bundle FILE.tar.gz names it");
}

TEST_F(BundleTest, RefusesWhatIsNoBundle) {
    const auto file = dir_.path() / "file";
    std::ofstream(file) << "no archive at all";
    EXPECT_EQ(refusal(file).code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(refusal(file).what(), HasSubstr(file.string() + ": expected an archive that installer/bundle.sh has made, got "));
    const auto whole = tests::support::writeBundle(dir_.path(), {.padding_bytes = 200000});
    std::filesystem::resize_file(whole, 100000);
    EXPECT_EQ(refusal(whole).code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(refusal(tests::support::writeBundle(dir_.path(), {.version = "1 2"})).what(), HasSubstr("lacks version"));
    EXPECT_EQ(refusal(dir_.path()).code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace agent::hosts
