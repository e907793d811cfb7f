// Runs that the agent of another computer follows, jobs that it hands to a scheduler among them, as this computer's agent sees them: they
// are runs of its own book, whose events come from there. Implementation: agent/home.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "agent/server/host/load_sinks.h"
#include "agent/server/runs/run_book.h"
#include "agent/server/scheduled/job_submission.h"
#include "engine/run/run_info.h"
#include "engine/spec/events/task_event.h"

namespace agent::server {

// Safe from any thread. `host` is a name of the user's list, or where ssh goes for one of them.
class FarRuns {
public:
    virtual ~FarRuns() = default;
    // Takes seconds. Throws Error naming the host: what keeps it from being reached, a file of the project that is not there, and what the
    // agent there answers (job_submission.h).
    virtual SubmittedJob submit(const std::string& host, const JobSubmission& submission, const std::string& ssh_agent) = 0;
    // Follows a run in a folder there. Takes and throws as submit(), and throws what RunFollower::follow() throws.
    virtual engine::run::RunInfo follow(const std::string& host, const std::string& folder, const std::string& ssh_agent) = 0;
    // Follows a run that an agent before this one followed; the host is reached when it can be. What keeps the run from being followed is
    // logged, and the run has failed.
    virtual void resume(const engine::run::RunInfo& run) = 0;
    // False for a run that is none of these. Throws Error: kUnavailable while the host is out of reach, and what the agent there answers.
    virtual bool control(const std::string& run_id, const engine::spec::Control& control) = 0;
    // Returns how many of these runs are not over.
    virtual int activeRuns() const = 0;
    // Leaves the runs as they are: the next agent follows them on.
    virtual void shutDown() = 0;
};

// `book` outlives it; folders of such runs lie below `runs_dir`. `loads` gets what the computers of these runs' tasks use; it may be empty.
using FarRunsMaker = std::function<std::unique_ptr<FarRuns>(RunBook& book, const std::filesystem::path& runs_dir, const LogSink& log,
                                                            const LoadSink& loads)>;

}  // namespace agent::server
