#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

// A line for each file of this folder that lowers layers, made by CMake.
#define TANDEM_ROWS(name) std::span<const LayerRow> name##Rows();
#include "layer_files.inc"
#undef TANDEM_ROWS

const LayerRow* findLayerRow(std::string_view class_name) {
    for (std::span<const LayerRow> (*rows)() : {
#define TANDEM_ROWS(name) &name##Rows,
#include "layer_files.inc"
#undef TANDEM_ROWS
         }) {
        for (const LayerRow& row : rows()) {
            if (row.class_name == class_name) return &row;
        }
    }
    return nullptr;
}

LayerLowering findLayerLowering(std::string_view class_name) {
    const LayerRow* row = findLayerRow(class_name);
    return row == nullptr ? nullptr : row->lowering;
}

}  // namespace engine::plan
