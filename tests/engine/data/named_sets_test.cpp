#include "engine/data/named_sets.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "engine/spec/error.h"
#include "tests/support/file_server.h"
#include "tests/support/tar_archive.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string sha256(const std::string& bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += {kDigits[digest[i] >> 4U], kDigits[digest[i] & 15U]};
    }
    return text;
}

// An archive of two files as CIFAR-100's is, on a server of our own.
class PackedSet : public testing::Test {
protected:
    PackedSet() { setenv("no_proxy", "127.0.0.1", 1); }

    std::string archiveOf(const std::vector<tests::support::TarMember>& members) const {
        tests::support::writeTarGz(dir_.path() / "made.tar.gz", members);
        std::ifstream in(dir_.path() / "made.tar.gz", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    NamedSet set(const std::string& archive, const std::string& mirror) const {
        return {.name = "tiny",
                .format = NamedFormat::kCifar100,
                .folders = {"tiny"},
                .files = {{"tiny.tar.gz", static_cast<std::int64_t>(archive.size()), sha256(archive), {mirror}}},
                .members = {"train.bin", "test.bin"}};
    }
    Error refusal(const NamedSet& set) const {
        try {
            fetchNamedSet(set, cache_, {});
        } catch (const Error& error) {
            EXPECT_FALSE(findFiles(set, {cache_}).has_value());
            return error;
        }
        return {ErrorCode::kInternal, "no error"};
    }

    const tests::support::TempDir dir_;
    const std::filesystem::path cache_ = dir_.path() / "cache";
};

TEST_F(PackedSet, IsFetchedUnpackedAndFoundAgain) {
    const std::string archive = archiveOf({{"tiny/train.bin", "training", ""}, {"tiny/test.bin", "test", ""}});
    const tests::support::FileServer server({{"/tiny.tar.gz", archive}});
    const NamedSet tiny = set(archive, server.address());
    fetchNamedSet(tiny, cache_, {});
    const auto files = findFiles(tiny, {cache_});
    ASSERT_TRUE(files.has_value());
    EXPECT_THAT(files->train, ElementsAre(cache_ / "tiny/train.bin"));
    EXPECT_THAT(files->test, ElementsAre(cache_ / "tiny/test.bin"));
    EXPECT_FALSE(std::filesystem::exists(cache_ / "tiny/tiny.tar.gz"));  // its files are there, it takes room twice
    fetchNamedSet(tiny, cache_, {});
    EXPECT_THAT(server.requests(), ElementsAre("GET /tiny.tar.gz from 0"));
}

TEST_F(PackedSet, WithoutItsFilesIsRefusedByName) {
    const std::string archive = archiveOf({{"tiny/train.bin", "training", ""}, {"tiny/README", "test", ""}});
    const tests::support::FileServer server({{"/tiny.tar.gz", archive}});
    const Error error = refusal(set(archive, server.address()));
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
    EXPECT_THAT(error.what(), HasSubstr("tiny.tar.gz: expected the file test.bin in it, found none"));
}

TEST_F(PackedSet, WithAnotherChecksumIsNotUnpacked) {
    const std::string archive = archiveOf({{"tiny/train.bin", "training", ""}, {"tiny/test.bin", "test", ""}});
    std::string damaged = archive;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    const tests::support::FileServer server({{"/tiny.tar.gz", damaged}});
    const Error error = refusal(set(archive, server.address()));
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
    EXPECT_THAT(error.what(), HasSubstr("tiny.tar.gz: could not be downloaded"));
    EXPECT_FALSE(std::filesystem::exists(cache_ / "tiny/train.bin"));
}

TEST(NamedSets, AreFoundInTheFoldersOfOtherPrograms) {
    const tests::support::TempDir dir;
    const auto touch = [&](const std::string& name) {
        std::filesystem::create_directories((dir.path() / name).parent_path());
        std::ofstream(dir.path() / name) << "x";
    };
    touch("FashionMNIST/raw/train-images-idx3-ubyte");
    touch("FashionMNIST/raw/train-labels.idx1-ubyte.gz");
    touch("cifar-100-binary/train.bin");
    touch("cifar-100-binary/test.bin");
    const auto fashion = findFiles(*findNamedSet("fashion_mnist"), {dir.path()});
    ASSERT_TRUE(fashion.has_value());
    EXPECT_EQ(fashion->train.size(), 2U);
    EXPECT_TRUE(fashion->test.empty());
    EXPECT_TRUE(findFiles(*findNamedSet("cifar100"), {dir.path()}).has_value());
    EXPECT_FALSE(findFiles(*findNamedSet("kmnist"), {dir.path()}).has_value());
    EXPECT_EQ(findNamedSet("ones"), nullptr);
}

}  // namespace
}  // namespace engine::data
