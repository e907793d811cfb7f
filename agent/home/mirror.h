// The files of a part's folder, brought into the folder of the run at home: the checkpoints, logs and results of a chief elsewhere.
#pragma once

#include <filesystem>
#include <functional>
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

    // What lies here was fetched by an earlier one: update() brings it anew, or removes it.
    void takeForFetched();
    // Fetches what is new or changed there, each file whole or not at all, and removes what it had fetched and is gone there. A file that
    // has gone since it was listed, as what is written aside and then renamed, is left out. Throws Error of the first file that could not
    // be brought; those before it are here, and the next call goes on.
    // Of the files below `below` alone where it is not empty ("backup/"). `between` is called whenever a piece of a file has come; what it
    // throws ends the call as an Error of the same code.
    void update(client::PartClient& parts, const std::string& run_id, const std::string& below, const std::function<void()>& between);

private:
    // False where the file has gone there.
    bool bring(client::PartClient& parts, const std::string& run_id, const client::RunFile& file, const std::function<void()>& between);

    const engine::files::SafeFolder folder_;
    std::map<std::string, client::RunFile> here_;  // by path: as it was there when it was fetched
};

}  // namespace agent::home
