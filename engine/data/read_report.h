// What a reader may not be able to read, and what then happens: data.on_error.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/spec/project/data_spec.h"
#include "engine/thread/mutex.h"

namespace engine::data {

// Shared by the readers and decoders of a set; any thread. The first few records that were skipped are kept by name, all are counted.
class ReadReport {
public:
    static constexpr std::size_t kKept = 20;

    explicit ReadReport(spec::BadRecord on_error) : on_error_(on_error) {}

    bool skips() const { return on_error_ == spec::BadRecord::kSkip; }
    // `what` names file, record and reason. Throws it as Error(kDataLoss) unless bad records are skipped.
    void bad(const std::string& what);

    std::int64_t skipped() const;
    std::vector<std::string> firstSkipped() const;
    // Called when a set has no record, or only bad ones. Throws Error(kInvalidArgument): `source` names the set, `one` what it lacks
    // ("record"); the first one that was skipped says why.
    [[noreturn]] void nothingLeft(const std::string& source, const std::string& one) const;
    // Called with `what` of each kept one, from the thread that met it; set before the threads start.
    void onSkip(std::function<void(const std::string&)> tell) { tell_ = std::move(tell); }

private:
    const spec::BadRecord on_error_;
    std::function<void(const std::string&)> tell_;
    mutable Mutex mutex_;
    std::set<std::string> seen_ TANDEM_GUARDED_BY(mutex_);  // a pass after the first meets the same records
    std::vector<std::string> first_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace engine::data
