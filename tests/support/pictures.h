// Small PNG and JPEG pictures in memory.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <jpeglib.h>
#include <png.h>

namespace tests::support {

// 8 bits a channel; `channels` 1 or 3.
inline std::string pngBytes(unsigned rows, unsigned columns, int channels, const std::vector<unsigned char>& pixels) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = columns;
    image.height = rows;
    image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = 0;
    png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr);
    std::string bytes(size, 0);
    png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
    bytes.resize(size);
    return bytes;
}

// All pixels alike: of 3 values, RGB, or of 4, inks as Adobe's programs store them (255: none).
inline std::string jpegOf(unsigned rows, unsigned columns, const std::vector<unsigned char>& pixel) {
    jpeg_compress_struct encoder{};
    jpeg_error_mgr errors{};
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&encoder, &memory, &size);
    encoder.image_width = columns;
    encoder.image_height = rows;
    encoder.input_components = static_cast<int>(pixel.size());
    encoder.in_color_space = pixel.size() == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, 95, TRUE);
    jpeg_start_compress(&encoder, TRUE);
    std::vector<unsigned char> row;
    for (unsigned column = 0; column < columns; ++column) {
        row.insert(row.end(), pixel.begin(), pixel.end());
    }
    while (encoder.next_scanline < rows) {
        JSAMPROW line = row.data();
        jpeg_write_scanlines(&encoder, &line, 1);
    }
    jpeg_finish_compress(&encoder);
    std::string bytes(reinterpret_cast<const char*>(memory), size);
    jpeg_destroy_compress(&encoder);
    std::free(memory);
    return bytes;
}

inline std::string jpegBytes(unsigned rows, unsigned columns, unsigned char gray) {
    return jpegOf(rows, columns, {gray, gray, gray});
}

}  // namespace tests::support
