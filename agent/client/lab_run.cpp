#include "agent/client/lab_run.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <optional>
#include <string>
#include <utility>

#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"
#include "engine/thread/mutex.h"

namespace agent::client {

using engine::Error;
using engine::ErrorCode;
using engine::lab::LabResult;
using engine::lab::LabRow;
using engine::lab::Verdict;
namespace lab = engine::lab;
namespace spec = engine::spec;

namespace {

constexpr std::chrono::milliseconds kLabSubmitDeadline{20000}, kLabCallDeadline{10000}, kLabStopDeadline{15000}, kLabLook{100};

// What a run tells, taken in by the client's thread and read by ours.
class Follower {
public:
    explicit Follower(engine::run::RunInfo run) : history_(std::move(run)) {}

    WatchHandler handler() {
        WatchHandler handler;
        handler.events = [this](const std::vector<spec::TaskEvent>& events) {
            const engine::MutexLock lock(mutex_);
            history_.add(events);
            return true;
        };
        handler.finished = [this](std::optional<std::string> error) {
            const engine::MutexLock lock(mutex_);
            is_over_ = true;
            error_ = std::move(error);
            changed_.notify_all();
        };
        return handler;
    }

    bool waitFor(std::chrono::milliseconds time) {
        engine::MutexLock lock(mutex_);
        return changed_.wait_for(lock, time, [this]() TANDEM_REQUIRES(mutex_) { return is_over_; });
    }
    std::int64_t lastStep() {
        const engine::MutexLock lock(mutex_);
        return history_.lastStep();
    }
    // Called after the watch has ended.
    std::optional<std::string> error() {
        const engine::MutexLock lock(mutex_);
        return error_;
    }
    engine::run::RunHistory take() {
        const engine::MutexLock lock(mutex_);
        return std::move(history_);
    }

private:
    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    engine::run::RunHistory history_ TANDEM_GUARDED_BY(mutex_);
    bool is_over_ TANDEM_GUARDED_BY(mutex_) = false;
    std::optional<std::string> error_ TANDEM_GUARDED_BY(mutex_);
};

// These are about the lab as a whole, not about a row of it.
bool endsTheLab(const Error& error) {
    return error.code() == ErrorCode::kUnavailable || error.code() == ErrorCode::kCancelled;
}

std::string firstLine(const std::string& text) {
    const std::string line = text.substr(0, text.find('\n'));
    constexpr std::string_view kWord = "error: ";
    return line.starts_with(kWord) ? line.substr(kWord.size()) : line;
}

class Lab {
public:
    Lab(AgentClient& client, const LabOrder& order, const LabListener& listener) : client_(client), order_(order), listener_(listener) {}

    std::vector<LabResult> run() {
        std::vector<LabResult> results;
        const std::vector<LabRow>& rows = order_.settings.rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            throwIfCancelled();
            if (listener_.begun) listener_.begun(i);
            results.push_back({.row = rows[i]});
            LabResult& result = results.back();
            if (i > 0 && results.front().verdict != Verdict::kReference) {
                result.error = "there is no reference to compare with: " + results.front().error;
            } else {
                train(i, result);
                if (result.error.empty()) compare(results.front(), result);
            }
            if (listener_.ended) listener_.ended(i, result);
        }
        return results;
    }

private:
    // Fills the row but for its verdict, or says in `error` why it did not end well.
    void train(std::size_t index, LabResult& result) {
        const spec::RunSpec project = lab::labProject(order_.project, result.row, order_.settings);
        for (const spec::Diagnostic& finding : validate(project)) {
            if (finding.severity == spec::Severity::kError) {
                result.error = finding.path + ": " + finding.message;
                return;
            }
        }
        std::optional<engine::run::RunInfo> info;
        try {
            result.bytes_per_step = ask(project, spec::TrafficQuestion()).bytes;
            info = client_.submit(requestOf(project, result.row), kLabSubmitDeadline);
        } catch (const Error& error) {
            if (endsTheLab(error)) throw;
            result.error = firstLine(error.what());
            return;
        }
        result.verdict = Verdict::kFailed;  // until it is done
        follow(index, *info, result);
    }

    SubmitRequest requestOf(const spec::RunSpec& project, const LabRow& row) const {
        SubmitRequest request{.run = project};
        request.local_workers = row.servers > 0 || row.workers > 1 ? row.workers : 0;
        request.local_servers = row.servers;
        request.data_dir = order_.data_dir;
        return request;
    }

    void follow(std::size_t index, const engine::run::RunInfo& info, LabResult& result) {
        Follower follower(info);
        const auto watch = client_.watch(info.id, 1, follower.handler());
        while (!follower.waitFor(kLabLook)) {
            if (listener_.stepped) listener_.stepped(index, follower.lastStep());
            if (isCancelled()) {
                stop(info.id, follower);
                throw Error(ErrorCode::kCancelled, "the lab was stopped");
            }
        }
        watch->end();
        const engine::run::RunInfo over = client_.getRun(info.id, kLabCallDeadline);
        engine::run::RunHistory history = follower.take();
        history.setInfo(over);
        lab::takeRun(result, history);
        if (over.state == engine::run::RunState::kDone && !follower.error()) return;
        const std::string detail = follower.error().value_or(over.detail);
        result.error =
            "run " + info.id + " ended as " + std::string(toString(over.state)) + (detail.empty() ? "" : ": " + firstLine(detail));
    }

    void compare(const LabResult& reference, LabResult& result) {
        const bool is_lost = &reference == &result && !result.curve.loss.empty() && !std::isfinite(result.curve.loss.back());
        if (is_lost) {
            result.error = "expected a finite loss after " + std::to_string(order_.settings.steps) + " steps to compare with, got none";
            return;
        }
        try {
            result.difference = ask(lab::labProject(order_.project, reference.row, order_.settings),
                                    spec::WeightsQuestion{.checkpoint = result.checkpoint, .reference = reference.checkpoint});
        } catch (const Error& error) {
            if (endsTheLab(error)) throw;
            result.error = firstLine(error.what());
            return;
        }
        lab::judge(result, reference, lab::causeToDiffer(order_.project, result.row), order_.settings);
    }

    template <class Asked>
    typename Asked::Answer ask(const spec::RunSpec& project, Asked asked) {
        return agent::client::ask(client_, {.run = project, .base_dir = {}, .asked = {}}, std::move(asked),
                                  {.data_dir = order_.data_dir, .is_cancelled = listener_.is_cancelled});
    }

    bool isCancelled() const { return listener_.is_cancelled && listener_.is_cancelled(); }
    void throwIfCancelled() const {
        if (isCancelled()) throw Error(ErrorCode::kCancelled, "the lab was stopped");
    }

    // Waits for the end, so that nothing of the run is left over.
    void stop(const std::string& run_id, Follower& follower) {
        client_.control(run_id, {spec::ControlVerb::kStopNow, 0}, kLabCallDeadline);
        follower.waitFor(kLabStopDeadline);
    }

    AgentClient& client_;
    const LabOrder& order_;
    const LabListener& listener_;
};

}  // namespace

std::vector<LabResult> runLab(AgentClient& client, const LabOrder& order, const LabListener& listener) {
    ENGINE_CHECK(!order.settings.rows.empty() && order.settings.rows.front().kind == spec::StrategyKind::kDefault);
    return Lab(client, order, listener).run();
}

}  // namespace agent::client
