#include "engine/tensor/dtype.h"

namespace engine::tensor {

std::string_view toString(DType type) {
    switch (type) {
        case DType::kFloat32:
            return "float32";
        case DType::kBFloat16:
            return "bfloat16";
        case DType::kFloat16:
            return "float16";
        case DType::kUInt8:
            return "uint8";
        case DType::kInt32:
            return "int32";
        case DType::kInt64:
            return "int64";
    }
    return "?";
}

}  // namespace engine::tensor
