#include <algorithm>
#include <bit>
#include <cstddef>

#include "engine/backend/cpu/schedule/schedule.h"

namespace engine::backend::cpu {
namespace {

// A group has so many strips at most, those of all threads together. Their number divides this one, and so does the number of runs that a
// sum goes over (Memory::keepsRuns): of two powers of two one divides the other, and runs have whole strips or strips whole runs.
constexpr int kMostParts = 32;
constexpr std::int64_t kWholeBytes = std::int64_t{2} << 20;  // of a thread's samples: so many and fewer stay as they are
constexpr std::int64_t kUnlike = 4;                          // times the bytes of another stage: they need strips of their own

// Strips of a thread's samples. 1 where none serve.
int mostStrips(int threads) {
    return kMostParts % threads == 0 ? kMostParts / threads : 1;
}

// Samples that stay in a cache are of little use to a stage whose weights do not: each strip would read these again. One that adds up
// gradients comes in strips all the same, since it reads two tensors of its samples. (Measured with layers of 128 and 256 filters.)
bool comesInStrips(const Stage& stage) {
    if (stage.fewest_samples == kAllSamples) return false;
    bool touches_samples = false;
    std::int64_t weights = 0;
    for (const Access& access : stage.accesses) {
        if (access.sample_bytes > 0) {
            touches_samples = true;
        } else if (!access.writes) {
            weights += access.bytes;
        } else if (access.bytes > 0 && !stage.writes_by_samples) {
            return false;
        }
    }
    return touches_samples && (weights <= kStripBytes || stage.writes_by_samples);
}

// What all samples of the stage take, and how many there are.
struct Touched {
    std::int64_t bytes = 0, samples = 0;
};
Touched touchedBy(const Stage& stage) {
    Touched touched;
    for (const Access& access : stage.accesses) {
        if (access.sample_bytes <= 0) continue;
        touched.bytes += access.bytes;
        touched.samples = access.bytes / access.sample_bytes;
    }
    return touched;
}

// Neighbouring stages of a schedule that come in strips of one size.
class Group {
public:
    bool isEmpty() const { return count_ == 0; }
    int count() const { return count_; }

    bool takes(const Stage& stage) const {
        const std::int64_t bytes = touchedBy(stage).bytes;
        return isEmpty() || (std::max(most_bytes_, bytes) < kUnlike * std::min(fewest_bytes_, bytes));
    }
    void add(const Stage& stage) {
        const Touched touched = touchedBy(stage);
        fewest_bytes_ = isEmpty() ? touched.bytes : std::min(fewest_bytes_, touched.bytes);
        most_bytes_ = std::max(most_bytes_, touched.bytes);
        samples_ = isEmpty() ? touched.samples : std::min(samples_, touched.samples);
        fewest_samples_ = std::max(fewest_samples_, stage.fewest_samples);
        ++count_;
    }

    int strips(int threads) const {
        if (most_bytes_ <= kWholeBytes * threads) return 1;
        const std::int64_t wanted = divideUp(most_bytes_, kStripBytes * threads), most = samples_ / (threads * fewest_samples_);
        return static_cast<int>(
            std::clamp<std::int64_t>(std::min(std::int64_t(std::bit_ceil(std::uint64_t(wanted))), most), 1, kMostParts));
    }

private:
    std::int64_t fewest_bytes_ = 0, most_bytes_ = 0, samples_ = 0, fewest_samples_ = 1;
    int count_ = 0;
};

}  // namespace

bool mayComeInStrips(const plan::Plan& plan, int threads, int strips) {
    if (mostStrips(threads) == 1) return false;
    if (strips > 0) return strips > 1;
    return std::ranges::any_of(plan.tensors, [&](const plan::TensorDesc& tensor) {  // which one op writes and the next one reads
        return tensor.role == plan::TensorRole::kActivation && 2 * plan::byteCount(tensor) > kWholeBytes * threads;
    });
}

void formStrips(Schedule& schedule, const std::vector<std::vector<Stage>>& stages, int threads, int strips) {
    const int most = mostStrips(threads);
    if (most == 1) return;
    const auto stageOf = [&](const Entry& entry) -> const Stage& {
        return stages[static_cast<std::size_t>(entry.op)][static_cast<std::size_t>(entry.stage)];
    };
    for (std::size_t first = 0; first < schedule.size();) {
        Group group;
        for (std::size_t i = first; i < schedule.size(); ++i) {
            const Entry& entry = schedule[i];
            if (entry.action != Action::kStage || entry.solo || !comesInStrips(stageOf(entry)) || !group.takes(stageOf(entry))) break;
            group.add(stageOf(entry));
        }
        if (group.count() > 1) {
            const auto chosen = static_cast<unsigned>(strips > 0 ? strips : group.strips(threads));
            schedule[first].strips = std::min(static_cast<int>(std::bit_floor(chosen)), most);
            if (schedule[first].strips > 1) schedule[first].group = group.count();
        }
        first += static_cast<std::size_t>(std::max(group.count(), 1));
    }
}

}  // namespace engine::backend::cpu
