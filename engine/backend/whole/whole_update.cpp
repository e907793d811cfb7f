#include "engine/backend/whole/whole_update.h"

#include <utility>

#include "engine/backend/whole/factored_update.h"
#include "engine/backend/whole/norm_scaled_update.h"
#include "engine/backend/whole/orthogonal_update.h"
#include "engine/spec/error.h"

namespace engine::backend {

Multiplier plainMultiplier() {
    return {.multiply = [](const void*, const MatrixProduct& product) {
        for (std::int64_t i = 0; i < product.rows; ++i) {
            for (std::int64_t j = 0; j < product.columns; ++j) {
                float& to = product.c[i * product.columns + j];
                double sum = product.adds ? static_cast<double>(to) : 0;
                for (std::int64_t k = 0; k < product.depth; ++k) {
                    sum += static_cast<double>(product.a[i * product.depth + k]) * static_cast<double>(product.b[k * product.columns + j]);
                }
                to = static_cast<float>(sum);
            }
        }
    }};
}

std::unique_ptr<WholeUpdate> makeWholeUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs, Multiplier multiply) {
    ENGINE_CHECK(spec::takesWholeVariables(rule.kind));
    if (rule.kind == plan::UpdateKind::kLamb) return std::make_unique<NormScaledUpdate>(rule, std::move(runs));
    if (rule.kind == plan::UpdateKind::kAdafactor) return std::make_unique<FactoredUpdate>(rule, std::move(runs));
    return std::make_unique<OrthogonalUpdate>(rule, std::move(runs), multiply);
}

}  // namespace engine::backend
