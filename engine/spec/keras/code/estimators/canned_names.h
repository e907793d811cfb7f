// The names and numbers of TensorFlow's canned estimators, for what reads them and what writes them. Only files of this folder and the one
// above it include it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace engine::spec::code {

// The rates of tensorflow_estimator/python/estimator/canned/{linear,dnn}.py.
inline constexpr double kLinearRate = 0.2, kDnnRate = 0.05, kDnnMomentum = 0.999;

inline bool isCanned(std::string_view name) {
    return name == "LinearRegressor" || name == "LinearClassifier" || name == "DNNRegressor" || name == "DNNClassifier";
}

inline bool isLinear(std::string_view name) {
    return name.starts_with("Linear");
}

inline bool isClassifier(std::string_view name) {
    return name.ends_with("Classifier");
}

// The rate of the optimizer that one without an argument `optimizer` has: Ftrl of a linear one, Adagrad of the others.
inline double usualRate(std::string_view name, std::size_t columns) {
    return isLinear(name) ? std::min(kLinearRate, 1 / std::sqrt(static_cast<double>(std::max<std::size_t>(1, columns)))) : kDnnRate;
}

}  // namespace engine::spec::code
