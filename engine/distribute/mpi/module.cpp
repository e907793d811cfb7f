// libtandem-mpi.so. Built with Open MPI's header; what tells the transport reads Open MPI's variables, all else is MPI's standard.
#include <algorithm>
#include <climits>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "engine/distribute/mpi/mpi_functions.h"

namespace engine::distribute::mpi {
namespace {

void put(Text text, std::string_view words) {
    if (text.room == 0) return;
    const std::size_t length = std::min(words.size(), text.room - 1);
    std::memcpy(text.characters, words.data(), length);
    text.characters[length] = '\0';
}

std::string libraryName() {
    std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
    int length = 0;
    MPI_Get_library_version(text.data(), &length);  // also before MPI_Init
    text.resize(static_cast<std::size_t>(std::max(length, 0)));
    return text.substr(0, std::min(text.find(','), text.find('\n')));
}

// All of a process, which has one MPI.
struct State {
    MPI_Comm members = MPI_COMM_NULL;
    std::vector<MPI_Request> requests{};
    bool all_on_one_host = false, each_on_its_own = false;
};
State state;

bool succeeded(int result, const char* call, Text problem) {
    if (result == MPI_SUCCESS) return true;
    std::string text(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    MPI_Error_string(result, text.data(), &length);
    put(problem, std::string(call) + ": " + text.substr(0, static_cast<std::size_t>(std::max(length, 0))));
    return false;
}

// How the members lie on hosts, which tells what carries their bytes.
bool lookAtHosts(int rank, int size, Text problem) {
    MPI_Comm here = MPI_COMM_NULL;
    if (!succeeded(MPI_Comm_split_type(state.members, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here), "MPI_Comm_split_type", problem)) {
        return false;
    }
    int mine = 0;
    MPI_Comm_size(here, &mine);
    MPI_Comm_free(&here);
    int most = 0;
    if (!succeeded(MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, state.members), "MPI_Allreduce", problem)) return false;
    state.all_on_one_host = most == size;
    state.each_on_its_own = most == 1;
    return true;
}

bool begin(int rank, int size, Text problem) {
    int provided = MPI_THREAD_SINGLE;
    if (!succeeded(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread", problem)) return false;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // communicators made of it have the same
    if (provided < MPI_THREAD_FUNNELED) {
        put(problem, "expected a library that lets a program have threads (MPI_THREAD_FUNNELED), got " + libraryName());
        return false;
    }
    int processes = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (processes != size) {
        put(problem, "expected " + std::to_string(size) + " processes in MPI_COMM_WORLD, got " + std::to_string(processes) +
                         "; mpirun must be that of " + libraryName() + " and start the training tasks alone");
        return false;
    }
    return succeeded(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &state.members), "MPI_Comm_split", problem) &&
           lookAtHosts(rank, size, problem);
}

// The components of a framework ("btl": tcp, vader) that are in use: the variables of others are not valid.
std::set<std::string> components(std::string_view framework) {
    std::set<std::string> found;
    int provided = 0, count = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return found;
    if (MPI_T_cvar_get_num(&count) != MPI_SUCCESS) count = 0;
    for (int i = 0; i < count; ++i) {
        char characters[256] = "";
        int room = sizeof characters, verbosity = 0, binding = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        if (MPI_T_cvar_get_info(i, characters, &room, &verbosity, &type, nullptr, nullptr, nullptr, &binding, &scope) != MPI_SUCCESS) {
            continue;
        }
        const std::string_view name = characters;
        if (!name.starts_with(framework) || name.size() <= framework.size() || name[framework.size()] != '_') continue;
        const std::string_view rest = name.substr(framework.size() + 1);
        const std::string component(rest.substr(0, rest.find('_')));
        if (component != "base") found.insert(component);
    }
    MPI_T_finalize();
    return found;
}

struct Carrier {
    const char* component;
    const char* name;
};
// The carriers in the order in which Open MPI prefers them.
constexpr Carrier kWithinHost[] = {{"vader", "shared memory"}, {"sm", "shared memory"}, {"smcuda", "shared memory"}};
constexpr Carrier kBetweenHosts[] = {{"uct", "UCX"}, {"openib", "InfiniBand"}, {"usnic", "usNIC"}, {"ofi", "libfabric"}, {"tcp", "TCP"}};

template <std::size_t kCarriers>
std::string carrier(const Carrier (&carriers)[kCarriers], const std::set<std::string>& used) {
    for (const Carrier& one : carriers) {
        if (used.contains(one.component)) return std::string(one.name) + " (btl " + one.component + ")";
    }
    return {};
}

std::string transportText() {
    const std::set<std::string> pml = components("pml");
    if (pml.contains("ucx")) return "UCX (pml ucx)";
    if (pml.contains("cm")) {
        const std::set<std::string> mtl = components("mtl");
        return mtl.contains("ofi") ? "libfabric (mtl ofi)" : "a network's own messages (pml cm)";
    }
    if (!pml.contains("ob1")) return {};
    const std::set<std::string> btl = components("btl");
    std::string between = carrier(kBetweenHosts, btl), shared = carrier(kWithinHost, btl);
    std::string within = shared.empty() ? between : shared;
    if (state.all_on_one_host) return within;
    if (state.each_on_its_own || within == between) return between;
    return within + " within a host, " + between + " between hosts";
}

// Starts an operation in parts that MPI can count.
template <typename Start>
bool startParts(std::size_t count, Text problem, const char* call, Start start) {
    state.requests.clear();
    for (std::size_t done = 0; done < count;) {
        const std::size_t part = std::min<std::size_t>(count - done, INT_MAX);
        MPI_Request request = MPI_REQUEST_NULL;
        if (!succeeded(start(done, static_cast<int>(part), &request), call, problem)) return false;
        state.requests.push_back(request);
        done += part;
    }
    return true;
}

bool startSum(const float* from, float* data, std::size_t count, Text problem) {
    return startParts(count, problem, "MPI_Iallreduce", [&](std::size_t at, int part, MPI_Request* request) {
        return MPI_Iallreduce(from == nullptr ? MPI_IN_PLACE : from + at, data + at, part, MPI_FLOAT, MPI_SUM, state.members, request);
    });
}

bool startBroadcast(std::byte* data, std::size_t bytes, int root, Text problem) {
    return startParts(bytes, problem, "MPI_Ibcast", [&](std::size_t at, int part, MPI_Request* request) {
        return MPI_Ibcast(data + at, part, MPI_BYTE, root, state.members, request);
    });
}

Moved test(Text problem) {
    int done = 0;
    const int result = MPI_Testall(static_cast<int>(state.requests.size()), state.requests.data(), &done, MPI_STATUSES_IGNORE);
    if (!succeeded(result, "MPI_Testall", problem)) return Moved::kFailed;
    return done != 0 ? Moved::kDone : Moved::kGoesOn;
}

bool end(Text problem) {
    MPI_Comm_free(&state.members);
    return succeeded(MPI_Finalize(), "MPI_Finalize", problem);
}

constexpr Functions kFunctions{.version = kFunctionsVersion,
                               .library = [](Text text) { put(text, libraryName()); },
                               .begin = &begin,
                               .transport = [](Text text) { put(text, transportText()); },
                               .start_sum = &startSum,
                               .start_broadcast = &startBroadcast,
                               .test = &test,
                               .end = &end};

}  // namespace
}  // namespace engine::distribute::mpi

// NOLINTNEXTLINE(readability-identifier-naming): the name is kModuleEntry
extern "C" __attribute__((visibility("default"))) const engine::distribute::mpi::Functions* tandem_mpi_functions() {
    return &engine::distribute::mpi::kFunctions;
}
