#include "engine/spec/cluster/mpi_task.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

constexpr int kUsualMpiPort = 8888, kLargestMpiPort = 65535;
constexpr std::size_t kMostRanks = 4096;

struct Launcher {
    std::string_view rank, size;
};
// PMIx has no variable for the number of ranks: Slurm's own says it where srun --mpi=pmix started them.
constexpr std::array<Launcher, 3> kLaunchers{Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Launcher{"PMI_RANK", "PMI_SIZE"},
                                             Launcher{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
// The variables that name a job: of processes that PMIx starts, and of Open MPI 4.
constexpr std::array<std::string_view, 2> kJobs{"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"};

[[noreturn]] void refuseMpi(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

std::optional<std::size_t> rankNumber(const std::string& text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// A name for a folder.
std::string plainName(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](unsigned char c) { return !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')); }, '-');
    return text;
}

}  // namespace

MpiRank mpiRank(const std::vector<std::string>& variables) {
    for (const Launcher& launcher : kLaunchers) {
        const std::string rank_text = variableOf(variables, launcher.rank);
        if (rank_text.empty()) continue;
        const std::string size_text = variableOf(variables, launcher.size);
        const std::optional<std::size_t> size = rankNumber(size_text), rank = rankNumber(rank_text);
        if (!size || *size < 1 || *size > kMostRanks) {
            refuseMpi(std::string(launcher.size) + ": expected the number of ranks, from 1 to " + std::to_string(kMostRanks) + ", got " +
                      (size_text.empty() ? "none" : size_text));
        }
        if (!rank || *rank >= *size) {
            refuseMpi(std::string(launcher.rank) + ": expected a rank below the number of ranks (" + std::to_string(*size) + "), got " +
                      rank_text);
        }
        MpiRank found{.rank = *rank, .size = *size};
        for (const std::string_view name : kJobs) {
            if (found.job.empty()) found.job = plainName(variableOf(variables, name));
        }
        // A job of Slurm's that is queued again keeps its name.
        const std::string restart = plainName(variableOf(variables, "SLURM_RESTART_COUNT"));
        if (!found.job.empty() && !restart.empty()) found.job += "-" + restart;
        return found;
    }
    refuseMpi(
        "OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK: expected one of them, as mpirun and srun --mpi=pmix set it for their processes, got "
        "none; "
        "start the tasks with one of the two");
}

RankedTask mpiTask(const std::vector<std::string>& hosts, std::size_t rank, int first_port) {
    const bool is_one_host = std::all_of(hosts.begin(), hosts.end(), [&](const std::string& host) { return host == hosts.front(); });
    RankedTask ranked{.addresses = {}, .rank = rank, .of = "MPI job"};
    std::map<std::string, int> used;
    for (const std::string& host : hosts) {
        const int port = (first_port == 0 ? kUsualMpiPort : first_port) + used[host]++;
        if (port > kLargestMpiPort) {
            refuseMpi("--first-port: expected ports up to " + std::to_string(kLargestMpiPort) + " for the " +
                      std::to_string(std::count(hosts.begin(), hosts.end(), host)) + " ranks on " + host + ", got " +
                      std::to_string(first_port));
        }
        ranked.addresses.push_back((is_one_host ? "localhost" : host) + ":" + std::to_string(port));
    }
    return ranked;
}

}  // namespace engine::spec
