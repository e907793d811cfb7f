// Maps the elements of one tensor to their places in another, whose axes are in another order or do not move.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/backend/cuda/kernels/division.h"
#include "engine/spec/error.h"
#include "engine/tensor/device_function.h"

namespace engine::backend::cuda {

// Maps a place in C order over `sizes` to the sum of index * stride over the axes. Neighbouring axes that can be merged are one axis.
class AxisMap {
public:
    struct Axis {
        std::int64_t size = 1, stride = 0;
    };

    AxisMap() = default;
    explicit AxisMap(const std::vector<Axis>& axes) {
        std::vector<Axis> joined;
        for (const Axis& axis : axes) {
            if (axis.size == 1) continue;
            const bool goes_on = !joined.empty() && joined.back().stride == axis.stride * axis.size;
            if (goes_on) {
                joined.back() = {joined.back().size * axis.size, axis.stride};
            } else {
                joined.push_back(axis);
            }
        }
        if (joined.size() > kMostAxes) throw Error(ErrorCode::kUnimplemented, "no kernel for tensors of so many axes");
        for (const Axis& axis : joined) {
            sizes_[count_] = Division(axis.size);
            strides_[count_++] = axis.stride;
        }
    }

    TANDEM_DEVICE std::int64_t operator()(std::int64_t place) const {
        std::int64_t at = 0;
        for (int axis = count_ - 1; axis > 0; --axis) {
            const Division::Parts parts = sizes_[axis](place);
            at += parts.rest * strides_[axis];
            place = parts.quotient;
        }
        return count_ == 0 ? 0 : at + place * strides_[0];
    }

private:
    static constexpr std::size_t kMostAxes = 8;

    Division sizes_[kMostAxes];
    std::int64_t strides_[kMostAxes] = {};
    int count_ = 0;
};

}  // namespace engine::backend::cuda
