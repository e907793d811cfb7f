// What the host does between two pieces of a step.
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/backend/cuda/cuda_executor.h"

namespace engine::backend::cuda {

// Parameters and states come first among the variables (engine/plan/memory.h): one piece of memory.
void CudaExecutor::readVariables(const plan::Op& op) {
    const auto before = [this](plan::TensorId a, plan::TensorId b) { return context_->bytes(a) < context_->bytes(b); };
    const auto [first, last] = std::minmax_element(op.outputs.begin(), op.outputs.end(), before);
    std::byte* begin = context_->bytes(*first);
    std::vector<std::byte> values(static_cast<std::size_t>(context_->bytes(*last) + plan::byteCount(context_->tensor(*last)) - begin));
    const cudaStream_t stream = session_->stream();
    check(cudaMemcpyAsync(values.data(), begin, values.size(), cudaMemcpyDeviceToHost, stream), "variables");
    check(cudaStreamSynchronize(stream), "variables");
    collective_->broadcast(values, std::get<spec::ReduceRoute>(op.attributes).main);
    check(cudaMemcpyAsync(begin, values.data(), values.size(), cudaMemcpyHostToDevice, stream), "variables");
    check(cudaStreamSynchronize(stream), "variables");
}

void CudaExecutor::callCustomLoss(const plan::Op& op) {
    const cudaStream_t stream = session_->stream();
    const auto samples = static_cast<std::int64_t>(batch_->indices.size());
    const plan::TensorId scores = op.inputs.front(), gradient = op.outputs.front();
    const auto present = static_cast<std::size_t>(context_->elements(scores) / plan_.batch * samples);
    std::vector<float> outputs(present), slopes(static_cast<std::size_t>(context_->elements(gradient)), 0.0F);
    if (present > 0)
        check(cudaMemcpyAsync(outputs.data(), context_->bytes(scores), present * sizeof(float), cudaMemcpyDeviceToHost, stream), "loss");
    check(cudaStreamSynchronize(stream), "loss");
    const float sums[] = {static_cast<float>(loss_({.batch = *batch_, .outputs = outputs, .gradient = std::span(slopes).first(present)})),
                          static_cast<float>(samples)};
    float* header = context_->floats(plan_.header);
    check(cudaMemcpyAsync(context_->bytes(gradient), slopes.data(), slopes.size() * sizeof(float), cudaMemcpyHostToDevice, stream), "loss");
    check(cudaMemcpyAsync(header + plan::StepHeader::kLossSum, &sums[0], sizeof(float), cudaMemcpyHostToDevice, stream), "loss");
    check(cudaMemcpyAsync(header + plan::StepHeader::kCount, &sums[1], sizeof(float), cudaMemcpyHostToDevice, stream), "loss");
    check(cudaStreamSynchronize(stream), "loss");
}

}  // namespace engine::backend::cuda
