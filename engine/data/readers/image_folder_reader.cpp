#include "engine/data/readers/image_folder_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/data/mapped_file.h"
#include "engine/data/readers/class_folders.h"
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

const ClassFileKind& pictureKind() {
    // Of the others Keras reads the first two and passes over the rest in silence.
    static const ClassFileKind kind{.endings = {".png", ".jpg", ".jpeg"},
                                    .others = {".bmp", ".gif", ".webp", ".tif", ".tiff", ".avif", ".heic"},
                                    .many = "pictures",
                                    .nothing = "expected sub-folders with .png, .jpg or .jpeg pictures, found ",
                                    .foreign = "expected a folder with pictures, got ",
                                    .circle = "expected a folder of pictures, got a link to a folder that it lies in",
                                    .other = "expected a PNG or JPEG picture, got "};
    return kind;
}

}  // namespace

std::string pictureShapeText(const spec::ImageFormat& format) {
    return "data.images.size=[" + std::to_string(format.size[0]) + ", " + std::to_string(format.size[1]) +
           "] and data.images.color_mode=" + format.color_mode + " make them so";
}

Samples readImageFolder(const fs::path& folder, const spec::ImageFormat& format, const std::shared_ptr<ReadReport>& report) {
    ClassFiles listed = listClassFiles(folder, pictureKind(), *report);
    Samples samples;
    setClasses(samples, folder, listed);
    samples.sample_shape = {format.size[0], format.size[1], format.color_mode == "grayscale" ? 1 : 3};
    samples.shape_field = pictureShapeText(format);
    samples.decoder = std::make_shared<ImageFiles>(std::move(listed.files), format);
    samples.report = report;
    return samples;
}

}  // namespace engine::data
