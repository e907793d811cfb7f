#include "engine/distribute/shared_segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

// The first page of the file holds the nonce, the payload follows.
constexpr std::size_t kHeadBytes = 4096;
constexpr unsigned kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;  // a shorter file would kill whoever has it mapped

[[noreturn]] void fail(ErrorCode code, const std::string& what) {
    throw Error(code, "shared memory: " + what + ": " + std::strerror(errno));
}

// What the kernel thinks can be had without swapping; the largest number where it does not say.
std::uint64_t availableBytes() {
    std::ifstream file("/proc/meminfo");
    std::string line;
    while (std::getline(file, line)) {
        constexpr std::string_view kKey = "MemAvailable:";
        if (line.starts_with(kKey)) return std::stoull(line.substr(kKey.size())) * 1024;
    }
    return UINT64_MAX;
}

}  // namespace

std::vector<std::byte> encode(const SegmentAddress& address) {
    const std::uint64_t numbers[] = {static_cast<std::uint64_t>(address.pid), static_cast<std::uint64_t>(address.fd), address.bytes};
    std::vector<std::byte> bytes(sizeof numbers + address.nonce.size());
    std::memcpy(bytes.data(), numbers, sizeof numbers);
    std::memcpy(bytes.data() + sizeof numbers, address.nonce.data(), address.nonce.size());
    return bytes;
}

std::optional<SegmentAddress> decodeSegmentAddress(std::span<const std::byte> bytes) {
    std::uint64_t numbers[3];
    SegmentAddress address;
    if (bytes.size() != sizeof numbers + address.nonce.size()) return std::nullopt;
    std::memcpy(numbers, bytes.data(), sizeof numbers);
    std::memcpy(address.nonce.data(), bytes.data() + sizeof numbers, address.nonce.size());
    address.pid = static_cast<std::int64_t>(numbers[0]);
    address.fd = static_cast<std::int64_t>(numbers[1]);
    address.bytes = numbers[2];
    return address;
}

std::string machineBootId() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

SharedSegment SharedSegment::create(std::size_t bytes) {
    const std::size_t file_bytes = kHeadBytes + bytes;
    // The free memory is asked for first: the kernel would rather kill processes than refuse pages of a memfd.
    if (const std::uint64_t available = availableBytes(); file_bytes > available) {
        throw Error(ErrorCode::kResourceExhausted, "shared memory: cannot allocate " + std::to_string(file_bytes) + " bytes: only " +
                                                       std::to_string(available) + " are available");
    }
    SharedSegment segment;
    segment.fd_ = memfd_create("tandem", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (segment.fd_ < 0) fail(ErrorCode::kUnavailable, "memfd_create");
    // fallocate takes the pages now: later a missing page would be a SIGBUS in the middle of a step.
    if (fallocate(segment.fd_, 0, 0, static_cast<off_t>(file_bytes)) != 0) {
        fail(ErrorCode::kResourceExhausted, "cannot allocate " + std::to_string(file_bytes) + " bytes");
    }
    if (fcntl(segment.fd_, F_ADD_SEALS, kSeals) != 0) fail(ErrorCode::kUnavailable, "cannot seal the segment");
    segment.map(file_bytes);
    Nonce nonce;
    if (getrandom(nonce.data(), nonce.size(), 0) != static_cast<ssize_t>(nonce.size())) fail(ErrorCode::kUnavailable, "getrandom");
    std::memcpy(segment.mapping_.data(), nonce.data(), nonce.size());
    segment.address_ = {getpid(), segment.fd_, bytes, nonce};
    return segment;
}

SharedSegment SharedSegment::open(const SegmentAddress& address) {
    const std::string path = "/proc/" + std::to_string(address.pid) + "/fd/" + std::to_string(address.fd);
    SharedSegment segment;
    segment.fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (segment.fd_ < 0) fail(ErrorCode::kUnavailable, "cannot open " + path);
    struct stat status {};
    const std::size_t file_bytes = kHeadBytes + address.bytes;  // wraps around for a size that no file has
    const int seals = fcntl(segment.fd_, F_GET_SEALS);
    if (file_bytes < kHeadBytes || fstat(segment.fd_, &status) != 0 || !S_ISREG(status.st_mode) ||
        static_cast<std::size_t>(status.st_size) != file_bytes || seals < 0 || (static_cast<unsigned>(seals) & F_SEAL_SHRINK) == 0) {
        throw Error(ErrorCode::kUnavailable, "shared memory: " + path + " is not the peer's segment (another pid namespace?)");
    }
    segment.map(file_bytes);
    if (std::memcmp(segment.mapping_.data(), address.nonce.data(), address.nonce.size()) != 0) {
        throw Error(ErrorCode::kUnavailable, "shared memory: the nonce in " + path + " is not the peer's");
    }
    close(std::exchange(segment.fd_, -1));
    segment.address_ = address;
    return segment;
}

void SharedSegment::map(std::size_t file_bytes) {
    void* at = mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd_, 0);
    if (at == MAP_FAILED) fail(ErrorCode::kUnavailable, "cannot map " + std::to_string(file_bytes) + " bytes");
    mapping_ = {static_cast<std::byte*>(at), file_bytes};
    payload_ = mapping_.subspan(kHeadBytes);
}

SharedSegment::SharedSegment(SharedSegment&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      mapping_(std::exchange(other.mapping_, {})),
      payload_(std::exchange(other.payload_, {})),
      address_(other.address_) {}

SharedSegment& SharedSegment::operator=(SharedSegment&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(mapping_, other.mapping_);
    std::swap(payload_, other.payload_);
    std::swap(address_, other.address_);
    return *this;
}

SharedSegment::~SharedSegment() {
    if (!mapping_.empty()) munmap(mapping_.data(), mapping_.size());
    if (fd_ >= 0) close(fd_);
}

}  // namespace engine::distribute
