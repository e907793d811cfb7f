#include "agent/archive/zip_writer.h"

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/files/file_descriptor.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::archive {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr const char* kPartEnding = ".part";
constexpr int kFastest = 1;  // level of deflate: what telling texts and events gain by more is little

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

// What libzip reads a member from. C++ exceptions wait in `failure` until libzip has given up.
struct Source {
    ZipMember member;
    std::function<std::size_t(char*, std::size_t)> read{};
    std::exception_ptr* failure = nullptr;
    zip_error_t error{};
};

zip_int64_t readSource(Source& source, void* data, zip_uint64_t length) {
    try {
        return static_cast<zip_int64_t>(source.read(static_cast<char*>(data), static_cast<std::size_t>(length)));
    } catch (...) {
        *source.failure = std::current_exception();
        zip_error_set(&source.error, ZIP_ER_CANCELLED, 0);
        return -1;
    }
}

zip_int64_t openSource(Source& source) {
    try {
        source.read = source.member.open();
        return 0;
    } catch (...) {
        *source.failure = std::current_exception();
        zip_error_set(&source.error, ZIP_ER_CANCELLED, 0);
        return -1;
    }
}

zip_int64_t answer(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    Source& source = *static_cast<Source*>(state);
    switch (command) {
        case ZIP_SOURCE_OPEN:
            return openSource(source);
        case ZIP_SOURCE_READ:
            return readSource(source, data, length);
        case ZIP_SOURCE_CLOSE:
            source.read = nullptr;
            return 0;
        case ZIP_SOURCE_STAT: {
            auto& stat = *static_cast<zip_stat_t*>(data);
            zip_stat_init(&stat);
            if (source.member.bytes >= 0) {
                stat.size = static_cast<zip_uint64_t>(source.member.bytes);
                stat.valid = ZIP_STAT_SIZE;
            }
            return sizeof stat;
        }
        case ZIP_SOURCE_ERROR:
            return zip_error_to_data(&source.error, data, length);
        case ZIP_SOURCE_FREE:
            delete &source;
            return 0;
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
                                                  ZIP_SOURCE_FREE, -1);
        default:
            zip_error_set(&source.error, ZIP_ER_OPNOTSUPP, 0);
            return -1;
    }
}

[[noreturn]] void fail(const fs::path& file, zip_error_t* error) {
    const int system = zip_error_system_type(error) == ZIP_ET_SYS ? zip_error_code_system(error) : 0;
    throw Error(system != 0 ? engine::files::codeOfErrno(system) : ErrorCode::kInternal,
                file.string() + ": can't be written: " + zip_error_strerror(error));
}

[[noreturn]] void failWith(const fs::path& file, int error) {
    throw Error(engine::files::codeOfErrno(error), file.string() + ": can't be written: " + std::strerror(error));
}

// Removes the files of writers that were killed. libzip names its own ones like the file, with a dot and six letters more.
void removeLeftovers(const fs::path& part) {
    const std::string name = part.filename().string();
    std::error_code failed;
    std::vector<fs::path> left;
    for (fs::directory_iterator at(part.parent_path(), failed), end; !failed && at != end; at.increment(failed)) {
        const std::string other = at->path().filename().string();
        if (other == name || (other.starts_with(name + ".") && other.size() == name.size() + 7)) {
            left.push_back(at->path());
        }
    }
    for (const fs::path& one : left) {
        fs::remove(one, failed);
    }
}

void writePart(const fs::path& file, const fs::path& part, std::vector<ZipMember> members) {
    std::exception_ptr failure;
    int code = 0;
    std::unique_ptr<zip_t, Discard> archive(zip_open(part.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (!archive) {
        const int error = errno;
        zip_error_t why;
        zip_error_init_with_code(&why, code);
        if (zip_error_system_type(&why) == ZIP_ET_SYS) {
            failWith(file, error);
        }
        fail(file, &why);
    }
    for (ZipMember& member : members) {
        const std::string name = member.name;
        const bool is_compressed = member.is_compressed;
        auto* state = new Source{.member = std::move(member), .failure = &failure};  // libzip frees it by ZIP_SOURCE_FREE
        zip_error_init(&state->error);
        zip_source_t* source = zip_source_function(archive.get(), answer, state);
        if (source == nullptr) {
            delete state;
            fail(file, zip_get_error(archive.get()));
        }
        const zip_int64_t index = zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(source);
            fail(file, zip_get_error(archive.get()));
        }
        if (zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), is_compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                     is_compressed ? kFastest : 0) != 0) {
            fail(file, zip_get_error(archive.get()));
        }
    }
    if (zip_close(archive.get()) != 0) {
        if (failure) {
            std::rethrow_exception(failure);
        }
        fail(file, zip_get_error(archive.get()));
    }
    archive.release();
}

}  // namespace

void writeZipFile(const fs::path& file, std::vector<ZipMember> members, bool overwrite) {
    const fs::path part = file.string() + kPartEnding;
    const fs::path folder = file.parent_path();
    const auto refuseEarlier = [&] {
        throw Error(ErrorCode::kAlreadyExists, file.string() + ": expected the name of a new file, got one that exists");
    };
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        throw Error(ErrorCode::kNotFound, folder.string() + ": expected a folder to write the archive into, found none");
    }
    if (!overwrite && fs::exists(fs::symlink_status(file, ignored))) {
        refuseEarlier();
    }
    removeLeftovers(part);
    try {
        writePart(file, part, std::move(members));
        {
            const engine::files::FileDescriptor written(::open(part.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
            if (!written || ::fsync(written.get()) != 0) {
                failWith(file, errno);
            }
        }
        if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, file.c_str(), overwrite ? 0 : RENAME_NOREPLACE) != 0) {
            if (errno == EEXIST) {
                refuseEarlier();
            }
            // A file system that can't refuse by itself was asked above.
            if ((errno != EINVAL && errno != ENOSYS) || ::rename(part.c_str(), file.c_str()) != 0) {
                failWith(file, errno);
            }
        }
    } catch (...) {
        removeLeftovers(part);
        throw;
    }
}

}  // namespace agent::archive
