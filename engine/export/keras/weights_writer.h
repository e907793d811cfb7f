// Values of a checkpoint as the tree of a Keras file, in both of its forms. Used here and by keras_file.cpp alone.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/export/hdf5_tree.h"
#include "engine/export/index/compared.h"
#include "engine/export/keras_layout.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/spec/project/run_spec.h"

namespace engine::exporter {

inline constexpr const char* kKerasVersion = "3.10.0";  // the Keras whose files these are like

// True of the state of a LossScaleOptimizer.
bool scalesLoss(const CheckpointContents& contents);

// Makes the trees of both forms.
class KerasTrees {
public:
    // Both must outlive this; `file` is for messages.
    KerasTrees(const std::string& file, const CheckpointContents& contents);

    // Errors of both: kInvalidArgument (a variable of the model without values).
    Hdf5Node keras3() const;
    Hdf5Node keras2(const spec::CompileSpec& compile) const;

private:
    Hdf5Node values(const std::string& name) const;
    std::string optimizerName() const;
    // The whole state, each part with its owner's name; that of a LossScaleOptimizer comes first, where there is one.
    std::vector<std::pair<std::string, Hdf5Node>> wholeState() const;
    std::vector<std::pair<std::string, Hdf5Node>> optimizerState() const;
    // Keras asks for them where it reads a layer with tf_idf.
    void addTextWeights(const spec::LayerSpec& layer, Hdf5Node& root) const;
    // Nadam's: of b1 (1 - 0.96^t / 2) over the steps so far.
    float momentumProduct() const;

    const std::string& file_;
    const CheckpointContents& contents_;
    const std::vector<KerasLayer> layers_;
    std::map<std::string, const VariableView*, CountedLess> by_name_;
    std::vector<KerasSlot> slots_;
    bool has_optimizer_ = false;
};

}  // namespace engine::exporter
