// SQLite behind RAII types. Inside agent/history only; the connection is opened in serialized mode, its users still lock around
// transactions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace agent::history {

// One prepared statement. Parameters and columns count from 1 and from 0, as SQLite does. Must not outlive its Database.
class Statement {
public:
    Statement(sqlite3* connection, std::string_view sql);

    Statement& bind(int parameter, std::int64_t value);
    // The bytes have to stay alive until the next step() that returned false, or reset().
    Statement& bindText(int parameter, std::string_view value);
    Statement& bindBlob(int parameter, std::string_view value);
    // True when there is a row. Throws engine::Error as Database does.
    bool step();
    // Runs a statement that has no rows, and resets it.
    void run();
    void reset();

    std::int64_t integer(int column) const;
    std::string bytes(int column) const;
    bool isNull(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    sqlite3* connection_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// A database file, in WAL mode while it is written. A file of a newer schema is refused. Errors: kResourceExhausted for a full disk,
// kPermissionDenied for a file that may not be opened or written, kDataLoss for one that is no database, kInternal for the rest; all name
// the file.
class Database {
public:
    enum class Access {
        kReadOnly,  // runs no migration: an older schema stays as it is, and schemaVersion() says which
        kFinished,  // the same, of a file that nobody writes any more: it leaves WAL mode where it may be written
        kCreate,
    };

    // `migrations[i]` brings schema i to i + 1 (PRAGMA user_version), each in one transaction with its number. What can't be written, such
    // as a file on read-only media, is read all the same, and nothing is left behind beside it.
    Database(const std::filesystem::path& file, std::span<const char* const> migrations, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    Statement prepare(std::string_view sql) const { return {connection_.get(), sql}; }
    void execute(const char* sql) const;
    int schemaVersion() const;
    // True when the file held nothing before it was opened.
    bool isFresh() const { return version_before_ == 0; }
    // The schema that the file had before it was opened.
    int versionBefore() const { return version_before_; }

    // Brings everything into the one file and leaves WAL mode. False, and the file stays as it was, when it can't be written or another
    // connection uses it.
    bool settle() const;

private:
    void open(const std::string& name, int flags);
    void openCopy(const std::filesystem::path& file);
    void openUnwritten(const std::filesystem::path& file, bool finished);
    void migrate(std::span<const char* const> migrations) const;

    struct Close {
        void operator()(sqlite3* connection) const;
    };
    std::unique_ptr<sqlite3, Close> connection_;
    std::filesystem::path copy_;  // a private folder with a copy of the file; empty: the file itself is open
    int version_before_ = 0;
};

// BEGIN IMMEDIATE now, COMMIT by commit(), ROLLBACK in the destructor otherwise.
class Transaction {
public:
    explicit Transaction(const Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    const Database& database_;
    bool open_ = true;
};

}  // namespace agent::history
