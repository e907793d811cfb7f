#include "agent/server/host/host_sampler.h"

#include <algorithm>
#include <utility>

#include "engine/thread/mutex.h"

namespace agent::server {

namespace {

constexpr std::ptrdiff_t kMostLoads = 15;  // of one batch: with a thousand tasks some 2 MB

std::int64_t unixNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void call(const std::vector<std::function<void()>>& wakes) {
    for (const auto& wake : wakes) {
        wake();
    }
}

}  // namespace

std::shared_ptr<HostSampler> HostSampler::start(HostSamplerOptions options, load::HostLoadMeter meter, HostWork work) {
    std::shared_ptr<HostSampler> sampler(new HostSampler(options, std::move(meter), std::move(work)));
    sampler->thread_ = std::jthread([raw = sampler.get()](const std::stop_token& stop) { raw->loop(stop); });
    return sampler;
}

HostSampler::HostSampler(HostSamplerOptions options, load::HostLoadMeter meter, HostWork work)
    : options_(options), work_(std::move(work)), meter_(std::move(meter)) {}

HostSampler::~HostSampler() {
    stop();
}

void HostSampler::wake() {
    {
        const engine::MutexLock lock(mutex_);
        woken_ = true;
    }
    changed_.notify_all();
}

void HostSampler::stop() {
    std::vector<std::function<void()>> wakes;
    {
        const engine::MutexLock lock(mutex_);
        ended_ = true;
        wakes = takeWakes();
    }
    call(wakes);
    thread_.request_stop();
    if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) {
        thread_.join();
    }
}

std::unique_ptr<HostSampler::Subscription> HostSampler::subscribe(std::int64_t after_unix_ns, std::function<void()> wake) {
    std::unique_ptr<Subscription> subscription;
    {
        const engine::MutexLock lock(mutex_);
        const auto later = std::find_if(loads_.begin(), loads_.end(), [&](const Load& load) { return load->time_unix_ns > after_unix_ns; });
        const std::uint64_t from = first_ + static_cast<std::uint64_t>(later - loads_.begin());
        subscription.reset(new Subscription(shared_from_this(), from, std::move(wake)));
        subscribers_.push_back(subscription.get());
        woken_ = true;
    }
    changed_.notify_all();
    return subscription;
}

HostSampler::Subscription::~Subscription() {
    const engine::MutexLock lock(sampler_->mutex_);
    std::erase(sampler_->subscribers_, this);
}

HostSampler::Subscription::Batch HostSampler::Subscription::next() {
    const engine::MutexLock lock(sampler_->mutex_);
    Batch batch;
    next_ = std::max(next_, sampler_->first_);  // what was thrown away meanwhile is missed
    const auto at = static_cast<std::ptrdiff_t>(next_ - sampler_->first_);
    const auto rest = static_cast<std::ptrdiff_t>(sampler_->loads_.size()) - at;
    batch.loads.assign(sampler_->loads_.begin() + at, sampler_->loads_.begin() + at + std::min(rest, kMostLoads));
    next_ += batch.loads.size();
    batch.end = sampler_->ended_ && batch.loads.size() == static_cast<std::size_t>(rest);
    waiting_ = batch.loads.empty() && !batch.end;
    return batch;
}

// Each is called once without it: it may ask for the next batch at once.
std::vector<std::function<void()>> HostSampler::takeWakes() {
    std::vector<std::function<void()>> wakes;
    for (Subscription* subscriber : subscribers_) {
        if (std::exchange(subscriber->waiting_, false)) {
            wakes.push_back(subscriber->wake_);
        }
    }
    return wakes;
}

bool HostSampler::wanted() {
    {
        const engine::MutexLock lock(mutex_);
        woken_ = false;
        if (!subscribers_.empty() || !followed_.empty()) {
            return true;
        }
    }
    return work_.active();
}

void HostSampler::follow(const std::string& run_id, std::vector<load::LiveTask> tasks) {
    {
        const engine::MutexLock lock(mutex_);
        if (tasks.empty()) {
            followed_.erase(run_id);
            return;
        }
        woken_ = woken_ || followed_.empty();
        followed_[run_id] = {std::move(tasks), std::chrono::steady_clock::now()};
    }
    changed_.notify_all();
}

std::vector<load::LiveTask> HostSampler::followedTasks() {
    const auto now = std::chrono::steady_clock::now();
    std::vector<load::LiveTask> tasks;
    const engine::MutexLock lock(mutex_);
    for (const auto& [run, followed] : followed_) {
        for (load::LiveTask task : followed.tasks) {
            if (task.exchange) task.exchange->age_s += std::chrono::duration<double>(now - followed.at).count();
            tasks.push_back(std::move(task));
        }
    }
    return tasks;
}

void HostSampler::sample() {
    std::vector<load::LiveTask> tasks = work_.tasks();
    for (load::LiveTask& task : followedTasks()) {
        tasks.push_back(std::move(task));
    }
    auto reading = meter_.read(tasks, std::chrono::steady_clock::now(), unixNs());
    if (reading) {
        std::vector<engine::spec::HostLoad> one;
        one.push_back(std::move(*reading));
        keep(std::move(one));
    }
}

void HostSampler::add(std::vector<engine::spec::HostLoad> loads) {
    keep(std::move(loads));
}

// The oldest go while some computer has too many: they come about equally often.
void HostSampler::keep(std::vector<engine::spec::HostLoad> loads) {
    std::vector<std::function<void()>> wakes;
    {
        const engine::MutexLock lock(mutex_);
        for (engine::spec::HostLoad& load : loads) {
            const std::size_t& count = ++counts_[load.host];
            loads_.push_back(std::make_shared<const engine::spec::HostLoad>(std::move(load)));
            while (count > options_.kept) {
                --counts_[loads_.front()->host];
                loads_.pop_front();
                ++first_;
            }
        }
        wakes = takeWakes();
    }
    call(wakes);
}

void HostSampler::loop(const std::stop_token& stop) {
    bool sampling = false;
    while (!stop.stop_requested()) {
        if (!wanted()) {
            sampling = false;
            meter_.forget();
            engine::MutexLock lock(mutex_);
            changed_.wait(lock, stop, [this]() TANDEM_REQUIRES(mutex_) { return woken_; });
            continue;
        }
        sample();
        const auto pause = std::exchange(sampling, true) ? options_.interval : options_.first;
        engine::MutexLock lock(mutex_);
        changed_.wait_for(lock, stop, pause, [] { return false; });
    }
}

}  // namespace agent::server
