#include "engine/backend/whole/make_whole_update.h"

#include <utility>

#include "engine/backend/whole/factored_update.h"
#include "engine/backend/whole/norm_scaled_update.h"
#include "engine/backend/whole/orthogonal_update.h"
#include "engine/spec/error.h"

namespace engine::backend {

std::unique_ptr<WholeUpdate> makeWholeUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs, Multiplier multiply) {
    ENGINE_CHECK(spec::takesWholeVariables(rule.kind));
    if (rule.kind == plan::UpdateKind::kLamb) return std::make_unique<NormScaledUpdate>(rule, std::move(runs));
    if (rule.kind == plan::UpdateKind::kAdafactor) return std::make_unique<FactoredUpdate>(rule, std::move(runs));
    return std::make_unique<OrthogonalUpdate>(rule, std::move(runs), multiply);
}

}  // namespace engine::backend
