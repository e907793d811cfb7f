#include "engine/train/fit/epoch_progress.h"

#include <cstring>
#include <span>

#include "engine/spec/error.h"

namespace engine::train {

void EpochProgress::goOn(std::int32_t epoch, std::int64_t steps, const std::string& sums) {
    const std::span<double> totals = totals_.sums();
    if (sums.size() != totals.size_bytes()) {
        throw Error(ErrorCode::kDataLoss,
                    "backup: expected " + std::to_string(totals.size()) + " running totals, got " + std::to_string(sums.size()) + " bytes");
    }
    std::memcpy(totals.data(), sums.data(), sums.size());
    epoch_ = epoch;
    steps_done_ = steps;
}

void EpochProgress::goOn(std::int32_t epoch, std::int64_t steps) {
    totals_.clear();
    epoch_ = epoch;
    steps_done_ = steps;
}

void EpochProgress::startSums() {
    if (steps_done_ == 0) {
        totals_.clear();
    }
}

void EpochProgress::add(const backend::StepResult& step) {
    step_.set(step);
    totals_.add(step);
    ++steps_done_;
}

void EpochProgress::nextEpoch() {
    ++epoch_;
    steps_done_ = 0;
}

std::string EpochProgress::sumsAsBytes() const {
    const std::span<const double> sums = totals_.sums();
    return {reinterpret_cast<const char*>(sums.data()), sums.size_bytes()};
}

}  // namespace engine::train
