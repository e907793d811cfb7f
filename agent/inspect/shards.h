// Which sample goes to which task: the preview of `tandem-cli shards`, made from the project's data by the engine's own sharder.
#pragma once

#include "agent/inspect/engine_surroundings.h"

namespace agent::worker {

// Throws Error for a project that is not valid and for data that can't be used.
engine::spec::ShardPreview shardPreview(const engine::spec::EngineQuestion& question, const engine::spec::ShardsQuestion& asked,
                                        const EngineSurroundings& surroundings);

}  // namespace agent::worker
