// The folder of a run as its task sees it: opened once, so that nothing is written elsewhere when somebody moves it meanwhile.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/files/place.h"
#include "engine/files/safe_folder.h"

namespace engine::train {

// Owned by the trainer; constant, so any thread may ask it.
class RunFolder {
public:
    // `path` is absolute; an empty one belongs to a task that writes nothing. `opened` is the same folder; where it is null, the folder is
    // opened, and made, here. Throws Error as files::SafeFolder::make().
    RunFolder(std::filesystem::path path, std::shared_ptr<const files::SafeFolder> opened);

    const std::filesystem::path& path() const { return path_; }
    // Requires a path.
    const files::SafeFolder& opened() const;
    // `file` is absolute and lies below the folder. Whoever opens the place gets Error(kPermissionDenied) for one that does not.
    files::Place placeOf(const std::filesystem::path& file) const;
    // "checkpoints/ckpt_3"; a path that does not lie below the folder stays as it is.
    std::string relative(const std::filesystem::path& path) const;

private:
    const std::filesystem::path path_;
    const std::shared_ptr<const files::SafeFolder> opened_;  // null without a path
};

}  // namespace engine::train
