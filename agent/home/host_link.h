// The way to the agent of one other computer, shared by all that runs there for one run. It is made again after it was lost.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "agent/client/part_client.h"
#include "agent/home/load_relay.h"
#include "agent/hosts/far_agent.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::home {

// The event with its times by this computer's clock; `offset` as HostLink::Live::offset().
engine::spec::TaskEvent corrected(engine::spec::TaskEvent event, std::chrono::nanoseconds offset);

// Safe from any thread.
class HostLink {
public:
    // One connection, which lasts as long as somebody uses it.
    class Live {
    public:
        Live(const hosts::Host& host, const hosts::FarOptions& options);
        hosts::FarAgent& agent() { return agent_; }
        client::AgentClient& client() { return agent_.client(); }
        client::PartClient& parts() { return parts_; }
        // Returns what is added to this computer's clock to get the other one's.
        std::chrono::nanoseconds offset() const { return offset_; }
        // Hands the relay what that computer uses, as long as this lives. A second call changes nothing.
        void watchLoads(const std::shared_ptr<LoadRelay>& relay);

    private:
        hosts::FarAgent agent_;
        client::PartClient parts_;
        const std::chrono::nanoseconds offset_;
        engine::Mutex mutex_;
        std::unique_ptr<client::Watch> loads_ TANDEM_GUARDED_BY(mutex_);  // ends before the client goes
    };

    // Connects. `options` are those of every connection, but for is_cancelled. Throws Error naming the host.
    HostLink(hosts::Host host, hosts::FarOptions options);
    // Connects with the first again().
    enum class Later { kYes };
    HostLink(hosts::Host host, hosts::FarOptions options, Later)
        : host_(std::move(host)), options_(std::move(options)), relay_(std::make_shared<LoadRelay>(host_.name)) {}

    const hosts::Host& host() const { return host_; }
    // Hands what that computer uses, and what its agent knows of others, to `sink`, with its tasks of `far_run` as tasks of `run`.
    void showLoads(const std::string& far_run, const std::string& run, server::LoadSink sink,
                   LoadRelay::Shown shown = LoadRelay::Shown::kComputer);
    // Null while there is no connection.
    std::shared_ptr<Live> live() const;
    // A connection in the place of `lost`: another one that was made meanwhile, else a new one. Null when somebody else is making one just
    // now. Throws Error naming the host.
    std::shared_ptr<Live> again(const std::shared_ptr<Live>& lost, const std::function<bool()>& is_cancelled);

private:
    const hosts::Host host_;
    const hosts::FarOptions options_;
    const std::shared_ptr<LoadRelay> relay_;
    mutable engine::Mutex mutex_;
    std::shared_ptr<Live> live_ TANDEM_GUARDED_BY(mutex_);
    bool connects_ TANDEM_GUARDED_BY(mutex_) = false;
};

}  // namespace agent::home
