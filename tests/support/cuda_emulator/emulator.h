// A stand-in for the CUDA runtime: kernels are compiled as plain C++ and run on the CPU, block after block, the threads of a block as
// fibers of one thread. It is there to find faults, not to be fast:
//   memory     device and shared memory begin as NaNs; device memory is out of reach of the host between two pieces of work, its
//              surroundings are poisoned under the address sanitizer
//   barriers   threads and blocks may run in any order (setOrder): a missing barrier shows in another result; threads of a block that do
//              not all meet at a barrier, or meet at two, are an error
//   streams    may be lazy (setLazyStreams): work waits until somebody synchronises, so that what the host reads too early is old
// Include before any other header that includes <cuda_runtime.h>. Calls from any thread; all devices share one lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cuda_emulator {

enum class Order { kForward, kReverse, kShuffled };
// Sets the order of threads in a block and of blocks. TANDEM_EMULATOR_ORDER=forward|reverse|shuffled in the environment sets it too.
void setOrder(Order order, std::uint64_t seed = 1);
void setLazyStreams(bool lazy);
void setDeviceCount(int devices);         // 1 at first; 0: as without a driver
void setDeviceMemory(std::size_t bytes);  // of each device: 1 GiB at first
std::size_t allocatedBytes();             // device memory now
std::size_t pinnedBytes();                // host memory that cudaMallocHost gave and nobody freed
std::uint64_t launches();                 // kernels run so far
std::uint64_t hostSynchronizations();     // calls that waited for a stream, an event or the device
// The call number `calls` from now on that may fail by itself answers out of memory; 0: none.
void failAllocation(int calls);

// Restores every setting at the end of a test.
class Settings {
public:
    Settings() = default;
    ~Settings();
    Settings(const Settings&) = delete;
    Settings& operator=(const Settings&) = delete;
};

}  // namespace cuda_emulator
