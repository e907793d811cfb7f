// From a run that is submitted for several computers to one that this computer, its home, can start.
#pragma once

#include "agent/server/runs/run_submission.h"

namespace agent::server {

// Two phases: every other computer of submission.hosts looks at the run and holds what it needs; when all have said yes, the run is
// prepared here. What starts the tasks there is part of the answer. Takes as long as it takes to reach them, so that it is called from a
// thread that may wait. Throws Error as prepareRun() does, and with a sentence for each computer that can't have its part; then nothing is
// held anywhere.
RunLaunch prepareRunOnHosts(const Submission& submission, const SubmissionContext& context, RunBook& book);

}  // namespace agent::server
