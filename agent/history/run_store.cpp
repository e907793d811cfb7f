#include "agent/history/run_store.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

#include "agent/history/database.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::history {

namespace {

// The schema of the index, a step an entry. Never change an entry that was released: append one.
constexpr std::array kRunMigrations{
    "CREATE TABLE runs ("
    " id TEXT PRIMARY KEY, name TEXT NOT NULL, state INTEGER NOT NULL, detail TEXT NOT NULL,"
    " created_unix_ns INTEGER NOT NULL, finished_unix_ns INTEGER NOT NULL, run_dir TEXT NOT NULL, tasks INTEGER NOT NULL,"
    " project_json TEXT NOT NULL, results_json TEXT NOT NULL, checkpoint TEXT NOT NULL, weights_sha256 TEXT NOT NULL"
    ") WITHOUT ROWID;"
    "CREATE INDEX runs_by_creation ON runs (created_unix_ns DESC);",
    "ALTER TABLE runs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE runs ADD COLUMN idle_ns INTEGER NOT NULL DEFAULT 0;",
    "ALTER TABLE runs ADD COLUMN imported_from TEXT NOT NULL DEFAULT '';",
    "ALTER TABLE runs ADD COLUMN branch_of TEXT NOT NULL DEFAULT '';",
    "ALTER TABLE runs ADD COLUMN followed INTEGER NOT NULL DEFAULT 0;",
};
constexpr int kFirstWithAttempts = 2, kFirstWithImports = 3, kFirstWithBranches = 4, kFirstWithFollowed = 5;

constexpr std::string_view kFirstColumns =
    "id, name, state, detail, created_unix_ns, finished_unix_ns, run_dir, tasks, project_json, results_json, checkpoint, weights_sha256";

// Returns the columns that a query names. A file that is only read may be of an older schema.
std::string columnsOf(const Database& database) {
    const int schema = database.schemaVersion();
    return std::string(kFirstColumns) + (schema >= kFirstWithAttempts ? ", attempts, idle_ns" : ", 1, 0") +
           (schema >= kFirstWithImports ? ", imported_from" : ", ''") + (schema >= kFirstWithBranches ? ", branch_of" : ", ''") +
           (schema >= kFirstWithFollowed ? ", followed" : ", 0");
}

// [["test_accuracy", 0.98], ...]: order kept. A value that JSON has no number for is null.
nlohmann::json resultsArray(const engine::run::RunInfo& run) {
    nlohmann::json array = nlohmann::json::array();
    for (const auto& [name, value] : run.results) {
        array.push_back({name, value});
    }
    return array;
}

std::string textOf(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string resultsJson(const engine::run::RunInfo& run) {
    return textOf(resultsArray(run));
}

std::vector<std::pair<std::string, double>> resultsOf(const nlohmann::json& array) {
    std::vector<std::pair<std::string, double>> results;
    for (const nlohmann::json& entry : array) {
        if (entry.is_array() && entry.size() == 2 && entry[0].is_string()) {
            results.emplace_back(entry[0].get<std::string>(), entry[1].is_number() ? entry[1].get<double>() : std::nan(""));
        }
    }
    return results;
}

std::vector<std::pair<std::string, double>> parseResults(const std::string& text) {
    return resultsOf(nlohmann::json::parse(text, nullptr, false));
}

engine::run::RunInfo readRow(const Statement& row) {
    return {.id = row.bytes(0),
            .name = row.bytes(1),
            .state = engine::run::runStateOf(static_cast<int>(row.integer(2))).value_or(engine::run::RunState::kFailed),
            .detail = row.bytes(3),
            .created_unix_ns = row.integer(4),
            .finished_unix_ns = row.integer(5),
            .run_dir = row.bytes(6),
            .tasks = static_cast<int>(row.integer(7)),
            .project_json = row.bytes(8),
            .results = parseResults(row.bytes(9)),
            .checkpoint = row.bytes(10),
            .weights_sha256 = row.bytes(11),
            .attempts = static_cast<int>(row.integer(12)),
            .idle_ns = row.integer(13),
            .imported_from = row.bytes(14),
            .branch_of = row.bytes(15),
            .followed = row.integer(16) != 0};
}

Database::Access databaseAccess(RunStore::Access access) {
    return access == RunStore::Access::kCreate ? Database::Access::kCreate : Database::Access::kReadOnly;
}

}  // namespace

RunStore::RunStore(const std::filesystem::path& file, Access access)
    : database_(std::make_unique<Database>(file, kRunMigrations, databaseAccess(access))) {}

RunStore::~RunStore() = default;

bool RunStore::isFresh() const {
    const engine::MutexLock lock(mutex_);
    return database_->isFresh();
}

std::string toJson(const engine::run::RunInfo& run) {
    return textOf({{"id", run.id},
                   {"name", run.name},
                   {"state", static_cast<int>(run.state)},
                   {"detail", run.detail},
                   {"created_unix_ns", run.created_unix_ns},
                   {"finished_unix_ns", run.finished_unix_ns},
                   {"run_dir", run.run_dir},
                   {"tasks", run.tasks},
                   {"project_json", run.project_json},
                   {"results", resultsArray(run)},
                   {"checkpoint", run.checkpoint},
                   {"weights_sha256", run.weights_sha256},
                   {"attempts", run.attempts},
                   {"idle_ns", run.idle_ns},
                   {"imported_from", run.imported_from},
                   {"branch_of", run.branch_of},
                   {"followed", run.followed}});
}

std::optional<engine::run::RunInfo> runInfoFromJson(std::string_view text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        const auto state = engine::run::runStateOf(json.at("state").get<int>());
        if (!state || json.at("id").get<std::string>().empty()) {
            return std::nullopt;
        }
        return engine::run::RunInfo{.id = json.at("id"),
                                    .name = json.at("name"),
                                    .state = *state,
                                    .detail = json.at("detail"),
                                    .created_unix_ns = json.at("created_unix_ns"),
                                    .finished_unix_ns = json.at("finished_unix_ns"),
                                    .run_dir = json.at("run_dir"),
                                    .tasks = json.at("tasks"),
                                    .project_json = json.at("project_json"),
                                    .results = resultsOf(json.at("results")),
                                    .checkpoint = json.at("checkpoint"),
                                    .weights_sha256 = json.at("weights_sha256"),
                                    .attempts = json.value("attempts", 1),
                                    .idle_ns = json.value("idle_ns", std::int64_t{0}),
                                    .imported_from = json.value("imported_from", std::string()),
                                    .branch_of = json.value("branch_of", std::string()),
                                    .followed = json.value("followed", false)};
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void RunStore::insert(const engine::run::RunInfo& run) {
    const engine::MutexLock lock(mutex_);
    Statement exists = database_->prepare("SELECT 1 FROM runs WHERE id = ?");
    if (exists.bindText(1, run.id).step()) {
        throw engine::Error(engine::ErrorCode::kAlreadyExists, "run " + run.id + ": exists already");
    }
    write(run);
}

void RunStore::put(const engine::run::RunInfo& run) {
    const engine::MutexLock lock(mutex_);
    write(run);
}

void RunStore::write(const engine::run::RunInfo& run) {
    const std::string results = resultsJson(run);
    Statement insertion =
        database_->prepare("INSERT OR REPLACE INTO runs (" + columnsOf(*database_) + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    insertion.bindText(1, run.id).bindText(2, run.name).bind(3, static_cast<int>(run.state)).bindText(4, run.detail);
    insertion.bind(5, run.created_unix_ns).bind(6, run.finished_unix_ns).bindText(7, run.run_dir).bind(8, run.tasks);
    insertion.bindText(9, run.project_json).bindText(10, results).bindText(11, run.checkpoint).bindText(12, run.weights_sha256);
    insertion.bind(13, run.attempts)
        .bind(14, run.idle_ns)
        .bindText(15, run.imported_from)
        .bindText(16, run.branch_of)
        .bind(17, run.followed ? 1 : 0)
        .run();
}

void RunStore::update(const engine::run::RunInfo& run) {
    const std::string results = resultsJson(run);
    const engine::MutexLock lock(mutex_);
    Statement change = database_->prepare(
        "UPDATE runs SET name = ?2, state = ?3, detail = ?4, finished_unix_ns = ?5, tasks = ?6, project_json = ?7, results_json = ?8,"
        " checkpoint = ?9, weights_sha256 = ?10, attempts = ?11, idle_ns = ?12, followed = ?13 WHERE id = ?1 RETURNING 1");
    change.bindText(1, run.id).bindText(2, run.name).bind(3, static_cast<int>(run.state)).bindText(4, run.detail);
    change.bind(5, run.finished_unix_ns).bind(6, run.tasks).bindText(7, run.project_json).bindText(8, results);
    change.bindText(9, run.checkpoint).bindText(10, run.weights_sha256).bind(11, run.attempts).bind(12, run.idle_ns);
    change.bind(13, run.followed ? 1 : 0);
    if (!change.step()) {
        throw engine::Error(engine::ErrorCode::kNotFound, "run " + run.id + ": not found");
    }
    while (change.step()) {  // it is committed, or refused, only at its end
    }
}

std::optional<engine::run::RunInfo> RunStore::find(const std::string& id) const {
    const engine::MutexLock lock(mutex_);
    Statement query = database_->prepare("SELECT " + columnsOf(*database_) + " FROM runs WHERE id = ?");
    query.bindText(1, id);
    return query.step() ? std::optional(readRow(query)) : std::nullopt;
}

std::vector<engine::run::RunInfo> RunStore::list() const {
    return listBehind(std::numeric_limits<std::int64_t>::max(), {}, std::numeric_limits<std::size_t>::max() / 2);
}

std::vector<engine::run::RunInfo> RunStore::unfinished() const {
    const engine::MutexLock lock(mutex_);
    Statement query = database_->prepare("SELECT " + columnsOf(*database_) + " FROM runs WHERE state < ?");
    query.bind(1, static_cast<int>(engine::run::RunState::kDone));
    std::vector<engine::run::RunInfo> runs;
    while (query.step()) {
        runs.push_back(readRow(query));
    }
    return runs;
}

std::vector<engine::run::RunInfo> RunStore::listIntact() const {
    const engine::MutexLock lock(mutex_);
    std::vector<engine::run::RunInfo> runs;
    for (const char* order : {" ORDER BY id", " ORDER BY id DESC"}) {  // from both ends up to the damage
        try {
            Statement query = database_->prepare("SELECT " + columnsOf(*database_) + " FROM runs" + order);
            while (query.step()) {
                if (engine::run::runStateOf(static_cast<int>(query.integer(2))) &&
                    std::none_of(runs.begin(), runs.end(), [&](const engine::run::RunInfo& run) { return run.id == query.bytes(0); })) {
                    runs.push_back(readRow(query));
                }
            }
        } catch (const engine::Error&) {
            // The rows behind are lost to this order.
        }
    }
    return runs;
}

std::vector<engine::run::RunInfo> RunStore::listBehind(std::int64_t created_unix_ns, const std::string& id, std::size_t most) const {
    const engine::MutexLock lock(mutex_);
    Statement query = database_->prepare("SELECT " + columnsOf(*database_) +
                                         " FROM runs WHERE (created_unix_ns, id) < (?, ?) ORDER BY created_unix_ns DESC, id DESC LIMIT ?");
    query.bind(1, created_unix_ns).bindText(2, id).bind(3, static_cast<std::int64_t>(most));
    std::vector<engine::run::RunInfo> runs;
    while (query.step()) {
        runs.push_back(readRow(query));
    }
    return runs;
}

std::vector<std::string> RunStore::failUnfinished(const std::string& detail, std::int64_t finished_unix_ns) {
    const engine::MutexLock lock(mutex_);
    Statement change = database_->prepare("UPDATE runs SET state = ?1, detail = ?2, finished_unix_ns = ?3 WHERE state < ?4 RETURNING id");
    change.bind(1, static_cast<int>(engine::run::RunState::kFailed))
        .bindText(2, detail)
        .bind(3, finished_unix_ns)
        .bind(4, static_cast<int>(engine::run::RunState::kDone));
    std::vector<std::string> ids;
    while (change.step()) {
        ids.push_back(change.bytes(0));
    }
    return ids;
}

}  // namespace agent::history
