// The host's load on a clock of its own: read while a run goes on or somebody watches, kept for some minutes, handed to who watches.
//
//   asleep ──── a run begins, somebody subscribes ────▶ sampling
//      ◀──────── no run, nobody subscribed ─────────────┘
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/load/host_load_meter.h"
#include "engine/thread/mutex.h"

namespace agent::server {

struct HostSamplerOptions {
    std::chrono::milliseconds interval{1000};
    std::chrono::milliseconds first{250};  // after a sleep: whoever asks waits for two readings
    std::size_t kept = 600;                // the newest of each computer; who was away for longer misses the rest
};

// The functions of the supervisor that the sampler needs. The sampler's thread calls them.
struct HostWork {
    std::function<bool()> active;  // a run goes on
    std::function<std::vector<load::LiveTask>()> tasks;
};

// Safe from any thread. Held by shared_ptr: a subscription keeps it alive.
class HostSampler : public std::enable_shared_from_this<HostSampler> {
public:
    using Load = std::shared_ptr<const engine::spec::HostLoad>;

    // The place of one who watches. Destroying it ends the watch. One thread at a time calls next().
    class Subscription {
    public:
        struct Batch {
            std::vector<Load> loads;  // in order of time
            bool end = false;         // the sampler was stopped: nothing will follow
        };
        ~Subscription();
        Subscription(const Subscription&) = delete;
        Subscription& operator=(const Subscription&) = delete;
        // Never waits. A batch that is empty and not the end says that there is nothing yet; `wake` is called once when there is something.
        Batch next();

    private:
        friend class HostSampler;
        Subscription(std::shared_ptr<HostSampler> sampler, std::uint64_t from, std::function<void()> wake)
            : sampler_(std::move(sampler)), wake_(std::move(wake)), next_(from) {}

        const std::shared_ptr<HostSampler> sampler_;
        const std::function<void()> wake_;
        // Both are guarded by sampler_->mutex_.
        std::uint64_t next_;  // number of the first load to hand out
        bool waiting_ = false;
    };

    static std::shared_ptr<HostSampler> start(HostSamplerOptions options, load::HostLoadMeter meter, HostWork work);
    ~HostSampler();  // stops

    // A run may have begun.
    void wake();
    // Readings of another computer: kept and handed out like this one's.
    void add(std::vector<engine::spec::HostLoad> loads);
    // Tasks of a run on this computer that are nobody's but their own: measured like the supervisor's from now on, in place of those that
    // this run was said to have before. The exchanges age until the next word of it.
    void follow(const std::string& run_id, std::vector<load::LiveTask> tasks);
    // Ends every subscription and joins the thread; HostWork is not called after that.
    void stop();
    // Loads that are kept and later than `after_unix_ns`, then every new one. `wake` as in EventLog::subscribe.
    std::unique_ptr<Subscription> subscribe(std::int64_t after_unix_ns, std::function<void()> wake);

private:
    HostSampler(HostSamplerOptions options, load::HostLoadMeter meter, HostWork work);
    void loop(const std::stop_token& stop);
    bool wanted();
    std::vector<load::LiveTask> followedTasks();
    void sample();
    void keep(std::vector<engine::spec::HostLoad> loads);
    std::vector<std::function<void()>> takeWakes() TANDEM_REQUIRES(mutex_);

    const HostSamplerOptions options_;
    const HostWork work_;
    load::HostLoadMeter meter_;  // the thread's alone
    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    bool woken_ TANDEM_GUARDED_BY(mutex_) = false;
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::deque<Load> loads_ TANDEM_GUARDED_BY(mutex_);
    std::map<std::string, std::size_t> counts_ TANDEM_GUARDED_BY(mutex_);  // of loads_, by computer
    std::uint64_t first_ TANDEM_GUARDED_BY(mutex_) = 1;                    // number of loads_.front()
    std::vector<Subscription*> subscribers_ TANDEM_GUARDED_BY(mutex_);
    struct Followed {
        std::vector<load::LiveTask> tasks;
        std::chrono::steady_clock::time_point at;  // that they were told of
    };
    std::map<std::string, Followed> followed_ TANDEM_GUARDED_BY(mutex_);  // by run; none without tasks
    std::jthread thread_;                                                 // last: joined before anything it uses goes
};

}  // namespace agent::server
