#include "agent/server/host/host_probe.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <unistd.h>

#include "engine/thread/usable_cores.h"

namespace agent::server {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCudaModule = "libtandem-cuda.so";

// The value of the first "key<spaces>: value" line of a /proc file; empty when there is none.
std::string procValue(const fs::path& file, std::string_view key) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && line.starts_with(key) && line.find_first_not_of(" \t", key.size()) == colon) {
            const std::size_t value = line.find_first_not_of(" \t", colon + 1);
            return value == std::string::npos ? std::string() : line.substr(value);
        }
    }
    return {};
}

std::int64_t memoryBytes(const char* key) {
    return std::strtoll(procValue("/proc/meminfo", key).c_str(), nullptr, 10) * 1024;
}

std::string vectorUnits() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        return "AVX-512";
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "AVX2" : "SSE2";
#else
    return "portable";
#endif
}

// A data set is a folder with its files; three places, as the engine's readers look.
std::vector<std::string> findDatasets(const fs::path& program_dir) {
    std::vector<fs::path> places;
    if (const char* chosen = std::getenv("TANDEM_DATA_DIR")) {
        places.emplace_back(chosen);
    }
    places.push_back(program_dir.parent_path() / "share" / "tandem" / "datasets");
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache != nullptr && cache[0] == '/') {
        places.push_back(fs::path(cache) / "tandem" / "datasets");
    } else if (home != nullptr) {
        places.push_back(fs::path(home) / ".cache" / "tandem" / "datasets");
    }
    std::set<std::string> names;
    for (const fs::path& place : places) {
        std::error_code error;
        for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
            std::error_code ignored;
            if (entry->is_directory(ignored) && !fs::is_empty(entry->path(), ignored)) {
                names.insert(entry->path().filename());
            }
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace

std::string hostName() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// Returns the addresses of every interface that has one.
std::vector<std::string> ownAddresses() {
    std::vector<std::string> addresses;
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) {
        return addresses;
    }
    for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
        char text[INET6_ADDRSTRLEN] = {};
        if (entry->ifa_addr != nullptr && entry->ifa_addr->sa_family == AF_INET) {
            ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr, text, sizeof text);
        } else if (entry->ifa_addr != nullptr && entry->ifa_addr->sa_family == AF_INET6) {
            ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_addr, text, sizeof text);
        }
        if (text[0] != 0) {
            addresses.emplace_back(text);
        }
    }
    ::freeifaddrs(list);
    return addresses;
}

bool isThisHost(const std::string& host) {
    if (host.empty() || host == "localhost" || host == "::1" || host.starts_with("127.") || host == hostName()) {
        return true;
    }
    const std::vector<std::string> own = ownAddresses();
    return std::find(own.begin(), own.end(), host) != own.end();
}

engine::spec::GpuInventory gpusOf(const fs::path& program_dir, load::GpuProbe& probe) {
    engine::spec::GpuInventory inventory = probe.inventory();
    const char* named = std::getenv("TANDEM_CUDA_MODULE");
    const fs::path root = program_dir.parent_path();
    std::vector<fs::path> places{program_dir / kCudaModule, root / "lib" / kCudaModule,
                                 root / TANDEM_LIBRARY_FOLDER / "tandem" / kCudaModule};
    if (named != nullptr) {
        places = {named};
    }
    std::error_code error;
    if (std::none_of(places.begin(), places.end(), [&](const fs::path& file) { return fs::exists(file, error); })) {
        inventory.no_backend_reason = std::string("this installation has no back-end for GPUs (") + kCudaModule + ")";
    }
    return inventory;
}

engine::run::HostInfo probeHost(const fs::path& runs_dir, const fs::path& program_dir, load::GpuProbe& gpus) {
    engine::run::HostInfo facts;
    facts.host_name = hostName();
    facts.cpu_model = procValue("/proc/cpuinfo", "model name");
    facts.vector_units = vectorUnits();
    facts.cores = engine::usableCores();
    facts.memory_bytes = memoryBytes("MemTotal");
    facts.memory_available_bytes = memoryBytes("MemAvailable");
    std::error_code error;
    const fs::space_info space = fs::space(runs_dir, error);
    facts.disk_available_bytes = error ? 0 : static_cast<std::int64_t>(space.available);
    facts.gpus = gpusOf(program_dir, gpus);
    facts.datasets = findDatasets(program_dir);
    facts.addresses = ownAddresses();
    return facts;
}

bool isNumericAddress(const std::string& host) {
    in_addr v4{};
    in6_addr v6{};
    return ::inet_pton(AF_INET, host.c_str(), &v4) == 1 || ::inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &v6) == 1;
}

}  // namespace agent::server
