// The order in which all threads of an executor run the stages of its ops: where they meet, what runs earlier or later than its op
// stands in the plan, and which stages a thread takes strip by strip.
#pragma once

#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/schedule/piece_sums.h"
#include "engine/plan/plan.h"

namespace engine::backend::cpu {

// Reductions are what leaves the task while it computes: a sum with the other replicas, or a push to the parameter servers.
enum class Action { kStage, kBarrier, kStartReduction, kAwaitReduction, kReadVariables, kAddPiece };

struct Entry {
    Action action = Action::kStage;
    int op = 0;     // index in the plan; of barriers and reductions: the op that needs them
    int stage = 0;  // or the bucket
    bool solo = false;
    // So many stages, of which this is the first, take a strip of the thread's samples before the next one: what one of them leaves in a
    // cache, the next one finds there.
    int group = 1;
    int strips = 1;  // of a group
};
using Schedule = std::vector<Entry>;

// `moves_stages`: early and late ones leave their places, so that they do not part those between them; what they make is colder in the
// caches then. `is_last_piece`: also of a step that stays whole.
struct ScheduleOptions {
    bool moves_stages = false, is_last_piece = true;
};
// `stages` of each op.
Schedule scheduleOf(const plan::Plan& plan, const std::vector<std::vector<Stage>>& stages, const PieceSums& sums,
                    const ScheduleOptions& options);

// What a stage touches of a strip is to stay in a second-level cache, and its weights, too.
constexpr std::int64_t kStripBytes = std::int64_t{1} << 20;

// True where formStrips() may make groups: a tensor of the plan is so large that strips may serve, or `strips` asks for them.
bool mayComeInStrips(const plan::Plan& plan, int threads, int strips);
// Makes groups of the schedule's neighbouring stages. `strips`: what each group shall have that can have them; 0: so many that what a stage
// touches of a strip stays in a second-level cache, and none where all samples of a thread do. They are a power of two, and 32 of all
// threads together at most; where the number of threads does not divide 32 there are no groups.
void formStrips(Schedule& schedule, const std::vector<std::vector<Stage>>& stages, int threads, int strips);

}  // namespace engine::backend::cpu
