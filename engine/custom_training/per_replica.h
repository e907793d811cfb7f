// One value of every replica, and what tf.distribute makes of them.
#pragma once

#include <vector>

namespace engine::custom_training {

// [replica], as many as Strategy::localReplicas().
template <class T>
struct PerReplica {
    std::vector<T> values;
};

// experimental_local_results: those of this process.
template <class T>
const std::vector<T>& localResults(const PerReplica<T>& values) {
    return values.values;
}

enum class ReduceOp { kSum, kMean };

// These functions go over the replicas of this process; Strategy::reduce() goes over those of all workers. strategy.reduce(op, value,
// axis=None): over the replicas alone. For values 1 and 2 the sum is 3, the mean 1.5.
float reduce(ReduceOp op, const PerReplica<float>& values);
// The same element by element. Throws Error(kInvalidArgument) when the replicas have different numbers of elements.
std::vector<float> reduce(ReduceOp op, const PerReplica<std::vector<float>>& values);
// strategy.reduce(op, value, axis=0): over replicas and elements; every element counts the same, however many its replica has. For [1, 2]
// and [6] the sum is 9, the mean 3. The mean of nothing is 0.
float reduceFirstAxis(ReduceOp op, const PerReplica<std::vector<float>>& values);

}  // namespace engine::custom_training
