// What became of the faults that were put into a run, by what its journal tells: who named each one and when, and when training went on.
//
//   done ──▶ named ──▶ healed      any of the last two may come alone: a short stop heals without being named, and a run may end before
//     └────────┴──────▶ run over   it heals
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/chaos/fault.h"
#include "engine/chaos/journal_line.h"
#include "engine/spec/events/task_event.h"

namespace engine::chaos {

struct FaultStory {
    Fault fault;
    std::int64_t time_unix_ns = 0;                 // when it was done
    std::optional<std::int64_t> over_unix_ns{};    // when its time was over
    std::optional<std::int64_t> named_unix_ns{};   // when somebody said first that something is wrong with the task, or with the way
    std::string named_by{};                        // what that was: "worker 1: no heartbeat for 4 s"
    std::optional<std::int64_t> healed_unix_ns{};  // when a step was done after the fault, by the task or by those that go on in its place
    std::int64_t healed_step = 0;                  // which one
    bool run_is_over = false;                      // before it healed

    bool isClosed() const { return healed_unix_ns.has_value() || run_is_over; }
    friend bool operator==(const FaultStory&, const FaultStory&) = default;
};

// Watches the faults of one run. One thread at a time.
class FaultWatch {
public:
    // Every event of the run's journal, in its order.
    void add(const spec::TaskEvent& event);
    // Says that no event comes any more.
    void finish();

    const std::vector<FaultStory>& stories() const { return stories_; }  // in the order in which they were done
    // The largest step that was told; after a restart it counts on from where that began.
    std::int64_t step() const { return step_; }

private:
    // What is known of a story that is open, by its place in stories_.
    struct Standing {
        bool restarted = false;             // tasks were started again since
        bool comes_back_alone = false;      // the task alone is
        std::int64_t goes_on_after_ns = 0;  // a step after this moment shows that it is healed
    };

    void begin(const FaultLine& line, const spec::TaskEvent& event);
    void name(const spec::TaskEvent& event);
    void follow(FaultStory& story, Standing& standing, const spec::TaskEvent& event);
    static std::string naming(const Fault& fault, const spec::TaskEvent& event);

    std::vector<FaultStory> stories_;
    std::vector<Standing> standings_;
    std::int64_t step_ = 0;
};

}  // namespace engine::chaos
