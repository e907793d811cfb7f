// A library that is found under NCCL's name and answers as it does: members that join while others look on, calls that are done later, an
// end that waits for the graphs. It adds up nothing. fake_nccl.h steers it.
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include <nccl.h>

#include "tests/support/fake_nccl/fake_nccl.h"

namespace {

FakeNccl told;

void poll(std::atomic<int>& left) {
    int now = left.load();
    while (now > 0 && !left.compare_exchange_weak(now, now - 1)) {
    }
}

}  // namespace

struct ncclComm {
    int size = 0;
    std::atomic<int> polls_left{0};
    std::atomic<bool> aborted{false};
};

extern "C" {

FakeNccl* fakeNccl() {
    return &told;
}

ncclResult_t ncclGetVersion(int* version) {
    *version = 22809;
    return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
    return result == ncclSystemError ? "unhandled system error" : "some error";
}
const char* ncclGetLastError(ncclComm_t) {
    return told.last_error;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    std::memset(id->internal, 7, sizeof id->internal);
    return ncclSuccess;
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int size, ncclUniqueId id, int, ncclConfig_t* config) {
    if (id.internal[0] != 7 || config->blocking != 0) return ncclInvalidArgument;
    *comm = new ncclComm;
    (*comm)->size = size;
    (*comm)->polls_left = told.slow_calls.load();
    ++told.communicators;
    return ncclInProgress;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
    poll(comm->polls_left);
    *error = told.fails ? ncclSystemError : comm->polls_left > 0 ? ncclInProgress : ncclSuccess;
    return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void*, void*, size_t, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm, cudaStream_t) {
    if (type != ncclFloat || op != ncclSum || comm->polls_left > 0) return ncclInvalidUsage;
    ++told.sums;
    comm->polls_left = told.slow_calls.load();
    return comm->polls_left > 0 ? ncclInProgress : ncclSuccess;
}
ncclResult_t ncclBroadcast(const void*, void*, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
    ++told.broadcasts;
    return ncclSuccess;
}
ncclResult_t ncclCommFinalize(ncclComm_t comm) {
    comm->polls_left = told.slow_calls.load();
    return comm->polls_left > 0 ? ncclInProgress : ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    while (told.graphs > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    delete comm;
    ++told.destroyed;
    return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) {
    ++told.aborts_begun;
    while (told.graphs > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    delete comm;
    ++told.aborted;
    return ncclSuccess;
}
}
