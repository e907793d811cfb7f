#include "agent/archive/zip_reader.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "agent/archive/member_name.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::archive {

using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::size_t kMostEntries = 20000;
constexpr std::int64_t kMostListBytes = std::int64_t{32} << 20;
constexpr std::int64_t kFreeBytes = std::int64_t{64} << 20;  // unpacked, of any archive
constexpr std::int64_t kMostRatio = 200;                     // of what is unpacked to the file, beyond that
constexpr std::size_t kPieceBytes = 256u << 10;

struct Close {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

std::uint64_t littleEndian(const char* bytes, int count) {
    std::uint64_t value = 0;
    for (int i = count - 1; i >= 0; --i) {
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return value;
}

// How many bytes of the file lie behind the begin of its list, and how many members that has: what its last record says. libzip holds the
// list in memory, so it is looked at first. A zip file with a comment ends with other bytes; no archive has one.
struct ListSize {
    std::int64_t bytes = 0, entries = 0;
};
std::optional<ListSize> listSize(int descriptor, std::int64_t file_bytes) {
    constexpr std::int64_t kEnd = 22, kLocator = 20, kEnd64 = 56;
    std::array<char, kEnd64> bytes{};
    const auto readAt = [&](std::int64_t at, std::int64_t count) {
        return at >= 0 && ::pread(descriptor, bytes.data(), static_cast<std::size_t>(count), at) == count;
    };
    if (!readAt(file_bytes - kEnd, kEnd) || std::memcmp(bytes.data(), "PK\5\6", 4) != 0) {
        return std::nullopt;
    }
    ListSize size{static_cast<std::int64_t>(littleEndian(&bytes[12], 4)), static_cast<std::int64_t>(littleEndian(&bytes[10], 2))};
    if (readAt(file_bytes - kEnd - kLocator, kLocator) && std::memcmp(bytes.data(), "PK\6\7", 4) == 0) {
        const std::uint64_t at = littleEndian(&bytes[8], 8);
        if (at > static_cast<std::uint64_t>(file_bytes) || !readAt(static_cast<std::int64_t>(at), kEnd64) ||
            std::memcmp(bytes.data(), "PK\6\6", 4) != 0) {
            return std::nullopt;
        }
        const std::uint64_t entries = littleEndian(&bytes[32], 8), list = littleEndian(&bytes[40], 8);
        const auto most = static_cast<std::uint64_t>(file_bytes);
        size = {static_cast<std::int64_t>(std::min(list, most)), static_cast<std::int64_t>(std::min(entries, most))};
    }
    return size;
}

std::string counted(std::int64_t count, const char* what) {
    return std::to_string(count) + " " + what;
}

}  // namespace

struct ZipReader::Archive {
    explicit Archive(zip_t* opened) : zip(opened) {}
    ~Archive() { zip_discard(zip); }
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;
    zip_t* const zip;
};

void ZipReader::refuse(const std::string& what) const {
    throw Error(ErrorCode::kDataLoss, file_.string() + ": " + what);
}

ZipReader::ZipReader(std::filesystem::path file) : file_(std::move(file)) {
    engine::files::RegularFile opened(file_);
    file_bytes_ = static_cast<std::int64_t>(opened.size());
    const std::optional<ListSize> list_size = listSize(opened.descriptor(), file_bytes_);
    if (!list_size) {
        refuse("expected the archive of a run, which is a zip file, got something else or one that was cut short (" +
               counted(file_bytes_, "bytes") + ")");
    }
    if (list_size->entries > static_cast<std::int64_t>(kMostEntries) || list_size->bytes > kMostListBytes) {
        refuse("expected at most " + counted(kMostEntries, "members") + ", got " + std::to_string(list_size->entries));
    }
    int code = 0;
    zip_t* zip = zip_fdopen(opened.descriptor(), ZIP_CHECKCONS, &code);
    if (zip == nullptr) {
        zip_error_t why;
        zip_error_init_with_code(&why, code);
        const std::string reason = zip_error_strerror(&why);
        zip_error_fini(&why);
        if (code == ZIP_ER_EXISTS) {
            refuse("expected each name once, got one twice");
        }
        refuse("expected the archive of a run, got a zip file that is damaged: " + reason);
    }
    opened.release();  // libzip's own now
    archive_ = std::make_unique<Archive>(zip);
    list();
}

ZipReader::~ZipReader() = default;

void ZipReader::list() {
    const zip_int64_t count = zip_get_num_entries(archive_->zip, 0);
    if (count > static_cast<zip_int64_t>(kMostEntries)) {
        refuse("expected at most " + counted(kMostEntries, "members") + ", got " + std::to_string(count));
    }
    std::set<std::string> names;
    for (zip_int64_t index = 0; index < count; ++index) {
        const auto at = static_cast<zip_uint64_t>(index);
        zip_stat_t stat;
        zip_stat_init(&stat);
        const char* raw = zip_get_name(archive_->zip, at, ZIP_FL_ENC_RAW);
        constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (raw == nullptr || zip_stat_index(archive_->zip, at, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded) {
            refuse("member " + std::to_string(index) + ": its entry can't be read");
        }
        const std::string name = raw, shown = shownName(name);
        if (const std::string fault = faultOfName(name); !fault.empty()) {
            throw Error(ErrorCode::kPermissionDenied,
                        file_.string() + ": expected names of files below a run's folder, got " + fault + ": \"" + shown + "\"");
        }
        zip_uint8_t system = 0;
        zip_uint32_t attributes = 0;
        if (zip_file_get_external_attributes(archive_->zip, at, 0, &system, &attributes) == 0 && system == ZIP_OPSYS_UNIX) {
            const mode_t type = (attributes >> 16) & S_IFMT;
            if (type != 0 && type != S_IFREG) {
                throw Error(ErrorCode::kPermissionDenied,
                            file_.string() + ": " + shown + ": expected a file, got " + (type == S_IFLNK ? "a link" : "something else"));
            }
        }
        if (!names.insert(name).second) {
            refuse("expected each name once, got \"" + shown + "\" twice");
        }
        if (stat.encryption_method != ZIP_EM_NONE) {
            refuse(shown + ": expected a member without a password, got an encrypted one");
        }
        if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
            refuse(shown + ": expected a member that is stored or deflated, got method " + std::to_string(stat.comp_method));
        }
        const auto packed = static_cast<std::uint64_t>(file_bytes_);
        constexpr std::uint64_t kMostSize = std::uint64_t{1} << 60;
        if (stat.comp_size > packed || stat.size > kMostSize || (stat.comp_method == ZIP_CM_STORE && stat.size != stat.comp_size)) {
            refuse(shown + ": expected at most what its " + std::to_string(stat.comp_size) + " stored bytes can hold, got a claim of " +
                   std::to_string(stat.size));
        }
        entries_.push_back({name, static_cast<std::int64_t>(stat.size)});
    }
    std::int64_t unpacked = 0;
    const std::int64_t most = kFreeBytes + kMostRatio * std::min(file_bytes_, std::int64_t{1} << 50);
    for (const ZipEntry& entry : entries_) {
        unpacked = entry.bytes > most - unpacked ? most + 1 : unpacked + entry.bytes;
        if (unpacked > most) {
            refuse("expected at most " + counted(most, "bytes") + " once unpacked, which no archive of " + counted(file_bytes_, "bytes") +
                   " exceeds, got a claim of more");
        }
    }
}

const ZipEntry* ZipReader::find(std::string_view name) const {
    const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const ZipEntry& entry) { return entry.name == name; });
    return at == entries_.end() ? nullptr : &*at;
}

std::int64_t ZipReader::unpackedBytes() const {
    std::int64_t bytes = 0;
    for (const ZipEntry& entry : entries_) {
        bytes += entry.bytes;
    }
    return bytes;
}

void ZipReader::read(const ZipEntry& entry, const std::function<void(std::string_view)>& take) const {
    const std::string name = shownName(entry.name);
    const std::unique_ptr<zip_file_t, Close> member(zip_fopen_index(archive_->zip, static_cast<zip_uint64_t>(&entry - entries_.data()), 0));
    if (!member) {
        refuse(name + ": can't be read: " + zip_strerror(archive_->zip));
    }
    std::string piece(kPieceBytes, '\0');
    std::int64_t done = 0;
    for (;;) {
        // A byte more than it claims is asked for, so that the end is reached, which is where the checksum is compared.
        const zip_int64_t got = zip_fread(member.get(), piece.data(), piece.size());
        if (got < 0) {
            refuse(name + ": expected " + counted(entry.bytes, "bytes") +
                   " as they were stored, got damaged ones: " + zip_error_strerror(zip_file_get_error(member.get())));
        }
        if (got == 0) {
            break;
        }
        done += got;
        if (done > entry.bytes) {
            break;
        }
        take(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    }
    if (done != entry.bytes) {
        refuse(name + ": expected " + counted(entry.bytes, "bytes") + ", got " + (done > entry.bytes ? "more" : std::to_string(done)));
    }
}

std::string ZipReader::readWhole(const ZipEntry& entry, std::int64_t most) const {
    if (entry.bytes > most) {
        refuse(shownName(entry.name) + ": expected at most " + counted(most, "bytes") + ", got " + std::to_string(entry.bytes));
    }
    std::string whole;
    read(entry, [&](std::string_view piece) { whole += piece; });
    return whole;
}

}  // namespace agent::archive
