// What the home of a run asks of the agent of another computer for the tasks there. Safe from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/client/agent_channel.h"
#include "agent/files/file_store.h"
#include "agent/trust/run_credentials.h"
#include "engine/run/run_info.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/thread/mutex.h"

namespace agent::client {

struct HeldPart {
    std::string id;
    std::vector<int> ports;  // one for each task
};

struct PartTask {
    engine::spec::TaskId task;
    int port = 0;  // of those that are held
    trust::RunCredentials credentials;
};

struct RunFile {
    std::string path;  // relative to the run's folder
    std::int64_t bytes = 0;
    std::int64_t modified_unix_ns = 0;
    friend bool operator==(const RunFile&, const RunFile&) = default;
};

// Every call throws engine::Error as the agent answered, kUnavailable when it does not.
class PartClient {
public:
    explicit PartClient(std::shared_ptr<AgentChannel> channel) : channel_(std::move(channel)) {}

    // Ends findFiles() and sendFile(), those that are under way and those to come, with kCancelled.
    void cancelFiles();

    // Holds ports for so many tasks of a project, after a look at whether they can run there: these ports, or where there are none any.
    // Throws kDataLoss for an answer with others.
    HeldPart prepare(const std::string& project_json, int tasks, const std::string& home, const std::vector<int>& ports,
                     std::chrono::milliseconds deadline);
    // The run that the tasks are at that agent; in a folder that they had before, or (empty) in a new one. `backup` is a file there
    // (findFiles()) from which they go on; empty: as that folder says. A second call for the same tasks answers the run that the first one
    // began, whose answer may have been lost.
    engine::run::RunInfo start(const std::string& id, const std::string& project_json, const std::vector<PartTask>& tasks,
                               const std::string& run_dir, const std::string& backup, std::chrono::milliseconds deadline);
    void drop(const std::string& id, std::chrono::milliseconds deadline);
    // Finds where the files of a list lie on that computer, or which are lacking. `list` is in the form of toText().
    files::FilesFound findFiles(const std::string& list, std::chrono::milliseconds deadline);
    // Sends one file that is lacking there: `file` of this computer, from `offset` on. `sent` hears how many bytes went out; false ends the
    // call with kCancelled. Throws kDataLoss for an offset outside the file, which is what the other side says that it has.
    void sendFile(const files::ListedFile& listed, const std::filesystem::path& file, std::int64_t offset,
                  const std::function<bool(std::int64_t bytes)>& sent, std::chrono::milliseconds deadline);
    // Lists the files in a run's folder there, oldest first.
    std::vector<RunFile> listFiles(const std::string& run_id, std::chrono::milliseconds deadline);
    // The bytes of one of those files, handed to `take` as they come, which may throw. Throws kDataLoss when fewer come than there are,
    // kUnavailable when none comes for 10 s.
    void fetch(const std::string& run_id, const std::string& path, const std::function<void(std::string_view bytes)>& take,
               std::chrono::milliseconds deadline);

private:
    class FileCall;

    const std::shared_ptr<AgentChannel> channel_;
    engine::Mutex mutex_;
    bool files_cancelled_ TANDEM_GUARDED_BY(mutex_) = false;
    std::vector<FileCall*> file_calls_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::client
