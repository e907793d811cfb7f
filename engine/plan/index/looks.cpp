#include "engine/plan/index/looks.h"

namespace engine::plan {

std::int64_t& looksOfThisThread() {
    thread_local std::int64_t looks = 0;
    return looks;
}

}  // namespace engine::plan
