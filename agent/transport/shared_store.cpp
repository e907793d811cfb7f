#include "agent/transport/shared_store.h"

#include "engine/spec/error.h"

namespace agent::worker {

namespace ps = engine::parameter_server;

SharedStore makeSharedStore(const ps::ParameterPlans& plans, int server, ps::StoreOptions options) {
    const auto& own = plans.servers[static_cast<std::size_t>(server)];
    const std::size_t buckets = plans.worker.buckets.size();
    SharedStore made;
    options.memory = {};
    try {
        made.segment = engine::distribute::SharedSegment::create(ps::storeLayout(own.front().plan, buckets).bytes);
        options.memory = made.segment.span();
    } catch (const engine::Error& error) {
        made.no_segment = error.what();
    }
    made.store = std::make_unique<ps::ParameterStore>(own, buckets, options);
    return made;
}

}  // namespace agent::worker
