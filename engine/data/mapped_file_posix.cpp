#include <sys/mman.h>
#include <cerrno>
#include <cstring>
#include <string>

#include "engine/data/mapped_file.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace engine::data {

MappedFile::MappedFile(const std::filesystem::path& file) : path_(file) {
    const files::RegularFile opened(file);
    size_ = static_cast<std::size_t>(opened.size());
    if (size_ == 0) {
        return;  // nothing to map
    }
    void* address = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, opened.descriptor(), 0);
    if (address == MAP_FAILED) {
        throw Error(ErrorCode::kInternal, file.string() + ": cannot be mapped: " + std::strerror(errno));
    }
    address_ = std::shared_ptr<const void>(address, [size = size_](const void* mapped) { munmap(const_cast<void*>(mapped), size); });
}

}  // namespace engine::data
