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

    // Treats the files here as those that an earlier mirror may have fetched: update() fetches them anew where they are there, and leaves
    // the others alone.
    void takeForFetched();
    // Fetches what is new or changed there, each file whole or not at all, and removes what it had fetched and is gone there. A file that
    // has gone since it was listed, such as one that is written aside and then renamed, is left out, and so is a name of what the agent
    // here keeps in the folder. Throws the Error of the first file that could not be brought; the files before it are here, and so are
    // those behind it where it was refused (kPermissionDenied). The next call goes on. When `below` is not empty ("backup/"), only the
    // files below it count. `between` is called whenever a piece of a file has come; what it throws ends the call as an Error of the same
    // code.
    void update(client::PartClient& parts, const std::string& run_id, const std::string& below, const std::function<void()>& between);

private:
    // False where the file has gone there.
    bool bring(client::PartClient& parts, const std::string& run_id, const client::RunFile& file, const std::function<void()>& between);

    const engine::files::SafeFolder folder_;
    std::map<std::string, client::RunFile> here_;  // by path: as it was there when it was fetched
};

}  // namespace agent::home
