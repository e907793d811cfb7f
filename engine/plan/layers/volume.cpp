#include "engine/plan/layers/volume.h"

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

constexpr std::size_t kRank = 5;

}  // namespace

bool isSingleCell(const Window2D& window) {
    return window.kernel_h == 1 && window.kernel_w == 1 && window.stride_h == 1 && window.stride_w == 1;
}

spec::Shape columnsView(const spec::Shape& volume) {
    ENGINE_CHECK(volume.size() == kRank);
    return {volume[0], volume[1] * volume[2], volume[3], volume[4]};
}

spec::Shape planesView(const spec::Shape& volume) {
    ENGINE_CHECK(volume.size() == kRank);
    return {volume[0], volume[1], volume[2], volume[3] * volume[4]};
}

spec::Shape withColumns(spec::Shape volume, std::int64_t columns) {
    ENGINE_CHECK(volume.size() == kRank);
    volume[3] = columns;
    return volume;
}

TensorId lowerVolumePooling(LayerBuilder& builder, TensorId x, const VolumeWindow& window, PoolLowering pool) {
    const spec::Shape output = builder.outputShape(), between = withColumns(builder.shape(x), output[3]);
    if (!isSingleCell(window.columns)) {
        x = lowerView(builder, x, columnsView(builder.shape(x)), "rows");
        x = pool(builder, x, window.columns, columnsView(between), "columns");
    }
    x = lowerView(builder, x, planesView(between), "planes");
    x = pool(builder, x, window.planes_and_rows, planesView(output), "pool");
    return lowerSameBytes(builder, x, output, "out");
}

TensorId lowerGlobalPooling(LayerBuilder& builder, TensorId x, PoolLowering pool) {
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    if (input.size() < kRank) return pool(builder, x, wholeImage(input), output, "pool");
    x = lowerSameBytes(builder, x, columnsView(input), "rows");
    x = pool(builder, x, wholeImage(builder.shape(x)), {input.front(), input.back()}, "pool");
    return lowerView(builder, x, output, "out");
}

}  // namespace engine::plan
