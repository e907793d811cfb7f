#include "engine/files/place.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "engine/files/regular_file.h"

namespace engine::files {

namespace fs = std::filesystem;

Place Place::operator+(std::string_view suffix) const {
    Place place = *this;
    place.path_ += suffix;
    place.below_ += suffix;
    return place;
}

Place Place::operator/(const fs::path& name) const {
    Place place = *this;
    place.path_ /= name;
    place.below_ /= name;
    return place;
}

Place Place::parent() const {
    Place place = *this;
    place.path_ = path_.parent_path();
    place.below_ = below_.parent_path();
    return place;
}

bool Place::exists() const {
    if (folder_ != nullptr) {
        return below_.empty() || folder_->status(below_).has_value();
    }
    std::error_code ignored;
    return fs::exists(path_, ignored);
}

void Place::makeFolder() const {
    if (folder_ != nullptr) {
        if (!below_.empty()) {
            folder_->makeFolder(below_);
        }
        return;
    }
    std::error_code failed;
    fs::create_directories(path_, failed);
    if (failed) {
        throw Error(codeOfErrno(failed.value()), path_.string() + ": could not make the folder: " + failed.message());
    }
}

FileDescriptor Place::openToRead() const {
    if (folder_ != nullptr) {
        return folder_->openToRead(below_);
    }
    return FileDescriptor(RegularFile(path_).release());
}

FileDescriptor Place::create() const {
    const Holder at = holder();
    return at.folder.create(at.name, at.access);
}

FileDescriptor Place::openToAppend() const {
    const Holder at = holder();
    return at.folder.openToAppend(at.name, at.access);
}

Place::Holder Place::holder() const {
    const fs::path above = folder_ == nullptr ? path_.parent_path() : below_.parent_path();
    if (folder_ == nullptr) {
        return {SafeFolder::open(above.empty() ? fs::path(".") : above), path_.filename().string(), Access::kByUmask};
    }
    return {above.empty() ? folder_->again() : folder_->openFolder(above), below_.filename().string(), Access::kPrivate};
}

}  // namespace engine::files
