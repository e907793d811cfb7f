#include "engine/data/read_report.h"

#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace engine::data {

void ReadReport::bad(const std::string& what) {
    if (!skips()) {
        throw Error(ErrorCode::kDataLoss, what + " (data.on_error=skip goes on without it)");
    }
    {
        const MutexLock lock(mutex_);
        if (!seen_.insert(what).second || first_.size() >= kKept) {
            return;
        }
        first_.push_back(what);
    }
    if (tell_) {
        tell_(what);
    }
}

std::int64_t ReadReport::skipped() const {
    const MutexLock lock(mutex_);
    return static_cast<std::int64_t>(seen_.size());
}

std::vector<std::string> ReadReport::firstSkipped() const {
    const MutexLock lock(mutex_);
    return first_;
}

void ReadReport::nothingLeft(const std::string& source, const std::string& one) const {
    const MutexLock lock(mutex_);
    throw Error(ErrorCode::kInvalidArgument,
                source + ": expected at least one " + one + ", got none" +
                    (first_.empty() ? "" : " (skipped: " + std::to_string(seen_.size()) + "; the first: " + first_.front() + ")"));
}

}  // namespace engine::data
