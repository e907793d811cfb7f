// Decides which tasks of a run know each other directly. Connections grow with the number of tasks, not with its square.
#pragma once

#include <vector>

#include "engine/distribute/edges.h"
#include "engine/distribute/peer_health.h"

namespace agent::worker {

// A pair keeps a Link when bytes go between the two (the neighbours of a ring), when one of them is the hub, which is rank 0, and when both
// are on one host that has kMostOnOneHost tasks at the most: those may share memory, all with all. Plain value; since it follows from the
// cluster's addresses alone, it is the same on every task.
class LinkMesh {
public:
    static constexpr int kHub = 0;
    static constexpr int kMostOnOneHost = 16;

    LinkMesh(const std::vector<engine::distribute::TaskName>& tasks, const engine::distribute::Edges& edges);

    // True when the two tasks are linked. No task is linked with itself.
    bool links(int a, int b) const;
    // True when every pair is linked: then each task sees by itself who is here and who is lost. Else the hub tells it.
    bool isWhole() const { return is_whole_; }

private:
    const engine::distribute::Edges edges_;
    std::vector<int> hosts_;                // by rank: the same number for the same host
    std::vector<bool> is_small_host_ = {};  // by that number
    bool is_whole_ = true;
};

}  // namespace agent::worker
