#include "engine/data/readers/image_folder_reader.h"

#include <sys/stat.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/data/mapped_file.h"
#include "engine/data/readers/image_decoder.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

class ImageFiles final : public SampleDecoder {
public:
    ImageFiles(std::vector<std::string> files, const spec::ImageFormat& format) : files_(std::move(files)), format_(format) {}

    void decode(std::int64_t index, std::byte* into) const override {
        const std::string& file = files_[static_cast<std::size_t>(index)];
        thread_local Image image;  // its memory serves the next picture
        try {
            decodeImage(MappedFile(file).bytes(), format_.color_mode == "grayscale" ? 1 : 3, image);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kDataLoss) {
                throw;
            }
            throw Error(ErrorCode::kDataLoss, file + ": " + error.what());
        }
        resizeImage(image, format_.size[0], format_.size[1],
                    format_.interpolation == "nearest" ? Interpolation::kNearest : Interpolation::kBilinear, into);
    }

private:
    const std::vector<std::string> files_;
    const spec::ImageFormat format_;
};

std::string lowerExtension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return std::tolower(c); });
    return extension;
}

// Pictures by their name that are not read here; Keras reads the first two and passes over the others in silence.
bool isOtherPicture(std::string_view extension) {
    constexpr std::array<std::string_view, 7> kOthers{".bmp", ".gif", ".webp", ".tif", ".tiff", ".avif", ".heic"};
    return std::find(kOthers.begin(), kOthers.end(), extension) != kOthers.end();
}

// The pictures of all classes by their names. Links to folders are followed, but not back to where they lie, and a tree that is no data set
// is given up early: the root of a disk, by mistake.
class PictureSearch {
public:
    PictureSearch(const fs::path& root, ReadReport& report)
        : root_(root), report_(report), deadline_(std::chrono::steady_clock::now() + kLongest) {
        enter(root);
    }

    // Sorted by path. Throws filesystem_error, Error.
    std::vector<std::string> below(const fs::path& folder) {
        pictures_.clear();
        others_.clear();
        walk(folder);
        std::sort(pictures_.begin(), pictures_.end());
        std::sort(others_.begin(), others_.end());
        for (const std::string& other : others_) {
            report_.bad(other + ": expected a PNG or JPEG picture, got " + lowerExtension(other));
        }
        return std::move(pictures_);
    }

private:
    static constexpr std::size_t kDeepest = 32;         // folders within folders
    static constexpr std::size_t kMostForeign = 50000;  // folders and files that are no pictures, unless a tenth as many pictures are there
    static constexpr std::chrono::minutes kLongest{10};

    using FolderId = std::pair<dev_t, ino_t>;

    // False after reporting a folder that holds itself.
    bool enter(const fs::path& folder) {
        struct stat facts {};
        if (::stat(folder.c_str(), &facts) != 0) {
            throw fs::filesystem_error("stat", folder, std::error_code(errno, std::generic_category()));
        }
        const FolderId id(facts.st_dev, facts.st_ino);
        if (std::find(open_.begin(), open_.end(), id) != open_.end()) {
            report_.bad(folder.string() + ": expected a folder of pictures, got a link to a folder that it lies in");
            return false;
        }
        if (open_.size() > kDeepest) {
            refuse(folder, "expected at most " + std::to_string(kDeepest) + " folders within each other, got more");
        }
        open_.push_back(id);
        return true;
    }

    void walk(const fs::path& folder) {
        if (!enter(folder)) {
            return;
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            std::error_code ignored;
            const std::string extension = lowerExtension(entry.path());
            if (entry.is_directory(ignored)) {
                countForeign(folder);
                walk(entry.path());
            } else if (extension == ".png" || extension == ".jpg" || extension == ".jpeg") {
                pictures_.push_back(entry.path().string());
                ++found_;
            } else {
                countForeign(folder);
                if (isOtherPicture(extension)) {
                    others_.push_back(entry.path().string());
                }
            }
        }
        open_.pop_back();
    }

    void countForeign(const fs::path& folder) {
        ++foreign_;
        if (foreign_ > kMostForeign && foreign_ / 10 > found_) {
            refuse(root_, "expected a folder with pictures, got " + std::to_string(foreign_) + " other files and folders and " +
                              std::to_string(found_) + " pictures by " + folder.string());
        }
        if (std::chrono::steady_clock::now() > deadline_) {
            refuse(root_, "expected a folder that can be listed in " + std::to_string(kLongest.count()) + " minutes, was at " +
                              folder.string() + " by then");
        }
    }

    [[noreturn]] static void refuse(const fs::path& folder, const std::string& what) {
        throw Error(ErrorCode::kInvalidArgument, folder.string() + ": " + what);
    }

    const fs::path root_;
    ReadReport& report_;
    const std::chrono::steady_clock::time_point deadline_;
    std::vector<FolderId> open_;  // from the root to the one that is listed
    std::size_t found_ = 0, foreign_ = 0;
    std::vector<std::string> pictures_, others_;  // of one class
};

}  // namespace

std::vector<std::string> classFolders(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && !name.starts_with('.')) {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string pictureShapeText(const spec::ImageFormat& format) {
    return "data.images.size=[" + std::to_string(format.size[0]) + ", " + std::to_string(format.size[1]) +
           "] and data.images.color_mode=" + format.color_mode + " make them so";
}

Samples readImageFolder(const fs::path& folder, const spec::ImageFormat& format, const std::shared_ptr<ReadReport>& report) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        throw Error(fs::exists(folder, ignored) ? ErrorCode::kInvalidArgument : ErrorCode::kNotFound,
                    folder.string() + ": expected a folder with one sub-folder a class, found none");
    }
    Samples samples;
    std::vector<std::string> files;
    std::vector<std::int32_t> labels;
    try {
        samples.class_names = classFolders(folder);
        PictureSearch search(folder, *report);
        for (std::size_t c = 0; c < samples.class_names.size(); ++c) {
            const std::vector<std::string> found = search.below(folder / samples.class_names[c]);
            files.insert(files.end(), found.begin(), found.end());
            labels.insert(labels.end(), found.size(), static_cast<std::int32_t>(c));
        }
    } catch (const fs::filesystem_error& error) {
        throw Error(ErrorCode::kPermissionDenied, folder.string() + ": cannot be listed: " + error.code().message());
    }
    if (files.empty() || files.size() >= std::size_t{0xFFFFFFFF}) {
        throw Error(ErrorCode::kInvalidArgument, folder.string() + ": expected sub-folders with .png, .jpg or .jpeg pictures, found " +
                                                     std::to_string(files.size()) + " pictures in " +
                                                     std::to_string(samples.class_names.size()) + " sub-folders");
    }
    samples.source = samples.label_source = folder.string();
    samples.count = static_cast<std::int64_t>(files.size());
    samples.sample_shape = {format.size[0], format.size[1], format.color_mode == "grayscale" ? 1 : 3};
    samples.shape_field = pictureShapeText(format);
    samples.label_dtype = tensor::DType::kInt32;
    samples.labels = ByteBuffer(labels.size() * sizeof(std::int32_t));
    std::memcpy(samples.labels.data(), labels.data(), samples.labels.size());
    samples.decoder = std::make_shared<ImageFiles>(std::move(files), format);
    samples.report = report;
    return samples;
}

}  // namespace engine::data
