#include "engine/script/script.h"

#include "engine/script/keras/keras_script.h"
#include "engine/script/torch/torch_script.h"

namespace engine::script {

Script writeScript(const spec::RunSpec& run, Api api) {
    switch (api) {
        case Api::kKeras:
            return keras::writeFitScript(run);
        case Api::kCustomLoop:
            return keras::writeLoopScript(run);
        case Api::kEstimator:
            return keras::writeEstimatorScript(run);
        case Api::kTorch:
            break;
    }
    return torch::writeTorchScript(run);
}

}  // namespace engine::script
