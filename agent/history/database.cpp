#include "agent/history/database.h"

#include <sqlite3.h>

#include "engine/spec/error.h"

namespace agent::history {

namespace {

constexpr int kBusyTimeoutMs = 5000;

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
            return engine::ErrorCode::kDataLoss;
        case SQLITE_BUSY:
            return engine::ErrorCode::kUnavailable;
        default:
            return engine::ErrorCode::kInternal;
    }
}

[[noreturn]] void fail(sqlite3* connection, int result) {
    const char* file = connection == nullptr ? nullptr : sqlite3_db_filename(connection, "main");
    throw engine::Error(errorCode(result), std::string(file == nullptr ? "database" : file) + ": " +
                                               (connection == nullptr ? sqlite3_errstr(result) : sqlite3_errmsg(connection)));
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

void Database::Close::operator()(sqlite3* connection) const {
    sqlite3_close(connection);
}

Database::Database(const std::filesystem::path& file, std::span<const char* const> migrations, Access access) {
    sqlite3* connection = nullptr;
    const int flags = access == Access::kCreate ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int result = sqlite3_open_v2(file.c_str(), &connection, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
    connection_.reset(connection);
    if (result != SQLITE_OK) {
        throw engine::Error(errorCode(result), file.string() + ": " + sqlite3_errstr(result));
    }
    check(connection, sqlite3_busy_timeout(connection, kBusyTimeoutMs));
    if (access == Access::kCreate) {
        // A file that is just being made has nothing to lose: no waits for the disk, which would delay the start of every run.
        const bool fresh = schemaVersion() == 0;
        execute(fresh ? "PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = WAL");
        migrate(migrations);
        // NORMAL: a commit survives the death of this process at once, and a power cut from the next checkpoint of the log on.
        execute("PRAGMA synchronous = NORMAL");
    }
    const int version = schemaVersion();
    if (version != static_cast<int>(migrations.size())) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition,
                            file.string() + ": expected schema " + std::to_string(migrations.size()) + ", got " + std::to_string(version));
    }
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
