// From a run that is submitted for several computers to one that this computer, its home, can start.
#pragma once

#include "agent/server/runs/run_submission.h"

namespace agent::server {

// Whether a run is one for several computers: it names them, or its own cluster has tasks at addresses of others. A project that can't be
// read is none.
bool spansComputers(const Submission& submission);

// Two phases: every other computer looks at the run and holds what it needs; when all have said yes, the run is prepared here. What starts
// the tasks there is part of the answer. Takes as long as it takes to reach them, so that it is called from a thread that may wait. Throws
// Error as prepareRun() does, and with a sentence for each computer that can't have its part; then nothing is held anywhere.
//
// The computers are those of submission.hosts, on ports that are free there, else those that the addresses of the project's own cluster
// name, on the ports that stand there. Tasks meet at numbers: at those that were written, and in place of a name at the one by which ssh
// reached its computer, so that no other one has to know the name. The record keeps the names.
RunLaunch prepareRunOnHosts(const Submission& submission, const SubmissionContext& context, RunBook& book);

// Brings the project's own files to those of the run's other computers that lack them, so that prepareRunOnHosts() finds them there.
// Nothing happens for a run of this computer alone. Throws Error as the context's sharer does, and for a project that can't be read.
void shareFiles(const Submission& submission, const SubmissionContext& context, const ShareHandler& handler);

}  // namespace agent::server
