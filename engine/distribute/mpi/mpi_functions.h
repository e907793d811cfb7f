// What libtandem-mpi.so gives: the few calls of MPI that sums need, as plain functions, so that nothing but the module knows MPI's header.
// The header to read first of this folder.
#pragma once

#include <cstddef>
#include <cstdint>

namespace engine::distribute::mpi {

inline constexpr const char* kModule = "libtandem-mpi.so";
inline constexpr const char* kModuleVariable = "TANDEM_MPI_MODULE";  // of the environment: another file
inline constexpr const char* kModuleEntry = "tandem_mpi_functions";
// Goes up with every change of Functions. The version is its first member in all of them.
inline constexpr std::uint32_t kFunctionsVersion = 1;

// Memory of the caller's for a text, which ends with a zero.
struct Text {
    char* characters = nullptr;
    std::size_t room = 0;
};

enum class Moved : std::int32_t { kGoesOn = 0, kDone = 1, kFailed = 2 };

// One thread of a process calls all of them, begin() first: MPI is told so (MPI_THREAD_FUNNELED). One operation at a time is under way.
// A function that returns false, or Moved::kFailed, has put the reason into `problem`, in a sentence that needs MPI's name before it.
struct Functions {
    std::uint32_t version;
    // "Open MPI v4.1.4"; before begin() too.
    void (*library)(Text text);
    // Joins the members, `size` processes that one mpirun started, and returns when all have. They are numbered by `rank`.
    bool (*begin)(int rank, int size, Text problem);
    // "shared memory (btl vader) within a host, TCP (btl tcp) between hosts"; empty where the library doesn't say. Called after begin().
    void (*transport)(Text text);
    // Begins a sum over all members; `data` is theirs until test() says that it is over. `from` holds what this member gives, or is null
    // where `data` does.
    bool (*start_sum)(const float* from, float* data, std::size_t count, Text problem);
    bool (*start_broadcast)(std::byte* data, std::size_t bytes, int root, Text problem);
    // Moves the operation on. Never waits.
    Moved (*test)(Text problem);
    // Leaves when every member does: nothing is under way, nothing may be called later.
    bool (*end)(Text problem);
};

using ModuleEntry = const Functions* (*)();

}  // namespace engine::distribute::mpi
