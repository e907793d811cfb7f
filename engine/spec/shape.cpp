#include "engine/spec/shape.h"

namespace engine::spec {

bool hasTooManyValues(const Shape& shape) {
    double count = 1;
    for (std::int64_t size : shape) {
        count *= static_cast<double>(size);
    }
    return count > 1e12;
}

std::string shapeText(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::string batchShapeText(const Shape& shape) {
    std::string text = "(None";
    for (std::int64_t size : shape) {
        text += ", " + std::to_string(size);
    }
    return text + (shape.empty() ? ",)" : ")");
}

}  // namespace engine::spec
