// What the stages between two barriers touch, and whether another stage may join them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// Ordered by where the memory begins, so that a question looks at what lies near alone: however many layers a plan has, one of them meets
// few others. Used while an executor is made, by one thread.
class AccessSet {
public:
    // True when no thread may begin with the stage of `asked` before all threads have finished what is in the set: a barrier has to stand
    // between them.
    bool clashesWith(const std::vector<Access>& asked) const;
    void add(const std::vector<Access>& accesses);
    void clear();

    // How many accesses all questions have looked at, for tests of growth.
    std::int64_t looks() const { return looks_; }

private:
    struct ByBegin {
        bool operator()(const Access& a, const Access& b) const;
    };
    bool clashesWithOne(const Access& asked) const;

    std::set<Access, ByBegin> accesses_;  // each once
    std::int64_t longest_ = 0;            // of them, in bytes
    mutable std::int64_t looks_ = 0;
};

}  // namespace engine::backend::cpu
