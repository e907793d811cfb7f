#include "agent/hosts/host_survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/fake_ssh.h"

namespace agent::hosts {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr auto kDeadline = 180s;
const Host kHost{.name = "node1", .ssh = {.host = "node1"}};

TEST(HostSurvey, ReadsWhatTheShellTells) {
    const HostSurvey survey = hostSurveyIn(
        "Welcome to node1\n"
        "tandem-host x86_64\n"
        "tandem-connection 10.0.0.1 40000 10.0.0.2 22\n"
        "tandem-glibc glibc 2.36\n"
        "tandem-cores 12\n"
        "model name\t: Some Processor 9000\n"
        "MemTotal:       16384 kB\nMemAvailable:    8192 kB\n"
        "tandem-free-kb 2048\n"
        "GPU 0: NVIDIA H200 (UUID: GPU-5fd4)\n"
        "tandem-program /home/ann/bin/tandem-agent\ntandem-version 0.0.9\ntandem-end\n");
    EXPECT_EQ(survey, (HostSurvey{.arch = "x86_64",
                                  .glibc = "2.36",
                                  .cpu_model = "Some Processor 9000",
                                  .cores = 12,
                                  .memory_bytes = 16384 * 1024,
                                  .memory_available_bytes = 8192 * 1024,
                                  .disk_available_bytes = 2048 * 1024,
                                  .gpus = {"NVIDIA H200"},
                                  .program = "/home/ann/bin/tandem-agent",
                                  .version = "0.0.9",
                                  .far_address = "10.0.0.2",
                                  .is_whole = true}));
}

TEST(HostSurvey, PassesOverWhatIsMissingOrCutShort) {
    const HostSurvey survey = hostSurveyIn("tandem-host riscv64\ntandem-glibc \ntandem-cores \nmodel name\ntandem-free-kb \nGPU 0:\nGPU ");
    EXPECT_EQ(survey.arch, "riscv64");
    EXPECT_EQ(survey.glibc, "");
    EXPECT_EQ(survey.cores, 0);
    EXPECT_EQ(survey.disk_available_bytes, std::nullopt);
    EXPECT_TRUE(survey.gpus.empty());
    EXPECT_FALSE(survey.is_whole);
}

TEST(HostSurvey, AsksARealShellBeforeTandemIsThere) {
    const tests::FakeSsh ssh;
    const HostSurvey survey = surveyHost(kHost, {.version = "1.0.0", .deadline = kDeadline});
    EXPECT_FALSE(survey.arch.empty());
    EXPECT_GT(survey.cores, 0);
    EXPECT_GT(survey.memory_bytes, 0);
    EXPECT_GT(survey.disk_available_bytes.value_or(0), 0);
    EXPECT_EQ(survey.program, "");
    EXPECT_TRUE(std::filesystem::is_empty(ssh.home())) << "nothing changes there";
}

TEST(HostSurvey, SaysWhyNobodyAnswers) {
    const tests::FakeSsh ssh;
    ssh.say("echo 'ssh: connect to host node1 port 22: Connection refused' >&2; exit 255");
    try {
        surveyHost(kHost, {.version = "1.0.0", .deadline = kDeadline});
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), HasSubstr("node1: expected an ssh server that answers, the connection was refused"));
    }
}

TEST(HostSurvey, HandsItsEnvironmentToSshAlone) {
    const tests::FakeSsh ssh;
    ssh.say("echo \"node1: $SSH_ASKPASS Connection refused\" >&2; exit 255");
    try {
        surveyHost(kHost, {.version = "1.0.0", .deadline = kDeadline, .ssh_environment = {"SSH_ASKPASS=/own/program"}});
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("/own/program"));
    }
}

TEST(HostSurvey, IsCancelled) {
    const tests::FakeSsh ssh;
    ssh.say("exec sleep 600");
    try {
        surveyHost(kHost, {.version = "1.0.0", .deadline = kDeadline, .is_cancelled = [] { return true; }});
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kCancelled);
    }
}

}  // namespace
}  // namespace agent::hosts
