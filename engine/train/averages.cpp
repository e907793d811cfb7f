#include "engine/train/averages.h"

#include "engine/plan/optimizer.h"

namespace engine::train {

std::vector<AveragedWeight> averagedWeights(const backend::Variables& variables) {
    std::vector<AveragedWeight> found;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        const std::size_t colon = entry.name.rfind(':');
        if (entry.is_slot && entry.name.substr(colon + 1) == plan::kAverageSlot) {
            found.push_back({variables.values(entry.name.substr(0, colon)), entry.values});
        }
    }
    return found;
}

}  // namespace engine::train
