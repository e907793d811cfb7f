// What the computer uses, and what the doctor says of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verbs_fixture.h"

namespace app::cli {
namespace {

constexpr std::int64_t kLater = 8'000'000'000'000'000'000;  // than any test runs

spec::HostLoad sampleLoad() {
    return {.time_unix_ns = kLater,
            .interval_s = 1,
            .cpu_cores = 1.96,
            .cores = 2,
            .memory_used_bytes = std::int64_t{3} << 30,
            .memory_bytes = std::int64_t{8} << 30,
            .received_bytes_per_s = 1 << 20,
            .sent_bytes_per_s = 1 << 19,
            .loopback_bytes_per_s = 310.0 * (1 << 20),
            .tasks = {{"20261121-100000-0001", {"worker", 1}, 4711, 0.98, 180 << 20}}};
}

TEST_F(Verbs, SaysWhatTheComputerUses) {
    agent.host.host_name = "laptop";
    agent.host.cores = 2;
    agent.loads = {sampleLoad(), sampleLoad()};
    agent.loads.front().cpu_cores = 0.5;
    EXPECT_EQ(run({"agent"}), kDone) << err.str();
    EXPECT_NE(out.str().find("CPU 1.96 of 2 cores, memory 3.00 of 8.00 GB, network 1.00 MB/s in, 0.50 MB/s out, loopback 310.00 MB/s"),
              std::string::npos)
        << out.str();
    EXPECT_NE(out.str().find("worker 1    pid 4711     0.98 cores  180 MB"), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("0.50 of"), std::string::npos) << "the newest reading alone: " << out.str();
    agent.loads[1].time_unix_ns = agent.loads[0].time_unix_ns = 5;  // kept by an agent that was asleep since
    out.str({});
    EXPECT_EQ(run({"agent"}), kDone);
    EXPECT_EQ(out.str().find("pid 4711"), std::string::npos) << "a task that may have ended long ago: " << out.str();
}

TEST_F(Verbs, NamesTheTaskThatOthersWaitFor) {
    agent.loads = {sampleLoad()};
    auto& tasks = agent.loads[0].tasks;
    tasks[0].exchange = spec::ExchangeState{.sequence = 1204,
                                            .bucket = 2,
                                            .buckets = 5,
                                            .wait_s = 3.2,
                                            .awaited = spec::TaskId{"worker", 2},
                                            .step_wait_s = 0.01,
                                            .age_s = 0.3};
    tasks.push_back({.run_id = tasks[0].run_id, .task = {"worker", 2}, .pid = 4712});
    tasks[1].exchange = spec::ExchangeState{.sequence = 1203, .awaited = {}, .step_wait_s = {}, .age_s = 3.6};
    EXPECT_EQ(run({"agent"}), kDone) << err.str();
    EXPECT_NE(out.str().find("180 MB  operation 1204, bucket 2 of 5, waits 3.2 s for worker 2\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("operation 1203, silent for 3.6 s\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("20261121-100000-0001: worker 2 is late, silent for 3.6 s; 1 task waits for it, the longest for 3.5 s\n"),
              std::string::npos)
        << out.str();
    out.str({});
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    const auto load = nlohmann::json::parse(out.str())["load"];
    EXPECT_EQ(load["late"][0]["task"], "worker 2");
    EXPECT_EQ(load["late"][0]["silent"], true);
    EXPECT_EQ(load["late"][0]["waiting"], 1);
    EXPECT_EQ(load["tasks"][0]["exchange"]["awaited"], "worker 2");
    EXPECT_EQ(load["tasks"][0]["exchange"]["sequence"], 1204);
}

TEST_F(Verbs, SaysWhatTheComputerUsesToScripts) {
    agent.host.host_name = "laptop";
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    EXPECT_TRUE(nlohmann::json::parse(out.str())["load"].is_null()) << "an agent that measured nothing says so: " << out.str();
    out.str({});
    agent.loads = {sampleLoad()};
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    const auto host = nlohmann::json::parse(out.str());
    EXPECT_EQ(host["host_name"], "laptop");
    EXPECT_EQ(host["load"]["loopback_bytes_per_s"], 310 << 20);
    EXPECT_EQ(host["load"]["tasks"][0]["task"], "worker 1");
    EXPECT_EQ(host["load"]["tasks"][0]["pid"], 4711);
}

TEST_F(Verbs, SaysWhichGpusThereAre) {
    agent.host.gpus.no_gpu_reason = "no NVIDIA driver";
    EXPECT_EQ(run({"agent"}), kDone);
    EXPECT_NE(out.str().find("No GPU: no NVIDIA driver\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("no GPU has run it yet\n"), std::string::npos) << out.str();
    agent.host.gpus = {.gpus = {{"NVIDIA H200", "GPU-a", 150'754'820'096, 149'000'000'000, 9, 0}},
                       .driver_version = "580.65.06",
                       .cuda_version = 13000,
                       .nccl_version = "2.28.9"};
    agent.loads = {sampleLoad()};
    agent.loads[0].gpus = {{"NVIDIA H200", 0.87, std::int64_t{3} << 30, std::int64_t{140} << 30}};
    agent.loads[0].tasks[0].gpu_memory_bytes = 700 << 20;
    out.str({});
    EXPECT_EQ(run({"agent"}), kDone);
    EXPECT_NE(out.str().find("NVIDIA H200, 140.4 GB, compute capability 9.0\nNVIDIA driver 580.65.06 for CUDA 13.0, NCCL 2.28.9\n"),
              std::string::npos)
        << out.str();
    EXPECT_NE(out.str().find("GPU 0 87 % busy, 3.00 of 140.00 GB\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("180 MB  GPU 700 MB\n"), std::string::npos) << out.str();
    out.str({});
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    const auto host = nlohmann::json::parse(out.str());
    EXPECT_EQ(host["gpus"][0]["compute_capability"], "9.0");
    EXPECT_EQ(host["gpus"][0]["memory_free_bytes"], 149'000'000'000);
    EXPECT_EQ(host["nccl_version"], "2.28.9");
    EXPECT_EQ(host["load"]["gpus"][0]["busy"], 0.87);
    EXPECT_EQ(host["load"]["tasks"][0]["gpu_memory_bytes"], 700 << 20);
}

TEST_F(Verbs, FollowsTheComputerFromNowOn) {
    agent.loads = {sampleLoad(), sampleLoad(), sampleLoad()};
    agent.loads[0].time_unix_ns = 5;
    agent.loads[1].time_unix_ns = 6;
    agent.host_error = "the agent ended";
    EXPECT_EQ(run({"agent", "--follow", "--json"}), kNoAgent);
    EXPECT_EQ(nlohmann::json::parse(out.str())["time_unix_ns"], kLater) << "one line: " << out.str();
    EXPECT_NE(err.str().find("the agent ended"), std::string::npos);
}

TEST_F(Verbs, TheDoctorsErrorsAreExitCodeOne) {
    agent.doctor.rows = {{spec::DoctorState::kOk, "port", "Ports 1 and 2 are free", "", "", ""}};
    agent.doctor.links = {{{"worker", 0}, {"worker", 1}, 21, 5e9, ""}, {{"worker", 1}, {"worker", 0}, 0, 0, "no time was left"}};
    EXPECT_EQ(run({"doctor", "mnist_multi_worker"}), kDone) << err.str();
    EXPECT_NE(out.str().find("Ports 1 and 2 are free"), std::string::npos);
    EXPECT_NE(out.str().find("0.02 ms 5000 MB/s"), std::string::npos) << out.str();
    agent.doctor.rows.push_back({spec::DoctorState::kError, "disk", "3.0 MB free for runs", "", "Make room.", ""});
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--json"}), kFailed);
    EXPECT_NE(out.str().find(R"("fix":"Make room.","path":"","code":"TDM-R003")"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find(R"("title":"Ports 1 and 2 are free","detail":"","fix":"","path":"","code":"")"), std::string::npos);
    EXPECT_EQ(run({"doctor", "mnist_multi_worker"}), kFailed);
    EXPECT_NE(out.str().find("3.0 MB free for runs [Make room.] (TDM-R003)\n"), std::string::npos) << out.str();
}

TEST_F(Verbs, TheDoctorShowsTheWaysBetweenComputers) {
    agent.doctor.ways = {{"node1", "node2", 12345, spec::WayOutcome::kReached, 40'200, 9.25e6, "", true},
                         {"node2", "node1", 23456, spec::WayOutcome::kTimedOut, 0, 0, "Connection timed out"}};
    agent.doctor.links = {{{"worker", 0}, {"worker", 1}, 20100, 9.25e6, ""}};
    agent.doctor.rows = {{spec::DoctorState::kWarning, "project", "expected a port of at least 1, got 0", "", "", "cluster.worker[1]"}};
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--hosts", "node1,node2:2", "--servers", "1"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              "\n"
              "round trip, ms        node1       node2\n"
              "node1                              40.2\n"
              "node2             timed out\n"
              "\n"
              "bandwidth, MB/s       node1       node2\n"
              "node1                              9.25\n"
              "node2             timed out\n");
    const spec::ClusterSpec& asked = agent.doctor_asked.cluster.spec;
    EXPECT_EQ(asked.address({"worker", 0}), "node1:0") << "any port that is free there";
    EXPECT_EQ(asked.address({"worker", 2}), "node2:0");
    EXPECT_EQ(asked.address({"ps", 0}), "node1:0");
    out.str("");
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--hosts", "node1,node2", "--json"}), kDone);
    EXPECT_EQ(nlohmann::json::parse(out.str())["ways"],
              nlohmann::json::parse(R"([{"from":"node1","to":"node2","port":12345,"outcome":"reached","round_trip_us":40200.0,
                                         "bytes_per_s":9250000.0,"is_slow":true},
                                        {"from":"node2","to":"node1","port":23456,"outcome":"timed_out","detail":"Connection timed out"}])"));
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--hosts", "node1,node1"}), kUsage);
    err.str("");
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--servers", "1"}), kUsage);
    EXPECT_EQ(err.str(), "error: --servers: expected --hosts beside it, got none\n");
}

TEST_F(Verbs, OfManyComputersTheDoctorShowsTheWorstWays) {
    for (int from = 0; from < 17; ++from) {
        for (int to = 0; to < 17; ++to) {
            if (from != to) {
                agent.doctor.ways.push_back(
                    {"n" + std::to_string(from), "n" + std::to_string(to), 1, spec::WayOutcome::kReached, 100, 1e9, ""});
            }
        }
    }
    agent.doctor.ways[40].bytes_per_s = 1e6;
    agent.doctor.ways[50] = {"n3", "n2", 1, spec::WayOutcome::kRefused, 0, 0, ""};
    EXPECT_EQ(run({"doctor", "mnist_multi_worker"}), kDone);
    EXPECT_TRUE(
        out.str().starts_with("\nThe worst ways, round trip in ms and bandwidth in MB/s\nn3 -> n2: refused\nn2 -> n9: 0.10, 1.00\n"))
        << out.str();
    EXPECT_EQ(std::ranges::count(out.str(), '\n'), 2 + 16);
}

}  // namespace
}  // namespace app::cli
