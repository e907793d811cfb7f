#include "agent/server/doctor/doctor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/server/process/port_reservation.h"
#include "agent/server/process/posix_launcher.h"
#include "engine/errors/error_catalog.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "tests/support/listening_port.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::server;
namespace spec = engine::spec;
using spec::DoctorReport;
using spec::DoctorRow;
using spec::DoctorState;
using ::testing::HasSubstr;

// A world without a fault; a test spoils one thing.
DoctorWorld goodWorld() {
    DoctorWorld world;
    world.host.host_name = "laptop";
    world.host.cores = 8;
    world.host.vector_units = "AVX2";
    world.host.memory_available_bytes = 8LL << 30;
    world.host.disk_available_bytes = 40LL << 30;
    world.host.gpus.no_gpu_reason = "no NVIDIA driver";
    world.host.datasets = {"mnist"};
    world.agent_version = "1.2.3";
    world.worker_version = [] { return "1.2.3"; };
    world.is_this_host = [](const std::string& host) { return host == "laptop"; };
    world.port_problem = [](int) { return std::string(); };
    world.reach = [](const std::string&, int) { return HostAnswer{true, true, 0.4, "eth0", ""}; };
    world.clock_is_synchronised = [] { return true; };
    world.is_readable = [](const std::string&) { return true; };
    world.measure = [](const std::string&, const std::string&) { return LinkMeasure{20, 5e9, ""}; };
    return world;
}

spec::RunSpec twoWorkers() {
    spec::RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Flatten", "flatten", {}},
                        {"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", std::string("softmax")}}}};
    useTemplate(run, spec::ClusterTemplate::kWorkers, 2, {12345, 23456});
    return run;
}

DoctorRow rowOf(const DoctorReport& report, const std::string& check, DoctorState state) {
    const auto found = std::find_if(report.rows.begin(), report.rows.end(),
                                    [&](const DoctorRow& row) { return row.check == check && row.state == state; });
    return found == report.rows.end() ? DoctorRow{} : *found;
}

TEST(Doctor, FindsNothingInTheWayOfTwoLocalWorkers) {
    const DoctorReport report = diagnose(twoWorkers(), goodWorld());
    EXPECT_FALSE(hasErrors(report));
    std::string titles;
    for (const DoctorRow& row : report.rows) {
        titles += std::string(toString(row.state)) + " " + row.title + "\n";
    }
    EXPECT_EQ(titles,
              "ok TF_CONFIG: all rules hold\n"
              "ok All tasks are on this computer, over loopback\n"
              "ok Agent and worker are 1.2.3\n"
              "ok 4 cores for each task\n"
              "ok 8.0 GB of memory free\n"
              "ok Ports 12345 and 23456 are free\n"
              "ok All tasks see the same MNIST\n"
              "ok 40.0 GB free for runs\n"
              "ok One clock for all tasks\n"
              "info No GPU: no NVIDIA driver\n"
              "info AUTO takes RING: no NVIDIA GPU here\n"
              "ok Loopback: 20 \u00b5s at most, 4.7 GB/s at least\n");
    ASSERT_EQ(report.links.size(), 2U);
    EXPECT_EQ(report.links[0].from, (spec::TaskId{"worker", 0}));
    EXPECT_EQ(report.links[0].latency_us, 20);
}

TEST(Doctor, LooksAtTheServersOfWorkersToo) {
    spec::RunSpec run = twoWorkers();
    run.strategy.name = "ParameterServerStrategy";
    run.cluster.spec.jobs.push_back({"ps", {{0, "localhost:34567"}}});
    DoctorWorld world = goodWorld();
    world.port_problem = [](int port) { return std::string(port == 34567 ? "another program holds it" : ""); };
    const DoctorReport report = diagnose(run, world);
    const bool names_it = std::any_of(report.rows.begin(), report.rows.end(),
                                      [](const DoctorRow& row) { return row.title == "ps 0: port 34567 is not free"; });
    EXPECT_TRUE(names_it);
    ASSERT_EQ(report.links.size(), 4U) << "each worker and the server, both ways; workers send each other nothing";
    for (const spec::DoctorLink& link : report.links) EXPECT_NE(link.from.type == "ps", link.to.type == "ps");
}

TEST(Doctor, TellsEachGpuAndNccl) {
    DoctorWorld world = goodWorld();
    spec::GpuInventory& host = world.host.gpus;
    host = {.driver_version = "580.65.06", .cuda_version = 13000, .nccl_version = "2.28.9"};
    host.gpus = {{"NVIDIA H200", "GPU-a", 140LL << 30, 139LL << 30, 9, 0}, {"Tesla P4", "GPU-b", 8LL << 30, 7LL << 30, 6, 1}};
    std::string titles;
    for (const DoctorRow& row : diagnose(twoWorkers(), world).rows) {
        if (row.check == "gpu") titles += std::string(toString(row.state)) + " " + row.title + " | " + row.detail + "\n";
    }
    EXPECT_EQ(titles,
              "ok NVIDIA H200, 140.0 GB, compute capability 9.0 | 139.0 GB free, driver 580.65.06 for CUDA 13.0\n"
              "info Tesla P4 has compute capability 6.1, Tandem needs 7.5 | 7.0 GB free, driver 580.65.06 for CUDA 13.0\n"
              "info NCCL 2.28.9 | \n"
              "info AUTO takes RING: worker 0 and worker 1 share a GPU | \n");
}

// A look that finds node1 in the user's list and all well there, but for what `spoil` does.
std::function<FarSight(FarCase)> knownNode(std::function<void(FarLook&)> spoil, std::vector<spec::HostWay> ways = {}) {
    return [spoil = std::move(spoil), ways = std::move(ways)](const FarCase& asked) {
        FarSight sight{.looks = {}, .ways = ways};
        for (const FarQuestion& question : asked.questions) {
            EXPECT_EQ(question.host, "node1");
            FarLook& look = sight.looks.emplace_back(FarLook{.is_known = true, .round_trip_ms = 0.8});
            look.info.cores = 4;
            look.info.memory_available_bytes = look.info.disk_available_bytes = 8LL << 30;
            spoil(look);
        }
        return sight;
    };
}

// Between the laptop and node1, of which the way there fails as `there` says.
std::vector<spec::HostWay> waysToNode(spec::WayOutcome there) {
    const bool reached = there == spec::WayOutcome::kReached;
    return {{"laptop", "node1", 23456, there, reached ? 400.0 : 0, reached ? 9e8 : 0, ""},
            {"node1", "laptop", 12345, spec::WayOutcome::kReached, 400, 8e8, ""}};
}

struct Fault {
    std::string name;
    std::function<void(DoctorWorld&, spec::RunSpec&)> inject;
    std::string check;
    DoctorState state;
    std::string title;  // part of it
    std::string path;
};
void PrintTo(const Fault& fault, std::ostream* out) {
    *out << fault.name;
}

class DoctorFaults : public testing::TestWithParam<Fault> {};

TEST_P(DoctorFaults, EachGivesItsRow) {
    DoctorWorld world = goodWorld();
    spec::RunSpec run = twoWorkers();
    GetParam().inject(world, run);
    const DoctorRow row = rowOf(diagnose(run, world), GetParam().check, GetParam().state);
    EXPECT_THAT(row.title, HasSubstr(GetParam().title));
    EXPECT_EQ(row.path, GetParam().path);
    if (GetParam().state == DoctorState::kError || GetParam().state == DoctorState::kWarning) {
        const engine::errors::ErrorKind* kind = engine::errors::kindOf(row.path, row.title);
        ASSERT_NE(kind, nullptr) << row.path << ": " << row.title;
        EXPECT_NE(kind->code, "TDM-C013") << row.title << ": a field of the cluster is not all that is known of it";
    }
    if (GetParam().state == DoctorState::kError) {
        EXPECT_FALSE(row.fix.empty()) << row.title;
    }
}

spec::GpuInventory gpus(int count) {
    spec::GpuInventory host{.driver_version = "580.65.06", .cuda_version = 13000, .nccl_version = "2.28.9"};
    for (int i = 0; i < count; ++i) host.gpus.push_back({"NVIDIA H200", "GPU-" + std::to_string(i), 140LL << 30, 139LL << 30, 9, 0});
    return host;
}

void useNode(spec::RunSpec& run) {
    spec::setAddress(run, {"worker", 1}, "node1:23456");
}

INSTANTIATE_TEST_SUITE_P(
    All, DoctorFaults,
    testing::Values(Fault{"OldDriver",
                          [](DoctorWorld& world, spec::RunSpec&) {
                              world.host.gpus = gpus(1);
                              world.host.gpus.driver_version = "535.104.05";
                              world.host.gpus.cuda_version = 12020;
                          },
                          "gpu", DoctorState::kWarning, "the driver 535.104.05 runs CUDA 12.2 at most, Tandem needs 13.0", ""},
                    Fault{"FewGpus",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              world.host.gpus = gpus(1);
                              run.strategy.devices = {"GPU:0", "GPU:1"};
                          },
                          "gpu", DoctorState::kError, "The project needs 2 GPUs for a task, here are 1", "strategy.devices"},
                    Fault{"NcclOnOneGpu",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              world.host.gpus = gpus(1);
                              run.strategy.communication = "NCCL";
                          },
                          "gpu", DoctorState::kError, "worker 0 and worker 1 share a GPU", "strategy.communication"},
                    Fault{"NcclWithoutGpu", [](DoctorWorld&, spec::RunSpec& run) { run.strategy.communication = "NCCL"; }, "gpu",
                          DoctorState::kError, "NCCL needs an NVIDIA GPU; this computer has none", "strategy.communication"},
                    Fault{"MpiWithoutMpirun", [](DoctorWorld&, spec::RunSpec& run) { run.strategy.communication = "MPI"; }, "gpu",
                          DoctorState::kError, "MPI needs tasks that mpirun starts (tandem-worker --from-mpi), not Tandem",
                          "strategy.communication"},
                    Fault{"Rule",
                          [](DoctorWorld&, spec::RunSpec& run) {
                              spec::setAddress(run, {"worker", 1}, "localhost:99999");
                          },
                          "project", DoctorState::kError, "expected a port of at most 65535", "cluster.worker[1]"},
                    Fault{"Port",
                          [](DoctorWorld& world, spec::RunSpec&) {
                              world.port_problem = [](int port) { return port == 23456 ? "nginx (pid 8) holds it" : ""; };
                          },
                          "port", DoctorState::kError, "worker 1: port 23456 is not free", "cluster.worker[1]"},
                    Fault{"Name",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.reach = [](const std::string&, int) { return HostAnswer{false, false, 0, "", "unknown name"}; };
                          },
                          "host", DoctorState::kError, "node1: no address is known", "cluster.worker[1]"},
                    Fault{"Silence",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.reach = [](const std::string&, int) {
                                  return HostAnswer{true, false, 2000, "", "nothing came back within 2 s"};
                              };
                          },
                          "host", DoctorState::kError, "node1: no answer", "cluster.worker[1]"},
                    Fault{"Foreign", [](DoctorWorld&, spec::RunSpec& run) { useNode(run); }, "host", DoctorState::kError,
                          "worker 1: expected an address of this computer or of one of the list of hosts, got node1",
                          "cluster.worker[1]"},
                    Fault{"Away", [](DoctorWorld&, spec::RunSpec& run) { useNode(run); }, "host", DoctorState::kOk,
                          "node1 answers, 0.40 ms away", "cluster.worker[1]"},
                    Fault{"Version", [](DoctorWorld& world, spec::RunSpec&) { world.worker_version = [] { return "1.2.2"; }; }, "version",
                          DoctorState::kError, "The worker is 1.2.2, the agent 1.2.3", ""},
                    Fault{"NoWorker", [](DoctorWorld& world, spec::RunSpec&) { world.worker_version = [] { return ""; }; }, "version",
                          DoctorState::kError, "tandem-worker can't be started", ""},
                    Fault{"Cores", [](DoctorWorld& world, spec::RunSpec&) { world.host.cores = 1; }, "cores", DoctorState::kWarning,
                          "2 tasks share 1 core", ""},
                    Fault{"Threads", [](DoctorWorld&, spec::RunSpec& run) { run.cluster.threads_per_task = 6; }, "cores",
                          DoctorState::kWarning, "2 tasks with 6 threads each share 8 cores", "cluster.threads_per_task"},
                    Fault{"Memory", [](DoctorWorld& world, spec::RunSpec&) { world.host.memory_available_bytes = 200 << 20; }, "memory",
                          DoctorState::kWarning, "200.0 MB of memory free", ""},
                    Fault{"Disk", [](DoctorWorld& world, spec::RunSpec&) { world.host.disk_available_bytes = 1000; }, "disk",
                          DoctorState::kError, "free for runs", ""},
                    Fault{"LittleDisk", [](DoctorWorld& world, spec::RunSpec&) { world.host.disk_available_bytes = 100 << 20; }, "disk",
                          DoctorState::kWarning, "100.0 MB free", ""},
                    Fault{"NoData",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              world.host.datasets.clear();
                              run.data.download = false;
                          },
                          "data", DoctorState::kError, "MNIST is not on this computer", "data.dataset"},
                    Fault{"File",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              run.data.dataset = "csv";
                              run.data.train_files = {"/data/a.csv"};
                              world.is_readable = [](const std::string&) { return false; };
                          },
                          "data", DoctorState::kError, "/data/a.csv can't be read", "data.dataset"},
                    Fault{"Clock",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.clock_is_synchronised = [] { return false; };
                          },
                          "clock", DoctorState::kInfo, "not set by a time server", ""},
                    Fault{"FarClock",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook& look) { look.clock_ahead_ms = -300'000; });
                          },
                          "clock", DoctorState::kWarning, "node1: its clock is 300000 ms behind", ""},
                    Fault{"FarPort",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook& look) { look.refusal = "port 23456 is taken"; });
                          },
                          "host", DoctorState::kError, "node1: port 23456 is taken", "cluster.worker[1]"},
                    Fault{"FarAgent",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook& look) { look.problem = "node1: no route to it"; });
                          },
                          "host", DoctorState::kError, "node1: no route to it", "cluster.worker[1]"},
                    Fault{"FarMemory",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook& look) { look.info.memory_available_bytes = 200 << 20; });
                          },
                          "memory", DoctorState::kWarning, "node1: 200.0 MB of memory free", "cluster.worker[1]"},
                    Fault{"FarDisk",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook& look) { look.info.disk_available_bytes = 100 << 20; });
                          },
                          "disk", DoctorState::kWarning, "node1: 100.0 MB free for runs", "cluster.worker[1]"},
                    Fault{"FarAway",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook&) {});
                          },
                          "host", DoctorState::kOk, "node1 answers, 0.80 ms away", "cluster.worker[1]"},
                    Fault{"FarWay",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook&) {}, waysToNode(spec::WayOutcome::kTimedOut));
                          },
                          "network", DoctorState::kError, "laptop can't reach node1 at port 23456", "cluster.worker[1]"},
                    Fault{"GoodWay",
                          [](DoctorWorld& world, spec::RunSpec& run) {
                              useNode(run);
                              world.look = knownNode([](FarLook&) {}, waysToNode(spec::WayOutcome::kReached));
                          },
                          "network", DoctorState::kOk, "Between computers: 0.40 ms there and back at most, 800 MB/s at least", ""},
                    Fault{"Way",
                          [](DoctorWorld& world, spec::RunSpec&) {
                              world.measure = [](const std::string&, const std::string&) { return LinkMeasure{0, 0, "no such address"}; };
                          },
                          "network", DoctorState::kError, "worker 0 can't reach worker 1", "cluster.worker[1]"}),
    [](const auto& row) { return row.param.name; });

TEST(Doctor, AsksAKnownHostForThePortsOfItsTasks) {
    spec::RunSpec run = twoWorkers();
    useNode(run);
    DoctorWorld world = goodWorld();
    FarCase asked;
    world.look = [&](FarCase given) {
        asked = std::move(given);
        return FarSight{.looks = {{.is_known = true}}, .ways = {}};
    };
    world.reach = [](const std::string&, int) -> HostAnswer {
        ADD_FAILURE() << "its agent was asked";
        return {};
    };
    EXPECT_FALSE(hasErrors(diagnose(run, world)));
    EXPECT_EQ(spec::parseProject(asked.project_json).run.cluster.spec, run.cluster.spec);
    ASSERT_EQ(asked.questions.size(), 1U);
    EXPECT_EQ(asked.questions[0].host, "node1");
    ASSERT_EQ(asked.questions[0].tasks.size(), 1U);
    const FarTask there = asked.questions[0].tasks[0], here = asked.here.tasks.at(0);
    EXPECT_EQ(there.task, (spec::TaskId{"worker", 1}));
    EXPECT_EQ(there.port, 23456);
    EXPECT_EQ(there.address, "") << "a name: what ssh reaches stands for it";
    EXPECT_TRUE(there.is_linked);
    EXPECT_EQ(asked.here.host, "laptop");
    EXPECT_EQ(here.port, 12345);
    EXPECT_EQ(here.address, "") << "loopback: others reach another address";
}

TEST(Doctor, KeepsNumbersThatWereWrittenAndLooksForPortsThatWereNot) {
    spec::RunSpec run = twoWorkers();
    spec::setAddress(run, {"worker", 0}, "laptop:0");
    spec::setAddress(run, {"worker", 1}, "10.77.0.2:0");
    run.cluster.spec.jobs.push_back({"evaluator", {{0, "10.77.0.2:34567"}}});
    DoctorWorld world = goodWorld();
    FarCase asked;
    world.look = [&](FarCase given) {
        asked = std::move(given);
        return FarSight();
    };
    diagnose(run, world);
    ASSERT_EQ(asked.questions.size(), 1U);
    ASSERT_EQ(asked.questions[0].tasks.size(), 2U);
    EXPECT_EQ(asked.questions[0].tasks[0].address, "10.77.0.2");
    EXPECT_EQ(asked.questions[0].tasks[0].port, 0);
    EXPECT_EQ(asked.questions[0].tasks[1].port, 34567);
    EXPECT_FALSE(asked.questions[0].tasks[1].is_linked) << "nobody calls an evaluator";
    EXPECT_EQ(asked.here.tasks.at(0).port, 0);
}

TEST(Doctor, MeasuresNothingForOneTask) {
    spec::RunSpec run = twoWorkers();
    run.cluster.spec = {};
    const DoctorReport report = diagnose(run, goodWorld());
    EXPECT_FALSE(hasErrors(report));
    EXPECT_TRUE(report.links.empty());
    EXPECT_EQ(rowOf(report, "port", DoctorState::kOk).title, "");
}

TEST(Doctor, ASetThatIsComputedNeedsNoFiles) {
    DoctorWorld world = goodWorld();
    world.host.datasets.clear();
    spec::RunSpec run = twoWorkers();
    run.data.dataset = "ones";
    EXPECT_THAT(rowOf(diagnose(run, world), "data", DoctorState::kOk).title, HasSubstr("needs no files"));
}

TEST(Doctor, LinksToOtherHostsTakeTheWayBetweenThem) {
    spec::RunSpec run = twoWorkers();
    useNode(run);
    DoctorWorld world = goodWorld();
    world.look = knownNode([](FarLook&) {}, waysToNode(spec::WayOutcome::kReached));
    DoctorReport report = diagnose(run, world);
    EXPECT_EQ(report.ways, waysToNode(spec::WayOutcome::kReached));
    EXPECT_EQ(std::count_if(report.rows.begin(), report.rows.end(), [](const auto& row) { return row.check == "network"; }), 1)
        << "no loopback was measured";
    ASSERT_EQ(report.links.size(), 2U);
    EXPECT_EQ(report.links[0], (spec::DoctorLink{{"worker", 0}, {"worker", 1}, 200, 9e8, ""}));
    EXPECT_EQ(report.links[1], (spec::DoctorLink{{"worker", 1}, {"worker", 0}, 200, 8e8, ""}));
    world.look = knownNode([](FarLook&) {}, waysToNode(spec::WayOutcome::kRefused));
    EXPECT_EQ(diagnose(run, world).links[0].problem, "laptop can't reach node1 at port 23456");
    EXPECT_EQ(diagnose(run, goodWorld()).links[0].problem, "the way from laptop to node1 was not measured") << "nobody is asked";
    run.cluster.spec.jobs[0].tasks[2] = "node1:34567";
    world.look = knownNode([](FarLook&) {}, {});
    report = diagnose(run, world);
    const auto there =
        std::find_if(report.links.begin(), report.links.end(), [](const auto& link) { return link.from.index == 1 && link.to.index == 2; });
    ASSERT_NE(there, report.links.end());
    EXPECT_EQ(there->problem, "not measured: both are on node1");
}

TEST(DoctorWorldPosix, AsksTheRealSystem) {
    PosixLauncher launcher;
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "worker") << "#!/bin/sh\necho \"$1 9.8.7\"\n";
    std::filesystem::permissions(dir.path() / "worker", std::filesystem::perms::owner_all);
    const DoctorWorld world = realWorld({}, "1", launcher, {dir.path() / "worker", {}, {"PATH=/usr/bin:/bin"}, "/"});
    const tests::support::ListeningPort taken;
    EXPECT_THAT(world.port_problem(taken.port()), HasSubstr(std::to_string(taken.port())));
    const PortReservation held = PortReservation::anyPort();
    EXPECT_EQ(world.port_problem(held.port()), "") << "reserved, and nobody listens";
    EXPECT_TRUE(world.is_this_host("localhost"));
    EXPECT_TRUE(world.is_readable("/proc/self/stat"));
    EXPECT_FALSE(world.is_readable("/no/such/file"));
    EXPECT_EQ(world.worker_version(), "--version 9.8.7");

    const HostAnswer refused = world.reach("127.0.0.1", held.port());
    EXPECT_TRUE(refused.resolved && refused.answers) << refused.problem;
    EXPECT_EQ(refused.interface, "lo");
    EXPECT_FALSE(world.reach("no-such-host.invalid", 1).resolved);

    const LinkMeasure measure = world.measure("127.0.0.1:1", "localhost:2");
    EXPECT_EQ(measure.problem, "");
    EXPECT_GT(measure.latency_us, 0);
    EXPECT_GT(measure.bytes_per_s, 1e6);
    EXPECT_NE(world.measure("127.0.0.1:1", "192.0.2.1:2").problem, "") << "an address that this computer does not have";
}

TEST(DoctorWorldPosix, AWorkerThatIsNotThereHasNoVersion) {
    PosixLauncher launcher;
    EXPECT_EQ(realWorld({}, "1", launcher, {"/no/such/worker", {}, {}, "/"}).worker_version(), "");
}

}  // namespace
