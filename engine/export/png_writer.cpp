#include "engine/export/png_writer.h"

#include <cstring>

#include <png.h>

#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

png_uint_32 formatOf(std::int64_t channels) {
    return channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
}

}  // namespace

std::string encodePng(const Picture& picture) {
    const bool known = picture.channels == 1 || picture.channels == 3 || picture.channels == 4;
    const auto size = static_cast<std::size_t>(picture.height * picture.width * picture.channels);
    if (!known || picture.height < 1 || picture.width < 1 || picture.pixels.size() != size) {
        throw Error(ErrorCode::kInvalidArgument, "picture: expected height x width x 1, 3 or 4 bytes, got " +
                                                     std::to_string(picture.pixels.size()) + " for " + std::to_string(picture.height) +
                                                     " x " + std::to_string(picture.width) + " x " + std::to_string(picture.channels));
    }
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = formatOf(picture.channels);
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(bytes, '\0');
    if (png_image_write_to_memory(&image, file.data(), &bytes, 0, picture.pixels.data(), 0, nullptr) == 0) {
        throw Error(ErrorCode::kInternal, std::string("picture: PNG could not be made: ") + image.message);
    }
    file.resize(bytes);
    return file;
}

}  // namespace engine::exporter
