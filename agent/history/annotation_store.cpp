#include "agent/history/annotation_store.h"

#include <array>

#include <nlohmann/json.hpp>

#include "agent/history/database.h"
#include "engine/thread/mutex.h"

namespace agent::history {

namespace {

// The schema of the file, a step an entry. Never change an entry that was released: append one.
constexpr std::array kAnnotationMigrations{
    "CREATE TABLE annotations ("
    " run_id TEXT PRIMARY KEY, color INTEGER NOT NULL, dash INTEGER NOT NULL, name TEXT NOT NULL, notes TEXT NOT NULL,"
    " tags_json TEXT NOT NULL, pinned INTEGER NOT NULL, archived INTEGER NOT NULL"
    ") WITHOUT ROWID;",
};

constexpr std::string_view kColumns = "run_id, color, dash, name, notes, tags_json, pinned, archived";

std::string tagsJson(const RunAnnotation& annotation) {
    return nlohmann::json(annotation.tags).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> parseTags(const std::string& text) {
    std::vector<std::string> tags;
    for (const nlohmann::json& tag : nlohmann::json::parse(text, nullptr, false)) {
        if (tag.is_string()) {
            tags.push_back(tag.get<std::string>());
        }
    }
    return tags;
}

}  // namespace

AnnotationStore::AnnotationStore(const std::filesystem::path& file)
    : database_(std::make_unique<Database>(file, kAnnotationMigrations, Database::Access::kCreate)) {}

AnnotationStore::~AnnotationStore() = default;

std::vector<RunAnnotation> AnnotationStore::list() const {
    const engine::MutexLock lock(mutex_);
    Statement query = database_->prepare("SELECT " + std::string(kColumns) + " FROM annotations ORDER BY run_id");
    std::vector<RunAnnotation> annotations;
    while (query.step()) {
        annotations.push_back({.run_id = query.bytes(0),
                               .color = static_cast<int>(query.integer(1)),
                               .dash = static_cast<int>(query.integer(2)),
                               .name = query.bytes(3),
                               .notes = query.bytes(4),
                               .tags = parseTags(query.bytes(5)),
                               .pinned = query.integer(6) != 0,
                               .archived = query.integer(7) != 0});
    }
    return annotations;
}

void AnnotationStore::put(const std::vector<RunAnnotation>& annotations) {
    const engine::MutexLock lock(mutex_);
    Transaction transaction(*database_);
    Statement insertion = database_->prepare("INSERT OR REPLACE INTO annotations (" + std::string(kColumns) + ") VALUES (?,?,?,?,?,?,?,?)");
    for (const RunAnnotation& annotation : annotations) {
        const std::string tags = tagsJson(annotation);
        insertion.bindText(1, annotation.run_id).bind(2, annotation.color).bind(3, annotation.dash).bindText(4, annotation.name);
        insertion.bindText(5, annotation.notes).bindText(6, tags);
        insertion.bind(7, annotation.pinned ? 1 : 0).bind(8, annotation.archived ? 1 : 0).run();
    }
    transaction.commit();
}

}  // namespace agent::history
