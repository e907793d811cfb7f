// How the run in a folder was submitted, kept there so that an agent that comes back after it was killed can go on with it:
// FOLDER/submission.json, of this computer's own runs alone. A part of another computer's run has none, for its home decides.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "agent/server/runs/submission.h"

namespace agent::server {

inline constexpr const char* kSubmissionFile = "submission.json";

struct SubmissionNote {
    std::string run;                   // its id
    Submission submission{};           // without only_task, overwrite, taken_up and the socket of an ssh-agent, which is nobody's to keep
    std::string tasks_project_json{};  // of a run on several computers, as its tasks have it: with numbers in place of the hosts' names
    int first_attempt = 1;             // TakenUp::first_attempt
    bool stop_asked = false;           // by its user
};

// nullopt without a note of that run, or where it is damaged.
std::optional<SubmissionNote> readSubmissionNote(const std::filesystem::path& folder, const std::string& run);
// Throws Error naming the file.
void writeSubmissionNote(const std::filesystem::path& folder, const SubmissionNote& note);

}  // namespace agent::server
