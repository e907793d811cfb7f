#include "engine/train/fit/run_folder.h"

#include <utility>

#include "engine/spec/error.h"

namespace engine::train {

RunFolder::RunFolder(std::filesystem::path path, std::shared_ptr<const files::SafeFolder> opened)
    : path_(std::move(path)),
      opened_(opened != nullptr || path_.empty() ? std::move(opened)
                                                 : std::make_shared<const files::SafeFolder>(files::SafeFolder::make(path_))) {}

const files::SafeFolder& RunFolder::opened() const {
    ENGINE_CHECK(opened_ != nullptr);
    return *opened_;
}

files::Place RunFolder::placeOf(const std::filesystem::path& file) const {
    return {opened(), file.lexically_relative(path_)};
}

std::string RunFolder::relative(const std::filesystem::path& path) const {
    const std::filesystem::path relative = path.lexically_relative(path_);
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

}  // namespace engine::train
