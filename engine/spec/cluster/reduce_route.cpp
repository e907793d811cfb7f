#include "engine/spec/cluster/reduce_route.h"

namespace engine::spec {

std::string toString(const ReduceRoute& route) {
    switch (route.way) {
        case ReduceRoute::Way::kRing:
            return "ring";
        case ReduceRoute::Way::kHalves:
            return "halves on " + std::to_string(route.main) + " and " + std::to_string(route.second);
        case ReduceRoute::Way::kOneDevice:
            return "sum on " + std::to_string(route.main);
        case ReduceRoute::Way::kKeep:
            return "sum stays on " + std::to_string(route.main);
        case ReduceRoute::Way::kWorkers:
            return "sum on " + std::to_string(route.main) + ", then between workers";
    }
    return "unknown";
}

}  // namespace engine::spec
