#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/data/mapped_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const char* what, int reason) {
    const ErrorCode code = reason == ENOENT || reason == ENOTDIR ? ErrorCode::kNotFound
                           : reason == EACCES                    ? ErrorCode::kPermissionDenied
                                                                 : ErrorCode::kInternal;
    throw Error(code, file.string() + ": " + what + ": " + std::strerror(reason));
}

struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) {
            close(number);
        }
    }
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) : path_(file) {
    const Descriptor descriptor{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat facts {};
    if (descriptor.number < 0 || fstat(descriptor.number, &facts) != 0) {
        refuse(file, "cannot be opened", errno);
    }
    if (S_ISDIR(facts.st_mode)) {
        throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected a file, got a folder");
    }
    size_ = static_cast<std::size_t>(facts.st_size);
    if (size_ == 0) {
        return;  // nothing to map
    }
    void* address = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
    if (address == MAP_FAILED) {
        refuse(file, "cannot be mapped", errno);
    }
    address_ = std::shared_ptr<const void>(address, [size = size_](const void* mapped) { munmap(const_cast<void*>(mapped), size); });
}

}  // namespace engine::data
