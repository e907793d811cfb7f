#include "agent/wire/run_convert.h"

#include <gtest/gtest.h>

#include "agent/proto/agent.pb.h"
#include "agent/wire/size_limits.h"
#include "engine/spec/error.h"

namespace agent::convert {
namespace {

using engine::run::RunState;

engine::run::RunInfo someRun() {
    return {.id = "20261121-143205-7f3a",
            .name = "two workers",
            .state = RunState::kPaused,
            .detail = "worker 1: killed",
            .created_unix_ns = 5,
            .finished_unix_ns = 9,
            .run_dir = "/runs/a",
            .tasks = 2,
            .project_json = "{}",
            .results = {{"test_accuracy", 0.98}, {"test_loss", 0.07}},
            .checkpoint = "checkpoints/ckpt_3",
            .weights_sha256 = "ab12",
            .attempts = 3,
            .idle_ns = 4,
            .imported_from = "node1",
            .branch_of = "20261120-101010-0001",
            .followed = true};
}

TEST(RunConvert, ARunComesBackAsItWas) {
    proto::RunInfo message;
    toProto(someRun(), message);
    EXPECT_EQ(fromProto(message), someRun());
}

// The wire, the index of runs and the engine count states alike.
TEST(RunConvert, EveryStateIsTheOneOfItsName) {
    const std::pair<RunState, proto::RunState> all[] = {
        {RunState::kStarting, proto::RUN_STATE_STARTING}, {RunState::kTraining, proto::RUN_STATE_TRAINING},
        {RunState::kPaused, proto::RUN_STATE_PAUSED},     {RunState::kDone, proto::RUN_STATE_DONE},
        {RunState::kStopped, proto::RUN_STATE_STOPPED},   {RunState::kFailed, proto::RUN_STATE_FAILED}};
    for (const auto& [state, number] : all) {
        engine::run::RunInfo run = someRun();
        run.state = state;
        proto::RunInfo message;
        toProto(run, message);
        EXPECT_EQ(message.state(), number);
        EXPECT_EQ(fromProto(message).state, state);
    }
}

TEST(RunConvert, RefusesAStateThatItDoesNotKnow) {
    for (const int number : {0, 7, -1}) {
        proto::RunInfo message;
        toProto(someRun(), message);
        message.set_state(static_cast<proto::RunState>(number));
        try {
            fromProto(message);
            ADD_FAILURE() << number;
        } catch (const engine::Error& error) {
            EXPECT_NE(std::string(error.what()).find("got " + std::to_string(number)), std::string::npos) << error.what();
        }
    }
}

TEST(RunConvert, CutsWhatIsTooLongForAMessage) {
    engine::run::RunInfo run = someRun();
    run.name.assign(10'000'000, 'n');
    proto::RunInfo message;
    toProto(run, message);
    EXPECT_LT(message.ByteSizeLong(), kMaxProjectBytes + 100'000);
}

TEST(RunConvert, ALoadComesBackAsItWas) {
    using engine::spec::ExchangeState;
    const ExchangeState exchange{
        .sequence = 9, .bucket = 1, .buckets = 2, .bytes = 64, .wait_s = 2.5, .awaited = {{"ps", 1}}, .step_wait_s = {}, .age_s = 0.75};
    const engine::spec::HostLoad load{
        .time_unix_ns = 5,
        .interval_s = 1,
        .cpu_cores = 1.5,
        .cores = 2,
        .tasks = {{.run_id = "r", .task = {"worker", 0}, .pid = 7, .exchange = exchange}, {.run_id = "r", .task = {"worker", 1}, .pid = 8}},
        .gpus = {{"GPU", 0.5, 1, 2}}};
    proto::HostLoad message;
    toProto(load, message);
    EXPECT_EQ(fromProto(message), load);
}

TEST(RunConvert, AHostComesBackAsItWas) {
    const engine::run::HostInfo host{.host_name = "lab-3",
                                     .agent_version = "1.2.3",
                                     .cpu_model = "A processor",
                                     .vector_units = "AVX2",
                                     .cores = 8,
                                     .memory_bytes = 64,
                                     .memory_available_bytes = 32,
                                     .disk_available_bytes = 16,
                                     .runs_dir = "/runs",
                                     .gpus = {},
                                     .datasets = {"mnist", "cifar10"},
                                     .addresses = {"10.0.0.3", "fe80::1"},
                                     .runs_notice = "damaged",
                                     .direct_notice = "unreadable"};
    proto::HostInfo message;
    toProto(host, message);
    EXPECT_EQ(fromProto(message), host);
}

}  // namespace
}  // namespace agent::convert
