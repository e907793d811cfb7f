#include "engine/train/fit/served_executor.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "engine/distribute/peer_lost.h"
#include "engine/spec/error.h"

namespace engine::train {
namespace {

using Clock = std::chrono::steady_clock;

// How often a worker looks whether the chief has done what it waits for.
constexpr std::chrono::milliseconds kLook{10};

std::string secondsText(Clock::duration time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

// True for the loss of a server, which is looked for again: a chief that stays away is not found by that.
bool isLoss(const Error& error) {
    return (error.code() == ErrorCode::kUnavailable || error.code() == ErrorCode::kDeadlineExceeded) &&
           dynamic_cast<const distribute::PeerLost*>(&error) == nullptr;
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
    chief_ = found.chief;
    saw_chief_ = false;
    client_ = std::make_unique<parameter_server::ParameterClient>(servers_.plans(), found.links, all_, found.progress);
    executor_ = options_.make_executor(servers_.plans().worker, all_,
                                       {.threads = options_.threads, .region = found.region, .parameters = client_.get()});
}

void ServedExecutor::begin(std::int64_t steps, const parameter_server::EpochOrigin& origin) {
    const auto start = [this, steps, &origin] {
        if (options_.is_chief && !client_->isReady()) client_->give(all_, steps, steps, origin);
        waitUntilReady();
        takePlace();
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

// Waits as TensorFlow's Supervisor does: it says for what it waits. A chief that is there has all the time it needs; one that the servers
// don't see has as long as the options say, from the moment when this worker sees that.
template <typename Look, typename Fact>
void ServedExecutor::waitForChief(const std::string& to_do, Look look, Fact isDone) {
    const std::string longest = secondsText(options_.chief_away_at_most);
    const auto start = Clock::now();
    auto report_at = start + options_.waiting_report;
    bool is_away = false;
    Clock::time_point away_since{};
    while (true) {
        const parameter_server::ServerLink::State state = look();
        if (isDone(state)) return;
        const auto now = Clock::now();
        const bool is_gone = !state.chief_is_here && (saw_chief_ || state.generation != 0);  // else it has not come yet
        if (state.chief_is_here) {
            saw_chief_ = true;
            is_away = false;
        } else if (!is_away) {
            is_away = true;
            away_since = now;
            if (is_gone && options_.warns) options_.warns(chiefName() + " is gone; it may come back within " + longest);
        }
        if (options_.is_cancelled && options_.is_cancelled()) {
            throw Error(ErrorCode::kCancelled, "stopped while waiting for the chief to " + to_do);
        }
        if (is_away && now - away_since >= options_.chief_away_at_most) {
            std::string what = is_gone ? chiefName() : "gave up waiting for " + chiefName();
            what += is_gone ? " is gone: expected it back within " + longest + " to " : " to ";
            what += to_do;
            if (!is_gone) what += " after " + longest;
            throw distribute::PeerLost(what);
        }
        std::this_thread::sleep_for(kLook);
        if (Clock::now() < report_at || !options_.waits) continue;
        report_at += options_.waiting_report;
        options_.waits("waiting for the chief to " + to_do + " (" + secondsText(Clock::now() - start) + ")" +
                       (is_gone ? "; " + chiefName() + " is gone" : ""));
    }
}

void ServedExecutor::waitUntilReady() {
    waitForChief(
        "initialize the parameter servers", [this] { return client_->state(); },
        [](const parameter_server::ServerLink::State& state) { return state.generation != 0; });
}

void ServedExecutor::takePlace() {
    const parameter_server::ServerLink::State state = client_->state();
    global_step_ = state.global_step;
    origin_ = state.origin;
}

// A server is lost: this worker has lost its way to all. The chief restores what a new server can't have; the end of a run, where it holds
// that, is not taken back.
void ServedExecutor::recover(const std::string& why) {
    if (options_.warns) options_.warns(why + "; looking for it again");
    const std::int64_t before = global_step_;
    connect();
    if (options_.is_chief && !client_->isReady()) {
        const std::int64_t steps = held_ ? *held_ : options_.restore ? options_.restore() : 0;
        client_->give(all_, steps, steps, origin_);
        if (own_rate_) client_->tellLearningRate(*own_rate_);
        if (open_epochs_ > 0) client_->openEpochs(open_epochs_);
        if (options_.warns) {
            options_.warns("the parameter servers were restored as they were after step " + std::to_string(steps) + ": " +
                           std::to_string(before - steps) + " steps are lost");
        }
    }
    waitUntilReady();
    takePlace();
}

// Another server may be lost while the first is looked for: that begins anew. Servers that connect() does not find, after as long as it
// may wait, are not looked for again: then there is no client.
template <typename Call>
auto ServedExecutor::withServers(Call call) {
    std::optional<std::string> lost;
    while (true) {
        try {
            if (lost) recover(*std::exchange(lost, std::nullopt));
            return call();
        } catch (const Error& error) {
            if (!isLoss(error) || client_ == nullptr) throw;
            lost = error.what();
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
            hearRate(step.rate_changes, step.told_rate);
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
    if (held_ && !options_.is_chief) return;
    withServers([this] { client_->read(all_); });
}

void ServedExecutor::reloadVariables() {
    if (!options_.is_chief) return;
    withServers([this] {
        const std::int64_t steps = client_->globalStep();
        client_->give(all_, steps, steps, origin_);
    });
}

void ServedExecutor::watch(std::chrono::milliseconds look) {
    const auto state = withServers([this] { return client_->state(); });
    is_over_ = state.is_over;
    // Servers that were given values meanwhile, by whomever, hold what the run goes on from.
    if (state.generation != 0 && state.global_step == global_step_) std::this_thread::sleep_for(look);
    if (state.generation != 0) global_step_ = state.global_step;
}

void ServedExecutor::tellEpoch(std::int64_t epoch, std::span<const double> sums, bool is_whole) {
    withServers([&] { client_->tellEpoch({.epoch = epoch, .whole = is_whole ? 1 : 0, .sums = {sums.begin(), sums.end()}}); });
}

std::int64_t ServedExecutor::collectEpoch(std::int64_t epoch, std::span<double> sums) {
    const parameter_server::EpochSums told = withServers([&] { return client_->epochSums(epoch); });
    if (told.sums.empty()) return told.whole;
    if (told.sums.size() != sums.size()) {
        throw Error(ErrorCode::kDataLoss, "the parameter servers: expected " + std::to_string(sums.size()) + " sums of an epoch, got " +
                                              std::to_string(told.sums.size()));
    }
    std::copy(told.sums.begin(), told.sums.end(), sums.begin());
    return told.whole;
}

void ServedExecutor::openEpoch(std::int64_t epoch) {
    open_epochs_ = epoch + 1;
    withServers([&] { client_->openEpochs(open_epochs_); });
}

void ServedExecutor::waitForEpoch(std::int64_t epoch) {
    const auto look = [this] {
        const auto state = withServers([this] { return client_->state(); });
        is_over_ = state.is_over;
        hearRate(state.rate_changes, state.learning_rate);
        return state;
    };
    const std::int64_t known = global_step_;
    waitForChief("begin epoch " + std::to_string(epoch + 1), look, [epoch, known](const parameter_server::ServerLink::State& state) {
        return state.open_epochs > epoch || state.is_over || state.global_step < known;
    });
}

void ServedExecutor::waitForEnd(std::int64_t epochs) {
    const std::int64_t known = global_step_;
    while (true) {
        const auto state = withServers([this] { return client_->state(); });
        is_over_ = state.is_over;
        if (!state.chief_is_here || state.is_over || state.open_epochs > epochs || state.global_step < known) return;
        if (options_.is_cancelled && options_.is_cancelled()) {
            throw Error(ErrorCode::kCancelled, "stopped while waiting for the chief to end the run");
        }
        std::this_thread::sleep_for(kLook);
    }
}

void ServedExecutor::tellLearningRate(float rate) {
    own_rate_ = rate;
    withServers([&] { client_->tellLearningRate(rate); });
}

// A server that was restored counts from 0.
void ServedExecutor::hearRate(std::uint32_t changes, float rate) {
    if (changes != rate_changes_ && changes > 0) told_rate_ = rate;
    rate_changes_ = changes;
}

std::optional<float> ServedExecutor::takeToldRate() {
    return std::exchange(told_rate_, std::nullopt);
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
