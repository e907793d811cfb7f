#include "engine/custom_training/per_replica.h"

#include <cstddef>
#include <string>

#include "engine/spec/error.h"

namespace engine::custom_training {

float reduce(ReduceOp op, const PerReplica<float>& values) {
    double sum = 0;
    for (float value : values.values) sum += value;
    const bool divides = op == ReduceOp::kMean && !values.values.empty();
    return static_cast<float>(divides ? sum / static_cast<double>(values.values.size()) : sum);
}

std::vector<float> reduce(ReduceOp op, const PerReplica<std::vector<float>>& values) {
    if (values.values.empty()) return {};
    const std::size_t count = values.values.front().size();
    std::vector<float> reduced;
    PerReplica<float> of_element{std::vector<float>(values.values.size())};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t replica = 0; replica < values.values.size(); ++replica) {
            if (values.values[replica].size() != count) {
                throw Error(ErrorCode::kInvalidArgument, "reduce: expected " + std::to_string(count) + " elements of every replica, got " +
                                                             std::to_string(values.values[replica].size()) + " of replica " +
                                                             std::to_string(replica));
            }
            of_element.values[replica] = values.values[replica][i];
        }
        reduced.push_back(reduce(op, of_element));
    }
    return reduced;
}

float reduceFirstAxis(ReduceOp op, const PerReplica<std::vector<float>>& values) {
    double sum = 0;
    std::size_t count = 0;
    for (const std::vector<float>& of_replica : values.values) {
        for (float value : of_replica) sum += value;
        count += of_replica.size();
    }
    return static_cast<float>(op == ReduceOp::kMean && count > 0 ? sum / static_cast<double>(count) : sum);
}

}  // namespace engine::custom_training
