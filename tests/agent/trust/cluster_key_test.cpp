#include "agent/trust/cluster_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "agent/trust/certificate.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
using agent::trust::ClusterKey;
using engine::Error;
using engine::ErrorCode;
using testing::AllOf;
using testing::HasSubstr;
using namespace std::chrono_literals;

std::string errorOf(const std::function<void()>& act, ErrorCode expected) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), expected) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class ClusterKeyFile : public testing::Test {
protected:
    // A file that its user alone may read.
    void put(const std::string& text, mode_t mode = 0600) const {
        std::ofstream(path_, std::ios::binary) << text;
        ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    }
    std::string refusal(ErrorCode code) const {
        return errorOf([this] { ClusterKey::read(path_); }, code);
    }

    tests::support::TempDir folder_;
    const fs::path path_ = folder_.path() / "cluster.key";
};

TEST_F(ClusterKeyFile, IsReadAsItWasWritten) {
    const ClusterKey key = ClusterKey::make();
    for (const mode_t mask : {0, 077, 0777}) {
        fs::remove(path_);
        const mode_t before = ::umask(mask);
        key.write(path_);
        ::umask(before);
        struct stat status {};
        ASSERT_EQ(::stat(path_.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777, 0600U);
        EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "nothing is left beside it";
        const ClusterKey read = ClusterKey::read(path_);
        EXPECT_EQ(read.fingerprint(), key.fingerprint());
        EXPECT_EQ(read.secret(), key.secret());
        EXPECT_EQ(read.expires(), key.expires());
    }
}

TEST_F(ClusterKeyFile, IsNeverOverwritten) {
    put("precious");
    EXPECT_THAT(errorOf([this] { ClusterKey::make().write(path_); }, ErrorCode::kAlreadyExists),
                AllOf(HasSubstr(path_.string()), HasSubstr("a key is never overwritten")));
    EXPECT_EQ(contentOf(path_), "precious");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(ClusterKeyFile, ThatOthersMayReadIsRefused) {
    ClusterKey::make().write(path_);
    for (const mode_t mode : {0640, 0604, 0666}) {
        ::chmod(path_.c_str(), mode);
        EXPECT_THAT(refusal(ErrorCode::kPermissionDenied), AllOf(HasSubstr(path_.string()), HasSubstr("chmod 600")));
    }
    ::chmod(path_.c_str(), 0400);
    EXPECT_NO_THROW(ClusterKey::read(path_));
}

TEST_F(ClusterKeyFile, WhatIsNoKeyIsNamed) {
    EXPECT_THAT(refusal(ErrorCode::kNotFound), HasSubstr(path_.string()));
    fs::create_directory(path_);
    EXPECT_THAT(refusal(ErrorCode::kInvalidArgument), HasSubstr("got a folder"));
    fs::remove(path_);
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    EXPECT_THAT(refusal(ErrorCode::kInvalidArgument), HasSubstr("got a pipe"));
    fs::remove(path_);
    put(std::string(70'000, 'x'));
    EXPECT_THAT(refusal(ErrorCode::kInvalidArgument), HasSubstr("got 70000 bytes"));
    for (const char* text : {"", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}) {
        put(text);
        EXPECT_THAT(refusal(ErrorCode::kInvalidArgument), HasSubstr("expected a key that \"tandem-cli cluster-key\" made"));
    }
    fs::remove(path_);
    ClusterKey::make().write(folder_.path() / "other.key");
    fs::create_symlink("other.key", path_);
    EXPECT_THAT(refusal(ErrorCode::kPermissionDenied), HasSubstr("got a link"));
}

TEST_F(ClusterKeyFile, DamageIsSeen) {
    ClusterKey::make().write(path_);
    const std::string whole = contentOf(path_);
    for (const std::size_t size : {whole.size() / 4, whole.size() / 2, whole.size() - 40}) {
        put(whole.substr(0, size));
        refusal(ErrorCode::kInvalidArgument);
    }
    fs::remove(path_);
    ClusterKey::make().write(path_);
    const std::string other = contentOf(path_);
    const std::string end = "-----END CERTIFICATE-----\n";
    put(whole.substr(0, whole.find(end) + end.size()) + other.substr(other.find(end) + end.size()));
    EXPECT_THAT(refusal(ErrorCode::kInvalidArgument), HasSubstr("a certificate with the key of another"));
    const agent::trust::TaskCredentials task = ClusterKey::make().issue("worker 0");
    put(task.certificate_pem + task.key_pem);
    EXPECT_THAT(refusal(ErrorCode::kInvalidArgument), HasSubstr("can sign no others"));
}

// The public half still belongs to the certificate.
TEST_F(ClusterKeyFile, ADamagedPrivateNumberIsSeen) {
    ClusterKey::make().write(path_);
    const std::string whole = contentOf(path_), end = "-----END CERTIFICATE-----\n";
    const auto key = agent::trust::keyFromPem(whole.substr(whole.find(end) + end.size()));
    unsigned char* der = nullptr;
    const int size = i2d_PrivateKey(key.get(), &der);
    std::string bytes(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    const std::size_t number = bytes.find("\x04\x20") + 2;  // an OCTET STRING of 32 bytes
    bytes[number + 31] = static_cast<char>(bytes[number + 31] ^ 1);
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
    const agent::trust::Handle<EVP_PKEY> damaged(d2i_AutoPrivateKey(nullptr, &at, size));
    ASSERT_NE(damaged, nullptr);
    put(whole.substr(0, whole.find(end) + end.size()) + agent::trust::toPem(damaged.get()));
    EXPECT_THAT(refusal(ErrorCode::kInvalidArgument), HasSubstr("got a damaged one"));
}

TEST_F(ClusterKeyFile, ThatIsNotValidNowIsRefusedWithTheDay) {
    const auto now = std::chrono::system_clock::now();
    ClusterKey::make({now - 48h, now - 24h}).write(path_);
    EXPECT_THAT(refusal(ErrorCode::kFailedPrecondition), HasSubstr("has expired at 20"));
    fs::remove(path_);
    ClusterKey::make({now + 24h, now + 48h}).write(path_);
    EXPECT_THAT(refusal(ErrorCode::kFailedPrecondition), HasSubstr("is the clock right?"));
}

TEST(ClusterKey, NoTwoAreAlike) {
    const ClusterKey first = ClusterKey::make(), second = ClusterKey::make();
    EXPECT_NE(first.fingerprint(), second.fingerprint());
    EXPECT_NE(first.secret(), second.secret());
    EXPECT_EQ(first.fingerprint().size(), 64U);
    const auto one = first.issue("worker 0"), again = first.issue("worker 0");
    EXPECT_EQ(one.authority_pem, again.authority_pem);
    EXPECT_NE(one.certificate_pem, again.certificate_pem);
    EXPECT_NE(one.key_pem, again.key_pem);
}

TEST(ClusterKey, OnlyTasksGetCertificates) {
    const ClusterKey key = ClusterKey::make();
    for (const char* task : {"", "worker", "worker ", " 0", "worker 0,URI:tandem:x", "Worker 0", "worker/0 1", "worker -1", "worker 1x"}) {
        EXPECT_THAT(errorOf([&] { key.issue(task); }, ErrorCode::kInvalidArgument), HasSubstr("expected a task such as"));
    }
    for (const char* task : {"worker 0", "ps 12", "chief 0", "evaluator 0"}) EXPECT_NO_THROW(key.issue(task));
}

}  // namespace
