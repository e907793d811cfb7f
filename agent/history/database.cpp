#include "agent/history/database.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include <sqlite3.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "engine/spec/error.h"

namespace agent::history {

namespace fs = std::filesystem;

namespace {

constexpr int kBusyTimeoutMs = 5000;

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// The file's header says so: the bytes 18 and 19 are its write and read version, 2 for WAL.
bool isInWalMode(const fs::path& file) {
    constexpr std::size_t kReadVersion = 19;
    std::array<char, kReadVersion + 1> header{};
    std::ifstream stream(file, std::ios::binary);
    return stream.read(header.data(), header.size()) && header[kReadVersion] == 2;
}

// A path as part of a URI: what has a meaning there is written as %XX.
std::string uriPath(const fs::path& path) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string text;
    for (const char c : path.string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == '?' || c == '#' || byte < 0x20 || byte >= 0x7F) {
            text += '%';
            text += kDigits[byte >> 4];
            text += kDigits[byte & 15];
        } else {
            text += c;
        }
    }
    return text;
}

engine::ErrorCode errorCode(int result) {
    switch (result & 0xFF) {
        case SQLITE_FULL:
            return engine::ErrorCode::kResourceExhausted;
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_READONLY:
            return engine::ErrorCode::kPermissionDenied;
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT:
        case SQLITE_FORMAT:
            return engine::ErrorCode::kDataLoss;
        case SQLITE_BUSY:
            return engine::ErrorCode::kUnavailable;
        default:
            return engine::ErrorCode::kInternal;
    }
}

// SQLite calls a full disk an I/O error where it meets it elsewhere than in a write of its own, such as the shared memory of a tmpfs; and
// what the system said then is often lost on the way.
bool isFull(int result, int system_error, const char* file) {
    constexpr std::uint64_t kNoRoom = 64u << 10;  // what SQLite asks for at once
    if ((result & 0xFF) != SQLITE_IOERR) {
        return (result & 0xFF) == SQLITE_FULL;
    }
    struct statvfs disk {};
    const bool known = file != nullptr && ::statvfs(file, &disk) == 0;
    return system_error == ENOSPC || system_error == EDQUOT || (known && std::uint64_t{disk.f_bavail} * disk.f_frsize < kNoRoom);
}

[[noreturn]] void fail(sqlite3* connection, int result) {
    const char* file = connection == nullptr ? nullptr : sqlite3_db_filename(connection, "main");
    const std::string name = file == nullptr || *file == '\0' ? "database" : file;
    const int system_error = connection == nullptr ? 0 : sqlite3_system_errno(connection);
    if (isFull(result, system_error, file)) {
        throw engine::Error(engine::ErrorCode::kResourceExhausted, name + ": " + std::strerror(ENOSPC));
    }
    throw engine::Error(errorCode(result), name + ": " + (connection == nullptr ? sqlite3_errstr(result) : sqlite3_errmsg(connection)));
}

void check(sqlite3* connection, int result) {
    if (result != SQLITE_OK) {
        fail(connection, result);
    }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(sqlite3* connection, std::string_view sql) : connection_(connection) {
    sqlite3_stmt* statement = nullptr;
    check(connection, sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    statement_.reset(statement);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    check(connection_, sqlite3_bind_int64(statement_.get(), parameter, value));
    return *this;
}

Statement& Statement::bindText(int parameter, std::string_view value) {
    check(connection_, sqlite3_bind_text64(statement_.get(), parameter, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bindBlob(int parameter, std::string_view value) {
    check(connection_, sqlite3_bind_blob64(statement_.get(), parameter, value.data(), value.size(), SQLITE_STATIC));
    return *this;
}

bool Statement::step() {
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_ROW) {
        return true;
    }
    if (result != SQLITE_DONE) {
        sqlite3_reset(statement_.get());
        fail(connection_, result);
    }
    return false;
}

void Statement::run() {
    step();
    reset();
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return size == 0 ? std::string() : std::string(static_cast<const char*>(data), size);
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Database::Close::operator()(sqlite3* connection) const {
    sqlite3_close(connection);
}

Database::Database(const std::filesystem::path& file, std::span<const char* const> migrations, Access access) {
    if (access == Access::kCreate) {
        open(file.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
        // A file that is just being made has nothing to lose: no waits for the disk, which would delay the start of every run.
        version_before_ = schemaVersion();
        execute(isFresh() ? "PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = WAL");
        migrate(migrations);
        // NORMAL: a commit survives the death of this process at once, and a power cut from the next checkpoint of the log on.
        execute("PRAGMA synchronous = NORMAL");
    } else {
        openUnwritten(file, access == Access::kFinished);
        version_before_ = schemaVersion();
    }
    const int version = schemaVersion();
    const int newest = static_cast<int>(migrations.size());
    if (version < 1 || version > newest || (access == Access::kCreate && version != newest)) {
        throw engine::Error(version == 0 ? engine::ErrorCode::kDataLoss : engine::ErrorCode::kFailedPrecondition,
                            file.string() + ": expected schema " + std::to_string(newest) + ", got " + std::to_string(version));
    }
}

Database::~Database() {
    connection_.reset();
    if (!copy_.empty()) {
        std::error_code ignored;
        fs::remove_all(copy_, ignored);
    }
}

void Database::open(const std::string& name, int flags) {
    sqlite3* connection = nullptr;
    const int result = sqlite3_open_v2(name.c_str(), &connection, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
    connection_.reset(connection);
    if (result != SQLITE_OK) {
        throw engine::Error(errorCode(result), name + ": " + sqlite3_errstr(result));
    }
    check(connection, sqlite3_busy_timeout(connection, kBusyTimeoutMs));
}

// A file in WAL mode can be read only by who may write beside it. Elsewhere a log without pages is left out of account, and one with pages
// is read from a copy.
void Database::openUnwritten(const fs::path& file, bool finished) {
    std::error_code ignored;
    const bool in_wal_mode = isInWalMode(file);
    const bool writable = ::access(file.c_str(), W_OK) == 0 && ::access(folderOf(file).c_str(), W_OK) == 0;
    if (!in_wal_mode) {
        open(file.string(), SQLITE_OPEN_READONLY);
        return;
    }
    if (writable && finished) {
        open(file.string(), SQLITE_OPEN_READWRITE);
        settle();
    } else if (writable) {
        open(file.string(), SQLITE_OPEN_READONLY);
    } else if (const auto log = fs::file_size(file.string() + "-wal", ignored); ignored || log == 0) {
        open("file:" + uriPath(fs::absolute(file)) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    } else {
        openCopy(file);
    }
}

void Database::openCopy(const fs::path& file) {
    std::string folder = (fs::temp_directory_path() / "tandem-journal-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied,
                            file.string() + ": can't be read without a copy, and " + folder + " can't be made: " + std::strerror(errno));
    }
    copy_ = folder;
    for (const char* suffix : {"", "-wal"}) {
        std::error_code failed;
        fs::copy_file(file.string() + suffix, copy_ / (std::string("copy") + suffix), failed);
        if (failed) {
            const fs::path gone = std::exchange(copy_, {});
            std::error_code ignored;
            fs::remove_all(gone, ignored);
            throw engine::Error(engine::ErrorCode::kResourceExhausted, file.string() + suffix + ": can't be copied: " + failed.message());
        }
    }
    open((copy_ / "copy").string(), SQLITE_OPEN_READWRITE);
}

bool Database::settle() const {
    sqlite3_busy_timeout(connection_.get(), 0);
    bool settled = false;
    try {
        Statement mode = prepare("PRAGMA journal_mode = DELETE");  // writes the log's pages into the file first
        settled = mode.step() && mode.bytes(0) == "delete";
    } catch (const engine::Error&) {
        // It stays a file with a log, which holds all the same.
    }
    sqlite3_busy_timeout(connection_.get(), kBusyTimeoutMs);
    return settled;
}

void Database::execute(const char* sql) const {
    check(connection_.get(), sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr));
}

int Database::schemaVersion() const {
    Statement query = prepare("PRAGMA user_version");
    return query.step() ? static_cast<int>(query.integer(0)) : 0;
}

void Database::migrate(std::span<const char* const> migrations) const {
    for (auto version = static_cast<std::size_t>(schemaVersion()); version < migrations.size(); ++version) {
        Transaction transaction(*this);
        if (static_cast<std::size_t>(schemaVersion()) != version) {
            continue;  // another process migrated meanwhile
        }
        execute(migrations[version]);
        execute(("PRAGMA user_version = " + std::to_string(version + 1)).c_str());
        transaction.commit();
    }
}

Transaction::~Transaction() {
    if (open_) {
        try {
            database_.execute("ROLLBACK");
        } catch (const engine::Error&) {
            // SQLite has rolled back already, which is what was wanted.
        }
    }
}

void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

}  // namespace agent::history
