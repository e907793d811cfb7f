// The doctor's look at the computers of the user's list: each is asked over ssh whether it could have its part of a run, and while they are
// reached the ways between all of them are measured.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "agent/client/agent_client.h"
#include "agent/files/file_digests.h"
#include "agent/home/way_survey.h"
#include "agent/server/runs/far_part.h"

namespace agent::home {

struct FarDoctorOptions {
    std::string version;  // of this Tandem
    std::shared_ptr<files::FileDigests> digests = std::make_shared<files::FileDigests>();
    // The agent of this computer, whose workers measure here; empty: the one that connectLocalAgent() finds.
    std::function<std::unique_ptr<client::AgentClient>(std::chrono::milliseconds deadline)> agent_here{};
    SurveyOptions survey{};  // without is_cancelled
};

// Makes the doctor's look at other computers. It starts nothing there but an agent, which ends by itself, and workers that measure for some
// seconds; ports are held until then.
server::FarDoctor doctorOverSsh(FarDoctorOptions options);

}  // namespace agent::home
