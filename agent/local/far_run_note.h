// A run that another computer's agent follows has a note in its folder here that says where: RUN/far_run.json.
//
//   {"host": "login", "run": "20261121-143205-7f3a", "folder": "/home/ann/runs/mnist-run", "here": "20261121-143205-7f3a"}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/files/safe_folder.h"

namespace agent::convert {

struct FarRunNote {
    std::string host;    // of the user's list
    std::string run;     // its id at that computer's agent
    std::string folder;  // there
    std::string here;    // its id on this computer
    friend bool operator==(const FarRunNote&, const FarRunNote&) = default;
};

// nullopt without the file, and where it is damaged.
std::optional<FarRunNote> readFarRunNote(const std::filesystem::path& folder);
// Throws Error naming the file.
void writeFarRunNote(const engine::files::SafeFolder& folder, const FarRunNote& note);

// A file of a run's folder by which tasks without an agent, their scheduler and who follows them find each other: nobody else needs it.
bool isOfFollowing(std::string_view path);

}  // namespace agent::convert
