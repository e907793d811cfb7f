// Tasks of one cluster as threads of the test, which find each other over sockets.
#pragma once

#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "agent/distributed/cluster_options.h"
#include "engine/custom_training/strategy.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"
#include "tests/support/reserved_port.h"
#include "tests/support/temp_dir.h"

namespace agent::distributed {

// Lines that tasks told.
class Log {
public:
    std::function<void(const std::string&)> sink() {
        return [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            text_ += line + "\n";
        };
    }
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }

private:
    mutable std::mutex mutex_;
    std::string text_;
};

// A state home of the test's own, for the secret, and a port for each task.
class TaskRig {
public:
    explicit TaskRig(const std::map<std::string, int>& jobs) {
        ::setenv("XDG_STATE_HOME", home_.path().c_str(), 1);
        for (const auto& [name, count] : jobs) {
            engine::spec::Job job{name, {}};
            for (int index = 0; index < count; ++index) {
                ports_.emplace_back();
                job.tasks[index] = "localhost:" + std::to_string(ports_.back().port());
            }
            cluster_.jobs.push_back(job);
        }
    }
    ~TaskRig() { ::unsetenv("XDG_STATE_HOME"); }
    TaskRig(const TaskRig&) = delete;
    TaskRig& operator=(const TaskRig&) = delete;

    const engine::spec::ClusterSpec& cluster() const { return cluster_; }
    ClusterOptions options(const std::string& type, int index) {
        ClusterOptions options;
        options.tf_config = engine::spec::toTfConfigJson(cluster_, {type, index});
        options.start_timeout = std::chrono::seconds(180);
        options.log = log_.sink();
        return options;
    }
    Log& log() { return log_; }

private:
    tests::support::TempDir home_;
    std::vector<tests::support::ReservedPort> ports_;
    engine::spec::ClusterSpec cluster_;
    Log log_;
};

// A thread whose exception is kept for join().
class TaskThread {
public:
    explicit TaskThread(std::function<void()> body)
        : thread_([this, body = std::move(body)] {
              try {
                  body();
              } catch (...) {
                  error_ = std::current_exception();
              }
          }) {}
    void join() {
        thread_.join();
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::exception_ptr error_;
    std::jthread thread_;  // last: it uses the other
};

// 2 x + 1 at 16 places.
inline std::shared_ptr<const engine::data::Samples> line() {
    std::vector<float> features, labels;
    for (int i = 0; i < 16; ++i) {
        features.push_back(static_cast<float>(i) / 16);
        labels.push_back(2 * features.back() + 1);
    }
    return engine::custom_training::fromTensors(features, {1}, labels);
}

inline engine::custom_training::Model lineModel(const engine::custom_training::Strategy& strategy, std::uint64_t seed = 3) {
    return strategy.scope().model(tests::support::model({1}, {tests::support::layer("Dense", "dense", {{"units", std::int64_t{1}}})}),
                                  {"SGD", {{"learning_rate", 0.2}}}, seed);
}

inline std::string messageOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace agent::distributed
