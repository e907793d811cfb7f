#include "engine/backend/cpu/onednn_convolution.h"

namespace engine::backend::cpu {

std::unique_ptr<OneDnnConvolution> makeOneDnnConvolution(ConvolutionPass, const ConvolutionGeometry&, const KernelTable&,
                                                         const OneDnnOptions&) {
    return nullptr;
}

}  // namespace engine::backend::cpu
