#include <utility>

#include "engine/plan/passes.h"
#include "engine/plan/strategy.h"

namespace engine::plan {

Plan multiWorkerMirrored(Plan plan, std::int64_t bytes_per_pack) {
    return insertAllReduce(bucketGradients(std::move(plan), bytes_per_pack));
}

}  // namespace engine::plan
