#include "engine/train/fit/served_executor.h"

#include <thread>
#include <utility>

#include "engine/spec/error.h"

namespace engine::train {
namespace {

using Clock = std::chrono::steady_clock;

// How often a worker looks whether the chief has given the servers their values.
constexpr std::chrono::milliseconds kLook{20};

bool isLoss(const Error& error) {
    return error.code() == ErrorCode::kUnavailable || error.code() == ErrorCode::kDeadlineExceeded;
}

}  // namespace

ServedExecutor::ServedExecutor(ParameterServers& servers, backend::Variables& all, ServedOptions options)
    : servers_(servers), all_(all), options_(std::move(options)) {
    connect();
}

ServedExecutor::~ServedExecutor() = default;

void ServedExecutor::connect() {
    executor_.reset();
    client_.reset();
    const ParameterServers::Connection found = servers_.connect();
    description_ = found.description;
    client_ = std::make_unique<parameter_server::ParameterClient>(servers_.plans(), found.links, all_);
    executor_ = options_.make_executor(servers_.plans().worker, all_,
                                       {.threads = options_.threads, .region = found.region, .parameters = client_.get()});
}

void ServedExecutor::begin(std::int64_t steps) {
    const auto start = [this, steps] {
        if (options_.is_chief && !client_->isReady()) client_->give(all_, steps, steps);
        waitUntilReady();
        global_step_ = client_->globalStep();
    };
    for (int tries = 0;; ++tries) {
        try {
            return start();
        } catch (const Error& error) {
            constexpr int kMostTries = 10;
            if (!isLoss(error) || tries == kMostTries) throw;
            connect();
        }
    }
}

// Of all but the chief: as TensorFlow's Supervisor does.
void ServedExecutor::waitUntilReady() {
    const auto start = Clock::now();
    auto report_at = start + options_.waiting_report;
    while (!client_->isReady()) {
        if (options_.is_cancelled && options_.is_cancelled()) {
            throw Error(ErrorCode::kCancelled, "stopped while waiting for the chief to initialize the parameter servers");
        }
        std::this_thread::sleep_for(kLook);
        if (Clock::now() < report_at || !options_.waits) continue;
        report_at += options_.waiting_report;
        options_.waits("waiting for the chief to initialize the parameter servers (" +
                       std::to_string(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start).count()) + " s)");
    }
}

// A server is lost: this worker has lost its way to all. The chief restores what a new server can't have.
void ServedExecutor::recover(const std::string& why) {
    if (options_.warns) options_.warns(why + "; looking for it again");
    const std::int64_t before = global_step_;
    connect();
    if (options_.is_chief && !client_->isReady()) {
        const std::int64_t steps = options_.restore ? options_.restore() : 0;
        client_->give(all_, steps, steps);
        if (options_.warns) {
            options_.warns("the parameter servers were restored as they were after step " + std::to_string(steps) + ": " +
                           std::to_string(before - steps) + " steps are lost");
        }
    }
    waitUntilReady();
    global_step_ = client_->globalStep();
}

template <typename Call>
auto ServedExecutor::withServers(Call call) {
    while (true) {
        try {
            return call();
        } catch (const Error& error) {
            if (!isLoss(error)) throw;
            recover(error.what());
        }
    }
}

backend::StepResult ServedExecutor::trainStep(const tensor::BatchView& batch, const backend::StepControl& control) {
    return withServers([&] {
        while (true) {
            client_->setLearningRate(control.learning_rate);
            const backend::StepResult result = executor_->trainStep(batch, control);
            const parameter_server::ParameterClient::Step& step = client_->lastStep();
            if (step.is_void) continue;  // the chief gave the servers other values meanwhile
            global_step_ = step.global_step;
            staleness_ = step.staleness;
            is_over_ = step.is_over;
            return result;
        }
    });
}

backend::StepResult ServedExecutor::evaluateStep(const tensor::BatchView& batch) {
    return executor_->evaluateStep(batch);
}

void ServedExecutor::predictStep(const tensor::BatchView& batch, std::span<float> output) {
    executor_->predictStep(batch, output);
}

void ServedExecutor::syncVariables() {
    withServers([this] { client_->read(all_); });
}

void ServedExecutor::reloadVariables() {
    if (!options_.is_chief) return;
    withServers([this] {
        const std::int64_t steps = client_->globalStep();
        client_->give(all_, steps, steps);
    });
}

std::optional<ServedExecutor::Summary> ServedExecutor::summary() {
    try {
        return Summary{.staleness = client_->staleness(), .global_step = client_->globalStep()};
    } catch (const Error& error) {
        if (!isLoss(error)) throw;
        return std::nullopt;
    }
}

std::string ServedExecutor::describe() const {
    return executor_->describe();
}

std::string ServedExecutor::planText() const {
    return executor_->planText();
}

}  // namespace engine::train
