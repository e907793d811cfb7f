#include "engine/backend/cpu/convolution/back_operands.h"

namespace engine::backend::cpu {

BackOperands::BackOperands(const plan::Op& op) {
    if (op.kind == plan::OpKind::kConv2DBackInput) {
        dy = op.inputs[0];
        kernel = op.inputs[1];
        dx = op.outputs[0];
        return;
    }
    x = op.inputs[0];
    dy = op.inputs.back();
    dkernel = op.outputs[0];
    if (op.kind != plan::OpKind::kFusedConvBlockBack) return;
    kernel = op.inputs[1];
    y = op.inputs[2];
    if (plan::hasPool(op)) argmax = op.inputs[3];
    dbias = op.outputs[1];
    if (op.outputs.size() > 2) dx = op.outputs[2];
}

ConvolutionGeometry geometryOfBack(const Memory& memory, const plan::Op& op) {
    const bool is_input = op.kind == plan::OpKind::kConv2DBackInput;
    const plan::TensorId x = is_input ? op.outputs[0] : op.inputs[0], dy = is_input ? op.inputs[0] : op.inputs.back();
    return {plan::windowOf(op), memory.shape(x), memory.shape(dy).back()};
}

ResultGradient::ResultGradient(const Memory& memory, const plan::Op& op, const BackOperands& of, const ConvolutionGeometry& geometry,
                               const GradientImage& image, const KernelTable& kernels)
    : memory_(memory),
      op_(op),
      of_(of),
      geometry_(geometry),
      image_(image),
      kernels_(kernels),
      relu_(op.kind == plan::OpKind::kFusedConvBlockBack && plan::convolutionAttributes(op).activation == plan::Activation::kRelu) {}

const float* ResultGradient::values(std::int64_t sample) const {
    return memory_.floats(of_.dy) + sample * memory_.sampleElements(of_.dy);
}

TiledImages ResultGradient::images(std::int64_t sample, const float* scratch) const {
    TiledImages images{.values = scratch + image_.at(0, 0),
                       .sample = wholeLines(image_.floats()),
                       .row = image_.row(),
                       .pixel = image_.pixel(),
                       .rows = geometry_.out_h,
                       .columns = geometry_.out_w};
    if (isPlain()) {
        images.values = values(sample);
        images.sample = geometry_.outputElements();
        images.row = geometry_.out_w * geometry_.filters;
        images.pixel = geometry_.filters;
    }
    return images;
}

void ResultGradient::form(std::int64_t sample, float* image, float* sums) const {
    const std::int64_t at = sample * memory_.sampleElements(of_.dy), filters = geometry_.filters;
    const std::int64_t factor = plan::hasPool(op_) ? 2 : 1;
    for (int group = 0; group < image_.groups; ++group) {
        for (std::int64_t panel = 0; panel < image_.cut.panels; ++panel) {
            const std::int64_t filter = group * image_.cut.columns + image_.cut.of(panel).begin;
            PanelFillArgs args{.from = memory_.floats(of_.dy) + at + filter,
                               .y = relu_ ? memory_.floats(of_.y) + at + filter : nullptr,
                               .cells = plan::hasPool(op_) ? memory_.cells(of_.argmax) + at + filter : nullptr,
                               .from_row = geometry_.out_w / factor * filters,
                               .from_pixel = filters,
                               .rows = geometry_.out_h / factor,
                               .width = geometry_.out_w / factor,
                               .columns = image_.cut.of(panel).size(),
                               .to = image + image_.at(group, panel),
                               .to_row = image_.row(),
                               .to_pixel = image_.pixel(),
                               .sums = sums == nullptr ? nullptr : sums + filter};
            plan::hasPool(op_) ? kernels_.fillPanelUnpooled(args) : kernels_.fillPanel(args);
        }
    }
}

}  // namespace engine::backend::cpu
