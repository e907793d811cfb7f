// A libcuda.so.1 whose driver is as old, and as unable, as the environment says: what the real CUDA runtime makes of such machines.
//   TANDEM_DRIVER_VERSION   as cuDriverGetVersion tells it (12040)
//   TANDEM_DRIVER_INIT      what cuInit answers (a CUresult's number)
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kSuccess = 0, kNotFound = 500;

int numberOf(const char* variable) {
    const char* text = std::getenv(variable);
    return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int cuDriverGetVersion(int* version) {
    *version = numberOf("TANDEM_DRIVER_VERSION");
    return kSuccess;
}

__attribute__((visibility("default"))) int cuInit(unsigned) {
    return numberOf("TANDEM_DRIVER_INIT");
}

// The runtime asks for every function by name.
__attribute__((visibility("default"))) int cuGetProcAddress_v2(const char* symbol, void** function, int, unsigned long long, int* status) {
    *function = nullptr;
    if (std::strcmp(symbol, "cuDriverGetVersion") == 0) *function = reinterpret_cast<void*>(&cuDriverGetVersion);
    if (std::strcmp(symbol, "cuInit") == 0) *function = reinterpret_cast<void*>(&cuInit);
    if (std::strcmp(symbol, "cuGetProcAddress") == 0) *function = reinterpret_cast<void*>(&cuGetProcAddress_v2);
    if (status != nullptr) *status = *function == nullptr ? 1 : 0;
    return *function == nullptr ? kNotFound : kSuccess;
}

__attribute__((visibility("default"))) int cuGetProcAddress(const char* symbol, void** function, int version, unsigned long long flags) {
    return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

}  // extern "C"
