#include "engine/train/step_reporter.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "engine/thread/mutex.h"

namespace engine::train {
namespace {

constexpr std::size_t kMostPointsOfAPack = 4096;

spec::StepPoints pack(std::span<const StepPoint> points, const StepReporterOptions& options) {
    spec::StepPoints packed;
    packed.examples_per_step = options.examples_per_step;
    packed.aggregated = options.aggregated;
    spec::Column loss{"loss", {}};
    std::vector<spec::Column> metrics;
    for (const std::string& name : options.metric_names) {
        metrics.push_back({name, {}});
    }
    spec::Column rate{"learning_rate", {}};
    backend::StepTiming sum;
    for (const StepPoint& point : points) {
        packed.step.push_back(point.step);
        packed.epoch.push_back(point.epoch);
        packed.time_unix_ns.push_back(point.time_unix_ns);
        loss.values.push_back(point.loss);
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            metrics[i].values.push_back(point.metrics[i]);
        }
        rate.values.push_back(point.learning_rate);
        sum.input_us += point.timing.input_us;
        sum.compute_us += point.timing.compute_us;
        sum.wait_us += point.timing.wait_us;
        sum.reduce_us += point.timing.reduce_us;
        sum.apply_us += point.timing.apply_us;
    }
    packed.columns.push_back(std::move(loss));
    std::move(metrics.begin(), metrics.end(), std::back_inserter(packed.columns));
    packed.columns.push_back(std::move(rate));
    const auto n = static_cast<float>(points.size());
    packed.input_us = sum.input_us / n;
    packed.compute_us = sum.compute_us / n;
    packed.wait_us = sum.wait_us / n;
    packed.reduce_us = sum.reduce_us / n;
    packed.apply_us = sum.apply_us / n;
    return packed;
}

}  // namespace

StepReporter::StepReporter(TrainingObserver& observer, StepReporterOptions options)
    : observer_(observer),
      options_(std::move(options)),
      buffer_(options_.capacity),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

StepReporter::~StepReporter() {
    thread_.request_stop();
    wake_.notify_all();
}

void StepReporter::push(const StepPoint& point) {
    while (!buffer_.tryPush(point)) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_warning_ > std::chrono::seconds(10)) {
            last_warning_ = now;
            observer_.report(spec::LogLine{spec::LogLevel::kWarning, "the points of " + std::to_string(options_.capacity) +
                                                                         " steps wait to be taken: training waits, nothing is lost"});
        }
        wake_.notify_one();
        buffer_.waitForRoom();
    }
}

void StepReporter::flush() {
    MutexLock lock(mutex_);
    const std::uint64_t mine = ++flushes_wanted_;
    wake_.notify_one();
    flushed_.wait(lock, [&]() TANDEM_REQUIRES(mutex_) { return flushes_done_ >= mine; });
}

void StepReporter::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::uint64_t wanted = 0;
        {
            MutexLock lock(mutex_);
            wake_.wait_for(lock, stop, options_.interval, [&]() TANDEM_REQUIRES(mutex_) { return flushes_wanted_ > flushes_done_; });
            wanted = flushes_wanted_;
        }
        deliver();
        {
            const MutexLock lock(mutex_);
            flushes_done_ = wanted;
        }
        flushed_.notify_all();
    }
    deliver();
}

// Delivers in several packs after a while in which nobody took any: each goes into a message of its own.
void StepReporter::deliver() {
    points_.clear();
    buffer_.popAll(points_);
    for (std::size_t begin = 0; begin < points_.size(); begin += kMostPointsOfAPack) {
        const std::size_t count = std::min(kMostPointsOfAPack, points_.size() - begin);
        observer_.report(pack(std::span(points_).subspan(begin, count), options_));
    }
}

}  // namespace engine::train
