#include "engine/parameter_server/parameter_store.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::parameter_server {
namespace {}  // namespace

ParameterStore::ParameterStore(std::vector<plan::ServerPlan> plans, std::size_t buckets, const StoreOptions& options)
    : plans_(std::move(plans)),
      layout_(storeLayout(plans_.front().plan, buckets)),
      make_executor_(options.make_executor),
      memory_(options.memory),
      gate_(options.max_staleness) {
    if (memory_.empty()) {
        own_memory_ = tensor::TensorMemory(static_cast<std::int64_t>(layout_.bytes));
        memory_ = own_memory_.span();
    }
    ENGINE_CHECK(memory_.size() >= layout_.bytes);
    state_ = new (memory_.data()) StoreState;
    auto* versions = reinterpret_cast<std::atomic<std::int64_t>*>(memory_.data() + layout_.versions);
    for (std::size_t i = 0; i < buckets; ++i) new (versions + i) std::atomic<std::int64_t>(0);
    versions_ = {versions, buckets};
    variables_ = std::make_unique<backend::Variables>(plans_.front().plan, memory_.subspan(layout_.variables));
    for (std::size_t i = 0; i < plans_.size(); ++i) buckets_.push_back(std::make_unique<Bucket>());
}

ParameterStore::~ParameterStore() = default;

std::size_t ParameterStore::variableBytes() const {
    return static_cast<std::size_t>(plans_.front().plan.variable_bytes);
}

// All buckets are locked, in their order, so that the analysis of single locks can't follow.
void ParameterStore::give(const GivenValues& values) TANDEM_UNCHECKED_LOCKS {
    const std::size_t expected = variableBytes();
    if (values.variables.size() != expected) {
        throw Error(ErrorCode::kInvalidArgument, "parameter server: expected " + std::to_string(expected) + " bytes of variables, got " +
                                                     std::to_string(values.variables.size()));
    }
    for (const auto& bucket : buckets_) bucket->mutex.lock();
    std::memcpy(memory_.data() + layout_.variables, values.variables.data(), expected);
    for (std::atomic<std::int64_t>& version : versions_) version.store(values.updates, std::memory_order_relaxed);
    state_->global_step.store(values.global_step, std::memory_order_relaxed);
    state_->first_epoch.store(values.origin.epoch, std::memory_order_relaxed);
    state_->first_step.store(values.origin.step, std::memory_order_relaxed);
    state_->is_over.store(0, std::memory_order_relaxed);  // who has all steps of these values says it again
    state_->generation.fetch_add(1, std::memory_order_release);
    for (const auto& bucket : buckets_) bucket->mutex.unlock();
}

ParameterStore::Load ParameterStore::load() const {
    Load load{.updates = state_->pushes.load(std::memory_order_relaxed),
              .steps = steps_.load(std::memory_order_relaxed),
              .pulled_bytes = pulled_bytes_.load(std::memory_order_relaxed),
              .pushed_bytes = pushed_bytes_.load(std::memory_order_relaxed)};
    for (std::size_t i = 0; i < by_staleness_.size(); ++i) load.staleness[i] = by_staleness_[i].load(std::memory_order_relaxed);
    return load;
}

void ParameterStore::tellEpoch(int worker, const EpochSums& told) {
    constexpr std::size_t kMostEpochs = 256;  // that a coordinator may be behind, validating
    const MutexLock lock(epochs_mutex_);
    for (const auto& [epoch, workers] : epochs_) {
        for (const auto& [other, before] : workers) {
            if (before.sums.size() != told.sums.size()) {
                throw Error(ErrorCode::kInvalidArgument, "parameter server: expected " + std::to_string(before.sums.size()) +
                                                             " sums of an epoch, got " + std::to_string(told.sums.size()));
            }
        }
    }
    epochs_[told.epoch][worker] = told;
    while (epochs_.size() > kMostEpochs) epochs_.erase(epochs_.begin());
}

EpochSums ParameterStore::epochSums(std::int64_t epoch) const {
    const MutexLock lock(epochs_mutex_);
    EpochSums all{.epoch = epoch};
    const auto found = epochs_.find(epoch);
    if (found == epochs_.end()) {
        // Sums of an epoch that was let go count as whole: nobody tells them again.
        if (!epochs_.empty() && epoch < epochs_.begin()->first) all.whole = std::numeric_limits<std::int32_t>::max();
        return all;
    }
    for (const auto& [worker, told] : found->second) {
        all.sums.resize(told.sums.size());
        for (std::size_t i = 0; i < told.sums.size(); ++i) all.sums[i] += told.sums[i];
        all.whole += told.whole > 0 ? 1 : 0;
    }
    return all;
}

void ParameterStore::setLearningRate(float rate) {
    state_->learning_rate.store(rate, std::memory_order_relaxed);
    state_->rate_changes.fetch_add(1, std::memory_order_release);
}

void ParameterStore::countStaleness(std::int64_t updates) {
    const std::int64_t place = std::clamp<std::int64_t>(updates, 0, static_cast<std::int64_t>(by_staleness_.size()) - 1);
    by_staleness_[static_cast<std::size_t>(place)].fetch_add(1, std::memory_order_relaxed);
    state_->pushes.fetch_add(1, std::memory_order_relaxed);
    state_->staleness_sum.fetch_add(updates, std::memory_order_relaxed);
    std::int64_t most = state_->largest_staleness.load(std::memory_order_relaxed);
    while (updates > most && !state_->largest_staleness.compare_exchange_weak(most, updates, std::memory_order_relaxed)) {
    }
}

ParameterStore::Session::Session(ParameterStore& store, int worker, std::span<std::byte> region) : store_(store), worker_(worker) {
    for (const plan::ServerPlan& plan : store_.plans_) {
        executors_.push_back(store_.make_executor_(plan.plan, *store_.variables_, {.threads = 1, .region = region}));
    }
}

ParameterStore::Session::~Session() {
    store_.gate_.end(worker_);
}

PushReply ParameterStore::Session::push(const PushRequest& request) {
    PushReply reply;
    store_.pulled_bytes_.fetch_add(request.pulled_bytes, std::memory_order_relaxed);
    store_.pushed_bytes_.fetch_add(request.pushed_bytes, std::memory_order_relaxed);
    if (request.bucket >= 0) {
        const auto found = std::find_if(store_.plans_.begin(), store_.plans_.end(), [&](const plan::ServerPlan& plan) {
            return plan.bucket == request.bucket && !plan.plan.ops.empty();
        });
        if (found == store_.plans_.end()) {
            throw Error(ErrorCode::kInvalidArgument,
                        "parameter server: expected a bucket of which it holds variables, got bucket " + std::to_string(request.bucket));
        }
        const auto index = static_cast<std::size_t>(found - store_.plans_.begin());
        const MutexLock lock(store_.buckets_[index]->mutex);
        reply.is_void = request.generation != store_.generation();
        if (!reply.is_void) {
            std::atomic<std::int64_t>& version = store_.version(static_cast<std::size_t>(request.bucket));
            const std::int64_t updates = version.load(std::memory_order_relaxed);
            reply.staleness = updates - request.seen_version;
            executors_[index]->trainStep({}, {.learning_rate = request.learning_rate, .iteration = updates});
            version.store(updates + 1, std::memory_order_release);
            store_.countStaleness(reply.staleness);
        }
    }
    if (request.ends_step) {
        // The last bucket of a step that was applied in part alone still ends it.
        if (!reply.is_void) {
            reply.global_step = store_.state_->global_step.fetch_add(1, std::memory_order_acq_rel) + 1;
            store_.steps_.fetch_add(1, std::memory_order_relaxed);
        }
        store_.gate_.end(worker_);
    }
    return reply;
}

}  // namespace engine::parameter_server
