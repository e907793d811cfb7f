#include "engine/spec/events/host_way.h"

namespace engine::spec {

std::string_view toString(WayOutcome outcome) {
    switch (outcome) {
        case WayOutcome::kReached:
            return "reached";
        case WayOutcome::kRefused:
            return "refused";
        case WayOutcome::kNoRoute:
            return "no_route";
        case WayOutcome::kTimedOut:
            return "timed_out";
        case WayOutcome::kNotProven:
            return "not_proven";
        case WayOutcome::kNotTried:
            return "not_tried";
    }
    return "unknown";
}

}  // namespace engine::spec
