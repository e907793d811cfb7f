// What a user adds to runs: colour, another name, notes, tags, pin, archive. The studio's own file, so that it also holds for runs of other
// hosts and no older agent meets a schema that it does not know.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/thread/mutex.h"

namespace agent::history {

class Database;

struct RunAnnotation {
    std::string run_id;
    int color = 0;     // series index from 0 to 7
    int dash = 0;      // 0 solid; 1: the second pattern, of every other eight runs
    std::string name;  // empty: the run's own
    std::string notes;
    std::vector<std::string> tags;  // as the user wrote them, in that order
    bool pinned = false, archived = false;
    friend bool operator==(const RunAnnotation&, const RunAnnotation&) = default;
};

// A row a run, by id. Safe from any thread (one connection, one mutex); several studios may share the file.
// Every call throws engine::Error naming the file: kResourceExhausted on a full disk, kPermissionDenied, kDataLoss, kInternal.
class AnnotationStore {
public:
    // Makes the file where there is none; its folder must exist.
    explicit AnnotationStore(const std::filesystem::path& file);
    ~AnnotationStore();

    std::vector<RunAnnotation> list() const;  // in the order of run ids
    // Inserts or replaces; all or none.
    void put(const std::vector<RunAnnotation>& annotations);

private:
    mutable engine::Mutex mutex_;
    std::unique_ptr<Database> database_ TANDEM_GUARDED_BY(mutex_);
};

inline constexpr const char* kAnnotationFile = "studio.sqlite";

}  // namespace agent::history
