#include "engine/data/image_folder_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/data/image_decoder.h"
#include "engine/data/mapped_file.h"
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

std::vector<std::string> picturesBelow(const fs::path& folder, ReadReport& report) {
    std::vector<std::string> files, others;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink)) {
        const std::string extension = lowerExtension(entry.path());
        if (extension == ".png" || extension == ".jpg" || extension == ".jpeg") {
            files.push_back(entry.path().string());
        } else if (isOtherPicture(extension)) {
            others.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    std::sort(others.begin(), others.end());
    for (const std::string& other : others) {
        report.bad(other + ": expected a PNG or JPEG picture, got " + lowerExtension(other));
    }
    return files;
}

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
        for (std::size_t c = 0; c < samples.class_names.size(); ++c) {
            const std::vector<std::string> found = picturesBelow(folder / samples.class_names[c], *report);
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
