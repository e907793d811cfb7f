#include "engine/backend/whole/whole_update.h"

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

}  // namespace engine::backend
