// The way to the agent of one other computer, shared by all that runs there for one run. Made again when it was lost.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "agent/client/part_client.h"
#include "agent/hosts/far_agent.h"
#include "engine/thread/mutex.h"

namespace agent::home {

// Safe from any thread.
class HostLink {
public:
    // One connection, as long as somebody uses it.
    class Live {
    public:
        Live(const hosts::Host& host, const hosts::FarOptions& options);
        hosts::FarAgent& agent() { return agent_; }
        client::AgentClient& client() { return agent_.client(); }
        client::PartClient& parts() { return parts_; }
        // What is added to this computer's clock to get the other one's.
        std::chrono::nanoseconds offset() const { return offset_; }

    private:
        hosts::FarAgent agent_;
        client::PartClient parts_;
        const std::chrono::nanoseconds offset_;
    };

    // Connects. `options` are those of every connection, but for is_cancelled. Throws Error naming the host.
    HostLink(hosts::Host host, hosts::FarOptions options);

    const hosts::Host& host() const { return host_; }
    std::shared_ptr<Live> live() const;
    // A connection in the place of `lost`: another one that was made meanwhile, else a new one. Null when somebody else is making one just
    // now. Throws Error naming the host.
    std::shared_ptr<Live> again(const std::shared_ptr<Live>& lost, const std::function<bool()>& is_cancelled);

private:
    const hosts::Host host_;
    const hosts::FarOptions options_;
    mutable engine::Mutex mutex_;
    std::shared_ptr<Live> live_ TANDEM_GUARDED_BY(mutex_);
    bool connects_ TANDEM_GUARDED_BY(mutex_) = false;
};

}  // namespace agent::home
