#include "engine/backend/device_group.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "engine/distribute/device_collective.h"
#include "engine/distribute/two_level_collective.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"

namespace engine::backend {
namespace {

// Runs one piece of work on every device at once: device 0 on the caller's thread, each other one on a thread of its own.
class DeviceThreads {
public:
    explicit DeviceThreads(int devices) : devices_(devices) {
        for (int device = 1; device < devices; ++device) threads_.emplace_back([this, device] { serve(device); });
    }
    ~DeviceThreads() {
        ends_.store(true);
        round_.fetch_add(1);
        round_.notify_all();
    }

    class Work {
    public:
        virtual void runDevice(int device) noexcept = 0;

    protected:
        ~Work() = default;
    };
    void run(Work& work) {
        work_ = &work;
        working_.store(devices_ - 1, std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
        round_.notify_all();
        work.runDevice(0);
        for (int left = working_.load(std::memory_order_acquire); left != 0; left = working_.load(std::memory_order_acquire)) {
            working_.wait(left, std::memory_order_acquire);
        }
    }

private:
    void serve(int device) {
        for (std::uint32_t seen = 0;; ++seen) {
            round_.wait(seen, std::memory_order_acquire);
            if (ends_.load()) return;
            work_->runDevice(device);
            if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_all();
        }
    }

    const int devices_;
    Work* work_ = nullptr;  // written before `round_` moves, read after
    std::atomic<std::uint32_t> round_{0};
    std::atomic<int> working_{0};
    std::atomic<bool> ends_{false};
    std::vector<std::jthread> threads_;
};

class DeviceGroup final : public Executor, private DeviceThreads::Work {
public:
    DeviceGroup(const MakeExecutor& make_executor, const std::vector<plan::Plan>& plans, Variables& variables,
                const DeviceGroupOptions& options)
        : plans_(plans),
          variables_(variables),
          devices_(options.devices),
          connected_(plans.size()),
          jobs_(plans.size()),
          threads_(static_cast<int>(plans.size())) {
        ENGINE_CHECK(!plans.empty() && plans.size() == options.devices.size());
        const bool reduces = !plans.front().buckets.empty();
        if (reduces) makeCollectives(options);
        if (reduces && options.connect) connect(options.connect);
        const int threads = std::max(1, options.threads / static_cast<int>(plans.size()));
        for (std::size_t d = 0; d < plans.size(); ++d) {
            Variables* own = &variables;
            if (plans[d].training && d > 0) own = copies_.emplace_back(std::make_unique<Variables>(plans[d])).get();
            ExecutorOptions inner{.threads = threads, .collective = nullptr, .region = {}, .loss = {}};
            if (options.loss) {
                inner.loss = [loss = options.loss, device = static_cast<int>(d)](const CustomLossCall& call) { return loss(device, call); };
            }
            if (reduces) {
                inner.collective = connected_[d] ? connected_[d].get() : collectives_[d].get();
                inner.region = inner.collective->allocateRegion(static_cast<std::size_t>(plans[d].shared_bytes));
            }
            executors_.push_back(make_executor(plans[d], *own, inner));
        }
    }

    StepResult trainStep(const tensor::BatchView& batch, const StepControl& control) override {
        const auto most = static_cast<std::size_t>(plans_.front().batch);
        refuseMoreThan(most * plans_.size(), batch);
        ENGINE_CHECK(batch.parts.empty() || batch.parts.size() == jobs_.size());
        std::size_t begin = 0;
        for (std::size_t d = 0; d < jobs_.size(); ++d) {
            Job& job = jobs_[d];
            const std::size_t left = batch.indices.size() - begin;
            const std::size_t count = batch.parts.empty() ? std::min(most, left) : batch.parts[d];
            ENGINE_CHECK(count <= std::min(most, left));
            job.batch = batch;
            job.batch.indices = batch.indices.subspan(begin, count);
            if (!batch.numbers.empty()) job.batch.numbers = batch.numbers.subspan(begin, count);
            job.batch.parts = {};
            job.control = control;
            begin += count;
        }
        ENGINE_CHECK(begin == batch.indices.size());
        // Words for all replicas are added up on the way: one device says them.
        for (std::size_t d = 1; d < jobs_.size(); ++d) jobs_[d].control.control = jobs_[d].control.control_value = 0;
        run(Call::kTrain);
        return jobs_.front().result;
    }

    StepResult evaluateStep(const tensor::BatchView& batch) override {
        dealEvenly(batch);
        run(Call::kEvaluate);
        StepResult sum = jobs_.front().result;
        header_.assign(sum.header.begin(), sum.header.end());
        for (std::size_t d = 1; d < jobs_.size(); ++d) {
            const StepResult& other = jobs_[d].result;
            sum.loss_sum += other.loss_sum;
            sum.correct += other.correct;
            sum.count += other.count;
            std::transform(header_.begin(), header_.end(), other.header.begin(), header_.begin(), std::plus<>());
        }
        sum.header = header_;
        return sum;
    }

    void predictStep(const tensor::BatchView& batch, std::span<float> output) override {
        dealEvenly(batch);
        const std::size_t values = batch.indices.empty() ? 0 : output.size() / batch.indices.size();
        std::size_t begin = 0;
        for (Job& job : jobs_) {
            job.output = output.subspan(begin, job.batch.indices.size() * values);
            begin += job.output.size();
        }
        run(Call::kPredict);
    }

    void syncVariables() override { executors_.front()->syncVariables(); }

    void reloadVariables() override {
        for (const auto& copy : copies_) {
            for (const Variables::Entry& entry : copy->entries()) {
                const std::span<const float> values = variables_.values(entry.name);
                std::copy(values.begin(), values.end(), entry.values.begin());
            }
        }
        for (const auto& executor : executors_) executor->reloadVariables();
    }

    std::string describe() const override { return std::to_string(executors_.size()) + " x " + executors_.front()->describe(); }

    // A replica that differs from the first by its device alone is named in a line.
    std::string planText() const override {
        std::string text = executors_.front()->planText();
        for (std::size_t d = 1; d < plans_.size(); ++d) {
            plan::Plan same = plans_[d];
            for (std::size_t i = 0; i < same.ops.size() && i < plans_.front().ops.size(); ++i)
                same.ops[i].device = plans_.front().ops[i].device;
            for (std::size_t i = 0; i < same.tensors.size() && i < plans_.front().tensors.size(); ++i) {
                same.tensors[i].device = plans_.front().tensors[i].device;
            }
            text += "replica " + std::to_string(d) + " on " + devices_[d] + ": ";
            text += same == plans_.front() ? "the same plan\n" : "\n" + executors_[d]->planText();
        }
        return text;
    }

private:
    enum class Call { kConnect, kTrain, kEvaluate, kPredict };
    using Connect = std::function<std::unique_ptr<distribute::Collective>(int device, distribute::Collective& member)>;
    struct Job {  // of one device
        tensor::BatchView batch;
        StepControl control;
        std::span<float> output;
        StepResult result;
        std::exception_ptr error;
    };

    void makeCollectives(const DeviceGroupOptions& options) {
        if (options.between != nullptr) {
            collectives_ =
                distribute::makeTwoLevelCollectives(options.devices, *options.between, {.region = options.region, .devices = {}});
            return;
        }
        for (auto& member : distribute::makeDeviceCollectives(options.devices)) collectives_.push_back(std::move(member));
    }

    void connect(const Connect& make) {
        connect_ = &make;
        run(Call::kConnect);
        connect_ = nullptr;
    }

    static void refuseMoreThan(std::size_t most, const tensor::BatchView& batch) {
        if (batch.indices.size() <= most) return;
        throw Error(ErrorCode::kInvalidArgument,
                    "batch: expected " + std::to_string(most) + " samples at most, got " + std::to_string(batch.indices.size()));
    }

    void dealEvenly(const tensor::BatchView& batch) {
        refuseMoreThan(static_cast<std::size_t>(plans_.front().batch) * plans_.size(), batch);
        const std::size_t count = batch.indices.size(), devices = jobs_.size();
        for (std::size_t d = 0; d < devices; ++d) {
            const std::size_t begin = count * d / devices, some = count * (d + 1) / devices - begin;
            jobs_[d].batch = batch;
            jobs_[d].batch.indices = batch.indices.subspan(begin, some);
            if (!batch.numbers.empty()) jobs_[d].batch.numbers = batch.numbers.subspan(begin, some);
        }
    }

    void run(Call call) {
        if (error_) std::rethrow_exception(error_);
        call_ = call;
        threads_.run(*this);
        for (const Job& job : jobs_) {
            if (job.error && (!error_ || (isEcho(error_) && !isEcho(job.error)))) error_ = job.error;
        }
        if (error_) std::rethrow_exception(error_);
    }

    // What the other devices say when one of them has failed; and the first device, when another worker has.
    static bool isEcho(const std::exception_ptr& error) {
        try {
            std::rethrow_exception(error);
        } catch (const Error& e) {
            return e.code() == ErrorCode::kUnavailable;
        } catch (...) {
            return false;
        }
    }

    void runDevice(int device) noexcept override {
        const auto d = static_cast<std::size_t>(device);
        Job& job = jobs_[d];
        try {
            switch (call_) {
                case Call::kConnect:
                    connected_[d] = (*connect_)(device, *collectives_[d]);
                    break;
                case Call::kTrain:
                    job.result = executors_[d]->trainStep(job.batch, job.control);
                    break;
                case Call::kEvaluate:
                    job.result = executors_[d]->evaluateStep(job.batch);
                    break;
                case Call::kPredict:
                    executors_[d]->predictStep(job.batch, job.output);
                    break;
            }
        } catch (...) {
            job.error = std::current_exception();
            connected_[d].reset();
            if (!collectives_.empty()) collectives_[d].reset();  // the others must not wait for this device; it is not asked again
        }
    }

    const std::vector<plan::Plan> plans_;
    Variables& variables_;
    const std::vector<std::string> devices_;
    std::vector<std::unique_ptr<distribute::Collective>> collectives_;  // [device]; empty when nothing is reduced
    std::vector<std::unique_ptr<distribute::Collective>> connected_;    // [device]; on top of the others, or null
    const Connect* connect_ = nullptr;
    std::vector<std::unique_ptr<Variables>> copies_;  // of devices 1 onwards
    std::vector<std::unique_ptr<Executor>> executors_;
    std::vector<Job> jobs_;  // the caller's, and between rounds each device's own
    Call call_ = Call::kTrain;
    std::vector<float> header_;  // of an evaluation's latest step, summed
    std::exception_ptr error_;
    DeviceThreads threads_;  // last: its threads use the others
};

}  // namespace

std::unique_ptr<Executor> makeDeviceGroup(const MakeExecutor& make_executor, const std::vector<plan::Plan>& plans, Variables& variables,
                                          const DeviceGroupOptions& options) {
    return std::make_unique<DeviceGroup>(make_executor, plans, variables, options);
}

}  // namespace engine::backend
