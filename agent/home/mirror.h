// The files of a part's folder, brought into the folder of the run at home: the checkpoints, logs and results of a chief elsewhere.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "agent/client/part_client.h"
#include "engine/files/safe_folder.h"

namespace agent::home {

// Used by one thread.
class Mirror {
public:
    // Throws Error when the folder can't be opened.
    explicit Mirror(const std::filesystem::path& folder) : folder_(engine::files::SafeFolder::open(folder)) {}

    // Fetches what is new or changed there, each file whole or not at all, and removes what it had fetched and is gone there. Throws Error
    // of the first file that could not be brought; those before it are here, and the next call goes on.
    void update(client::PartClient& parts, const std::string& run_id);

private:
    void bring(client::PartClient& parts, const std::string& run_id, const client::RunFile& file);

    const engine::files::SafeFolder folder_;
    std::map<std::string, client::RunFile> here_;  // by path: as it was there when it was fetched
};

}  // namespace agent::home
