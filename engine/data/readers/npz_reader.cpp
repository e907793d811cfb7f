#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include <zip.h>

#include "engine/data/readers/npy_reader.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

constexpr std::uint64_t kMaxNpzBytes = std::uint64_t{1} << 38;
constexpr std::uint64_t kMostPacked = 1032;  // deflate cannot shrink further

[[noreturn]] void damagedNpz(const std::string& source, const std::string& what) {
    throw Error(ErrorCode::kDataLoss, source + ": " + what);
}

struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

std::unique_ptr<zip_t, CloseArchive> openArchive(const std::filesystem::path& file) {
    files::RegularFile opened(file);
    int code = 0;
    std::unique_ptr<zip_t, CloseArchive> archive(zip_fdopen(opened.descriptor(), ZIP_CHECKCONS, &code));  // can only read
    if (archive == nullptr) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string text = zip_error_strerror(&error);
        zip_error_fini(&error);
        damagedNpz(file.string(), "is no whole NPZ archive: " + text);
    }
    opened.release();  // the archive closes it
    return archive;
}

}  // namespace

std::optional<Array> readNpz(const std::filesystem::path& file, const std::string& name) {
    const std::unique_ptr<zip_t, CloseArchive> archive = openArchive(file);
    const std::string source = file.string() + " " + name;
    zip_int64_t index = zip_name_locate(archive.get(), (name + ".npy").c_str(), 0);
    if (index < 0) {
        return std::nullopt;
    }
    zip_stat_t facts;
    if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(index), 0, &facts) != 0 || (facts.valid & ZIP_STAT_SIZE) == 0 ||
        (facts.valid & ZIP_STAT_COMP_SIZE) == 0) {
        damagedNpz(source, std::string("its size is not known: ") + zip_strerror(archive.get()));
    }
    std::error_code ignored;
    const std::uint64_t whole = std::filesystem::file_size(file, ignored);
    if (facts.size > kMaxNpzBytes || facts.comp_size > whole || facts.size / kMostPacked > facts.comp_size) {
        damagedNpz(source, "expected at most " + std::to_string(std::min(facts.comp_size, whole) * kMostPacked) +
                               " bytes, its header asks for " + std::to_string(facts.size));
    }
    const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen_index(archive.get(), static_cast<zip_uint64_t>(index), 0));
    if (member == nullptr) {
        damagedNpz(source, zip_strerror(archive.get()));
    }
    ByteBuffer bytes(facts.size);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const zip_int64_t got = zip_fread(member.get(), bytes.data() + done, bytes.size() - done);
        if (got <= 0) {
            damagedNpz(source, "truncated after " + std::to_string(done) + " of " + std::to_string(bytes.size()) +
                                   " bytes: " + zip_file_strerror(member.get()));
        }
        done += static_cast<std::size_t>(got);
    }
    char beyond = 0;
    if (zip_fread(member.get(), &beyond, 1) != 0) {  // the checksum is compared at the end
        damagedNpz(source, std::string("damaged: ") + zip_file_strerror(member.get()));
    }
    return parseNpy({bytes.data(), bytes.size()}, source);
}

std::vector<std::string> namesInNpz(const std::filesystem::path& file) {
    constexpr std::string_view kEnding = ".npy";
    const std::unique_ptr<zip_t, CloseArchive> archive = openArchive(file);
    std::vector<std::string> names;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
        const char* member = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
        const std::string_view name = member == nullptr ? "" : member;
        if (name.ends_with(kEnding)) {
            names.emplace_back(name.substr(0, name.size() - kEnding.size()));
        }
    }
    return names;
}

}  // namespace engine::data
