// Who works on the elements of one row, so that a formula is written once: all of them in order on the host, some threads side by side on
// a device (engine/backend/cuda/kernels/device_lanes.h). Lane `first` takes elements first, first + step, ...; what a lane adds up alone is
// joined by sum() and its kin, which every lane of the row calls, whatever its elements, and which give all lanes the same value. Behind
// sync(), where there is one, each lane sees what all lanes have written before it.
#pragma once

#include <cstdint>

#include "engine/tensor/device_function.h"

namespace engine::backend {

// A value of a row and where it stands.
struct PlacedValue {
    float value = 0;
    std::int64_t index = 0;
};

struct OneLane {
    TANDEM_DEVICE std::int64_t first() const { return 0; }
    TANDEM_DEVICE std::int64_t step() const { return 1; }
    TANDEM_DEVICE void sync() const {}
    TANDEM_DEVICE double sum(double mine) const { return mine; }
    template <typename Real>
    TANDEM_DEVICE Real largest(Real mine) const {
        return mine;
    }
    TANDEM_DEVICE PlacedValue largest(PlacedValue mine) const { return mine; }  // the first of equal ones
};

// The first of the largest values of a row.
template <typename Lanes>
TANDEM_DEVICE PlacedValue firstLargest(const float* values, std::int64_t n, Lanes lanes) {
    PlacedValue mine{values[0], 0};
    for (std::int64_t i = lanes.first(); i < n; i += lanes.step()) {
        if (mine.value < values[i]) mine = {values[i], i};
    }
    return lanes.largest(mine);
}

}  // namespace engine::backend
