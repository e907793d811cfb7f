// all_reduce_bench [--workers N] [--transport shm|grpc|mpi|sockets] [--kib N...] [--warmup N] [--repeats N] [--outside]
//
// All-reduce of float32 buffers between N local processes of one thread each, as tests/bench/run.py sets it beside Gloo's: one JSON line a
// size with the median seconds of rank 0 and the bus bandwidth, 2 (n-1)/n bytes / time as nccl-tests count. Buffers lie in the collective's
// region, as the trainer's gradients do; --outside takes plain memory. With mpi the processes are ranks of an mpirun, and sums go through
// libtandem-mpi.so. With sockets nothing is summed: two processes send each other the same bytes over TCP, which is the most that a way
// over TCP can give.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "agent/transport/grpc_transport.h"
#include "agent/worker/freed_memory.h"
#include "engine/distribute/mpi/mpi_collective.h"
#include "engine/distribute/mpi/mpi_library.h"
#include "engine/spec/error.h"
#include "plain_sockets.h"

namespace {

struct Options {
    int workers = 2;
    std::string transport = "shm";
    std::vector<std::size_t> kib{4, 64, 1356, 16384, 65536};
    int warmup = 20;
    int repeats = 100;
    bool outside = false;
    int rank = -1;  // >= 0: this process is that worker
    std::vector<int> ports;
};

// Frees the port again at once: a benchmark on a quiet machine may take that chance.
int freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (socket < 0 || bind(socket, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        throw engine::Error(engine::ErrorCode::kUnavailable, "no free port");
    }
    close(socket);
    return ntohs(address.sin_port);
}

std::unique_ptr<engine::distribute::Collective> connectLinks(const Options& options) {
    engine::spec::TfConfig config;
    engine::spec::Job job{"worker", {}};
    for (std::size_t k = 0; k < options.ports.size(); ++k) job.tasks[static_cast<int>(k)] = "localhost:" + std::to_string(options.ports[k]);
    config.cluster.jobs.push_back(job);
    engine::spec::TaskPlan plan;
    plan.task = {"worker", options.rank};
    plan.rank = options.rank;
    plan.replicas = options.workers;
    config.task = plan.task;
    const auto choice = options.transport == "shm" ? engine::spec::TransportChoice::kShm : engine::spec::TransportChoice::kGrpc;
    agent::worker::LinkSecret secret{{}, "the benchmark's secret"};
    secret.key.fill(1);  // of a benchmark: no secret at all
    return agent::worker::connectCollective(plan, config, choice, secret, {.start_timeout = std::chrono::seconds(30)});
}

double medianSeconds(engine::distribute::Collective& collective, std::span<float> data, const Options& options) {
    std::vector<double> times;
    const bool small = data.size_bytes() <= 1024 * 1024;
    const int repeats = small ? options.repeats * 10 : options.repeats;
    for (int k = 0; k < options.warmup + repeats; ++k) {
        std::fill(data.begin(), data.end(), static_cast<float>(collective.rank() + 1));
        collective.barrier();
        const auto start = std::chrono::steady_clock::now();
        collective.allReduceSum(data);
        if (k >= options.warmup) times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const float expected = static_cast<float>(options.workers * (options.workers + 1) / 2);
    if (std::any_of(data.begin(), data.end(), [&](float value) { return value != expected; })) {
        throw engine::Error(engine::ErrorCode::kInternal, "wrong sum");
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}

void work(const Options& options) {
    const std::unique_ptr<engine::distribute::Collective> links = connectLinks(options);
    std::unique_ptr<engine::distribute::Collective> mpi;
    if (options.transport == "mpi") {
        mpi = engine::distribute::mpi::joinMembers(*links, engine::distribute::mpi::openFunctions());
        if (options.rank == 0) std::fprintf(stderr, "%s\n", mpi->describe().c_str());
    }
    engine::distribute::Collective* const collective = mpi ? mpi.get() : links.get();
    const std::size_t largest = *std::max_element(options.kib.begin(), options.kib.end()) * 1024;
    const std::span<std::byte> region = collective->allocateRegion(largest);
    std::vector<float> outside(options.outside ? largest / sizeof(float) : 0);
    const std::span<float> all =
        options.outside ? std::span(outside) : std::span<float>{reinterpret_cast<float*>(region.data()), largest / sizeof(float)};
    for (const std::size_t kib : options.kib) {
        const double seconds = medianSeconds(*collective, all.first(kib * 256), options);
        if (options.rank != 0) continue;
        const double bytes = static_cast<double>(kib) * 1024 * 2 * (options.workers - 1) / options.workers;
        std::printf("{\"transport\": \"%s\", \"workers\": %d, \"kib\": %zu, \"median_s\": %.9f, \"bus_gb_per_s\": %.4f}\n",
                    options.transport.c_str(), options.workers, kib, seconds, bytes / seconds / 1e9);
        std::fflush(stdout);
    }
    collective->barrier();
}

// Ends in mpirun, whose ranks are this program again; each finds its number in the environment.
[[noreturn]] void becomeMpirun(const Options& options, int argc, char** argv) {
    std::vector<std::string> arguments{"mpirun", "--oversubscribe", "--bind-to", "none", "-np", std::to_string(options.workers)};
    arguments.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    arguments.emplace_back("--ports");
    for (int rank = 0; rank < options.workers; ++rank) arguments.push_back(std::to_string(freePort()));
    if (geteuid() == 0) {  // as in a container
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execvp(pointers.front(), pointers.data());
    throw engine::Error(engine::ErrorCode::kUnavailable, "mpirun: expected the program (package openmpi-bin), found none");
}

// Each worker is this program again: gRPC does not survive a fork without exec.
int spawnWorkers(const Options& options, int argc, char** argv) {
    std::vector<std::string> ports;
    for (int rank = 0; rank < options.workers; ++rank) ports.push_back(std::to_string(freePort()));
    for (int rank = 0; rank < options.workers; ++rank) {
        std::vector<std::string> arguments(argv, argv + argc);
        arguments.insert(arguments.end(), {"--rank", std::to_string(rank), "--ports"});
        arguments.insert(arguments.end(), ports.begin(), ports.end());
        std::vector<char*> pointers;
        for (std::string& argument : arguments) pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        if (fork() == 0) {
            execv("/proc/self/exe", pointers.data());
            _exit(127);
        }
    }
    int result = 0;
    for (int rank = 0; rank < options.workers; ++rank) {
        int status = 0;
        if (wait(&status) < 0 || status != 0) result = 1;
    }
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    agent::worker::keepFreedMemory();  // as tandem-worker does
    Options options;
    CLI::App app{"All-reduce bus bandwidth between local processes"};
    app.add_option("--workers", options.workers)->check(CLI::Range(1, 64));
    app.add_option("--transport", options.transport)->check(CLI::IsMember({"shm", "grpc", "mpi", "sockets"}));
    app.add_option("--kib", options.kib)->check(CLI::PositiveNumber);
    app.add_option("--warmup", options.warmup)->check(CLI::NonNegativeNumber);
    app.add_option("--repeats", options.repeats)->check(CLI::PositiveNumber);
    app.add_flag("--outside", options.outside);
    app.add_option("--rank", options.rank)->group("");
    app.add_option("--ports", options.ports)->group("");
    CLI11_PARSE(app, argc, argv);
    try {
        if (const char* rank = std::getenv("OMPI_COMM_WORLD_RANK"); rank != nullptr && !options.ports.empty())
            options.rank = std::atoi(rank);
        if (options.transport == "sockets") {
            bench::measurePlainSockets(options.kib, options.warmup, options.repeats);
            return 0;
        }
        if (options.rank < 0 && options.transport == "mpi") becomeMpirun(options, argc, argv);
        if (options.rank < 0) return spawnWorkers(options, argc, argv);
        work(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "all_reduce_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
