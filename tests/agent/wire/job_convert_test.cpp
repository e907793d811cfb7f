#include "agent/wire/job_convert.h"

#include <gtest/gtest.h>

#include "agent/proto/agent.pb.h"
#include "agent/wire/size_limits.h"
#include "engine/spec/error.h"

namespace agent::convert {
namespace {

TEST(JobConvert, WhatASchedulerNeedsComesBackAsItWas) {
    engine::launch::LaunchJob job;
    job.name = "mnist";
    job.nodes = 3;
    job.tasks_per_node = 2;
    job.cpus_per_task = 4;
    job.gpus_per_task = 1;
    job.seeds = 5;
    job.memory = "4G";
    job.time = "02:00:00";
    job.partition = "main";
    job.settings = {"fit.epochs=3", "data.take=100"};
    job.run_folder = "/shared/run";
    job.programs = "/opt/tandem/bin";
    proto::LaunchJob message;
    toProto(job, message);
    EXPECT_EQ(fromProto(message), job);
}

TEST(JobConvert, RefusesTextsWithoutEnd) {
    proto::LaunchJob message;
    toProto({}, message);
    message.set_partition(std::string(kMaxTextBytes + 1, 'x'));
    EXPECT_THROW(fromProto(message), engine::Error);
    message.set_partition("main");
    message.set_run_folder(std::string(kMaxPathBytes, '/'));
    EXPECT_THROW(fromProto(message), engine::Error);
    message.clear_run_folder();
    for (int i = 0; i < 1001; ++i) message.add_settings("a=1");
    EXPECT_THROW(fromProto(message), engine::Error);
}

}  // namespace
}  // namespace agent::convert
