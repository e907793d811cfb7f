// The program that ssh starts for a question is this one: answerSsh() with the environment that ssh would hand on.
#include "agent/hosts/ssh_askpass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <thread>

#include "tests/support/temp_dir.h"

namespace agent::hosts {
namespace {

using namespace std::chrono_literals;
using Kind = SshQuestion::Kind;

constexpr const char* kUnknownKey =
    "The authenticity of host 'node1.lan (192.0.2.7)' can't be established.\n"
    "ED25519 key fingerprint is SHA256:Zx9/AbC+def.\n"
    "This key is not known by any other names.\n"
    "Are you sure you want to continue connecting (yes/no/[fingerprint])? ";

// What the program of one question did.
struct Told {
    int exit_code = -1;
    std::string output, errors;
    friend bool operator==(const Told&, const Told&) = default;
};

class SshAskpassTest : public ::testing::Test {
protected:
    SshAskpassTest() { set("XDG_RUNTIME_DIR", dir_.path().string()); }
    ~SshAskpassTest() override {
        for (const auto& [name, value] : before_) {
            value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
        }
    }
    void set(const std::string& name, const std::string& value) {
        const char* former = std::getenv(name.c_str());
        before_.try_emplace(name, former == nullptr ? std::nullopt : std::optional<std::string>(former));
        ::setenv(name.c_str(), value.c_str(), 1);
    }
    void inherit(const SshAskpass& askpass) {
        for (const std::string& entry : askpass.environment()) {
            set(entry.substr(0, entry.find('=')), entry.substr(entry.find('=') + 1));
        }
    }
    static Told asked(const std::string& text) {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        Told told;
        told.exit_code = answerSsh(text);
        told.output = testing::internal::GetCapturedStdout();
        told.errors = testing::internal::GetCapturedStderr();
        return told;
    }

    tests::support::TempDir dir_;
    std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(SshAskpassTest, PrintsTheAnswerAndNothingElse) {
    SshQuestion heard;
    const SshAskpass askpass("/usr/bin/tandem", [&](const SshQuestion& question, const auto&) {
        heard = question;
        return std::optional<std::string>("it's a secret");
    });
    EXPECT_FALSE(isAskpassCall());
    inherit(askpass);
    EXPECT_TRUE(isAskpassCall());
    EXPECT_EQ(asked("ann@node1's password: "), (Told{.exit_code = 0, .output = "it's a secret\n", .errors = ""}));
    EXPECT_EQ(heard, (SshQuestion{.kind = Kind::kSecret, .text = "ann@node1's password:", .key_type = {}}));
}

TEST_F(SshAskpassTest, TellsSshWhatToStart) {
    const SshAskpass askpass("/usr/bin/tandem", [](const SshQuestion&, const auto&) { return std::nullopt; });
    EXPECT_THAT(askpass.environment(), testing::IsSupersetOf({"SSH_ASKPASS=/usr/bin/tandem", "SSH_ASKPASS_REQUIRE=force"}));
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path() / "tandem")) {
        struct stat status {};
        ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0700U) << entry.path();
    }
}

TEST_F(SshAskpassTest, EndsWithOneWhereNobodyAnswers) {
    const SshAskpass askpass("tandem", [](const SshQuestion&, const auto&) { return std::nullopt; });
    inherit(askpass);
    EXPECT_EQ(asked("Enter passphrase: "), (Told{.exit_code = 1, .output = "", .errors = ""}));
}

TEST_F(SshAskpassTest, RefusesAnotherToken) {
    std::atomic<int> questions = 0;
    const SshAskpass askpass("tandem", [&](const SshQuestion&, const auto&) {
        ++questions;
        return std::optional<std::string>("secret");
    });
    inherit(askpass);
    const std::string token = std::getenv("TANDEM_ASKPASS_TOKEN");
    for (const std::string& wrong : {token.substr(1), token + "0", std::string("x"), std::string(5000, 'f')}) {
        set("TANDEM_ASKPASS_TOKEN", wrong);
        EXPECT_EQ(asked("password: "), (Told{.exit_code = 1, .output = "", .errors = ""}));
    }
    EXPECT_EQ(questions, 0);
    set("TANDEM_ASKPASS_TOKEN", token);
    EXPECT_EQ(asked("password: ").output, "secret\n") << "it goes on for those who have it";
}

TEST_F(SshAskpassTest, EndsWithOneWhereTheWindowIsGone) {
    {
        const SshAskpass askpass("tandem", [](const SshQuestion&, const auto&) { return std::nullopt; });
        inherit(askpass);
    }
    EXPECT_EQ(asked("password: "), (Told{.exit_code = 1, .output = "", .errors = ""}));
    EXPECT_TRUE(std::filesystem::is_empty(dir_.path() / "tandem"));
    std::filesystem::create_directories(dir_.path() / "open");
    std::filesystem::permissions(dir_.path() / "open", std::filesystem::perms::all);
    set("TANDEM_ASKPASS_FOLDER", (dir_.path() / "open").string());
    EXPECT_EQ(asked("password: ").exit_code, 1) << "a folder of everybody's";
}

TEST_F(SshAskpassTest, EndsAQuestionThatIsOpenWithItself) {
    std::promise<void> is_asked;
    auto askpass = std::make_unique<SshAskpass>("tandem", [&](const SshQuestion&, const std::function<bool()>& is_over) {
        is_asked.set_value();
        while (!is_over()) {
            std::this_thread::yield();
        }
        return std::optional<std::string>();
    });
    inherit(*askpass);
    auto exit_code = std::async(std::launch::async, [] { return answerSsh("password: "); });
    is_asked.get_future().wait();
    askpass.reset();
    EXPECT_EQ(exit_code.get(), 1);
}

TEST_F(SshAskpassTest, HearsThatSshGaveUp) {
    std::promise<void> is_asked, is_over;
    const SshAskpass askpass("tandem", [&](const SshQuestion&, const std::function<bool()>& over) {
        is_asked.set_value();
        while (!over()) {
            std::this_thread::yield();
        }
        is_over.set_value();
        return std::optional<std::string>();
    });
    inherit(askpass);
    // A child that asks and is killed while it waits, as ssh is with what it started.
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(answerSsh("password: "));
    }
    is_asked.get_future().wait();
    ::kill(child, SIGKILL);
    EXPECT_EQ(is_over.get_future().wait_for(60s), std::future_status::ready);
    ::waitpid(child, nullptr, 0);
}

TEST(SshQuestionIn, ReadsTheKeyOfAnUnknownHost) {
    const SshQuestion question = sshQuestionIn(kUnknownKey, "");
    EXPECT_EQ(question.kind, Kind::kHostKey);
    EXPECT_EQ(question.key_type, "ED25519");
    EXPECT_EQ(question.fingerprint, "SHA256:Zx9/AbC+def");
    EXPECT_EQ(question.host, "node1.lan (192.0.2.7)");
}

TEST(SshQuestionIn, TellsASecretOfAKeyFromOneOfTheAccount) {
    const auto of = [](const char* text) { return secretOf(sshQuestionIn(text, "")); };
    for (const char* text : {"Enter passphrase for key '/home/ann/.ssh/id_ed25519': ", "Enter passphrase for /home/ann/.ssh/id_rsa",
                             "Enter PIN for ED25519-SK key /home/ann/.ssh/id_ed25519_sk: ", "Enter PIN for 'Smart card': "})
        EXPECT_EQ(of(text), SecretOf::kKey) << text;
    for (const char* text : {"ann@node1's password: ", "(ann@node1) Password: "}) EXPECT_EQ(of(text), SecretOf::kAccount) << text;
    EXPECT_EQ(of("(ann@node1) Verification code: "), SecretOf::kOther);
}

TEST(SshQuestionIn, TakesOtherQuestionsAsTheyAre) {
    EXPECT_EQ(sshQuestionIn("Allow use of key id_rsa?", "confirm").kind, Kind::kConfirm);
    EXPECT_EQ(sshQuestionIn("Confirm user presence for key", "none").kind, Kind::kNotice);
    EXPECT_EQ(sshQuestionIn("Verification code: ", "").kind, Kind::kSecret);
    EXPECT_EQ(sshQuestionIn("a\x1b[31mb\r\n\x07", "").text, "a[31mb");
    EXPECT_EQ(sshQuestionIn(" key fingerprint is  continue connecting", "").kind, Kind::kHostKey);
    EXPECT_EQ(sshQuestionIn("", "").text, "");
}

}  // namespace
}  // namespace agent::hosts
