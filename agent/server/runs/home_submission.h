// Makes of a run that is submitted for several computers one that this computer, its home, can start.
#pragma once

#include "agent/server/runs/run_submission.h"

namespace agent::server {

// True for a run on several computers: its submission names them, or its project's cluster has tasks at addresses of others. A project that
// can't be read has no such tasks.
bool spansComputers(const Submission& submission);

// Prepares the run in two phases: every other computer looks at the run and holds what it needs; when all have said yes, the run is
// prepared here. The launch that is returned includes what starts the tasks there. Takes as long as it takes to reach the computers, so
// call it on a thread that may wait. Throws Error as prepareRun() does, and with a sentence for each computer that can't have its part;
// then nothing is held anywhere.
//
// The computers are those of submission.hosts, on ports that are free there, else those that the addresses of the project's own cluster
// name, on the ports that stand there. Tasks meet at numbers: at those that were written, and in place of a name at the one by which ssh
// reached its computer, so that no other one has to know the name. The record keeps the names.
RunLaunch prepareRunOnHosts(const Submission& submission, const SubmissionContext& context, RunBook& book);

// Sends the project's own files to those of the run's other computers that lack them, so that prepareRunOnHosts() finds them there. Does
// nothing for a run of this computer alone. Throws Error as the context's sharer does.
void shareFiles(const Submission& submission, const SubmissionContext& context, const ShareHandler& handler);

}  // namespace agent::server
